"""What the sections share: the settings of a run, and the data and graphs that are made once for all of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.bench.ratings import read_ratings
from waypost.data.catalog import cache_folder
from waypost.data.factorize import AlsConfig, Factors, factorize
from waypost.data.split import split_users

Floats = NDArray[np.float32]
GraphKey = tuple[str, str, int, int, int]


@dataclass(frozen=True)
class Vectors:
    """Items, and queries of users that the split calls test (held out), and of all the others: valid, then train."""

    items: Floats
    test: Floats
    others: Floats
    validating: int = 0
    """How many of the others the split calls valid."""

    @property
    def valid(self) -> Floats:
        return self.others[: self.validating]

    @property
    def train(self) -> Floats:
        return self.others[self.validating :]

    def queries(self, count: int) -> Floats:
        """The first `count` queries, test users first."""
        return np.ascontiguousarray(np.vstack([self.test, self.others])[:count])


@dataclass
class Workbench:
    """The settings of one run and a store of what is dear to make."""

    quick: bool = False
    repeats: int = 5
    data_folder: str | None = field(default_factory=lambda: os.environ.get("WAYPOST_DATA"))
    cache_folder: Path = field(default_factory=cache_folder)
    _vectors: dict[str, Vectors] = field(default_factory=dict)
    _graphs: dict[GraphKey, wp.Graph] = field(default_factory=dict)

    def vectors(self, name: str) -> Vectors:
        if name not in self._vectors:
            factors = self.factors(name)
            split = split_users(len(factors.users))
            others = np.concatenate([split.valid, split.train])
            self._vectors[name] = Vectors(
                factors.items, factors.users[split.test], factors.users[others], len(split.valid)
            )
        return self._vectors[name]

    def graph(self, name: str, kind: str, degree: int = 16, candidates: int = 100, seed: int = 0) -> wp.Graph:
        key = (name, kind, degree, candidates, seed)
        if key not in self._graphs:
            items = self.vectors(name).items
            self._graphs[key] = wp.build_graph(items, kind=kind, degree=degree, candidates=candidates, seed=seed)
        return self._graphs[key]

    def ratings(self, name: str) -> Any:
        return read_ratings(name, self.data_folder)

    def factors(self, name: str) -> Factors:
        config = AlsConfig()
        settings = "-".join(str(value) for value in vars(replace(config, threads=0)).values())
        path = self.cache_folder / f"{name}-ones-als-{settings}.npz"
        if not path.exists():
            ratings = self.ratings(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            made = path.with_suffix(".part")
            factorize(ratings, config).save(made)
            made.replace(path)
        return Factors.load(path)
