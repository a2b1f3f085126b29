"""waypost itself, asked as the others are: the index that `wp.fit` gives for each wanted recall, searched plainly."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

import waypost as wp
from waypost.bench.peers.choosing import TARGETS
from waypost.bench.peers.peer import Floats, Ids, Kept, Setting

MARGIN = 0.005  # more than the others': their ladders pass a target by a rung, where `fit` comes to stand just on it
POOLS = (10, 14, 20, 28, 40, 56, 80, 112, 160, 256, 400)  # for the picture; what was promised is searched as it is


class Waypost(Kept):
    name = "waypost"

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [{"target_recall": target} for target in TARGETS]

    def build(self, items: Floats, training: Floats, target_recall: float = 0.95, **how: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that few queries tell little: the comparison counts itself
            aim = min(target_recall + MARGIN, 1.0)
            self._index = wp.fit(items, training, target_recall=aim, threads=1)
        self.use()

    def save(self, path: Path) -> None:
        self._index.save(path)

    def load(self, path: Path) -> None:
        self._index = wp.Index.load(path)
        self.use()

    def ladder(self) -> list[Setting]:
        return [{}, *({"pool": pool} for pool in POOLS)]

    def use(self, **setting: Any) -> None:
        self._setting = setting

    def search(self, queries: Floats, k: int) -> Ids:
        return self._index.search(queries, k=k, threads=1, **self._setting).ids

    def search_one(self, query: Floats, k: int) -> Ids:
        ids: Ids = self._index.search(query[None], k=k, threads=1, **self._setting).ids[0]
        return ids

    def products(self, queries: Floats, k: int) -> float:
        return float(np.mean(self._index.search(queries, k=k, threads=1, **self._setting).cost))
