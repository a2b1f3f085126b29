"""Makes indexes, and keeps the graphs and routers that were dear to make."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.entry import Block
from waypost.exact import exact_search
from waypost.fitting.ways import Way
from waypost.graph import Graph, build_graph
from waypost.index import Index
from waypost.interruption import noticed_interruption
from waypost.learn import TrainConfig, train_router
from waypost.router import Router

MOST_TRAINING = 10_000
LEAST_TRAINING = 200
MOST_EXACT = 2_000_000_000  # products that the true answers of the training queries may cost

GraphKey = tuple[str, int, int]


class Workshop:
    """Indexes of the same items, each made of what a way says."""

    def __init__(self, items: Floats, train: Floats, k: int, seed: int, threads: int) -> None:
        self.items, self.k, self.seed, self.threads = items, k, seed, threads
        self.train = train[:MOST_TRAINING]
        self._graphs: dict[GraphKey, Graph] = {}
        self._routers: dict[Way, Router] = {}
        self._truth: NDArray[np.int64] | None = None

    def index(self, way: Way) -> Index:
        graph = self.graph(way)
        router = self._routers[_walk(way)] if way.learned else None
        return Index(self.items, graph, router, codes="int8" if way.coded else None)

    def graph(self, way: Way) -> Graph:
        """Repaired, so that no item is lost to search; with the way's entries."""
        key = _key(way)
        if key not in self._graphs:
            self._graphs[key] = build_graph(
                self.items,
                way.kind,
                degree=way.degree,
                candidates=way.candidates,
                seed=self.seed,
                repair=True,
                threads=self.threads,
            )
        block: Block | None = None if way.entries == 1 else ("largest-norm", way.entries)
        return replace(self._graphs[key], block=block)

    def learn(self, way: Way, cost: int) -> bool:
        """Trains a router for the way's graph and searches of this cost; False where it is no gain."""
        if len(self.train) < LEAST_TRAINING:
            return False
        config = TrainConfig(budget=max(cost, 2 * self.k), k=self.k, seed=self.seed, threads=self.threads)
        with noticed_interruption() as interruption, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where nothing learned helps, the trials show it
            router = train_router(self.items, self.graph(way), self.train, self._answers(), config)
        if interruption.happened:
            raise KeyboardInterrupt  # the training ends well at Ctrl-C, but the fit goes no further
        if router.bias is None:
            return False
        self._routers[_walk(way)] = router
        return True

    def keep_only(self, kind: str) -> None:
        """Lets go of the graphs of other kinds."""
        self._graphs = {key: graph for key, graph in self._graphs.items() if key[0] == kind}

    def _answers(self) -> NDArray[np.int64] | str:
        """True answers where they are cheap; else what a thorough search of the graph finds."""
        if len(self.items) * len(self.train) > MOST_EXACT:
            return "unlearned"
        if self._truth is None:
            self._truth = exact_search(self.items, self.train, self.k, threads=self.threads).ids
        return self._truth


def _walk(way: Way) -> Way:
    """The same walk on the items as they are: codes and a router do not ask for another training."""
    return replace(way, coded=False, learned=False)


def _key(way: Way) -> GraphKey:
    return way.kind, way.degree, way.candidates
