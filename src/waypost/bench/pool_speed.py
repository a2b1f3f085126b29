"""The search by a pool beside the one by a budget, and beside its limit: `python -m waypost.bench.pool_speed`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np

import waypost as wp
from waypost import _core
from waypost.bench import machine
from waypost.bench.document import write_part
from waypost.bench.ratings import Missing
from waypost.bench.tables import Table
from waypost.bench.timing import Timings, by_turns
from waypost.bench.workbench import Floats, Workbench
from waypost.codes import encode

SETS = ("gowalla", "npm_deps", "polimi2022_tv")
KIND, DEGREE, K = "united", 16, 10
BUDGETS = (128, 256, 512)
POOLS = (10, 16, 24, 32, 48, 64, 96, 128)
LIMIT_POOLS = (16, 32, 64)
SINGLE_POOL = 24
QUERIES = 5_000
MOST_MICROSECONDS = 2.0

ABOUT = """# The search by a pool

Written by `{command}`.

Factors and queries are those of the part on the core; graphs are of kind "united" with degree 16, rows renumbered by
`Index.reordered` unless told otherwise. One thread, held-out test queries, k = 10. With int8 codes the best 20 are
ranked exactly, and a smaller pool is one of 20. Products count entries, codes and the re-rank; times are medians of
{repeats} interleaved rounds in seconds of the processor, since the machine had other work.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.pool_speed", description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), help="the data sets, all by default")
    parser.add_argument("--repeats", type=int, default=9, help="interleaved rounds of each comparison (default 9)")
    parser.add_argument("--write", metavar="FILE", help="also write this part of the report as Markdown")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error(f"--repeats is {options.repeats}; pass 1 or more.")
    if options.write and not Path(options.write).parent.is_dir():
        parser.error(f"--write names a file in {Path(options.write).parent}, which is no folder; make it first.")
    tables = [machine.describe(), *run(Workbench(repeats=options.repeats), options.sets)]
    print("\n\n".join(table.as_text() for table in tables), flush=True)
    if options.write:
        command = f"python -m waypost.bench.pool_speed --repeats {options.repeats} --write {options.write}"
        write_part(Path(options.write), "pool", ABOUT.format(command=command, repeats=options.repeats), tables)
    return 0


def run(bench: Workbench, sets: Sequence[str]) -> list[Table]:
    tables = []
    for name in sets:
        try:
            tables += [_speed(bench, name), _limit(bench, name), _single(bench, name)]
        except Missing as missing:
            tables.append(Table(name, f"Left out, for want of {missing}.", ["left out"]))
    return tables


def _indexes(bench: Workbench, name: str) -> tuple[wp.Index, wp.Index, wp.Index]:
    """As built, renumbered, and renumbered with codes."""
    built = wp.Index(bench.vectors(name).items, bench.graph(name, KIND, DEGREE))
    ordered = built.reordered()
    return built, ordered, wp.Index(built.items, built.graph, codes="int8").reordered()


def _speed(bench: Workbench, name: str) -> Table:
    queries = bench.vectors(name).test[:QUERIES]
    built, ordered, coded = _indexes(bench, name)
    truth = built.exact(queries, K).ids
    searches: dict[str, Callable[[], wp.Answer]] = {}
    for budget in BUDGETS:
        searches[f"budget {budget}"] = partial(built.search, queries, K, budget, threads=1)
    for what, index in (("as built", built), ("float32", ordered), ("int8", coded)):
        for pool in POOLS if index is not built else (32,):
            searches[f"pool {pool}, {what}"] = partial(index.search, queries, K, threads=1, pool=pool)
    timings = by_turns(searches, bench.repeats, clock=thread_time)
    table = Table(
        f"{name}: speed and recall",
        f"{len(built):,} items, d = {built.items.shape[1]}, {len(queries):,} queries a call.",
        ["search", f"recall {K}@{K}", "products a query", "queries a second", "nanoseconds a product"],
    )
    for what, search in searches.items():
        answer, seconds = search(), timings.median(what) / len(queries)
        cost = float(answer.cost.mean())
        recall = wp.recall(answer.ids, truth)
        table.add(what, f"{recall:.3f}", f"{cost:.0f}", f"{1 / seconds:,.0f}", f"{seconds / cost * 1e9:.1f}")
    return table


