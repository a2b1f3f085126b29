"""One learned number a vertex, on top of its product: trained on the states of the beam search that will use it.

E_v = [x_v; s b_v] and E_q = [q; 1] are the paper's embeddings still, but the exact score is the routing score less
s b_v: answers cost no re-rank, and training needs no more than a table of numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from waypost.arguments import Floats
from waypost.codebook import Codebook
from waypost.learn.adam import Adam
from waypost.learn.learner import Problem
from waypost.learn.school import Draw, School, codebook_of, codebook_state
from waypost.router import Router


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

    def __init__(self, problem: Problem, school: School | None = None) -> None:
        n = len(problem.items)
        self.problem, self.school = problem, School(problem) if school is None else school
        self.shared = Adam((n,))
        if self.codebook is not None:
            self.common, self.own = Adam((n,)), Adam((len(self.codebook), n))

    @property
    def codebook(self) -> Codebook | None:
        return self.school.codebook

    def step(self, step: int) -> dict[str, float]:
        """One update of the bias for all, and one of the biases by kind, on the same queries."""
        config, draw = self.problem.config, self.school.draw(step)
        rate = config.lr * self.school.pupils.gap * (1 - (step - 1) / config.steps)
        lessons = self.school.lessons(draw, self.shared.values[None])
        gradient = lessons.by_vertex(len(self.problem.items))
        self.shared.step(gradient, rate, step)
        if self.codebook is not None:
            self._step_by_kind(draw, rate, step)
        return {"loss": lessons.loss, "found": lessons.found, "gradient": float(np.linalg.norm(gradient))}

    def _step_by_kind(self, draw: Draw, rate: float, step: int) -> None:
        assert self.codebook is not None
        lessons, kinds = self.school.lessons_by_kind(draw, self._by_kind(), own=True)
        gradient = lessons.by_kind(kinds, len(self.codebook), len(self.problem.items))
        self.common.step(gradient.sum(axis=0), rate, step)
        self.own.step(gradient, rate, step)

    def _by_kind(self) -> Floats:
        return self.own.values + self.common.values

    def routers(self) -> list[Router]:
        rows = [self.shared.values[None]] + ([] if self.codebook is None else [self._by_kind()])
        return [Router(entry=self.problem.start, bias=np.vstack(rows), codebook=self.codebook)]

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.shared.state("shared") | codebook_state(self.codebook)
        if self.codebook is not None:
            state |= self.common.state("common") | self.own.state("own")
        return state

    def restore(self, state: dict[str, Any]) -> None:
        """Of an earlier training, whose items may have been fewer: those that came later begin without a bias."""
        self.shared.restore("shared", state)
        self.school.codebook = codebook_of(state)
        if self.codebook is not None:
            self.common.restore("common", state)
            self.own.restore("own", state)
