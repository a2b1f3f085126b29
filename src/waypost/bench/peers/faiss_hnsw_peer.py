"""faiss: its HNSW graph over plain vectors."""

from __future__ import annotations

from typing import Any

from waypost.bench.peers.lift import lifted_items, lifted_queries
from waypost.bench.peers.peer import EFFORTS, Floats, Ids, Peer, Setting, needed

EF_CONSTRUCTION = 200


class FaissHnsw(Peer):
    name = "faiss-hnsw"
    modules = ("faiss",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [{"degree": 16, "lift": False}, {"degree": 32, "lift": False}, {"degree": 32, "lift": True}]

    def build(self, items: Floats, training: Floats, degree: int = 16, lift: bool = False, **how: Any) -> None:
        self._faiss = faiss = needed("faiss")
        faiss.omp_set_num_threads(1)
        self._lift = lift
        items = lifted_items(items) if lift else items
        metric = faiss.METRIC_L2 if lift else faiss.METRIC_INNER_PRODUCT
        self._index = faiss.IndexHNSWFlat(items.shape[1], degree, metric)
        self._index.hnsw.efConstruction = EF_CONSTRUCTION
        self._index.add(items)

    def ladder(self) -> list[Setting]:
        return [{"ef": ef} for ef in EFFORTS]

    def use(self, **setting: Any) -> None:
        self._index.hnsw.efSearch = setting["ef"]

    def search(self, queries: Floats, k: int) -> Ids:
        ids: Ids = self._index.search(lifted_queries(queries) if self._lift else queries, k)[1]
        return ids

    def products(self, queries: Floats, k: int) -> float:
        stats = self._faiss.cvar.hnsw_stats
        stats.reset()
        self.search(queries, k)
        return float(stats.ndis) / len(queries)
