"""What seen-item filters cost: searches that exclude a user's seen items beside the same searches without.

`python -m waypost.bench.filters [--quick] [--write docs/benchmarks.md]`
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.bench.document import write_part
from waypost.bench.tables import Table
from waypost.bench.timing import by_turns
from waypost.bench.workbench import Floats, Workbench

SETS = ("gowalla", "npm_deps", "polimi2022_tv")
COUNTS = (10, 100, 1_000)
K, BUDGET = 10, 256
QUERIES = 4_096
TARGET = 1.3

ABOUT = f"""# Seen-item filters

`python -m waypost.bench.filters --write docs/benchmarks.md`. Excluded are {", ".join(f"{c:,}" for c in COUNTS)} rows a
query: half of them the query's own best, as what a user has seen is, and half drawn at random.
"""


class Excluded:
    """A matrix by its offsets and columns, as scipy's CSR has them."""

    def __init__(self, rows: NDArray[np.int32], items: int) -> None:
        self.shape = (len(rows), items)
        self.indptr = np.arange(len(rows) + 1) * rows.shape[1]
        self.indices = rows.ravel()


def seen_rows(items: Floats, queries: Floats, count: int, seed: int = 0) -> NDArray[np.int32]:
    """(m, count) different rows a query."""
    best = wp.exact_search(items, queries, k=count // 2).ids
    drawn = np.random.default_rng(seed).integers(0, len(items), (len(queries), 3 * count))
    rows = np.empty((len(queries), count), np.int32)
    for at in range(len(queries)):
        together = np.concatenate([best[at], drawn[at]])
        _, first = np.unique(together, return_index=True)
        rows[at] = together[np.sort(first)[:count]]
    return rows


def measure(bench: Workbench, name: str, table: Table) -> None:
    vectors = bench.vectors(name)
    queries = vectors.queries(512 if bench.quick else QUERIES)
    index = wp.Index(vectors.items, bench.graph(name, "ip-nsw"))
    search = partial(index.search, queries, k=K, budget=BUDGET, threads=1)
    for count in COUNTS:
        rows = seen_rows(vectors.items, queries, count)
        matrix, lists = Excluded(rows, len(vectors.items)), list(rows)
        searches = {
            "plain": search,
            "within": partial(search, exclude=matrix, complete=False),
            "matrix": partial(search, exclude=matrix),
            "lists": partial(search, exclude=lists),
        }
        timings = by_turns(searches, 3 * bench.repeats)
        within, cost = timings.median_ratio("within", "plain"), searches["matrix"]().cost
        table.add(
            name,
            f"{count:,}",
            f"{len(queries) / timings.median('plain'):,.0f}",
            f"{within:.2f}",
            "yes" if within <= TARGET else "no",
            f"{timings.median_ratio('matrix', 'plain'):.2f}",
            f"{timings.median_ratio('lists', 'plain'):.2f}",
            f"{np.mean(cost > BUDGET):.1%}",
            f"{np.mean(cost):,.0f}",
        )


def run(bench: Workbench) -> Table:
    table = Table(
        "Time under a filter",
        f"One core, ip-NSW graphs, budget {BUDGET}, k = {K}, {QUERIES:,} queries a call; ratios to the search without "
        f"a filter, medians of {3 * bench.repeats} interleaved rounds. Within the budget: `complete=False`. Complete: "
        "queries that find fewer than k go on beyond the budget; how many do, and what a query costs then in the mean.",
        [
            "data",
            "excluded a query",
            "unfiltered, queries a second",
            "within the budget",
            f"at most {TARGET}",
            "complete, matrix",
            "complete, lists",
            "beyond the budget",
            "mean cost",
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
