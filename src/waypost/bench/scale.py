"""From ten thousand items to a million: building, memory, and what a query costs at a fixed budget.

Every size runs in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict, dataclass

import numpy as np

import waypost as wp
from waypost import _core
from waypost.bench.peak import peak_gib
from waypost.bench.tables import Table
from waypost.bench.timing import seconds
from waypost.bench.workbench import Floats, Workbench

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
DIMENSIONS, DEGREE, CANDIDATES = 96, 16, 100
KIND = "ip-nsw"
K, BUDGET = 10, 256
QUERIES, GROUPS = 10_000, 1_000
MOST_GIB = 4.0


@dataclass(frozen=True)
class Measured:
    """What one size took."""

    items: int
    build: float  # seconds on all cores
    peak: float  # GiB
    query: float  # microseconds on one core
    cost: float  # inner products a query, on average
    recall: float
    product: float  # nanoseconds of one inner product with a random row


def run(bench: Workbench) -> list[Table]:
    sizes = [n for n in SIZES if n < 1_000_000] if bench.quick else SIZES
    table = Table(
        "Scale",
        f"Synthetic items ({GROUPS:,} groups, log-normal norms), d = {DIMENSIONS}, {KIND}, degree {DEGREE}, candidates "
        f"{CANDIDATES}, built on all cores; {QUERIES:,} queries on one core, budget {BUDGET}, k = {K}. A bare product "
        "is one inner product with a random row and nothing else: what cache misses alone make dearer as n grows. "
        f"Target: {max(SIZES):,} items within {MOST_GIB} GiB, all in (interpreter, items, graph, queries).",
        ["items", "build, s", "peak, GiB", "target", "met", f"recall {K}@{K}", "query, us", "products", "ns a product",
         "ns a bare product", "beyond it, ns"],
    )  # fmt: skip
    for n in sizes:
        table.add(*_cells(measure_apart(n)))
    return [table]


def _cells(one: Measured) -> list[str]:
    each = 1000 * one.query / one.cost
    return [
        f"{one.items:,}",
        f"{one.build:.1f}",
        f"{one.peak:.2f}",
        f"<= {MOST_GIB}",
        "yes" if one.peak <= MOST_GIB else "no",
        f"{one.recall:.3f}",
        f"{one.query:.2f}",
        f"{one.cost:.0f}",
        f"{each:.1f}",
        f"{one.product:.1f}",
        f"{each - one.product:.1f}",
    ]


def measure_apart(n: int) -> Measured:
    command = [sys.executable, "-m", "waypost.bench.scale", "--items", str(n)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Measured(**json.loads(output))


def measure(n: int) -> Measured:
    items, queries = synthetic(n)
    built: list[wp.Graph] = []
    build = seconds(lambda: built.append(wp.build_graph(items, kind=KIND, degree=DEGREE, candidates=CANDIDATES)))
    index = wp.Index(items, built[0])
    answer = index.search(queries, k=K, budget=BUDGET, threads=1)
    query = min(seconds(lambda: index.search(queries, k=K, budget=BUDGET, threads=1)) for _ in range(5))
    peak = peak_gib()
    some = slice(0, 1000)
    recall = wp.recall(answer.ids[some], wp.exact_search(items, queries[some], k=K).ids)
    return Measured(n, build, peak, 1e6 * query / len(queries), float(answer.cost.mean()), recall, _bare_product(items))


def synthetic(n: int) -> tuple[Floats, Floats]:
    """Items around common centres, their norms log-normal, and queries of unit length around the same centres."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((GROUPS, DIMENSIONS), dtype=np.float32)
    queries = _around(centres, QUERIES, rng)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    items = _around(centres, n, rng)
    items *= rng.lognormal(0, 0.4, (n, 1)).astype(np.float32) / np.sqrt(np.float32(2 * DIMENSIONS))
    return items, queries


def _around(centres: Floats, n: int, rng: np.random.Generator) -> Floats:
    vectors = rng.standard_normal((n, DIMENSIONS), dtype=np.float32)
    for start in range(0, n, 65_536):  # in blocks: a whole matrix of chosen centres would count towards the peak
        block = vectors[start : start + 65_536]
        block += centres[rng.integers(GROUPS, size=len(block))]
    return vectors


def _bare_product(items: Floats) -> float:
    rows = np.random.default_rng(1).integers(len(items), size=1_000_000).astype(np.int32)
    return 1e9 * min(seconds(lambda: _core.dot_rows(items[0], items, rows)) for _ in range(3)) / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure one size and print it as JSON.")
    parser.add_argument("--items", type=int, required=True)
    print(json.dumps(asdict(measure(parser.parse_args().items))))


if __name__ == "__main__":
    main()
