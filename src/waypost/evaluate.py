"""How good the answers are, and at what price: recall, and curves of it against budget and against speed."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.answer import Answer
from waypost.arguments import as_count, as_matrix
from waypost.entry import Entry
from waypost.exact import Truth
from waypost.ids import MISSING
from waypost.index import Index

BLOCK = 1024  # queries compared at once


@dataclass(frozen=True, slots=True)
class BudgetPoint:
    """Recall at one budget. `cost` is the mean number of inner products that a query took.

    >>> import waypost as wp
    >>> wp.BudgetPoint(budget=256, recall=0.97, cost=256.0).recall
    0.97
    """

    budget: int
    recall: float
    cost: float


@dataclass(frozen=True, slots=True)
class SpeedPoint:
    """Recall at one budget with the queries a second, asked all at once and one by one.

    >>> import waypost as wp
    >>> wp.SpeedPoint(budget=256, recall=0.97, batched_qps=150_000.0, single_qps=90_000.0).budget
    256
    """

    budget: int
    recall: float
    batched_qps: float
    single_qps: float


def recall(found: ArrayLike, truth: ArrayLike, m: int | None = None, n: int | None = None) -> float:
    """Recall M@N: how many of the true best `m` are among the best `n` found, summed over the queries, as a share.

    Left out, `m` and `n` are 10, or as many as there are. -1 and None are no answer: neither found nor true.

    >>> import waypost as wp
    >>> wp.recall([[4, 7, 9]], [[7, 9, 2]])
    0.6666666666666666
    >>> wp.recall([[4, 7, 9]], [[7, 9, 2]], m=1, n=2)
    1.0
    """
    found, truth = _as_answers(found, "found"), _as_answers(truth, "truth")
    if len(found) != len(truth):
        raise ValueError(f"found has {len(found)} rows and truth has {len(truth)}; pass both for the same queries.")
    if found.dtype.kind != truth.dtype.kind:
        raise TypeError("found and truth are not ids of one type; take the truth from index.exact.")
    found, truth = _first_columns(found, "found", "n", n), _first_columns(truth, "truth", "m", m)
    true = _is_answer(truth)
    if not true.any():
        raise ValueError("truth holds no answer at all; pass at least one row with true ids.")
    blocks = range(0, len(found), BLOCK)
    hits = sum(np.sum(_is_in(truth[at : at + BLOCK], found[at : at + BLOCK]) & true[at : at + BLOCK]) for at in blocks)
    return float(hits / np.sum(true))


def recall_against_budget(
    index: Index,
    queries: ArrayLike,
    truth: Truth | ArrayLike,
    budgets: Iterable[int],
    *,
    k: int = 10,
    m: int | None = None,
    n: int | None = None,
    rerank: int | None = None,
    entry: Entry | None = None,
    seed: int = 0,
    threads: int = 0,
) -> list[BudgetPoint]:
    """Recall M@N at each budget; `truth` is what `index.exact` gives, or its ids.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((500, 8), dtype=np.float32)
    >>> index = wp.Index(items, wp.build_graph(items, kind="ip-nsw", repair=True))
    >>> wp.recall_against_budget(index, items[:9], index.exact(items[:9]), [500])
    [BudgetPoint(budget=500, recall=1.0, cost=500.0)]
    """
    queries, true_ids = as_matrix(queries, "queries"), _ids_of(truth)
    points = []
    for budget in budgets:
        answer = index.search(queries, k, budget, rerank, entry, seed, threads)
        points.append(BudgetPoint(budget, recall(answer.ids, true_ids, m, n), float(np.mean(answer.cost))))
    return points


def recall_against_speed(
    index: Index,
    queries: ArrayLike,
    truth: Truth | ArrayLike,
    budgets: Iterable[int],
    *,
    k: int = 10,
    m: int | None = None,
    n: int | None = None,
    rerank: int | None = None,
    entry: Entry | None = None,
    seed: int = 0,
    threads: int = 0,
    repeats: int = 3,
    singles: int = 1000,
) -> list[SpeedPoint]:
    """Recall M@N and queries a second at each budget: the best of `repeats` runs.

    `threads` is for the batch; `singles` of the queries are asked one by one, each on one thread.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((500, 8), dtype=np.float32)
    >>> index = wp.Index(items, wp.build_graph(items, kind="ip-nsw", repair=True))
    >>> [point] = wp.recall_against_speed(index, items, index.exact(items), [500])
    >>> point.recall, point.batched_qps > 0, point.single_qps > 0
    (1.0, True, True)
    """
    queries, true_ids = as_matrix(queries, "queries"), _ids_of(truth)
    repeats, few = as_count(repeats, "repeats"), queries[: as_count(singles, "singles")]
    points = []
    for budget in budgets:
        search = partial(index.search, k=k, budget=budget, rerank=rerank, entry=entry, seed=seed)
        found = search(queries, threads=threads).ids
        batched = len(queries) / _best_time(partial(search, queries, threads=threads), repeats)
        single = len(few) / _best_time(partial(_one_by_one, partial(search, threads=1), few), repeats)
        points.append(SpeedPoint(budget, recall(found, true_ids, m, n), batched, single))
    return points


def as_table(points: Sequence[Any]) -> str:
    """The points of a curve as text, a line each.

    >>> import waypost as wp
    >>> print(wp.as_table([wp.BudgetPoint(128, 0.894, 128.0), wp.BudgetPoint(1024, 1.0, 900.5)]))
    budget  recall   cost
       128  0.8940  128.0
      1024  1.0000  900.5
    """
    if not points:
        raise ValueError("points is empty; pass at least one point of a curve.")
    names = [field.name for field in fields(points[0])]
    lines = [names] + [[_as_text(name, value) for name, value in zip(names, astuple(p), strict=True)] for p in points]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def _as_text(name: str, value: float) -> str:
    if name == "recall":
        return f"{value:.4f}"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _as_answers(ids: ArrayLike, name: str) -> NDArray[Any]:
    answers = np.asarray(ids)
    if answers.ndim != 2 or answers.dtype.kind not in "iuUTO":
        raise ValueError(
            f"{name} has dtype {answers.dtype} and shape {answers.shape}; pass a matrix of ids, a row a query."
        )
    return answers.astype(object) if answers.dtype.kind in "UTO" else answers.astype(np.int64)


def _first_columns(answers: NDArray[Any], name: str, letter: str, wanted: int | None) -> NDArray[Any]:
    most = answers.shape[1]
    count = min(10, most) if wanted is None else as_count(wanted, letter)
    if count > most:
        raise ValueError(f"{letter} is {count} but {name} has {most} columns; pass {most} or less.")
    return answers[:, :count]


def _is_answer(answers: NDArray[Any]) -> NDArray[np.bool_]:
    missing = None if answers.dtype == object else MISSING
    return np.asarray(answers != missing, bool)


def _is_in(truth: NDArray[Any], found: NDArray[Any]) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = np.asarray(truth[:, :, None] == found[:, None, :], bool)
    hits: NDArray[np.bool_] = np.logical_or.reduce(same, axis=2)
    return hits


def _ids_of(truth: Truth | ArrayLike) -> ArrayLike:
    return truth.ids if isinstance(truth, Truth) else truth


def _best_time(run: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def _one_by_one(search: Callable[[NDArray[np.float32]], Answer], queries: NDArray[np.float32]) -> None:
    for at in range(len(queries)):
        search(queries[at : at + 1])
