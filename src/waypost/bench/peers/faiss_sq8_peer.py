"""faiss: one byte a dimension, in lists or in a graph, the best of them scored again by the vectors."""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any

from waypost.bench.peers.faiss_hnsw_peer import EF_CONSTRUCTION
from waypost.bench.peers.peer import EFFORTS, Floats, Ids, Peer, Setting, needed

SHARES = (0.005, 0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.4, 1.0)
FACTORS = (1, 2, 4)


class FaissSq8(Peer):
    name = "faiss-sq8"
    modules = ("faiss",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [{"factory": f"IVF{max(1, round(sqrt(n)))},SQ8,RFlat"}, {"factory": "HNSW16_SQ8,RFlat"}]

    def build(self, items: Floats, training: Floats, factory: str = "HNSW16_SQ8,RFlat", **how: Any) -> None:
        faiss = needed("faiss")
        faiss.omp_set_num_threads(1)
        self._index = faiss.index_factory(items.shape[1], factory, faiss.METRIC_INNER_PRODUCT)
        inner = faiss.downcast_index(self._index.base_index)
        self._in_lists = factory.startswith("IVF")
        self._inner = inner if self._in_lists else inner.hnsw
        if not self._in_lists:
            self._inner.efConstruction = EF_CONSTRUCTION
        self._index.train(items)
        self._index.add(items)

    def ladder(self) -> list[Setting]:
        if not self._in_lists:
            return [{"ef": ef, "factor": factor} for ef, factor in product(EFFORTS, FACTORS) if 10 * factor <= ef]
        probes = sorted({max(1, round(share * self._inner.nlist)) for share in SHARES})
        return [{"probes": probe, "factor": factor} for probe, factor in product(probes, FACTORS)]

    def use(self, **setting: Any) -> None:
        self._index.k_factor = setting["factor"]
        if self._in_lists:
            self._inner.nprobe = setting["probes"]
        else:
            self._inner.efSearch = setting["ef"]

    def search(self, queries: Floats, k: int) -> Ids:
        ids: Ids = self._index.search(queries, k)[1]
        return ids
