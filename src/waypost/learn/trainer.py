"""The training loop, and the one call that hides it."""

from __future__ import annotations

import math
import os
import warnings
from dataclasses import asdict, fields

import numpy as np
from numpy.typing import ArrayLike

from waypost.graph import Graph
from waypost.learn.board import Board
from waypost.learn.checkpoint import Checkpoint, Standing, read_checkpoint
from waypost.learn.config import TrainConfig
from waypost.learn.journal import Figures, Journal, Progress, Watch
from waypost.learn.learner import Learner
from waypost.learn.learners import learner_of
from waypost.learn.training_input import as_problem
from waypost.learn.validation import Validation
from waypost.router import Router


def train_router(
    items: ArrayLike,
    graph: Graph,
    queries: ArrayLike,
    truth: ArrayLike | str | None = None,
    config: TrainConfig | None = None,
    valid: ArrayLike | None = None,
    *,
    log: str | os.PathLike[str] | None = None,
    tensorboard: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    start: str | os.PathLike[str] | None = None,
) -> Router:
    """Trains an agent to route on `graph`, and returns it as arrays.

    - `truth`: (m, t) true rows of the training queries, a row of -1 where none is known; None trains without any,
      and "unlearned" takes what the unlearned search finds when it may spend sixteen times the budget.
    - `valid`: queries that choose the best moment and the re-rank; left out, a tenth of `queries` is set apart.
    - `log`: a file that gets one line of JSON an update; `tensorboard`: a folder for TensorBoard's event files.
    - `progress`: called with (done, total) after each update, `watch` with its figures, the seconds left among them.
    - `checkpoint`: a file that is kept up to date; called again after a kill, the training goes on from there and comes
      to the very same router. It is also what `waypost.learn.extend_router` embeds new items by.
    - `start`: the checkpoint of an earlier training, to be gone on from with fresh queries, or on more items.

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
    problem, held_out = as_problem(items, graph, queries, truth, config, valid)
    kept = None if checkpoint is None else Checkpoint.of(checkpoint, problem, held_out)
    training = Training(learner_of(problem), Validation(problem, held_out), config, kept)
    if not training.resume() and start is not None:
        training.start_from(start)
    first = training.standing.step + 1
    board = None if tensorboard is None else Board(tensorboard, first)
    return training.run(Journal(config.steps, first, log, progress, watch, board))


class Training:
    """One learner, taught until it stops getting better."""

    def __init__(
        self, learner: Learner, validation: Validation, config: TrainConfig, checkpoint: Checkpoint | None = None
    ) -> None:
        self.learner, self.validation, self.config, self.checkpoint = learner, validation, config, checkpoint
        self.start = float(np.mean(validation.unlearned))
        self.standing = Standing(recall=self.start)
        self.router = validation.identity

    def resume(self) -> bool:
        """Goes on where the checkpoint, if there is one, was left."""
        stored = None if self.checkpoint is None else self.checkpoint.load()
        if stored is None:
            return False
        self.standing = stored.standing
        if self.standing.best is not None:
            self.learner.restore(self.standing.best)
            self.router = self.standing.router_of(self.learner)
        self.learner.restore(stored.state)
        return True

    def start_from(self, path: str | os.PathLike[str]) -> None:
        """Begins with what another training learned: its best counts as this one's first validation."""
        stored = read_checkpoint(path)
        try:
            self.learner.restore(stored.state if stored.standing.best is None else stored.standing.best)
        except (KeyError, RuntimeError, ValueError):
            raise ValueError(
                f"start is {os.fspath(path)}, a training with learner={stored.config.learner!r} whose weights do not "
                "fit this one; pass one of the same learner, width and residual, over items as wide."
            ) from None
        self._check()
        self.standing.checks_since_best = 0

    def run(self, journal: Journal) -> Router:
        try:
            while self.standing.step < self.config.steps and self.standing.checks_since_best < self.config.patience:
                step = self.standing.step + 1
                figures = self.learner.step(step)
                self._refuse_what_is_not_finite(step, figures)
                if step % self.config.check_every == 0 or step == self.config.steps:
                    figures["validation_recall"] = self._check()
                self.standing.step = step
                journal.write(step, figures)
                if "validation_recall" in figures:  # a learner may look at everything anew then, and only then
                    self._save()
        except KeyboardInterrupt:
            pass  # what was learned so far is returned below
        except _NotFiniteError as error:
            warnings.warn(str(error), stacklevel=3)
        finally:
            journal.close()
        if self.standing.best is None:
            warnings.warn(
                f"training did not raise the recall of {self.start:.3f} without a router; the router is the identity.",
                stacklevel=3,
            )
        return self.router

    def _check(self) -> float:
        routers = self.learner.routers()
        self._refuse_routers_that_are_not_finite(routers)
        found, standing = self.validation.best(routers), self.standing
        standing.checks_since_best += 1
        if found.recall > standing.recall:
            standing.recall, standing.chosen, standing.checks_since_best = found.recall, found.chosen, 0
            standing.manners = [asdict(manner) for manner in found.router.manners]
            standing.best, self.router = self.learner.state(), found.router
        return found.recall

    def _save(self) -> None:
        if self.checkpoint is not None:
            try:
                self.checkpoint.save(self.standing, self.learner.state())
            except OSError as error:  # a full disk is no reason to lose what is in memory
                warnings.warn(f"checkpoint could not be written ({error}); training goes on without.", stacklevel=4)

    def _refuse_what_is_not_finite(self, step: int, figures: Figures) -> None:
        for name, value in figures.items():
            if not math.isfinite(value):
                raise _NotFiniteError(f"training stopped at update {step}, where the {name} is {value}; {_KEPT}")

    def _refuse_routers_that_are_not_finite(self, routers: list[Router]) -> None:
        for router in routers:
            for name in (field.name for field in fields(router)):
                part = getattr(router, name)
                if isinstance(part, np.ndarray) and not np.isfinite(part).all():
                    raise _NotFiniteError(f"training stopped where the router's {name} are not finite; {_KEPT}")


_KEPT = "the router is the best until then. Lower lr or raise tau."


class _NotFiniteError(Exception):
    pass
