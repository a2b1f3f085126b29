"""The results folder: one small JSON file a finished cell, there whole or not at all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.atomic import replacing
from waypost.errors import UnreadableFileError
from waypost.paper.cases import Case
from waypost.paper.protocol import VERSION

Result = dict[str, Any]
MARK = "results.json"
FORMAT = "waypost-paper"


@dataclass(frozen=True)
class Store:
    """Finished cells by what they are of.

    >>> import tempfile
    >>> from waypost.paper.protocol import PROTOCOLS
    >>> case = Case(PROTOCOLS["fast"], "npm_deps", "ip-nsw", "random", seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store.open(folder)
    ...     store.put(case, {"seconds": 1.5})
    ...     Store.open(folder).get(case)
    {'seconds': 1.5}
    """

    folder: Path

    @classmethod
    def open(cls, folder: str | Path, create: bool = True) -> Store:
        """A folder of results, begun where there is none; one by another version of the protocol is refused."""
        place = Path(folder)
        if place.exists() and not place.is_dir():
            raise ValueError(f"--out {folder} is a file; name a folder.")
        if not (place / MARK).exists():
            if place.exists() and any(place.iterdir()):
                raise ValueError(f"--out {folder} holds other files and no {MARK}; name a new folder.")
            if not create:
                raise ValueError(f"--out {folder} holds no results; run a table into it first.")
            place.mkdir(parents=True, exist_ok=True)
            _write(place / MARK, {"format": FORMAT, "version": VERSION, "data": {}})
        _check_mark(place)
        return cls(place)

    def path(self, case: Case) -> Path:
        return self.folder / "cells" / case.data.replace("/", "_") / f"{case.name}.json"

    def get(self, case: Case) -> Result | None:
        path = self.path(case)
        if not path.exists():
            return None
        result: Result = _read(path).get("result", {})
        return result

    def put(self, case: Case, result: Result) -> None:
        path = self.path(case)
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, {"settings": case.settings, "result": result})

    def sizes(self, data: str) -> dict[str, Any] | None:
        """What is known of a set whose cells are here: its sizes and its fingerprint."""
        known: dict[str, Any] = _read(self.folder / MARK)["data"]
        return known.get(data)

    def know(self, data: str, sizes: dict[str, Any]) -> None:
        """Remembers a set, or refuses another set under the same name."""
        mark = _read(self.folder / MARK)
        known = mark["data"].get(data)
        if known is not None and known["fingerprint"] != sizes["fingerprint"]:
            raise ValueError(
                f"--out {self.folder} has results of another {data} ({known['fingerprint']}, here "
                f"{sizes['fingerprint']}); name a new folder."
            )
        if known != sizes:
            mark["data"][data] = sizes
            _write(self.folder / MARK, mark)


def _check_mark(folder: Path) -> None:
    mark = _read(folder / MARK)
    if mark.get("format") != FORMAT:
        raise ValueError(f"--out {folder} was not made by this command; name a new folder.")
    if mark.get("version") != VERSION:
        raise ValueError(
            f"--out {folder} has results of protocol version {mark.get('version')}, and this waypost makes version "
            f"{VERSION}; name a new folder."
        )


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise UnreadableFileError(f"{path} is damaged; remove it, and it will be made again.")
    return content


def _write(path: Path, content: dict[str, Any]) -> None:
    with replacing(path) as file:
        file.write((json.dumps(content, indent=None, sort_keys=True) + "\n").encode())
