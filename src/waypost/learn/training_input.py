"""What `train_router` is given, checked before anything dear begins."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.arguments import Floats, as_matrix, check_width
from waypost.entry import Block, Start, entry_row
from waypost.graph import Graph
from waypost.learn.approximate_truth import TIMES_THE_BUDGET, approximate_truth
from waypost.learn.config import TrainConfig
from waypost.learn.learner import Problem
from waypost.learn.school import known_first

MOST_VALIDATION = 2000


def as_problem(
    items: ArrayLike,
    graph: Graph,
    queries: ArrayLike,
    truth: ArrayLike | str | None,
    config: TrainConfig,
    valid: ArrayLike | None,
) -> tuple[Problem, Floats]:
    """The problem, and the queries that validate."""
    matrix = as_matrix(items, "items")
    if len(graph) != len(matrix):
        raise ValueError(f"graph has {len(graph)} rows for {len(matrix)} items; pass the graph of these items.")
    asked = as_matrix(queries, "queries")
    check_width(asked, "queries", matrix.shape[1], "items")
    if isinstance(truth, str):
        truth = _named_truth(truth, matrix, graph, asked, config)
    rows = _as_truth(truth, len(asked), len(matrix))
    asked, rows, held_out = _set_apart(asked, rows, valid, matrix.shape[1], config)
    if config.found:
        rows = _filled(rows, matrix, graph, asked, config)
    _check_labelled(rows is not None and bool((rows >= 0).any()), config)
    start = start_of(config, graph)
    entry = entry_row(start, matrix, config.seed)
    return Problem(matrix, graph, asked, rows, entry, config, block_of(config, graph)), held_out


def start_of(config: TrainConfig, graph: Graph) -> Start:
    """Where walks of the graph start, unless the training names a place."""
    return graph.start if config.entry is None else config.entry


def block_of(config: TrainConfig, graph: Graph) -> Block | None:
    """The rule and number of the rows that walks start from, where they are several; paths of an agent have one."""
    start = start_of(config, graph)
    return start if isinstance(start, tuple) and config.learner == "bias" else None


def _named_truth(name: str, items: Floats, graph: Graph, queries: Floats, config: TrainConfig) -> NDArray[np.int64]:
    if name != "unlearned":
        raise ValueError(f"truth is {name!r}; pass rows, 'unlearned' or None.")
    budget = TIMES_THE_BUDGET * config.budget
    return approximate_truth(items, graph, queries, budget=budget, threads=config.threads)


def _filled(
    known: NDArray[np.int64] | None, items: Floats, graph: Graph, queries: Floats, config: TrainConfig
) -> NDArray[np.int64]:
    """What is known of each query's answers, then what the unlearned search finds, up to `config.found` of them."""
    k, budget = min(config.found, len(items)), TIMES_THE_BUDGET * config.budget
    found = approximate_truth(items, graph, queries, k=k, budget=budget, threads=config.threads)
    if known is None:
        return found
    more = max(known.shape[1] - k, 0)  # no answer that is known is dropped
    return known_first(known, np.pad(found, ((0, 0), (0, more)), constant_values=-1))


def _as_truth(truth: ArrayLike | None, queries: int, n: int) -> NDArray[np.int64] | None:
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
    return rows.astype(np.int64)


def _check_labelled(labelled: bool, config: TrainConfig) -> None:
    if labelled:
        return
    if config.learner == "imitation":
        raise ValueError("truth labels no query, but imitation learns from labelled ones alone; label some queries.")
    if config.learner == "reinforce" and not config.products:
        raise ValueError("truth labels no query, but products=False rewards labelled ones alone; label some queries.")


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
