"""One training as the paper runs it: a fixed number of updates, watched on validation queries, the last agent taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.entry import entry_row
from waypost.learn.learner import Learner, Problem
from waypost.learn.learners import learner_of
from waypost.paper.cases import Case
from waypost.paper.data_sets import DataSet
from waypost.paper.evaluation import Asked
from waypost.paper.protocol import CANDIDATES, DEGREE, ESTIMATING

Curve = list[list[float]]  # training queries seen, recall 1@1, recall 10@10


@dataclass(frozen=True, eq=False)
class Trained:
    """The agent after its last update, and its course."""

    router: wp.Router
    estimate: Curve
    exact: Curve
    unreachable: float
    """The share of the labelled queries whose answer no path leads to."""


def train(case: Case, data: DataSet, graph: wp.Graph, entry: int, threads: int) -> Trained:
    """Trains as `case.config` says; ends after the last update, whatever validation says."""
    config = wp.TrainConfig(**case.config, seed=case.seed, threads=threads)
    problem = Problem(data.items, graph, data.train, labels(case, data, graph, entry, threads), entry, config)
    learner = learner_of(problem)
    watch = _Watch(case, data, graph, entry, threads)
    for step in range(1, config.steps + 1):
        watch.look(step - 1, learner)
        figures = learner.step(step)
        if not np.isfinite(list(figures.values())).all():
            raise FloatingPointError(f"its training is not finite at update {step}.")
    watch.look(config.steps, learner)
    return Trained(learner.routers()[0], watch.estimate, watch.exact, float(figures.get("unreachable", 0.0)))


def labels(case: Case, data: DataSet, graph: wp.Graph, entry: int, threads: int) -> NDArray[np.int64] | None:
    """The best row of a share of the training queries, drawn by the seed; -1 for the others."""
    if not case.share:
        return None
    known = np.random.default_rng(case.seed).permutation(len(data.train))[: int(case.share * len(data.train))]
    truth = np.full((len(data.train), 1), -1, np.int64)
    truth[known] = data.best_of_train[known] if case.truth == "exact" else approximate(case, data, threads)[known]
    return truth


def approximate(case: Case, data: DataSet, threads: int) -> NDArray[np.int64]:
    """What the unlearned search finds on the ip-NSW graph at the budget of training."""
    graph = build(data, "ip-nsw", case.seed, threads)
    entry = entry_of(case, data)
    return wp.Index(data.items, graph).search(data.train, k=1, budget=case.budget, entry=entry, threads=threads).ids


def build(data: DataSet, kind: str, seed: int, threads: int) -> wp.Graph:
    """The graph of a kind, its items inserted in an order drawn by the seed."""
    return wp.build_graph(data.items, kind, degree=DEGREE, candidates=CANDIDATES, seed=seed, threads=threads)


def entry_of(case: Case, data: DataSet) -> int:
    """The row where all paths and all searches of a case begin."""
    return entry_row(case.entry, data.items, case.seed)


class _Watch:
    """Validation in the course of a training: now and then on a few queries, more seldom on all."""

    def __init__(self, case: Case, data: DataSet, graph: wp.Graph, entry: int, threads: int) -> None:
        self.protocol, self.data, self.graph, self.budget = case.protocol, data, graph, case.budget
        few = slice(ESTIMATING)
        self.few = Asked(data.valid[few], data.valid_truth[few], entry, threads)
        self.all = Asked(data.valid, data.valid_truth, entry, threads)
        self.estimate: Curve = []
        self.exact: Curve = []

    def look(self, done: int, learner: Learner) -> None:
        steps = self.protocol.steps
        for curve, asked, times in (
            (self.estimate, self.few, self.protocol.estimates),
            (self.exact, self.all, self.protocol.checks),
        ):
            if done * times // steps > (done - 1) * times // steps or done == 0:
                curve.append(self._point(done, asked, learner))

    def _point(self, done: int, asked: Asked, learner: Learner) -> list[float]:
        index = wp.Index(self.data.items, self.graph, learner.routers()[0])
        found = asked.recalls(index, self.budget)
        return [done * self.protocol.batch, round(found["1@1"], 5), round(found["10@10"], 5)]
