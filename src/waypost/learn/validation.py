"""Validation: the very search that will be used, on queries that were set apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from waypost.arguments import Floats
from waypost.evaluate import recall
from waypost.exact import exact_search
from waypost.index import Index
from waypost.learn.config import TrainConfig
from waypost.learn.learner import Problem
from waypost.router import Manner, Router


@dataclass(frozen=True, eq=False)
class Found:
    """The best router on validation, with its manners, and its mean recall."""

    recall: float
    router: Router | None
    """None where every router falls below the plain search at some budget."""
    chosen: int = -1
    """Which of the learner's routers it is."""


class Validation:
    """Recall k@k of a router at each budget, beside that of the plain search from the same entry."""

    def __init__(self, problem: Problem, queries: Floats) -> None:
        self.config = config = problem.config
        self.items, self.graph, self.queries = problem.items, problem.graph, queries
        self.budgets = config.all_budgets
        self.k = min(config.k, len(problem.items))
        self.truth = exact_search(problem.items, queries, self.k, threads=config.threads).ids
        self.identity = Router.identity(problem.entry)
        self.unlearned = [self.recall(self.identity, Manner(budget)) for budget in self.budgets]

    def recall(self, router: Router, manner: Manner) -> float:
        """Of a search with the manner's budget, in that manner."""
        index = Index(self.items, self.graph, replace(router, manners=(manner,)))
        answer = index.search(self.queries, k=self.k, budget=manner.budget, threads=self.config.threads)
        return recall(answer.ids, self.truth, m=self.k, n=self.k)

    def best(self, routers: list[Router]) -> Found:
        """The router of the highest mean recall among those that nowhere fall below the plain search."""
        best = Found(-math.inf, None)
        for chosen, router in enumerate(routers):
            tuned = [self._best_manner(router, budget) for budget in self.budgets]
            mean = float(np.mean([recall for recall, _ in tuned]))
            safe = all(recall >= plain for (recall, _), plain in zip(tuned, self.unlearned, strict=True))
            if safe and (best.router is None or mean > best.recall):
                best = Found(mean, replace(router, manners=tuple(manner for _, manner in tuned)), chosen)
            elif best.router is None:
                best = Found(max(best.recall, mean), None)
        return best

    def _best_manner(self, router: Router, budget: int) -> tuple[float, Manner]:
        manners = manners_of(router, budget, self.config)
        recalls = [self.recall(router, manner) for manner in manners]
        first = max(range(len(manners)), key=lambda i: recalls[i])
        return recalls[first], manners[first]


def manners_of(router: Router, budget: int, config: TrainConfig) -> list[Manner]:
    """All the manners in which a search of this budget may use the router.

    >>> config = TrainConfig(learner="reinforce", rerank=(0, 16), scales=(0.0, 1.0))
    >>> [manner.bias_scale for manner in manners_of(Router(bias=np.ones(3)), 128, config)]
    [0.0, 1.0]
    """
    scales = (1.0,) if router.bias is None else config.scales
    kinds = (False,) if router.codebook is None else (False, True)
    reranks = (0,) if router.routes_exactly else config.rerank
    return [Manner(budget, *choice) for choice in product(scales, kinds, reranks)]
