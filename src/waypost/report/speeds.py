"""Queries a second of the exact, the unlearned and the learned search, measured by turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.evaluate import SpeedPoint, recall_against_speed
from waypost.exact import exact_search
from waypost.index import Index
from waypost.report.content import Recalls, Speeds

ROUNDS = 3
SINGLES = 500  # queries asked one by one
BATCH = 4000  # queries asked all at once
EXACT_BATCH, EXACT_SINGLES = 1000, 20  # the exact search takes a thousand times as long


def measured_speeds(
    indexes: dict[str, Index], queries: Floats, truth: NDArray[np.int64], recalls: Sequence[Recalls], threads: int
) -> list[Speeds]:
    """The best of some rounds for each search and budget, on some of the queries; `recalls` are those of all."""
    asked, answers, k = queries[:BATCH], truth[:BATCH], truth.shape[1]
    budgets = [at.budget for at in recalls]
    best: dict[tuple[str, int], SpeedPoint] = {}
    exact = (0.0, 0.0)
    items = next(iter(indexes.values())).items
    for _ in range(ROUNDS):
        for name, index in indexes.items():
            points = recall_against_speed(
                index, asked, answers, budgets, k=k, m=k, n=k, threads=threads, repeats=1, singles=SINGLES
            )
            for point in points:
                best[name, point.budget] = _faster(point, best.get((name, point.budget), point))
        exact = _exact_rates(items, asked, k, threads, exact)
    found = {(name, at.budget): float(getattr(at, name)) for at in recalls for name in indexes}
    speeds = [Speeds(at[1], at[0], found[at], p.batched_qps, p.single_qps) for at, p in best.items()]
    return [Speeds(0, "exact", 1.0, *exact), *speeds]


def _faster(one: SpeedPoint, other: SpeedPoint) -> SpeedPoint:
    batched, single = max(one.batched_qps, other.batched_qps), max(one.single_qps, other.single_qps)
    return SpeedPoint(one.budget, one.recall, batched, single)


def _exact_rates(
    items: Floats, queries: Floats, k: int, threads: int, before: tuple[float, float]
) -> tuple[float, float]:
    many, few = queries[:EXACT_BATCH], queries[:EXACT_SINGLES]
    batched = _rate(len(many), lambda: exact_search(items, many, k, threads=threads))
    single = _rate(len(few), lambda: [exact_search(items, few[at : at + 1], k, threads=1) for at in range(len(few))])
    return max(batched, before[0]), max(single, before[1])


def _rate(queries: int, work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return queries / (time.perf_counter() - start)
