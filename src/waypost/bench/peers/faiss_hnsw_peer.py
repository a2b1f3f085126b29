"""faiss: its HNSW graph over plain vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from waypost.bench.peers.lift import lifted_items, lifted_queries
from waypost.bench.peers.peer import EFFORTS, Floats, Ids, Peer, Setting, by_falling_norm, needed

EF_CONSTRUCTION = 200
PART = 128  # items given at once: within what it is given, faiss shuffles


class FaissHnsw(Peer):
    name = "faiss-hnsw"
    modules = ("faiss",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [
            {"degree": 32, "lift": False},
            {"degree": 16, "lift": True, "falling": True},
            {"degree": 32, "lift": True, "falling": True},
        ]

    def build(
        self, items: Floats, training: Floats, degree: int = 16, lift: bool = False, falling: bool = False, **how: Any
    ) -> None:
        self._faiss = faiss = needed("faiss")
        faiss.omp_set_num_threads(1)
        self._lift = lift
        vectors = lifted_items(items) if lift else items
        metric = faiss.METRIC_L2 if lift else faiss.METRIC_INNER_PRODUCT
        self._index = faiss.IndexHNSWFlat(vectors.shape[1], degree, metric)
        self._index.hnsw.efConstruction = EF_CONSTRUCTION
        order = by_falling_norm(items) if falling else np.arange(len(items))
        self._rows = np.append(order, -1)  # -1, which says that there is no answer, stays -1
        for start in range(0, len(order), PART):
            self._index.add(vectors[order[start : start + PART]])

    def ladder(self) -> list[Setting]:
        return [{"ef": ef} for ef in EFFORTS]

    def use(self, **setting: Any) -> None:
        self._index.hnsw.efSearch = setting["ef"]

    def search(self, queries: Floats, k: int) -> Ids:
        found = self._index.search(lifted_queries(queries) if self._lift else queries, k)[1]
        ids: Ids = self._rows[found]
        return ids

    def products(self, queries: Floats, k: int) -> float:
        stats = self._faiss.cvar.hnsw_stats
        stats.reset()
        self.search(queries, k)
        return float(stats.ndis) / len(queries)
