"""The exact top k of the library implicit: what a user of its factors has already."""

from __future__ import annotations

from typing import Any

from waypost.bench.peers.peer import Floats, Ids, Peer, Setting, needed


class Implicit(Peer):
    name = "implicit"
    modules = ("implicit.cpu.topk",)

    def build(self, items: Floats, training: Floats, **how: Any) -> None:
        self._topk = needed("implicit.cpu.topk").topk
        self._items = items

    def ladder(self) -> list[Setting]:
        return [{}]

    def use(self, **setting: Any) -> None:
        pass

    def search(self, queries: Floats, k: int) -> Ids:
        ids: Ids = self._topk(self._items, queries, k, num_threads=1)[0]
        return ids

    def products(self, queries: Floats, k: int) -> float:
        return float(len(self._items))
