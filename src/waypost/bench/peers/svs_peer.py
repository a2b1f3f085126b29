"""scalable-vs: its Vamana graph over float32. Its compressed forms end the process where the processor is no Intel."""

from __future__ import annotations

from typing import Any

from waypost.bench.peers.lift import lifted_items, lifted_queries
from waypost.bench.peers.peer import EFFORTS, Floats, Ids, Peer, Setting, needed

WINDOW = 128


class Svs(Peer):
    name = "scalable-vs"
    modules = ("svs",)

    @classmethod
    def builds(cls, n: int, d: int) -> list[Setting]:
        return [{"degree": 32, "lift": True}, {"degree": 64, "lift": True}, {"degree": 32, "lift": False}]

    def build(self, items: Floats, training: Floats, degree: int = 32, lift: bool = False, **how: Any) -> None:
        svs = needed("svs")
        self._lift = lift
        parameters = svs.VamanaBuildParameters(alpha=1.2 if lift else 0.95, graph_max_degree=degree, window_size=WINDOW)
        space = svs.DistanceType.L2 if lift else svs.DistanceType.MIP
        self._index = svs.Vamana.build(parameters, lifted_items(items) if lift else items, space, num_threads=1)

    def ladder(self) -> list[Setting]:
        return [{"window": window} for window in EFFORTS]

    def use(self, **setting: Any) -> None:
        self._index.search_window_size = setting["window"]

    def search(self, queries: Floats, k: int) -> Ids:
        ids: Ids = self._index.search(lifted_queries(queries) if self._lift else queries, k)[0]
        return ids
