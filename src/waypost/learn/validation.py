"""Validation: the very search that will be used, on queries that were set apart."""

from __future__ import annotations

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
    router: Router
    chosen: int
    """Which of the learner's routers it is."""


class Validation:
    """Recall k@k of a router at each budget, beside that of the plain search from the same entry."""

    def __init__(self, problem: Problem, queries: Floats) -> None:
        self.config = config = problem.config
        self.items, self.graph, self.queries = problem.items, problem.graph, queries
        self.budgets = config.all_budgets
        self.k = min(config.k, len(problem.items))
        self.truth = exact_search(problem.items, queries, self.k, threads=config.threads).ids
        self.identity = Router.identity(problem.start)
        self.unlearned = [self.recall(self.identity, Manner(budget)) for budget in self.budgets]

    def recall(self, router: Router, manner: Manner) -> float:
        """Of a search with the manner's budget, in that manner."""
        index = Index(self.items, self.graph, replace(router, manners=(manner,)))
        answer = index.search(self.queries, k=self.k, budget=manner.budget, threads=self.config.threads)
        return recall(answer.ids, self.truth, m=self.k, n=self.k)

    def best(self, routers: list[Router]) -> Found:
        """The router of the highest mean recall, each of its budgets in the best manner; that may be the plain search,
        so that no budget falls below it."""
        tuned = [self._tuned(router) for router in routers]
        means = [mean for mean, _ in tuned]
        chosen = max(range(len(routers)), key=lambda i: means[i])
        return Found(means[chosen], replace(routers[chosen], manners=tuned[chosen][1]), chosen)

    def _tuned(self, router: Router) -> tuple[float, tuple[Manner, ...]]:
        best = []
        for budget, plain in zip(self.budgets, self.unlearned, strict=True):
            found = [(plain, Manner(budget, plain=True))]
            found += [(self.recall(router, manner), manner) for manner in manners_of(router, budget, self.config)]
            best.append(max(found, key=lambda one: one[0]))
        return float(np.mean([recall for recall, _ in best])), tuple(manner for _, manner in best)


def manners_of(router: Router, budget: int, config: TrainConfig) -> list[Manner]:
    """All the manners in which a search of this budget may use what was learned.

    >>> config = TrainConfig(rerank=(0, 16), scales=(0.5, 1.0))
    >>> [manner.bias_scale for manner in manners_of(Router(bias=np.ones(3)), 128, config)]
    [0.5, 1.0]
    """
    scales = (1.0,) if router.bias is None else config.scales
    kinds = (False,) if router.codebook is None else (False, True)
    reranks = (0,) if router.routes_exactly else config.rerank
    return [Manner(budget, *choice) for choice in product(scales, kinds, reranks)]
