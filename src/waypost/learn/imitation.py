"""Imitation (ILTR, Baranchuk et al.): the agent's own beam search, corrected towards shortest paths; labels needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.arguments import Floats
from waypost.learn.agent_learner import AgentLearner, Gradient
from waypost.learn.labels import Labels
from waypost.learn.learner import Problem


class BeamCollector:
    """One beam search a query, and the gradient of its cross-entropies."""

    def __init__(self, problem: Problem) -> None:
        if problem.truth is None:
            raise ValueError("truth is left out, but imitation learns from labelled queries alone; label some.")
        self.problem = problem
        self.labels = Labels.of(problem.graph, problem.truth, problem.entry, problem.config.threads)

    def __call__(
        self, vectors: Floats, rows: NDArray[np.int64], seed: int, route_queries: Floats | None, met_alone: bool
    ) -> Gradient:
        problem, config = self.problem, self.problem.config
        asked = np.ascontiguousarray(problem.queries[rows]) if route_queries is None else route_queries
        loss, reached, states, met, by_vector, by_query = _core.imitate(
            problem.graph.neighbors,
            vectors,
            asked,
            np.array([[problem.entry]], np.int32),
            config.budget,
            config.tau,
            self.labels.hops,
            self.labels.batch(rows),
            threads=config.threads,
            query_gradient=route_queries is not None,
            met_alone=met_alone,
        )
        assert by_vector is not None
        return Gradient(by_vector, by_query, met, {"loss": loss, "reached": reached, "states": states})


def imitation(problem: Problem) -> AgentLearner:
    """The imitation agent, on those of the queries that have a label.

    >>> import waypost as wp
    >>> from waypost.learn.config import TrainConfig
    >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=10)
    >>> truth = wp.exact_search(items, items, k=1).ids
    >>> config = TrainConfig(learner="imitation", batch=20, budget=30)
    >>> learner = imitation(Problem(items, graph, items, truth, 0, config))
    >>> sorted(learner.step(1))
    ['gradient', 'loss', 'reached', 'states']
    """
    labelled = _labelled(problem)
    return AgentLearner(labelled, BeamCollector(labelled))


def _labelled(problem: Problem) -> Problem:
    if problem.truth is None:
        return problem
    known = (problem.truth >= 0).any(axis=1)
    return replace(problem, queries=np.ascontiguousarray(problem.queries[known]), truth=problem.truth[known])
