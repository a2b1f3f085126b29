"""The training loop, and the one call that hides it."""

from __future__ import annotations

import math
import os
import warnings
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from waypost.graph import Graph
from waypost.learn.config import TrainConfig
from waypost.learn.journal import Figures, Journal, Progress, Watch
from waypost.learn.learner import Learner
from waypost.learn.learners import LEARNERS
from waypost.learn.training_input import as_problem
from waypost.learn.validation import Validation
from waypost.router import Router


def train_router(
    items: ArrayLike,
    graph: Graph,
    queries: ArrayLike,
    truth: ArrayLike | None = None,
    config: TrainConfig | None = None,
    valid: ArrayLike | None = None,
    *,
    log: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Router:
    """Trains an agent to route on `graph`, and returns it as arrays.

    - `truth`: (m, t) true rows of the training queries, a row of -1 where none is known; None trains without any.
    - `valid`: queries that choose the best moment and the re-rank; left out, a tenth of `queries` is set apart.
    - `log`: a file that gets one line of JSON an update. `progress`: called with (done, total) after each, `watch` with
      its figures, the seconds left among them.

    The router is never worse on the validation queries, at the budget trained for, than the search without it: when the
    training did not help, it warns and returns the identity. Ctrl-C ends the training and returns the best so far.

    >>> import numpy as np
    >>> import waypost as wp
    >>> rng = np.random.default_rng(0)
    >>> items, queries = (rng.standard_normal((n, 8), dtype=np.float32) for n in (300, 200))
    >>> graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=10)
    >>> truth = wp.exact_search(items, queries, k=1).ids
    >>> config = TrainConfig(steps=20, batch=64, budget=40, rerank=(0, 10))
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # so small a training need not help
    ...     router = train_router(items, graph, queries, truth, config)
    >>> wp.Index(items, graph, router).search(queries, budget=40).ids.shape
    (200, 10)
    """
    config = TrainConfig() if config is None else config
    if config.learner not in LEARNERS:
        raise ValueError(f"learner is {config.learner!r}; pass one of {', '.join(LEARNERS)}.")
    problem, held_out = as_problem(items, graph, queries, truth, config, valid)
    training = Training(LEARNERS[config.learner](problem), Validation(problem, held_out), config)
    return training.run(Journal(config.steps, 1, log, progress, watch))


@dataclass
class Standing:
    """How far a training has come."""

    step: int = 0
    checks_since_best: int = 0
    recall: float = -math.inf
    """The best so far on validation, by which of the learner's routers, and the learner's state at that moment."""
    chosen: int = -1
    best: dict[str, Any] | None = None


class Training:
    """One learner, taught until it stops getting better."""

    def __init__(self, learner: Learner, validation: Validation, config: TrainConfig) -> None:
        self.learner, self.validation, self.config = learner, validation, config
        self.start = float(validation.unlearned.mean())
        self.standing = Standing(recall=self.start)
        self.router = validation.identity

    def run(self, journal: Journal) -> Router:
        try:
            for step in range(self.standing.step + 1, self.config.steps + 1):
                figures = self.learner.step(step)
                if not self._are_finite(step, figures):
                    break
                if step % self.config.check_every == 0 or step == self.config.steps:
                    figures["validation_recall"] = self._check()
                self.standing.step = step
                journal.write(step, figures)
                if self.standing.checks_since_best >= self.config.patience:
                    break
        except KeyboardInterrupt:
            pass  # what was learned so far is returned below
        if self.standing.best is None:
            warnings.warn(
                f"training did not raise the recall of {self.start:.3f} without a router; the router is the identity.",
                stacklevel=3,
            )
        return self.router

    def _are_finite(self, step: int, figures: Figures) -> bool:
        for name, value in figures.items():
            if not math.isfinite(value):
                warnings.warn(
                    f"training stopped at update {step}, where the {name} is {value}; the router is the best until "
                    "then. Lower lr or raise tau.",
                    stacklevel=4,
                )
                return False
        return True

    def _check(self) -> float:
        routers = self.learner.routers()
        recall, chosen = self.validation.best(routers)
        standing = self.standing
        standing.checks_since_best += 1
        if chosen is not None and recall > standing.recall:
            standing.recall, standing.chosen, standing.checks_since_best = recall, chosen, 0
            standing.best, self.router = self.learner.state(), routers[chosen]
        return recall
