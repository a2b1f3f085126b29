"""Trials: the very search that will be used, on queries that were set apart."""

from collections.abc import Iterable, Sequence

import numpy as np

from waypost.arguments import Floats
from waypost.evaluate import recall
from waypost.exact import exact_search
from waypost.graph import Graph
from waypost.index import Index


class Trial:
    """Mean recall k@k of graphs of the same items at some budgets.

    >>> items = np.eye(4, dtype=np.float32)
    >>> poor = Graph("by-hand", 1, np.full((4, 1), -1), entry=0)
    >>> good = Graph("by-hand", 1, np.array([[1], [2], [3], [0]]), entry=0)
    >>> Trial(items, items, budgets=[4], k=1).best([poor, good]).neighbors.ravel().tolist()
    [1, 2, 3, 0]
    """

    def __init__(self, items: Floats, queries: Floats, budgets: Sequence[int], k: int, threads: int = 0) -> None:
        self.items, self.queries, self.budgets, self.threads = items, queries, budgets, threads
        self.k = min(k, len(items))
        self.truth = exact_search(items, queries, self.k, threads=threads).ids

    def recall(self, graph: Graph) -> float:
        index = Index(self.items, graph)
        found = (index.search(self.queries, self.k, budget, threads=self.threads).ids for budget in self.budgets)
        return float(np.mean([recall(ids, self.truth, m=self.k, n=self.k) for ids in found]))

    def best(self, graphs: Iterable[Graph]) -> Graph:
        """The first of those with the highest recall."""
        return max(graphs, key=self.recall)
