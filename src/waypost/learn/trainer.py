"""The training loop, and the one call that hides it."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from waypost.arguments import Floats, as_matrix, check_width
from waypost.entry import entry_row
from waypost.evaluate import recall
from waypost.exact import exact_search
from waypost.graph import Graph
from waypost.index import Index
from waypost.learn.agent import Agent
from waypost.learn.config import TrainConfig
from waypost.learn.labels import Labels
from waypost.learn.reinforce import update
from waypost.learn.rollouts import Rollouts
from waypost.router import Router

MOST_VALIDATION = 2000
Progress = Callable[[int, int], None]


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
) -> Router:
    """Trains the paper's agent to route on `graph`, and returns it as arrays.

    - `truth`: (m, t) true rows of the training queries, a row of -1 where none is known; None trains without any.
    - `valid`: queries that choose the best moment and the re-rank; left out, a tenth of `queries` is set apart.
    - `log`: a file that gets one line of JSON an update. `progress`: called with (done, total) after each.

    The router is never worse on the validation queries, at the budget trained for, than the search without it: when the
    training did not help, it warns and returns the identity. Ctrl-C ends the training and returns the best so far.

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
    matrix = as_matrix(items, "items")
    if len(graph) != len(matrix):
        raise ValueError(f"graph has {len(graph)} rows for {len(matrix)} items; pass the graph of these items.")
    asked = as_matrix(queries, "queries")
    check_width(asked, "queries", matrix.shape[1], "items")
    targets = _as_truth(truth, len(asked), len(matrix), config)
    asked, targets, held_out = _set_apart(asked, targets, valid, matrix.shape[1], config)
    return _Training(matrix, graph, asked, targets, held_out, config, log).run(progress)


@dataclass
class _Best:
    recall: float
    router: Router


class _Training:
    def __init__(
        self,
        items: Floats,
        graph: Graph,
        queries: Floats,
        truth: NDArray[np.int64] | None,
        valid: Floats,
        config: TrainConfig,
        log: str | os.PathLike[str] | None,
    ) -> None:
        self.items, self.graph, self.queries, self.valid, self.config = items, graph, queries, valid, config
        self.log = None if log is None else Path(log)
        self.entry = entry_row(config.entry, items, config.seed)
        self.valid_truth = exact_search(items, valid, min(config.k, len(items)), threads=config.threads).ids
        self.labels = None if truth is None else Labels.of(graph, truth, self.entry, config.threads)
        self.rollouts = Rollouts(graph, items, self.entry, config)
        self.agent = Agent(
            items, graph, width=config.width, residual=config.residual, seed=config.seed, device=config.device
        )
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=config.lr)
        self.schedule = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, config.lr_decay ** (1 / config.steps))
        self.rng = np.random.default_rng(config.seed)

    def run(self, progress: Progress | None) -> Router:
        unlearned = Router.identity(self.entry)
        start = self._recall(unlearned)
        best = _Best(start, unlearned)
        checks_since_best = 0
        try:
            for step in range(1, self.config.steps + 1):
                figures = self._step(step)
                if step % self.config.check_every == 0 or step == self.config.steps:
                    now = self._check()
                    figures["validation_recall"] = now.recall
                    checks_since_best = 0 if now.recall > best.recall else checks_since_best + 1
                    best = now if now.recall > best.recall else best
                self._write(figures)
                if progress is not None:
                    progress(step, self.config.steps)
                if checks_since_best >= self.config.patience:
                    break
        except KeyboardInterrupt:
            pass  # what was learned so far is returned below
        if best.router is unlearned:
            warnings.warn(
                f"training did not raise the recall of {start:.3f} without a router; the router is the identity.",
                stacklevel=3,
            )
        return best.router

    def _step(self, step: int) -> dict[str, Any]:
        rows = self.rng.integers(0, len(self.queries), self.config.batch)
        outcome = update(
            self.agent,
            self.optimizer,
            self.rollouts,
            np.ascontiguousarray(self.queries[rows]),
            seed=self.config.seed * 1_000_003 + step,
            labels=self.labels,
            targets=None if self.labels is None else self.labels.batch(rows),
        )
        self.schedule.step()
        if not np.isfinite(outcome.reward):
            raise FloatingPointError(f"rewards of update {step} are not finite; lower lr or raise tau.")
        return {"step": step, "reward": outcome.reward, "reached": outcome.reached, "length": outcome.length}

    def _check(self) -> _Best:
        """The best of the re-ranks that the configuration allows, by the very search that is used later."""
        vectors, matrix, _ = self.agent.embed()
        routers = [Router(vectors, matrix, self.entry, rerank) for rerank in self.config.rerank]
        return max((_Best(self._recall(router), router) for router in routers), key=lambda found: found.recall)

    def _recall(self, router: Router) -> float:
        index = Index(self.items, self.graph, router)
        k = self.valid_truth.shape[1]
        answer = index.search(self.valid, k=k, budget=self.config.budget, threads=self.config.threads)
        return recall(answer.ids, self.valid_truth, m=k, n=k)

    def _write(self, figures: dict[str, Any]) -> None:
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(json.dumps(figures) + "\n")


def _as_truth(truth: ArrayLike | None, queries: int, n: int, config: TrainConfig) -> NDArray[np.int64] | None:
    if truth is None:
        return None
    rows = np.asarray(truth)
    if rows.dtype.kind not in "iu":
        raise TypeError(f"truth has dtype {rows.dtype}; pass whole numbers, the true rows of each query.")
    if rows.ndim == 1:
        rows = rows[:, None]
    if rows.ndim != 2 or len(rows) != queries or rows.shape[1] == 0:
        raise ValueError(f"truth has shape {rows.shape} for {queries} queries; pass one row of true rows a query.")
    if rows.min() < -1 or rows.max() >= n:
        raise ValueError(f"truth holds rows outside the {n} items; pass rows from 0 to {n - 1}, or -1 for none.")
    if rows.max() < 0 and not config.products:
        raise ValueError("truth labels no query, but products=False rewards labelled ones alone; label some queries.")
    return rows.astype(np.int64)


def _set_apart(
    queries: Floats, truth: NDArray[np.int64] | None, valid: ArrayLike | None, d: int, config: TrainConfig
) -> tuple[Floats, NDArray[np.int64] | None, Floats]:
    if valid is not None:
        held_out = as_matrix(valid, "valid")
        check_width(held_out, "valid", d, "items")
        return queries, truth, held_out
    if len(queries) < 2:
        raise ValueError("queries holds one row and valid is left out; pass more queries, or valid ones.")
    order = np.random.default_rng(config.seed).permutation(len(queries))
    count = min(max(len(queries) // 10, 1), MOST_VALIDATION)
    kept = np.sort(order[count:])
    held_out = np.ascontiguousarray(queries[np.sort(order[:count])])
    return np.ascontiguousarray(queries[kept]), None if truth is None else truth[kept], held_out
