"""The vectors of a side-by-side run: items, and queries that train, that validate and that are kept for the test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

import waypost as wp
from waypost.bench.workbench import Floats, Workbench
from waypost.data.factorize import factorize
from waypost.data.factors import Factors
from waypost.data.reading import read_ratings
from waypost.data.split import split_queries

K = 10
MOST_VALIDATION, MOST_TEST = 1_500, 2_000
FACTORS_ENDING = ".npz"


@dataclass(frozen=True)
class Vectors:
    """Queries that repeat one of training are no test: they are left out, unless stored factors hold them in a part."""

    name: str
    items: Floats
    training: Floats
    valid: Floats
    test: Floats

    @classmethod
    def of(cls, name: str, factors: Factors, ratings: Any = None) -> Vectors:
        """Who repeats whom is told by the ratings where they are at hand: factors of equal users are seldom equal."""
        split = factors.split or split_queries(factors if ratings is None else ratings)
        training, valid, test = (
            np.ascontiguousarray(factors.users[rows]) for rows in (split.train, split.valid, split.test)
        )
        for queries, which in ((valid, "validation"), (test, "test")):
            if not len(queries):
                raise ValueError(f"{name} has no {which} query that training does not hold; pass more users.")
        return cls(name, np.ascontiguousarray(factors.items), training, valid[:MOST_VALIDATION], test[:MOST_TEST])

    @property
    def mark(self) -> str:
        """Tells these items from any others, so that what was measured on others is not taken for theirs."""
        return f"{len(self.items)}x{self.items.shape[1]}-{crc32(self.items.tobytes()):08x}"

    def lay_out(self, folder: Path) -> None:
        """Writes what a backend's process reads."""
        np.save(folder / "items", self.items)
        np.save(folder / "training", self.training)
        for name, queries in (("valid", self.valid), ("test", self.test)):
            np.save(folder / name, queries)
            np.save(folder / f"{name}-truth", wp.exact_search(self.items, queries, k=K, threads=1).ids)


def of_set(name: str) -> Vectors:
    """One of the sets of the benchmarks."""
    bench = Workbench()
    return Vectors.of(name, bench.factors(name), bench.ratings(name))


def of_file(path: str | Path) -> Vectors:
    """Factors as `Factors.save` writes them, or ratings in any form that `read_ratings` knows, which are factorised."""
    path = Path(path)
    factors = _stored(path)
    if factors is not None:
        return Vectors.of(path.stem, factors)
    ratings = read_ratings(path)
    return Vectors.of(path.stem, factorize(ratings), ratings)


def _stored(path: Path) -> Factors | None:
    if path.suffix != FACTORS_ENDING:
        return None
    with np.load(path) as arrays:
        if "users" not in arrays.files:
            return None
    return Factors.load(path)
