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
from waypost.teach import teach_graph

MOST_TRAINING = 10_000
LEAST_TRAINING = 200
MOST_ANSWERS = 20  # of a training query, that a graph is taught by
MOST_EXACT = 2_000_000_000  # products that the true answers of the training queries may cost

GraphKey = tuple[str, int, int, bool]


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
        """With the way's entries, and so that no item is lost to search: what it takes to reach all is deferred."""
        key = _key(way)
        if key not in self._graphs:
            self._graphs[key] = self._built(way)
        block: Block | None = None if way.entries == 1 else ("largest-norm", way.entries)
        return replace(self._graphs[key], block=block)

    def _built(self, way: Way) -> Graph:
        return build_graph(
            self.items,
            way.kind,
            degree=way.degree,
            candidates=way.candidates,
            seed=self.seed,
            threads=self.threads,
            repair=True,
        )

    def teach(self, way: Way, cost: int) -> Way | None:
        """Teaches the way's graph for searches of this cost; None where that is no gain."""
        if len(self.train) < LEAST_TRAINING:
            return None
        graph = self.graph(way)
        budgets = (max(cost // 2, 2 * self.k), max(cost, 4 * self.k))
        taught = teach_graph(
            self.items,
            graph,
            self.train,
            self._answers(MOST_ANSWERS),
            budgets=budgets,
            k=self.k,
            seed=self.seed,
            threads=self.threads,
        )
        entries = taught.block[1] if taught.block is not None else 1
        found = replace(way, taught=True, entries=entries)
        if taught.kind == graph.kind:
            return None
        self._graphs[_key(found)] = taught
        return found

    def learn(self, way: Way, cost: int) -> bool:
        """Trains a router for the way's graph and searches of this cost; False where it is no gain."""
        if len(self.train) < LEAST_TRAINING:
            return False
        config = TrainConfig(budget=max(cost, 2 * self.k), k=self.k, seed=self.seed, threads=self.threads)
        with noticed_interruption() as interruption, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where nothing learned helps, the trials show it
            router = train_router(self.items, self.graph(way), self.train, self._answers(self.k), config)
        if interruption.happened:
            raise KeyboardInterrupt  # the training ends well at Ctrl-C, but the fit goes no further
        if router.bias is None:
            return False
        self._routers[_walk(way)] = router
        return True

    def keep_only(self, kind: str) -> None:
        """Lets go of the graphs of other kinds."""
        self._graphs = {key: graph for key, graph in self._graphs.items() if key[0] == kind}

    def _answers(self, count: int) -> NDArray[np.int64] | str:
        """True answers where they are cheap; else what a thorough search of the graph finds."""
        if len(self.items) * len(self.train) > MOST_EXACT:
            return "unlearned"
        if self._truth is None:
            most = min(max(self.k, MOST_ANSWERS), len(self.items))
            self._truth = exact_search(self.items, self.train, most, threads=self.threads).ids
        return self._truth[:, :count]


def _walk(way: Way) -> Way:
    """The same walk on the items as they are: codes and a router do not ask for another training."""
    return replace(way, coded=False, learned=False)


def _key(way: Way) -> GraphKey:
    return way.kind, way.degree, way.candidates, way.taught
