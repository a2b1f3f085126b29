"""hnswlib."""

from __future__ import annotations

from typing import Any

import numpy as np

from waypost.bench.peers.lift import lifted_items, lifted_queries
from waypost.bench.peers.peer import EFFORTS, Floats, Ids, Peer, Setting, by_falling_norm, needed

EF_CONSTRUCTION = 200


class Hnswlib(Peer):
    name = "hnswlib"
    modules = ("hnswlib",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [
            {"degree": 16, "lift": False},
            {"degree": 16, "lift": True, "falling": True},
            {"degree": 32, "lift": True, "falling": True},
        ]

    def build(
        self, items: Floats, training: Floats, degree: int = 16, lift: bool = False, falling: bool = False, **how: Any
    ) -> None:
        self._lift = lift
        order = by_falling_norm(items) if falling else np.arange(len(items))
        items = lifted_items(items) if lift else items
        self._index = needed("hnswlib").Index(space="l2" if lift else "ip", dim=items.shape[1])
        self._index.init_index(len(items), M=degree, ef_construction=EF_CONSTRUCTION, random_seed=0)
        self._index.set_num_threads(1)
        self._index.add_items(items[order] if falling else items, order, num_threads=1)

    def ladder(self) -> list[Setting]:
        return [{"ef": ef} for ef in EFFORTS]

    def use(self, **setting: Any) -> None:
        self._index.set_ef(setting["ef"])

    def search(self, queries: Floats, k: int) -> Ids:
        asked = lifted_queries(queries) if self._lift else queries
        ids: Ids = self._index.knn_query(asked, k, num_threads=1)[0]
        return ids
