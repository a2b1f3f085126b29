"""Validation: the very search that will be used, on queries that were set apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.evaluate import recall
from waypost.exact import exact_search
from waypost.index import Index
from waypost.learn.learner import Problem
from waypost.router import Router


class Validation:
    """Recall k@k of a router at each budget, beside that of the plain search from the same entry."""

    def __init__(self, problem: Problem, queries: Floats) -> None:
        config = problem.config
        self.items, self.graph, self.queries = problem.items, problem.graph, queries
        self.threads, self.budgets = config.threads, config.budgets or (config.budget,)
        self.k = min(config.k, len(problem.items))
        self.truth = exact_search(problem.items, queries, self.k, threads=config.threads).ids
        self.identity = Router.identity(problem.entry)
        self.unlearned = self.recalls(self.identity)

    def recalls(self, router: Router) -> NDArray[np.float64]:
        """One number a budget."""
        index = Index(self.items, self.graph, router)
        return np.array([self._recall(index, budget) for budget in self.budgets])

    def _recall(self, index: Index, budget: int) -> float:
        answer = index.search(self.queries, k=self.k, budget=budget, threads=self.threads)
        return recall(answer.ids, self.truth, m=self.k, n=self.k)

    def best(self, routers: list[Router]) -> tuple[float, int | None]:
        """The highest mean recall, and which of the routers has it among those that nowhere fall below the plain
        search; None where all do."""
        recalls = [self.recalls(router) for router in routers]
        means = [float(found.mean()) for found in recalls]
        safe = [i for i, found in enumerate(recalls) if (found >= self.unlearned).all()]
        if not safe:
            return max(means), None
        chosen = max(safe, key=lambda i: means[i])
        return means[chosen], chosen
