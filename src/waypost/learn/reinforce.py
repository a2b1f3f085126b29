"""REINFORCE with a self-critic baseline and reward shaping: the paper's section 4."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.learn.agent_learner import AgentLearner, Gradient
from waypost.learn.labels import Labels
from waypost.learn.learner import Problem
from waypost.learn.rollouts import Rollouts


class PathCollector:
    """One sampled path a query (Algorithm 1), and the policy gradient that its rewards give."""

    def __init__(self, problem: Problem) -> None:
        config = problem.config
        self.queries = problem.queries
        self.labels = None
        if problem.truth is not None and config.alpha > 0:
            self.labels = Labels.of(problem.graph, problem.truth, problem.entry, config.threads)
        # The share of the queries that lost their label, since no path leads from the entry to their targets.
        self.unreachable = 0.0 if self.labels is None else self.labels.unreachable / len(self.queries)
        self.rollouts = Rollouts(problem.graph, problem.items, problem.entry, config)

    def __call__(
        self, vectors: Floats, rows: NDArray[np.int64], seed: int, route_queries: Floats | None, met_alone: bool
    ) -> Gradient:
        outcome = self.rollouts.collect(
            vectors,
            np.ascontiguousarray(self.queries[rows]),
            seed=seed,
            route_queries=route_queries,
            labels=self.labels,
            targets=None if self.labels is None else self.labels.batch(rows),
            met_alone=met_alone,
        )
        assert outcome.vectors is not None
        figures = {"reward": outcome.reward, "reached": outcome.reached, "length": outcome.length}
        figures["unreachable"] = self.unreachable
        return Gradient(outcome.vectors, outcome.queries, outcome.rows, figures)


def reinforce(problem: Problem) -> AgentLearner:
    """The paper's agent.

    >>> import waypost as wp
    >>> from waypost.learn.config import TrainConfig
    >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=10)
    >>> config = TrainConfig(learner="reinforce", batch=20, budget=30)
    >>> learner = reinforce(Problem(items, graph, items, None, 0, config))
    >>> sorted(learner.step(1))
    ['gradient', 'length', 'reached', 'reward', 'unreachable']
    >>> len(learner.routers())
    1
    """
    return AgentLearner(problem, PathCollector(problem))
