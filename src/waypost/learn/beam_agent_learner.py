"""A bias that the GCN computes, alone or beside routing vectors, from the states of the beam search that will use it.

What the bias learner keeps in a table, one free number a vertex, is here a function of a vertex and its neighbours: so
items that came later get theirs by one pass, without training.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from waypost.arguments import Floats
from waypost.learn.agent import Agent
from waypost.learn.agent_learner import blended
from waypost.learn.apprentice import Apprentice
from waypost.learn.beam_lessons import Lessons
from waypost.learn.graph_convolution import SparseRows, sparse_rows
from waypost.learn.learner import Problem
from waypost.learn.school import Draw, School, codebook_of, codebook_state
from waypost.router import Router


class BeamAgentLearner:
    """Walks from the entry and from the seeds of a query's kind teach one agent, whose bias is the same for all kinds.

    >>> import waypost as wp
    >>> from waypost.learn.config import TrainConfig
    >>> items = np.random.default_rng(0).standard_normal((300, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=20, repair=True)
    >>> config = TrainConfig(head="bias", batch=50, budget=64)
    >>> learner = BeamAgentLearner(Problem(items, graph, items, None, 0, config))
    >>> sorted(learner.step(1))
    ['found', 'gradient', 'loss']
    >>> learner.routers()[0].bias.shape
    (1, 300)
    """

    def __init__(self, problem: Problem, school: School | None = None) -> None:
        config = problem.config
        self.problem, self.school = problem, School(problem) if school is None else school
        self.agent = Agent(problem.items, problem.graph, head=config.head, seed=config.seed, device=config.device)
        self.apprentice = Apprentice(self.agent, config)
        # The GCN's bias is in gaps, so that its rate need not be tuned for other factors.
        self.unit = self.school.pupils.gap

    def step(self, step: int) -> dict[str, float]:
        """One update, on walks of both sorts by the same queries."""
        draw, embedding = self.school.draw(step), self.agent()
        assert embedding.bias is not None
        bias = embedding.bias * self.unit
        row = bias.detach().cpu().numpy()[None]
        vectors = None if embedding.vectors is None else embedding.vectors.detach().cpu().numpy()
        lessons = [self.school.lessons(draw, row, vectors)]
        if self.school.codebook is not None:
            lessons.append(self.school.lessons_by_kind(draw, row, own=False, vectors=vectors)[0])
        outputs, slopes = [bias], [torch.from_numpy(self._by_vertex(lessons)).to(bias)]
        if embedding.vectors is not None:
            outputs.append(embedding.vectors)
            slopes.append(self._by_vector(lessons, draw).to(embedding.vectors))
        gradient = self.apprentice.follow(step, outputs, slopes)
        return {"loss": lessons[0].loss, "found": lessons[0].found, "gradient": gradient}

    def _by_vertex(self, lessons: list[Lessons]) -> Floats:
        n = len(self.problem.items)
        slopes: Floats = np.stack([one.by_vertex(n) for one in lessons]).sum(axis=0).astype(np.float32)
        return slopes

    def _by_vector(self, lessons: list[Lessons], draw: Draw) -> Tensor:
        """(n, d): each vertex is pulled along the queries that met it."""
        queries = torch.from_numpy(self.school.queries(draw))
        return torch.stack([_pulls(one, len(self.problem.items)).times(queries) for one in lessons]).sum(dim=0)

    def routers(self) -> list[Router]:
        vectors, _, bias = self.agent.embed()
        assert bias is not None
        items, entry, row = self.problem.items, self.problem.start, bias * np.float32(self.unit)
        if vectors is None:
            return [Router(entry=entry, bias=row, codebook=self.school.codebook)]
        shares = self.problem.config.blends
        forms = [blended(items, vectors, share) for share in shares]
        return [Router(form, None, entry, row, self.school.codebook) for form in forms]

    def state(self) -> dict[str, Any]:
        return self.apprentice.state() | codebook_state(self.school.codebook) | {"unit": self.unit}

    def restore(self, state: dict[str, Any]) -> None:
        self.apprentice.restore(state)
        self.school.codebook, self.unit = codebook_of(state), float(state["unit"])


def _pulls(lessons: Lessons, n: int) -> SparseRows:
    """(n, queries): what each query's walk wants of each vertex, over the number of queries."""
    order = np.argsort(lessons.rows, kind="stable")
    query = np.repeat(np.arange(lessons.queries), np.diff(lessons.offsets))
    weights = lessons.weights[order].astype(np.float64) / lessons.queries
    return sparse_rows(np.bincount(lessons.rows, minlength=n), query[order], weights, lessons.queries)
