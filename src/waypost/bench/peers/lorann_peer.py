"""LoRANN: clusters with a low-rank regression each, trained by the items or by queries."""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any

from waypost.bench.peers.peer import RERANKS, Floats, Ids, Peer, Setting, Unusable, needed

READ = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)  # clusters a query
MOST_TRAINING = 100_000


class Lorann(Peer):
    name = "lorann"
    modules = ("lorann",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        clusters = max(2, round(sqrt(n)))
        return [
            {"clusters": clusters, "by_queries": False},
            {"clusters": clusters, "by_queries": True},
            {"clusters": max(2, clusters // 3), "by_queries": True},
        ]

    def build(self, items: Floats, training: Floats, clusters: int = 2, by_queries: bool = False, **how: Any) -> None:
        lorann = needed("lorann")
        if items.shape[1] < 64:
            raise Unusable(f"it needs 64 dimensions or more, and these items have {items.shape[1]}")
        self._clusters = clusters
        self._index = lorann.LorannIndex(items, clusters, None, distance=lorann.IP)
        self._index.build(n_threads=1, training_queries=training[:MOST_TRAINING].copy() if by_queries else None)

    def ladder(self) -> list[Setting]:
        read = [clusters for clusters in READ if clusters <= self._clusters]
        return [{"read": clusters, "rerank": rerank} for clusters, rerank in product(read, RERANKS)]

    def use(self, **setting: Any) -> None:
        self._read, self._rerank = setting["read"], setting["rerank"]

    def search(self, queries: Floats, k: int) -> Ids:
        ids: Ids = self._index.search(queries, k, self._read, max(k, self._rerank), n_threads=1)
        return ids

    def search_one(self, query: Floats, k: int) -> Ids:
        return self.search(query, k)
