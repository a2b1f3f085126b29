"""Exact search against the bare matrix product that it cannot do without."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

import waypost as wp
from waypost import _core
from waypost.bench.ratings import Missing
from waypost.bench.tables import Table
from waypost.bench.timing import by_turns
from waypost.bench.workbench import Floats, Workbench

ITEMS, DIMENSIONS, K = 100_000, 96, 10
BLOCK = 256  # queries a product: the scores of more would be slower to write than to compute
SLOWEST = 1.3


def run(bench: Workbench) -> list[Table]:
    rng = np.random.default_rng(0)
    items = rng.standard_normal((ITEMS, DIMENSIONS), dtype=np.float32)
    table = Table(
        "Exact search",
        f"{ITEMS:,} items, d = {DIMENSIONS}, k = {K}, against NumPy's matmul in blocks of {BLOCK} queries into one "
        "buffer, nothing done with the scores; the same number of threads, interleaved rounds.",
        ["queries", "threads", "product, s", "exact_search, s", "ratio", "target", "met"],
    )
    cores = _core.default_threads()
    sizes = [(2_000, 1), (2_000, cores)] if bench.quick else [(10_000, 1), (10_000, cores), (100_000, cores)]
    for count, threads in dict.fromkeys(sizes):
        queries = rng.standard_normal((count, DIMENSIONS), dtype=np.float32)
        repeats = bench.repeats if count <= 10_000 else 1
        table.add(f"{count:,}", str(threads), *_cells(items, queries, threads, repeats))
    return [table]


def _cells(items: Floats, queries: Floats, threads: int, repeats: int) -> list[str]:
    contestants: dict[str, Callable[[], object]] = {
        "product": lambda: _bare_product(items, queries),
        "ours": lambda: wp.exact_search(items, queries, k=K, threads=threads),
    }
    with _blas_threads(threads):
        timings = by_turns(contestants, repeats, warm=repeats > 1)
    ratio = timings.median_ratio("ours", "product")
    figures = [f"{timings.median(name):.2f}" for name in contestants]
    return [*figures, f"{ratio:.2f}", f"<= {SLOWEST}", "yes" if ratio <= SLOWEST else "no"]


def _bare_product(items: Floats, queries: Floats) -> None:
    scores = np.empty((BLOCK, len(items)), np.float32)
    for start in range(0, len(queries), BLOCK):
        block = queries[start : start + BLOCK]
        np.matmul(block, items.T, out=scores[: len(block)])


def _blas_threads(threads: int) -> AbstractContextManager[Any]:
    try:
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
    except ImportError as error:
        raise Missing("threadpoolctl: pip install 'waypost[bench]'") from error
    limits: AbstractContextManager[Any] = threadpool_limits(threads, "blas")
    return limits
