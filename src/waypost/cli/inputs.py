"""What commands take: ratings by file or by name, vectors, indexes, and places to write to."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waypost.cli.progress import bar

if TYPE_CHECKING:
    from waypost import Index
    from waypost.arguments import Floats
    from waypost.data import Factors, Ratings

ENDING = ".waypost"


def ratings_of(source: str, **options: Any) -> Ratings:
    """The ratings of a file, of the data inside the package, or of a set that was fetched."""
    from waypost.data import EMBEDDED, load_dataset, read_ratings

    if source in EMBEDDED and not Path(source).is_file():
        if given := [f"--{name.replace('_', '-')}" for name in options]:
            raise ValueError(f"{source} ships with waypost and is ready as it is; leave out {', '.join(given)}.")
        return load_dataset(source)
    path, kind = _file_of(source)
    with bar(f"reading {path.name}", bytes=True) as progress:
        return read_ratings(path, progress=progress, **({"format": kind} | options))


def _file_of(source: str) -> tuple[Path, str | None]:
    from waypost.data.catalog import CATALOG, cache_folder

    if source not in CATALOG or Path(source).exists():
        return existing(Path(source), f", nor a data set: {', '.join(CATALOG)}"), None
    entry = CATALOG[source]
    assert entry.source is not None, "what ships inside the package is no file"
    path = cache_folder() / "data" / entry.source.file
    if not path.exists():
        raise ValueError(f"{source} is not here yet; run waypost data fetch {source}.")
    return path, entry.format


def existing(path: Path, nor: str = "") -> Path:
    """`path`, if there is such a file."""
    if not path.exists():
        raise ValueError(f"{path} is no file{nor}; check the name.")
    if path.is_dir():
        raise ValueError(f"{path} is a folder; pass a file.")
    return path


def is_factors(path: Path) -> bool:
    """Whether the file holds factors of items and users, told by the names in it alone."""
    if path.suffix.lower() != ".npz" or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return {"items.npy", "users.npy"} <= set(archive.namelist())


@dataclass(frozen=True)
class Sets:
    """Queries by what they are for. A file of plain vectors is for whatever is asked of it."""

    path: Path
    factors: Factors | None
    vectors: Floats | None

    @classmethod
    def of(cls, path: Path, column: str | None = None, key: str | None = None) -> Sets:
        from waypost.data import Factors, read_vectors

        if is_factors(existing(path)) and key is None:
            return cls(path, Factors.load(path), None)
        return cls(path, None, read_vectors(path, column=column, key=key))

    def queries(self, part: str) -> Floats:
        """Of the users who "train", "valid" or "test"; of all where the file knows no such parts."""
        if self.factors is None:
            assert self.vectors is not None
            return self.vectors
        found = self.factors.queries("all" if self.factors.split is None else part)
        if not len(found):
            raise ValueError(f"{self.path} has no {part} queries; factorize more users, or pass a file of vectors.")
        return found


def open_index(path: Path) -> Index:
    from waypost import Index

    return Index.load(existing(path))


def place(path: Path) -> Path:
    """`path`, if a file can be written there: asked before hours of work, not after."""
    folder = path.resolve().parent
    if path.is_dir():
        raise ValueError(f"{path} is a folder; pass the name of a file in it.")
    if not folder.is_dir():
        raise ValueError(f"{path} is in a folder that does not exist; make {folder} first.")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{folder} may not be written to; pass another place.")
    return path


def beside(path: Path, ending: str) -> Path:
    """The name of a file that goes with `path`: shop.waypost and ".jsonl" give shop.jsonl."""
    stem = path.name.removesuffix(ENDING)
    return path.with_name(f"{stem}{ending}")
