"""One training as the paper runs it: a fixed number of updates, watched on validation queries, the last agent taken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.entry import entry_row
from waypost.learn.learner import Learner, Problem
from waypost.learn.learners import learner_of
from waypost.paper.cases import Case
from waypost.paper.data_sets import DataSet
from waypost.paper.evaluation import Asked
from waypost.paper.partial import Partial
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


def train(case: Case, data: DataSet, graph: wp.Graph, entry: int, threads: int, folder: Path | None = None) -> Trained:
    """Trains as `case.config` says; ends after the last update, whatever validation says.

    A long training is kept in `folder` on the way, and goes on from there.
    """
    config = wp.TrainConfig(**case.config, seed=case.seed, threads=threads)
    problem = Problem(data.items, graph, data.train, labels(case, data, graph, entry, threads), entry, config)
    learner = learner_of(problem)
    watch, kept = _Watch(case, data, graph, entry, threads), Partial.of(folder, case.name, problem)
    done = 0 if kept is None else kept.load(learner, watch.curves)
    if not done:
        watch.look(0, learner)
    for step in range(done + 1, config.steps + 1):
        figures = learner.step(step)
        if not np.isfinite(list(figures.values())).all():
            raise FloatingPointError(f"its training is not finite at update {step}.")
        if watch.look(step, learner) and kept is not None and step < config.steps:
            kept.save(step, learner, watch.curves)
    if kept is not None:
        kept.remove()
    lost, curves = float(figures.get("unreachable", 0.0)), watch.curves
    return Trained(learner.routers()[0], curves["estimate"], curves["exact"], lost)


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
        self.steps, self.batch, self.budget = int(case.config["steps"]), case.protocol.batch, case.budget
        self.data, self.graph = data, graph
        few = slice(ESTIMATING)
        some = Asked(data.valid[few], data.valid_truth[few], entry, threads)
        every = Asked(data.valid, data.valid_truth, entry, threads)
        self.asked = {"estimate": (some, case.protocol.estimates), "exact": (every, case.protocol.checks)}
        self.curves: dict[str, Curve] = {name: [] for name in self.asked}

    def look(self, done: int, learner: Learner) -> bool:
        """Whether it was time for the exact one."""
        steps, looked = self.steps, False
        for name, (asked, times) in self.asked.items():
            looked = done * times // steps > (done - 1) * times // steps
            if looked:
                self.curves[name].append(self._point(done, asked, learner))
        return looked

    def _point(self, done: int, asked: Asked, learner: Learner) -> list[float]:
        index = wp.Index(self.data.items, self.graph, learner.routers()[0])
        found = asked.recalls(index, self.budget)
        return [done * self.batch, round(found["1@1"], 5), round(found["10@10"], 5)]
