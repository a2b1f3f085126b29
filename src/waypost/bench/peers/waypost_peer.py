"""waypost itself, asked as the others are."""

from __future__ import annotations

from typing import Any

import numpy as np

import waypost as wp
from waypost.bench.peers.peer import Floats, Ids, Peer, Setting

BUDGETS = (32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)


class Waypost(Peer):
    name = "waypost"

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [
            {"kind": "moebius", "degree": 32, "candidates": 300},
            {"kind": "ip-nsw", "degree": 16, "candidates": 100},
        ]

    def build(
        self,
        items: Floats,
        training: Floats,
        kind: str = "ip-nsw",
        degree: int = 16,
        candidates: int = 100,
        **how: Any,
    ) -> None:
        graph = wp.build_graph(items, kind=kind, degree=degree, candidates=candidates, seed=0, threads=1)
        self._index = wp.Index(items, graph)

    def ladder(self) -> list[Setting]:
        return [{"budget": budget} for budget in BUDGETS]

    def use(self, **setting: Any) -> None:
        self._budget = setting["budget"]

    def search(self, queries: Floats, k: int) -> Ids:
        return self._index.search(queries, k=k, budget=self._budget, threads=1).ids

    def products(self, queries: Floats, k: int) -> float:
        return float(np.mean(self._index.search(queries, k=k, budget=self._budget, threads=1).cost))
