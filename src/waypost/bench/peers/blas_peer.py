"""Every score by NumPy's matrix product, then the best of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from waypost.bench.peers.peer import Floats, Ids, Peer, Setting

BLOCK = 256  # queries a product, so that their scores stay near


class Blas(Peer):
    name = "exact-blas"

    def build(self, items: Floats, training: Floats, **how: Any) -> None:
        self._items = items

    def ladder(self) -> list[Setting]:
        return [{}]

    def use(self, **setting: Any) -> None:
        pass

    def search(self, queries: Floats, k: int) -> Ids:
        blocks = range(0, len(queries), BLOCK)
        return np.vstack([self._best(queries[at : at + BLOCK], k) for at in blocks])

    def _best(self, queries: Floats, k: int) -> Ids:
        scores = queries @ self._items.T
        best = np.argpartition(scores, -k, axis=1)[:, -k:]
        order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
        return np.take_along_axis(best, order, axis=1)

    def search_one(self, query: Floats, k: int) -> Ids:
        scores = self._items @ query
        best = np.argpartition(scores, -k)[-k:]
        ids: Ids = best[np.argsort(-scores[best])]
        return ids

    def products(self, queries: Floats, k: int) -> float:
        return float(len(self._items))
