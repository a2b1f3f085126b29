"""voyager. Its inner products work only if it is fed by falling norm: each larger norm bends all that came before."""

from __future__ import annotations

from typing import Any

import numpy as np

from waypost.bench.peers.lift import lifted_items, lifted_queries
from waypost.bench.peers.peer import EFFORTS, Floats, Ids, Peer, Setting, by_falling_norm, needed

EF_CONSTRUCTION = 200


class Voyager(Peer):
    name = "voyager"
    modules = ("voyager",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [{"degree": 16, "lift": False}, {"degree": 32, "lift": False}]

    def build(self, items: Floats, training: Floats, degree: int = 16, lift: bool = False, **how: Any) -> None:
        voyager = needed("voyager")
        self._lift = lift
        order = np.arange(len(items)) if lift else by_falling_norm(items)
        vectors = lifted_items(items) if lift else items[order]
        space = voyager.Space.Euclidean if lift else voyager.Space.InnerProduct
        self._index = voyager.Index(
            space, vectors.shape[1], degree, EF_CONSTRUCTION, random_seed=0, max_elements=len(items)
        )
        self._index.add_items(vectors, order.tolist(), num_threads=1)

    def ladder(self) -> list[Setting]:
        return [{"ef": ef} for ef in EFFORTS]

    def use(self, **setting: Any) -> None:
        self._ef = setting["ef"]

    def search(self, queries: Floats, k: int) -> Ids:
        asked = lifted_queries(queries) if self._lift else queries
        ids: Ids = self._index.query(asked, k, num_threads=1, query_ef=self._ef)[0]
        return ids

    def search_one(self, query: Floats, k: int) -> Ids:
        return self.search(query, k)
