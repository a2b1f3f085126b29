"""ScaNN: anisotropic codes, with or without a tree over them, and a re-rank as deep as it takes."""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any

from waypost.bench.peers.peer import RERANKS, Floats, Ids, Peer, Setting, needed

SHARES = (0.01, 0.02, 0.03, 0.05, 0.08, 0.13, 0.25, 0.5)  # of the leaves, read by a query
SAMPLE = 250_000
K = 10  # what the searcher is made for; each search says its own


class Scann(Peer):
    name = "scann"
    modules = ("scann",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        leaves = max(2, round(sqrt(n)))
        return [
            {"leaves": 0, "threshold": 0.2},  # no tree: what its authors advise below 100,000 items
            {"leaves": leaves, "threshold": 0.2},
            {"leaves": leaves, "threshold": 0.2, "soar": 1.5},
        ]

    def build(
        self, items: Floats, training: Floats, leaves: int = 0, threshold: float = 0.2, soar: float = 0, **how: Any
    ) -> None:
        builder = needed("scann").scann_ops_pybind.builder(items, K, "dot_product")
        builder.set_n_training_threads(1)
        if leaves:
            spilled = {"soar_lambda": soar, "overretrieve_factor": 2.0} if soar else {}
            builder.tree(leaves, max(1, leaves // 10), training_sample_size=min(len(items), SAMPLE), **spilled)
        builder.score_ah(2, anisotropic_quantization_threshold=threshold).reorder(max(RERANKS))
        self._searcher = builder.build()
        self._searcher.set_num_threads(1)
        self._leaves = leaves

    def ladder(self) -> list[Setting]:
        if not self._leaves:
            return [{"rerank": rerank} for rerank in RERANKS]
        read = sorted({max(1, round(share * self._leaves)) for share in SHARES})
        return [{"read": leaves, "rerank": rerank} for leaves, rerank in product(read, RERANKS)]

    def use(self, **setting: Any) -> None:
        self._rerank, self._read = setting["rerank"], setting.get("read", -1)

    def search(self, queries: Floats, k: int) -> Ids:
        read = self._read if self._leaves else None
        ids: Ids = self._searcher.search_batched(queries, k, max(k, self._rerank), read)[0]
        return ids

    def search_one(self, query: Floats, k: int) -> Ids:
        ids: Ids = self._searcher.search(query, k, max(k, self._rerank), self._read)[0]
        return ids
