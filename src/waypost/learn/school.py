"""What the learners of a bias learn from: queries with their answers, kinds of queries, and lessons of beam states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.codebook import Codebook
from waypost.entry import Rows, affordable, start_rows
from waypost.index import Index
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


@dataclass(frozen=True, eq=False)
class Draw:
    """One update's queries, by their places among the pupils, the budget of their walks and a seed for its noise."""

    places: NDArray[np.int64]
    budget: int
    seed: int


class School:
    """Asks the search that will be used what its states teach.

    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((300, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=20, repair=True)
    >>> school = School(Problem(items, graph, items, None, 0, wp.TrainConfig(batch=50, budget=64)))
    >>> school.lessons(school.draw(1)).queries, len(school.codebook)
    (50, 8)
    """

    def __init__(self, problem: Problem, codebook: Codebook | None = None) -> None:
        """With the codebook of an earlier training, queries are not looked at until there are lessons."""
        config = problem.config
        self.problem, self.codebook = problem, codebook
        self.entries = start_rows(problem.start, problem.items)
        # Where telling kinds apart would eat half of a budget, it is not worth learning.
        if codebook is None and config.kinds and 2 * config.kinds <= min(config.all_budgets):
            self.codebook = learn_codebook(
                self.pupils.queries,
                self.pupils.answers,
                problem.graph,
                kinds=config.kinds,
                seeds=config.seeds,
                seed=config.seed,
            )

    @cached_property
    def pupils(self) -> Pupils:
        return Pupils.of(self.problem)

    def draw(self, step: int) -> Draw:
        """By (seed, step) alone. The budgets take turns."""
        config = self.problem.config
        generator = np.random.default_rng((config.seed, step))
        places = generator.permutation(len(self.pupils.queries))[: config.batch]
        budget = config.all_budgets[step % len(config.all_budgets)]
        return Draw(places, budget, int(generator.integers(2**63)))

    def queries(self, draw: Draw) -> Floats:
        """Those of an update."""
        return np.ascontiguousarray(self.pupils.queries[draw.places])

    def lessons(self, draw: Draw, bias: Floats | None = None, vectors: Floats | None = None) -> Lessons:
        """Of walks from the entry, by one bias for all queries."""
        return self._lessons(draw, draw.budget, affordable(self.entries, draw.budget), bias, None, vectors)

    def lessons_by_kind(
        self, draw: Draw, bias: Floats | None, *, own: bool, vectors: Floats | None = None
    ) -> tuple[Lessons, NDArray[np.int32]]:
        """Of walks from the seeds of each query's kind, by its kind's `own` row of the bias or by the one for all."""
        assert self.codebook is not None
        kinds = kinds_of(self.queries(draw), self.codebook.centroids)
        entries = np.ascontiguousarray(self.codebook.seeds[kinds])
        budget = draw.budget - len(self.codebook)
        return self._lessons(draw, budget, entries, bias, kinds if own else None, vectors), kinds

    def _lessons(
        self,
        draw: Draw,
        budget: int,
        entries: Rows,
        bias: Floats | None,
        kinds: NDArray[np.int32] | None,
        vectors: Floats | None,
    ) -> Lessons:
        config, gap = self.problem.config, self.pupils.gap
        return beam_lessons(
            self.problem.graph,
            self.problem.items if vectors is None else vectors,
            self.queries(draw),
            np.ascontiguousarray(self.pupils.answers[draw.places], np.int32),
            entries,
            budget=budget,
            tau=config.tau * gap,
            noise=config.noise * gap,
            lesson=config.lesson,
            bias=bias,
            kinds=kinds,
            seed=draw.seed,
            threads=config.threads,
        )


def codebook_state(codebook: Codebook | None) -> dict[str, Any]:
    """A codebook as parts of a learner's state; `codebook_of` reads them.

    >>> codebook_of(codebook_state(Codebook(np.eye(2, 3), [[5, 7], [6, -1]]))).seeds.tolist()
    [[5, 7], [6, -1]]
    """
    if codebook is None:
        return {}
    return {"codebook.centroids": codebook.centroids, "codebook.seeds": codebook.seeds}


def codebook_of(state: dict[str, Any]) -> Codebook | None:
    """The codebook of a state, None where there is none."""
    if "codebook.seeds" not in state:
        return None
    return Codebook(np.asarray(state["codebook.centroids"]), np.asarray(state["codebook.seeds"]))


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
