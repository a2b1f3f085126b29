"""One learned number a vertex, on top of its product: trained on the states of the beam search that will use it.

E_v = [x_v; s b_v] and E_q = [q; 1] are the paper's embeddings still, but the exact score is the routing score less
s b_v: answers cost no re-rank, and training needs no more than a table of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.entry import Rows, affordable, start_rows
from waypost.index import Index
from waypost.learn.adam import Adam
from waypost.learn.beam_lessons import Lessons, beam_lessons
from waypost.learn.kinds import kinds_of, learn_codebook
from waypost.learn.learner import Problem
from waypost.router import Router

MOST_QUERIES = 20_000  # to learn from; more of them were no better
ANSWERS = 10  # of a query, whether true or found by the unlearned search
TIMES_THE_BUDGET = 4  # what the unlearned search may spend to find them, compared with the largest budget
GAP_QUANTILE = 0.1


@dataclass(frozen=True, eq=False)
class Pupils:
    """The queries to learn from and their answers."""

    queries: Floats
    answers: NDArray[np.int64]
    """(queries, up to 10): known ones first, then those that the unlearned search found; -1 at free places."""
    gap: float
    """How far apart the scores of a query's answers are, for queries whose answers are close: the unit in which
    temperature, noise and rate are given, so that they need not be tuned for other factors."""

    @classmethod
    def of(cls, problem: Problem) -> Pupils:
        config = problem.config
        chosen = np.random.default_rng(config.seed).permutation(len(problem.queries))[:MOST_QUERIES]
        queries = np.ascontiguousarray(problem.queries[np.sort(chosen)])
        index = Index(problem.items, problem.graph, Router.identity(problem.start))
        k = min(ANSWERS, len(problem.items))
        found = index.search(queries, k=k, budget=TIMES_THE_BUDGET * max(config.all_budgets), threads=config.threads)
        spread = found.scores[:, 0] - np.where(np.isfinite(found.scores), found.scores, np.inf).min(axis=1)
        gap = float(np.quantile(spread[spread > 0], GAP_QUANTILE)) if (spread > 0).any() else 1.0
        answers = found.ids
        if problem.truth is not None:
            answers = known_first(problem.truth[np.sort(chosen)], answers)
        return cls(queries, answers, gap)


class BiasLearner:
    """Learns a bias for all queries and, where `config.kinds` asks for it, seeds and a bias for each kind of query.

    >>> import waypost as wp
    >>> from waypost.learn.config import TrainConfig
    >>> items = np.random.default_rng(0).standard_normal((300, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=20, repair=True)
    >>> config = TrainConfig(learner="bias", batch=50, budget=64)
    >>> learner = BiasLearner(Problem(items, graph, items, None, 0, config))
    >>> sorted(learner.step(1))
    ['found', 'gradient', 'loss']
    >>> learner.routers()[0].bias.shape
    (9, 300)
    """

    def __init__(self, problem: Problem) -> None:
        config, n = problem.config, len(problem.items)
        self.problem, self.pupils = problem, Pupils.of(problem)
        self.entries = start_rows(problem.start, problem.items)
        self.shared = Adam((n,))
        self.codebook = None
        # Where telling kinds apart would eat half of a budget, it is not worth learning.
        if config.kinds and 2 * config.kinds <= min(config.all_budgets):
            self.codebook = learn_codebook(
                self.pupils.queries,
                self.pupils.answers,
                problem.graph,
                kinds=config.kinds,
                seeds=config.seeds,
                seed=config.seed,
            )
            self.kinds = kinds_of(self.pupils.queries, self.codebook.centroids)
            self.common, self.own = Adam((n,)), Adam((len(self.codebook), n))

    def step(self, step: int) -> dict[str, float]:
        """One update of the bias for all, and one of the biases by kind, on the same queries."""
        config = self.problem.config
        generator = np.random.default_rng((config.seed, step))
        rows = generator.permutation(len(self.pupils.queries))[: config.batch]
        seed = int(generator.integers(2**63))
        budget = config.all_budgets[step % len(config.all_budgets)]
        rate = config.lr * self.pupils.gap * (1 - (step - 1) / config.steps)
        lessons = self._lessons(rows, seed, budget, affordable(self.entries, budget), self.shared.values[None])
        gradient = lessons.by_vertex(len(self.problem.items))
        self.shared.step(gradient, rate, step)
        if self.codebook is not None:
            self._step_by_kind(rows, seed, budget - len(self.codebook), rate, step)
        return {"loss": lessons.loss, "found": lessons.found, "gradient": float(np.linalg.norm(gradient))}

    def _step_by_kind(self, rows: NDArray[np.int64], seed: int, budget: int, rate: float, step: int) -> None:
        assert self.codebook is not None
        kinds = np.ascontiguousarray(self.kinds[rows])
        entries = np.ascontiguousarray(self.codebook.seeds[kinds])
        lessons = self._lessons(rows, seed, budget, entries, self._by_kind(), kinds)
        gradient = lessons.by_kind(kinds, len(self.codebook), len(self.problem.items))
        self.common.step(gradient.sum(axis=0), rate, step)
        self.own.step(gradient, rate, step)

    def _lessons(
        self,
        rows: NDArray[np.int64],
        seed: int,
        budget: int,
        entries: Rows,
        bias: Floats,
        kinds: NDArray[np.int32] | None = None,
    ) -> Lessons:
        config, gap = self.problem.config, self.pupils.gap
        return beam_lessons(
            self.problem.graph,
            self.problem.items,
            np.ascontiguousarray(self.pupils.queries[rows]),
            np.ascontiguousarray(self.pupils.answers[rows], np.int32),
            entries,
            budget=budget,
            tau=config.tau * gap,
            noise=config.noise * gap,
            lesson=config.lesson,
            bias=bias,
            kinds=kinds,
            seed=seed,
            threads=config.threads,
        )

    def _by_kind(self) -> Floats:
        return self.own.values + self.common.values

    def routers(self) -> list[Router]:
        rows = [self.shared.values[None]] + ([] if self.codebook is None else [self._by_kind()])
        return [Router(entry=self.problem.start, bias=np.vstack(rows), codebook=self.codebook)]

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.shared.state("shared")
        if self.codebook is not None:
            state |= self.common.state("common") | self.own.state("own")
        return state

    def restore(self, state: dict[str, Any]) -> None:
        self.shared.restore("shared", state)
        if self.codebook is not None:
            self.common.restore("common", state)
            self.own.restore("own", state)


def known_first(known: NDArray[np.int64], found: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first answers of each query, those known before those found, none twice; as many columns as `found`.

    >>> known_first(np.array([[7], [-1]]), np.array([[3, 7, 5], [1, 2, -1]])).tolist()
    [[7, 3, 5], [1, 2, -1]]
    """
    both = np.concatenate([known, found], axis=1)
    earlier = (both[:, :, None] == both[:, None, :]) & np.tri(both.shape[1], k=-1, dtype=bool)
    taken = (both < 0) | earlier.any(axis=2)
    order = np.argsort(taken, axis=1, kind="stable")[:, : found.shape[1]]
    return np.where(np.take_along_axis(taken, order, 1), -1, np.take_along_axis(both, order, 1))
