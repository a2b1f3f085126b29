"""waypost itself, asked as the others are."""

from __future__ import annotations

from typing import Any

import numpy as np

import waypost as wp
from waypost.bench.peers.peer import Floats, Ids, Peer, Setting

POOLS = (10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64, 80, 100, 128, 160, 200, 256, 320, 400, 512)


class Waypost(Peer):
    name = "waypost"

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [
            {"kind": "united", "degree": 32, "candidates": 200},
            {"kind": "moebius", "degree": 32, "candidates": 300},
            {"kind": "united", "degree": 16, "candidates": 100},
        ]

    def build(
        self,
        items: Floats,
        training: Floats,
        kind: str = "united",
        degree: int = 16,
        candidates: int = 100,
        **how: Any,
    ) -> None:
        graph = wp.build_graph(items, kind=kind, degree=degree, candidates=candidates, seed=0, threads=1)
        self._index = wp.Index(items, graph, codes="int8")

    def ladder(self) -> list[Setting]:
        return [{"pool": pool} for pool in POOLS]

    def use(self, **setting: Any) -> None:
        self._pool = setting["pool"]

    def search(self, queries: Floats, k: int) -> Ids:
        return self._index.search(queries, k=k, pool=self._pool, threads=1).ids

    def products(self, queries: Floats, k: int) -> float:
        return float(np.mean(self._index.search(queries, k=k, pool=self._pool, threads=1).cost))
