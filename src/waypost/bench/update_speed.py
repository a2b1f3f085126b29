"""What one training update costs beside its GCN alone, and how that grows with the graph.

`python -m waypost.bench.update_speed [--million]`
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from functools import partial

import numpy as np

import waypost as wp
from waypost.bench.finished import Finished
from waypost.bench.peak import peak_gib
from waypost.bench.tables import Table
from waypost.bench.timing import by_turns, seconds
from waypost.bench.workbench import Workbench
from waypost.learn.learner import Problem
from waypost.learn.reinforce import reinforce

D, DEGREE, BUDGET, BATCH = 96, 16, 256, 4096
MOST_RATIO = 1.25
SIZES = (50_000, 100_000, 200_000, 500_000, 1_000_000)
SMALL_BATCH, NEIGHBORHOOD = 256, 8_000
MOST_GIB = 12


def problem(n: int, **settings: object) -> Problem:
    """Vectors whose directions matter unequally, and random edges: what is timed does not depend on which."""
    rng = np.random.default_rng(0)
    spectrum = (np.arange(1, D + 1) ** -0.5).astype(np.float32)
    items = rng.standard_normal((n, D), dtype=np.float32) * spectrum
    queries = rng.standard_normal((20_000, D), dtype=np.float32) * spectrum
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    graph = wp.Graph("random", DEGREE, rng.integers(0, n, (n, DEGREE), dtype=np.int32), entry=0)
    config = wp.TrainConfig(learner="reinforce", budget=BUDGET, **settings)  # type: ignore[arg-type]
    return Problem(items, graph, queries, None, 0, config)


def run(bench: Workbench, kept: Finished) -> list[Table]:
    return [
        kept.table("one update and its GCN", against_the_gcn),
        kept.table("an update by the size of the graph", lambda: by_size((*SIZES[:2], SIZES[-1]))),
    ]


def against_the_gcn(n: int = 60_000, rounds: int = 7) -> Table:
    """One update of 4,096 queries, by turns with the GCN's forward and backward pass alone."""
    learner = reinforce(problem(n, batch=BATCH))
    step = iter(range(1, 1000))

    def gcn_alone() -> None:
        vectors = learner.agent().vectors
        assert vectors is not None
        vectors.sum().backward()

    found = by_turns({"gcn": gcn_alone, "update": lambda: learner.step(next(step))}, rounds)
    ratio = found.median_ratio("update", "gcn")
    table = Table(
        "One update and its GCN",
        f"n = {n:,}, d = {D}, {BATCH:,} queries, IPC {BUDGET}; medians of {rounds} interleaved rounds.",
        ["GCN alone, s", "update, s", "ratio", "target", "met"],
    )
    table.add(
        f"{found.median('gcn'):.3f}",
        f"{found.median('update'):.3f}",
        f"{ratio:.2f}",
        f"at most {MOST_RATIO}",
        "yes" if ratio <= MOST_RATIO else "no",
    )
    return table


def by_size(whole: tuple[int, ...] = SIZES[:2]) -> Table:
    """The cost of an update that learns from the vertices met, and of one that embeds the whole graph."""
    table = Table(
        "An update by the size of the graph",
        f"{SMALL_BATCH} queries an update, IPC {BUDGET}, d = {D}; neighborhood = {NEIGHBORHOOD:,} of the vertices met, "
        "or the whole graph; each in a process of its own, the median of 3 updates. A validation embeds the whole "
        f"graph either way. Target: an update of {SIZES[-1]:,} items within {MOST_GIB} GiB.",
        ["items", "vertices met, s", "peak GiB", "whole graph, s", "peak GiB"],
    )
    for n in SIZES:
        near = _apart(n, NEIGHBORHOOD)
        far = _apart(n, 0) if n in whole else None
        cells = ["-", "-"] if far is None else [f"{far[0]:.3f}", f"{far[1]:.1f}"]
        table.add(f"{n:,}", f"{near[0]:.3f}", f"{near[1]:.1f}", *cells)
    return table


def _apart(n: int, neighborhood: int) -> tuple[float, float]:
    command = [sys.executable, "-m", "waypost.bench.update_speed", "--one", str(n), str(neighborhood)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    median, peak = json.loads(done.stdout)
    return median, peak


def _one(n: int, neighborhood: int) -> tuple[float, float]:
    """Seconds of an update, and the most memory that the process had."""
    learner = reinforce(problem(n, batch=SMALL_BATCH, neighborhood=neighborhood or None))
    learner.step(1)
    times = [seconds(partial(learner.step, step)) for step in (2, 3, 4)]
    return float(np.median(times)), peak_gib()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.update_speed", description=__doc__)
    parser.add_argument("--million", action="store_true", help="embed the whole graph at a million items as well")
    parser.add_argument("--one", nargs=2, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_one(*options.one)))
        return 0
    print(against_the_gcn().as_text(), flush=True)
    print("\n" + by_size(SIZES if options.million else SIZES[:2]).as_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
