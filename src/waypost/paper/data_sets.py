"""The data of an experiment, by name: ratings, their factors (made once and kept), and who trains, validates, tests."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.data.catalog import CATALOG, cache_folder
from waypost.data.embedded import EMBEDDED, load_dataset
from waypost.data.factorize import AlsConfig, Factors, factorize
from waypost.data.ratings import Ratings
from waypost.data.reading import read_ratings
from waypost.data.split import split_queries

Floats = NDArray[np.float32]
FEWEST_USERS = 100


@dataclass(frozen=True, eq=False)
class DataSet:
    """Items and the queries of three sets of users who share none; their true answers are found when asked for."""

    name: str
    items: Floats
    train: Floats
    valid: Floats
    test: Floats
    sizes: dict[str, int]
    """What Table 1 prints, and how many users were left out since they repeat one of training."""
    threads: int = 0

    @cached_property
    def best_of_train(self) -> NDArray[np.int64]:
        return wp.exact_search(self.items, self.train, k=1, threads=self.threads).ids

    @cached_property
    def valid_truth(self) -> NDArray[np.int64]:
        return wp.exact_search(self.items, self.valid, k=10, threads=self.threads).ids

    @cached_property
    def test_truth(self) -> NDArray[np.int64]:
        return wp.exact_search(self.items, self.test, k=10, threads=self.threads).ids


@dataclass(frozen=True)
class Limits:
    """How much of a set is used; None: all of it."""

    items: int | None = None
    train: int | None = None
    valid: int | None = None
    test: int | None = None


def read_set(name: str) -> Ratings:
    """The ratings called `name`: a file of WAYPOST_DATA, a set inside the package, one of the catalogue, or a path."""
    folder = os.environ.get("WAYPOST_DATA")
    places = [Path(folder, f"{name}.npz")] if folder else []
    known = CATALOG.get(name)
    if known is not None and known.source is not None:
        places += [Path(place, known.source.file) for place in (folder, cache_folder() / "data") if place]
    places.append(Path(name))
    found = next((place for place in places if place.is_file()), None)
    if found is not None:
        own_form = known is not None and found.name != f"{name}.npz"
        return read_ratings(found, format=known.format if own_form and known else None)
    if name in EMBEDDED:
        return load_dataset(name)
    raise ValueError(_unknown(name, folder))


def _unknown(name: str, folder: str | None) -> str:
    here = sorted(path.stem for path in Path(folder).glob("*.npz") if "." not in path.stem) if folder else []
    names = ", ".join(dict.fromkeys([*here, *CATALOG]))
    remedy = f"pass a file of ratings, or one of {names}; or let WAYPOST_DATA name a folder with {name}.npz."
    return f"--data is {name!r}, which is no file and no set at hand; {remedy}"


def fingerprint(ratings: Ratings) -> str:
    """Tells these ratings from others, on any machine: who has which item, not how it was weighed."""
    matrix = ratings.matrix
    parts = (np.asarray(matrix.indptr, np.int64), np.asarray(matrix.indices, np.int64))
    users, items = matrix.shape
    return f"{users}x{items}-{zlib.crc32(parts[1].tobytes(), zlib.crc32(parts[0].tobytes())):08x}"


def load_set(name: str, limits: Limits | None = None, threads: int = 0, say: Callable[[str], None] = print) -> DataSet:
    """Reads, factorises or finds the factors, and splits the users as the paper does (80/10/10 at random).

    Every interaction counts as one, whatever its rating.
    """
    limits, ratings = limits or Limits(), read_set(name)
    ones = Ratings(_ones(ratings.matrix), ratings.users, ratings.items, ratings.notes)
    users = ones.matrix.shape[0]
    if users < FEWEST_USERS:
        raise ValueError(
            f"--data {name} has {users} users; the split needs {FEWEST_USERS} or more, so that a tenth can test."
        )
    factors = _factors(name, ones, say)
    split = split_queries(ones)
    rows = _some(np.arange(len(factors.items)), limits.items)
    parts = {part: getattr(split, part)[: getattr(limits, part)] for part in ("train", "valid", "test")}
    if not all(len(part) for part in parts.values()):
        raise ValueError(f"--data {name} leaves no query to validate or test; pass a set whose users differ more.")
    sizes = {"items": len(rows), "ratings": int(ones.matrix.nnz), "users": users}
    sizes |= {part: len(chosen) for part, chosen in parts.items()}
    sizes["repeats left out"] = split.dropped_valid + split.dropped_test
    queries = {part: np.ascontiguousarray(factors.users[chosen]) for part, chosen in parts.items()}
    return DataSet(name, np.ascontiguousarray(factors.items[rows]), **queries, sizes=sizes, threads=threads)


def _ones(matrix: object) -> object:
    copy = matrix.copy()  # type: ignore[attr-defined]
    copy.data[:] = 1
    return copy


def _some(rows: NDArray[np.int64], most: int | None) -> NDArray[np.int64]:
    """All rows, or `most` of them at random, in order."""
    if most is None or most >= len(rows):
        return rows
    return np.sort(np.random.default_rng(0).permutation(len(rows))[:most])


def _factors(name: str, ratings: Ratings, say: Callable[[str], None]) -> Factors:
    """Made once: the file of the benchmarks where it is of these very ratings, else one by their fingerprint."""
    config = AlsConfig()
    fields = [config.factors, config.iterations, config.alpha, config.regularization, config.seed, 0]
    ending = f"ones-als-{'-'.join(map(str, fields))}.npz"
    own = cache_folder() / f"paper-{fingerprint(ratings)}-{ending}"
    for path in (cache_folder() / f"{name}-{ending}", own):
        if path.exists():
            factors = Factors.load(path)
            if (len(factors.users), len(factors.items)) == ratings.matrix.shape:
                return factors
    say(f"{name}: factorising {ratings.matrix.nnz:,} ratings, once")
    own.parent.mkdir(parents=True, exist_ok=True)
    factors = factorize(Ratings(ratings.matrix), config)
    made = own.with_suffix(f".{os.getpid()}.part")
    factors.save(made)
    made.replace(own)
    return factors
