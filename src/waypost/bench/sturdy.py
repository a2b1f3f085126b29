"""What the united graph costs to build and to hold: `python -m waypost.bench.sturdy`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

import waypost as wp
from waypost.bench import machine
from waypost.bench.document import write_part
from waypost.bench.peak import held_gib
from waypost.bench.ratings import Missing
from waypost.bench.tables import Table
from waypost.bench.timing import by_turns
from waypost.bench.workbench import Floats, Workbench

SETS = ("gowalla", "npm_deps", "polimi2022_tv")
KIND = "united"
SIZES = ((16, 100), (24, 200), (32, 300))  # degree and candidates, as `fit` tries them
PEER_M, PEER_EF = 16, 200
SLOWEST = 2.0  # of hnswlib's seconds
MOST_BYTES = 1.1  # of those of items, codes and graph
POOL, K, QUERIES = 64, 10, 2_000
MIB = 2.0**20

ABOUT = """# Building and holding a united graph

Written by `{command}`.

Factors and queries are those of the part on the core; graphs are of kind "united".
"""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    if options.hold:
        print(held_by(*options.hold))
        return 0
    bench = Workbench(repeats=options.repeats)
    tables = [machine.describe(), building(bench, options.sets), holding(bench, options.sets)]
    print("\n\n".join(table.as_text() for table in tables), flush=True)
    if options.write:
        command = f"python -m waypost.bench.sturdy --repeats {options.repeats} --write docs/benchmarks.md"
        write_part(options.write, "sturdy", ABOUT.format(command=command), tables)
    return 0


def building(bench: Workbench, sets: Sequence[str]) -> Table:
    table = Table(
        "Building, on one thread",
        f"Seconds, medians and median ratios of {bench.repeats} interleaved rounds. hnswlib: M = {PEER_M} (its layer-0 "
        f"cap is {2 * PEER_M}), ef_construction = {PEER_EF}, inner product, one thread, the same items.",
        ["set", "degree, candidates", "united", "hnswlib", "united / hnswlib", "target", "met"],
    )
    for name in sets:
        try:
            items = bench.vectors(name).items
        except Missing as missing:
            table.notes.append(f"{name} is left out, for want of {missing}.")
            continue
        _add_builds(table, name, items, bench.repeats)
    return table


def _add_builds(table: Table, name: str, items: Floats, repeats: int) -> None:
    works = {"hnswlib": partial(_hnswlib, items)} | {
        str(size): partial(wp.build_graph, items, kind=KIND, degree=size[0], candidates=size[1], threads=1)
        for size in SIZES
    }
    timings = by_turns(works, repeats, warm=False)
    for size in SIZES:
        share = timings.median_ratio(str(size), "hnswlib")
        met = "yes" if share <= SLOWEST else "no"
        seconds = (f"{timings.median(which):.2f}" for which in (str(size), "hnswlib"))
        table.add(name, f"{size[0]}, {size[1]}", *seconds, f"{share:.2f}", f"<= {SLOWEST}", met)


def _hnswlib(items: Floats) -> object:
    try:
        import hnswlib  # type: ignore[import-untyped]
    except ImportError as error:
        raise Missing("hnswlib: pip install 'waypost[bench]'") from error
    index = hnswlib.Index(space="ip", dim=items.shape[1])
    index.init_index(max_elements=len(items), M=PEER_M, ef_construction=PEER_EF, random_seed=0)
    index.add_items(items, num_threads=1)
    return index


def holding(bench: Workbench, sets: Sequence[str]) -> Table:
    table = Table(
        "Memory of an index",
        "What a process holds more once it has loaded an index with int8 codes and searched "
        f"{QUERIES:,} queries on one thread. Allowed: items + codes + 4 x degree x n bytes, plus 10%. Every item is "
        "reachable: edges that repair adds beyond the degree are in what is held.",
        ["set", "degree", "items, codes and edges, MiB", "held, MiB", "held / allowed", "met"],
    )
    for name in sets:
        try:
            vectors = bench.vectors(name)
        except Missing as missing:
            table.notes.append(f"{name} is left out, for want of {missing}.")
            continue
        for degree, candidates in SIZES:
            graph = wp.build_graph(vectors.items, kind=KIND, degree=degree, candidates=candidates, repair=True)
            index = wp.Index(vectors.items, graph, codes="int8").reordered()
            held = measured_apart(index, vectors.test[:QUERIES])
            bare = least_bytes(index)
            share = held / (MOST_BYTES * bare)
            met = "yes" if share <= 1 else "no"
            table.add(name, str(degree), f"{bare / MIB:.1f}", f"{held / MIB:.1f}", f"{share:.2f}", met)
    return table


def least_bytes(index: wp.Index) -> int:
    """Of items, codes with their scales, and the places of the graph's edges."""
    n, d = index.items.shape
    return int(n * (4 * d + d + 4 + 4 * index.graph.degree))


def measured_apart(index: wp.Index, queries: Floats) -> float:
    """The bytes that a process of its own holds for the index."""
    with tempfile.TemporaryDirectory() as folder:
        index.save(Path(folder) / "index")
        np.save(Path(folder) / "queries.npy", queries)
        command = [sys.executable, "-m", "waypost.bench.sturdy", "--hold", "index", "queries.npy"]
        done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return float(json.loads(done.stdout))


def held_by(path: str, queries_path: str) -> float:
    queries = np.load(queries_path)
    few = np.eye(2, dtype=np.float32)
    wp.Index(few, wp.build_graph(few, kind="ip-nsw")).search(few, 1, threads=1)  # what any first search takes
    before = held_gib()
    index = wp.Index.load(path)
    index.search(queries, K, pool=POOL, threads=1)
    return (held_gib() - before) * 2**30


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.sturdy", description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), help="the data sets, all by default")
    parser.add_argument("--repeats", type=int, default=3, help="interleaved rounds of the builds (default 3)")
    parser.add_argument("--hold", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write this part of the report as Markdown")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error(f"--repeats is {options.repeats}; pass 1 or more.")
    if options.write and not options.write.parent.is_dir():
        parser.error(f"--write names a file in {options.write.parent}, which is no folder; make it first.")
    return options


if __name__ == "__main__":
    sys.exit(main())
