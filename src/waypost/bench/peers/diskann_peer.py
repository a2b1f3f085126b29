"""DiskANN's index in memory. A query alone is a batch of one: the call of version 0.7.0 for a single query answers with
its best item k times."""

from __future__ import annotations

import tempfile
from typing import Any

from waypost.bench.peers.lift import lifted_items, lifted_queries
from waypost.bench.peers.peer import EFFORTS, Floats, Ids, Peer, Setting, needed

COMPLEXITY = 200  # of building


class DiskAnn(Peer):
    name = "diskann"
    modules = ("diskannpy",)
    install = "pip install --no-deps diskannpy"  # it asks for one old numpy, but runs with a new one

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [{"degree": 32, "lift": False}, {"degree": 64, "lift": True}]

    def build(self, items: Floats, training: Floats, degree: int = 32, lift: bool = False, **how: Any) -> None:
        diskannpy = needed("diskannpy", self.install)
        self._lift = lift
        with tempfile.TemporaryDirectory() as folder:  # it builds into files, and searches what it loads from them
            diskannpy.build_memory_index(
                lifted_items(items) if lift else items,
                distance_metric="l2" if lift else "mips",
                index_directory=folder,
                complexity=COMPLEXITY,
                graph_degree=degree,
                num_threads=1,
            )
            self._index = diskannpy.StaticMemoryIndex(folder, num_threads=1, initial_search_complexity=max(EFFORTS))

    def ladder(self) -> list[Setting]:
        return [{"complexity": complexity} for complexity in EFFORTS]

    def use(self, **setting: Any) -> None:
        self._complexity = setting["complexity"]

    def search(self, queries: Floats, k: int) -> Ids:
        asked = lifted_queries(queries) if self._lift else queries
        ids: Ids = self._index.batch_search(asked, k, max(k, self._complexity), num_threads=1).identifiers
        return ids
