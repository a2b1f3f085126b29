"""What one call from Python costs beyond the search itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

import waypost as wp
from waypost import _core
from waypost.bench.tables import Table
from waypost.bench.timing import by_turns
from waypost.bench.workbench import Workbench

DATA, KIND = "gowalla", "moebius"
K, BUDGET = 10, 256
QUERIES = 5_000
MOST_MICROSECONDS = 3.0


def run(bench: Workbench) -> list[Table]:
    vectors, graph = bench.vectors(DATA), bench.graph(DATA, KIND)
    queries = vectors.queries(QUERIES)
    one_by_one = [queries[i : i + 1] for i in range(len(queries))]
    index = wp.Index(vectors.items, graph)
    searcher = _core.Searcher(graph.neighbors, vectors.items)
    entries = np.array([[np.argmax(np.linalg.norm(vectors.items, axis=1))]], np.int32)
    calls: dict[str, Callable[[np.ndarray], object]] = {
        "Index.search": partial(index.search, k=K, budget=BUDGET, threads=1),
        "the native call beneath": lambda asked: searcher.search(asked, entries, K, BUDGET, 0, None, 1),
    }
    table = Table(
        "One query a call",
        f"Microseconds a query on one thread, {DATA}'s {KIND} graph, budget {BUDGET}, k = {K}: {QUERIES:,} queries in "
        f"a Python loop of calls with one query each, and the same queries in one call; medians of {2 * bench.repeats} "
        "interleaved rounds.",
        ["call", "one a call", "all in one call", "beyond the search", "target", "met"],
    )
    for name, call in calls.items():
        table.add(name, *_cells(call, queries, one_by_one, 2 * bench.repeats))
    return [table]


def _cells(
    call: Callable[[np.ndarray], object], queries: np.ndarray, one_by_one: list[np.ndarray], repeats: int
) -> list[str]:
    def loop() -> None:
        for query in one_by_one:
            call(query)

    timings = by_turns({"apart": loop, "together": lambda: call(queries)}, repeats)
    apart, together = (1e6 * timings.median(name) / len(queries) for name in ("apart", "together"))
    beyond = apart - together
    met = "yes" if beyond <= MOST_MICROSECONDS else "no"
    return [f"{apart:.2f}", f"{together:.2f}", f"{beyond:.2f}", f"<= {MOST_MICROSECONDS}", met]
