"""usearch, its vectors in full or in bfloat16."""

from __future__ import annotations

from typing import Any

import numpy as np

from waypost.bench.peers.lift import lifted_items, lifted_queries
from waypost.bench.peers.peer import EFFORTS, Floats, Ids, Peer, Setting, by_falling_norm, needed

EXPANSION = 200


class Usearch(Peer):
    name = "usearch"
    modules = ("usearch.index",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [
            {"degree": 16, "dtype": "f32", "falling": True},
            {"degree": 16, "dtype": "bf16", "falling": True},
            {"degree": 16, "dtype": "f32", "lift": True, "falling": True},
            {"degree": 32, "dtype": "f32", "lift": True, "falling": True},
        ]

    def build(
        self,
        items: Floats,
        training: Floats,
        degree: int = 16,
        dtype: str = "f32",
        falling: bool = False,
        lift: bool = False,
        **how: Any,
    ) -> None:
        self._lift = lift
        order = by_falling_norm(items) if falling else np.arange(len(items))
        vectors = (lifted_items(items) if lift else items)[order]
        self._index = needed("usearch.index").Index(
            ndim=vectors.shape[1],
            metric="l2sq" if lift else "ip",
            dtype=dtype,
            connectivity=degree,
            expansion_add=EXPANSION,
        )
        self._index.add(order.astype(np.uint64), vectors, threads=1)

    def ladder(self) -> list[Setting]:
        return [{"ef": ef} for ef in EFFORTS]

    def use(self, **setting: Any) -> None:
        self._index.expansion_search = setting["ef"]

    def search(self, queries: Floats, k: int) -> Ids:
        asked = lifted_queries(queries) if self._lift else queries
        ids: Ids = self._index.search(asked, k, threads=1).keys
        return ids

    def search_one(self, query: Floats, k: int) -> Ids:
        return self.search(query, k)

    def products(self, queries: Floats, k: int) -> float:
        asked = lifted_queries(queries) if self._lift else queries
        return float(self._index.search(asked, k, threads=1).computed_distances) / len(queries)
