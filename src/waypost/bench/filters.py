"""What seen-item filters cost: searches that exclude a user's seen items beside the same searches without.

`python -m waypost.bench.filters [--quick] [--write docs/benchmarks.md]`
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.bench.document import write_part
from waypost.bench.tables import Table
from waypost.bench.timing import by_turns
from waypost.bench.workbench import Floats, Workbench

SETS = ("gowalla", "npm_deps", "polimi2022_tv")
CASES = {  # excluded a query, and how many of these are its own best
    "10, at random": (10, 0),
    "100, at random": (100, 0),
    "1,000, at random": (1_000, 0),
    "10, half its best": (10, 5),
    "100, half its best": (100, 50),
    "1,000, half its best": (1_000, 500),
    "100, its best": (100, 100),
    "1,000, its best": (1_000, 1_000),
}
SEARCHES: dict[str, dict[str, Any]] = {"budget 256": {"budget": 256}, "pool 32": {"pool": 32}}
K = 10
QUERIES = 2_048
TARGET = 1.3

ABOUT = """# Seen-item filters

`python -m waypost.bench.filters --write docs/benchmarks.md`. A query's excluded rows are drawn at random, or half of
them or all are its own best: so a user has seen much of what suits best, and the search has to go through it to the
rest.
"""


class Excluded:
    """A matrix by its offsets and columns, as scipy's CSR has them."""

    def __init__(self, rows: NDArray[np.int32], items: int) -> None:
        self.shape = (len(rows), items)
        self.indptr = np.arange(len(rows) + 1) * rows.shape[1]
        self.indices = rows.ravel()


def drawn_rows(items: Floats, queries: Floats, count: int, best: int, seed: int = 0) -> NDArray[np.int32]:
    """(m, count) different rows a query, the `best` of them its own best."""
    own = wp.exact_search(items, queries, k=max(best, 1)).ids[:, :best]
    drawn = np.random.default_rng(seed).integers(0, len(items), (len(queries), 3 * count))
    rows = np.empty((len(queries), count), np.int32)
    for at in range(len(queries)):
        together = np.concatenate([own[at], drawn[at]])
        _, first = np.unique(together, return_index=True)
        rows[at] = together[np.sort(first)[:count]]
    return rows


def measure(bench: Workbench, name: str, table: Table) -> None:
    vectors = bench.vectors(name)
    queries = vectors.queries(256 if bench.quick else QUERIES)
    index = wp.Index(vectors.items, bench.graph(name, "united"), codes="int8")
    for case, (count, best) in CASES.items():
        rows = drawn_rows(vectors.items, queries, count, best)
        matrix, lists = Excluded(rows, len(vectors.items)), list(rows)
        truth = index.exact(queries, K, exclude=matrix).ids
        for search, options in SEARCHES.items():
            row = compare(bench, partial(index.search, queries, k=K, threads=1, **options), matrix, lists, truth)
            table.add(name, case, search, *row)


def compare(
    bench: Workbench, search: Callable[..., wp.Answer], matrix: Excluded, lists: list[Any], truth: NDArray[Any]
) -> list[str]:
    """The cells of one row: ratios of time, and recall of what is left."""
    searches: dict[str, Callable[[], wp.Answer]] = {
        "plain": search,
        "within": partial(search, exclude=matrix, complete=False),
        "complete": partial(search, exclude=matrix),
        "lists": partial(search, exclude=lists),
    }
    timings = by_turns(searches, 3 * bench.repeats, clock=time.thread_time)
    ratios = {name: timings.median_ratio(name, "plain") for name in searches}
    recalls = [wp.recall(searches[name]().ids, truth) for name in ("within", "complete")]
    return [
        f"{ratios['within']:.2f}",
        "yes" if ratios["within"] <= TARGET else "no",
        f"{recalls[0]:.3f}",
        f"{ratios['complete']:.2f}",
        f"{recalls[1]:.3f}",
        f"{ratios['lists']:.2f}",
    ]


def run(bench: Workbench) -> Table:
    table = Table(
        "Time under a filter",
        f"One core, united graphs (degree 16), int8 codes where a pool is searched, k = {K}, {QUERIES:,} queries a "
        f"call; ratios of the thread's time to the search without a filter, medians of {3 * bench.repeats} interleaved "
        "rounds; the recall of the true best among what is not excluded. Bounded: `complete=False`, which keeps to the "
        "budget or the pool. Complete: the default, which goes on where too few allowed candidates are left. Excluded "
        "by a CSR matrix; in the last column by lists, with the default.",
        [
            "data",
            "excluded a query",
            "search",
            "bounded, time",
            f"at most {TARGET}",
            "bounded, recall",
            "complete, time",
            "complete, recall",
            "lists, time",
        ],
    )
    for name in SETS:
        measure(bench, name, table)
        print(table.as_text(), flush=True)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", type=Path, help="the page to put the table into")
    options = parser.parse_args()
    table = run(Workbench(quick=options.quick))
    if options.write:
        write_part(options.write, "filters", ABOUT, [table])


if __name__ == "__main__":
    main()