def _limit(bench: Workbench, name: str) -> Table:
    queries = bench.vectors(name).test[:QUERIES]
    _, ordered, coded = _indexes(bench, name)
    codes = encode(ordered.items, "int8")
    entries = ordered._entries[0]
    table = Table(
        f"{name}: how far from the limit",
        "Nanoseconds a product of the whole search, and of the bare scoring of the same rows in the same order with no "
        "walk around it: reading the vectors and multiplying them is all that it does.",
        ["pool", "vectors", "search", "bare scoring", "search is slower by"],
    )
    for pool in LIMIT_POOLS:
        offsets, rows = _core.scored_rows(ordered.graph.neighbors, ordered.items, queries, entries, pool)
        works: dict[str, Callable[[], Any]] = {
            "float32": partial(ordered.search, queries, K, threads=1, pool=pool),
            "int8": partial(coded.search, queries, K, threads=1, pool=pool, rerank=0),
            "bare float32": partial(_core.score_vectors, queries, ordered.items, offsets, rows),
            "bare int8": partial(_core.score_codes, queries, codes.values, codes.scales, offsets, rows),
        }
        timings = by_turns(works, bench.repeats, clock=thread_time)
        for vectors in ("float32", "int8"):
            cost = works[vectors]().cost.sum()
            table.add(str(pool), vectors, *_against_bare(timings, vectors, float(cost), len(rows)))
    return table


def _against_bare(timings: Timings, vectors: str, cost: float, rows: int) -> list[str]:
    search = timings.median(vectors) / cost * 1e9
    bare = timings.median(f"bare {vectors}") / rows * 1e9
    return [f"{search:.1f}", f"{bare:.1f}", f"{search / bare:.1f}"]


def _single(bench: Workbench, name: str) -> Table:
    queries = bench.vectors(name).test[:QUERIES]
    one_by_one = [queries[i : i + 1] for i in range(len(queries))]
    _, ordered, coded = _indexes(bench, name)
    table = Table(
        f"{name}: one query a call",
        f"Microseconds a query, a pool of {SINGLE_POOL}: {len(queries):,} calls from a Python loop, and the same "
        f"queries in one call. Target: at most {MOST_MICROSECONDS:g} beyond the search.",
        ["vectors", "one a call", "99th percentile", "all in one call", "beyond the search", "met"],
    )
    for what, index in (("float32", ordered), ("int8", coded)):
        search = partial(index.search, k=K, threads=1, pool=SINGLE_POOL)
        works: dict[str, Callable[[], object]] = {
            "one": partial(_each, search, one_by_one),
            "all": partial(search, queries),
        }
        timings = by_turns(works, bench.repeats, clock=thread_time)
        one, together = (timings.median(key) / len(queries) * 1e6 for key in ("one", "all"))
        beyond = one - together
        slow = np.percentile(_each_timed(search, one_by_one), 99) * 1e6
        met = "yes" if beyond <= MOST_MICROSECONDS else "no"
        table.add(what, f"{one:.2f}", f"{slow:.2f}", f"{together:.2f}", f"{beyond:.2f}", met)
    return table


def _each(search: Callable[[Floats], object], one_by_one: list[Floats]) -> None:
    for query in one_by_one:
        search(query)


def _each_timed(search: Callable[[Floats], object], one_by_one: list[Floats]) -> list[float]:
    ticks = [thread_time()]
    for query in one_by_one:
        search(query)
        ticks.append(thread_time())
    return np.diff(ticks).tolist()


if __name__ == "__main__":
    sys.exit(main())
