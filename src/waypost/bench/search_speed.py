"""Queries a second on one core, against a textbook search on the same graph from the same entry."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import waypost as wp
from waypost.bench.tables import Table
from waypost.bench.textbook import Textbook
from waypost.bench.timing import by_turns
from waypost.bench.workbench import Floats, Workbench

DATA, KIND = "gowalla", "moebius"
K, BUDGET = 10, 256
QUERIES = 20_000
TIMES_FASTER = 3.0
AIM = 150_000

PLAIN = "textbook, plain loop"
CORE_KERNEL = "textbook, the core's dot product"
OURS = "waypost"


def run(bench: Workbench) -> list[Table]:
    vectors, graph = bench.vectors(DATA), bench.graph(DATA, KIND)
    queries = vectors.queries(QUERIES)
    index = wp.Index(vectors.items, graph)
    entry = int(np.argmax(np.linalg.norm(vectors.items, axis=1)))
    truth = wp.exact_search(vectors.items, vectors.test, k=K).ids

    def textbook(core_kernel: bool) -> Callable[[Floats], np.ndarray]:
        search = Textbook(core_kernel).search
        return lambda asked: search(vectors.items, graph.neighbors, asked, entry, K, BUDGET)

    searches: dict[str, Callable[[Floats], np.ndarray]] = {
        PLAIN: textbook(core_kernel=False),
        CORE_KERNEL: textbook(core_kernel=True),
        OURS: lambda asked: index.search(asked, k=K, budget=BUDGET, entry=entry, threads=1).ids,
    }
    timings = by_turns({name: (lambda f=f: f(queries)) for name, f in searches.items()}, 2 * bench.repeats)  # type: ignore[misc]
    table = Table(
        "Searching",
        f"One core, {BUDGET} inner products a query, k = {K}, d = {queries.shape[1]}, float32, {DATA}'s {KIND} graph "
        f"(degree {graph.degree}), entry: the largest norm; {len(queries):,} queries a call, medians of "
        f"{2 * bench.repeats} interleaved rounds. The textbook search has two heaps and a hash set and is compiled in "
        "this run with the core's flags; its rows differ in the inner product alone.",
        ["search", "queries a second", f"recall {K}@{K}", "waypost is faster by", "target", "met"],
    )
    for name, search in searches.items():
        qps, recall = len(queries) / timings.median(name), wp.recall(search(vectors.test), truth)
        table.add(name, f"{qps:,.0f}", f"{recall:.3f}", *_against(timings.median_ratio(name, OURS), name, qps))
    return [table]


def _against(ratio: float, name: str, qps: float) -> list[str]:
    if name == OURS:
        return ["", f"aim: {AIM:,} a second", "yes" if qps >= AIM else "no"]
    if name == PLAIN:
        return [f"{ratio:.2f}", f">= {TIMES_FASTER}", "yes" if ratio >= TIMES_FASTER else "no"]
    return [f"{ratio:.2f}", "", ""]
