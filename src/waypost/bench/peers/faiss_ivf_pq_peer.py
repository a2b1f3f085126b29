"""faiss: lists of product-quantised vectors, read by its fast scan, the best of them scored again by the vectors."""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from waypost.bench.peers.peer import Floats, Ids, Peer, Setting, needed

SHARES = (0.005, 0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.4, 1.0)  # of the lists, read by a query
FACTORS = (2, 4, 8, 16, 32, 80)  # so many times k are scored again


class FaissIvfPq(Peer):
    name = "faiss-ivfpq"
    modules = ("faiss",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        root = sqrt(n)
        return [{"lists": max(1, round(times * root))} for times in (0.5, 2)]

    def build(self, items: Floats, training: Floats, lists: int = 1, **how: Any) -> None:
        faiss = needed("faiss")
        faiss.omp_set_num_threads(1)
        self._odd = items.shape[1] % 2  # a code is four bits for two dimensions
        items = self._even(items)
        width = items.shape[1]
        self._index = faiss.index_factory(width, f"IVF{lists},PQ{width // 2}x4fs,RFlat", faiss.METRIC_INNER_PRODUCT)
        self._ivf = faiss.extract_index_ivf(self._index)
        self._index.train(items)
        self._index.add(items)

    def _even(self, vectors: Floats) -> Floats:
        return np.pad(vectors, ((0, 0), (0, 1))) if self._odd else vectors

    def ladder(self) -> list[Setting]:
        probes = sorted({max(1, round(share * self._ivf.nlist)) for share in SHARES})
        return [{"probes": probe, "factor": factor} for probe, factor in product(probes, FACTORS)]

    def use(self, **setting: Any) -> None:
        self._ivf.nprobe = setting["probes"]
        self._index.k_factor = setting["factor"]

    def search(self, queries: Floats, k: int) -> Ids:
        ids: Ids = self._index.search(self._even(queries), k)[1]
        return ids
