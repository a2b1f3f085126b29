"""What training queries teach: recall of a graph, of a bias on it, of the taught graph and of a bias on that.

`python -m waypost.bench.taught_recall [--sets gowalla ...] [--seeds 1 2 3] [--write docs/benchmarks.md]` measures on
test queries at equal numbers of inner products and writes the part "taught" of the page.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.bench.document import write_part
from waypost.bench.tables import Table
from waypost.bench.workbench import Workbench

Made = TypeVar("Made")

SETS = ("gowalla", "npm_deps", "polimi2022_tv")
BUDGETS = (128, 256, 512)
K = 10
LABELS = 20
MOST_TRAINING, MOST_VALIDATION = 10_000, 2_000
WANTED = 0.95
KIND, DEGREE, CANDIDATES = "united", 16, 100
ALLOWED_LOSS = 0.003
ROWS = ("unlearned", "bias", "taught graph", "taught graph and bias")

Cells = tuple[float, float, float]

# The prototype's rows (b), a bias and codebook entries, and (d), all of it.
PROTOTYPE: dict[str, tuple[Cells, Cells]] = {
    "gowalla": ((0.921, 0.988, 0.999), (0.928, 0.992, 0.999)),
    "npm_deps": ((0.908, 0.981, 0.992), (0.909, 0.989, 0.999)),
    "polimi2022_tv": ((0.574, 0.751, 0.897), (0.723, 0.906, 0.989)),
}
MOST_PRODUCTS = {"gowalla": 256, "npm_deps": 128, "polimi2022_tv": 128}  # wanted for a recall of WANTED

ABOUT = f"""# What queries teach

Written by `python -m waypost.bench.taught_recall --write docs/benchmarks.md`.

Recall {K}@{K} on held-out test queries at {" / ".join(map(str, BUDGETS))} inner products, all of them counted, entries
and centroids too. Each row is a mean over seeds, of the graph, of the teaching and of the training alike; in brackets
the range. The graph: {KIND}, degree {DEGREE}, candidates {CANDIDATES}, repaired. At most {MOST_TRAINING:,} training
queries with their {LABELS} true answers; {MOST_VALIDATION:,} validation queries choose whatever is chosen."""

NOTE = (
    f"Target: row (d) of the prototype, less {ALLOWED_LOSS}; the prototype's gowalla was other data. Products for "
    f"{WANTED}: the fewest with which the mean recall reaches it. Reached: the share of items that some path leads to."
)


class Setting:
    """One data set with its training, validation and test queries."""

    def __init__(self, bench: Workbench, name: str) -> None:
        vectors = bench.vectors(name)
        self.name, self.items = name, vectors.items
        self.train, self.valid = vectors.train[:MOST_TRAINING], vectors.valid[:MOST_VALIDATION]
        self.test = vectors.test
        self.labels = wp.exact_search(self.items, self.train, k=LABELS).ids
        self.truth = wp.exact_search(self.items, self.test, k=K).ids

    def recall(self, index: wp.Index, budget: int) -> float:
        return wp.recall(index.search(self.test, k=K, budget=budget).ids, self.truth)

    def products_for(self, index: wp.Index, wanted: float) -> int:
        """The fewest products with which the recall is as wanted, as far as more of them mean more recall."""
        low, high = 8, 4096
        while high - low > 4:
            middle = (low + high) // 2
            low, high = (low, middle) if self.recall(index, middle) >= wanted else (middle, high)
        return high


def indexes(setting: Setting, seed: int) -> Iterator[tuple[str, wp.Index, float]]:
    """Each row's index, and the seconds that it took beyond the graph."""
    graph = wp.build_graph(setting.items, KIND, degree=DEGREE, candidates=CANDIDATES, seed=seed, repair=True)
    yield ROWS[0], wp.Index(setting.items, graph), 0.0
    biased, spent = _timed(lambda: _bias(setting, graph, seed))
    yield ROWS[1], wp.Index(setting.items, graph, biased), spent
    taught, teaching = _timed(
        lambda: wp.teach_graph(setting.items, graph, setting.train, setting.labels, setting.valid, seed=seed)
    )
    yield ROWS[2], wp.Index(setting.items, taught), teaching
    both, spent = _timed(lambda: _bias(setting, taught, seed))
    yield ROWS[3], wp.Index(setting.items, taught, both), teaching + spent


def _bias(setting: Setting, graph: wp.Graph, seed: int) -> wp.Router:
    config = wp.TrainConfig(budgets=BUDGETS, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a training that did not help shows in the table
        return wp.train_router(setting.items, graph, setting.train, setting.labels[:, :K], config, setting.valid)


def _timed(work: Callable[[], Made]) -> tuple[Made, float]:
    start = time.perf_counter()
    made = work()
    return made, time.perf_counter() - start


Measured = dict[str, list[tuple[Cells, int, float, float]]]  # a row's recalls, products, seconds and share reached


def measure(setting: Setting, seeds: Sequence[int], aloud: bool = False) -> Measured:
    """Every row of one data set, once a seed."""
    measured: Measured = {name: [] for name in ROWS}
    for seed in seeds:
        for name, index, spent in indexes(setting, seed):
            cells = tuple(setting.recall(index, budget) for budget in BUDGETS)
            one = (cells, setting.products_for(index, WANTED), spent, index.graph.reachable())
            measured[name].append(one)  # type: ignore[arg-type]
            if aloud:
                print(setting.name, seed, name, *one, flush=True)
    return measured


def add_rows(table: Table, name: str, measured: Measured) -> None:
    """What was measured of one set, beside the prototype's rows."""
    for row, found in measured.items():
        cells = np.array([one[0] for one in found])
        products = [one[1] for one in found]
        met = _verdict(name, cells.mean(axis=0), float(np.mean(products))) if row == ROWS[-1] else ["", ""]
        table.add(
            name,
            row,
            *(_spread(column) for column in cells.T),
            f"{np.mean(products):.0f} ({min(products)}-{max(products)})",
            f"{np.mean([one[2] for one in found]):.0f}",
            f"{min(one[3] for one in found):.4f}",
            *met,
        )
    for letter, targets in zip("bd", PROTOTYPE[name], strict=True):
        table.add(name, f"prototype ({letter})", *(f"{target:.3f}" for target in targets), "", "", "", "", "")


def _spread(values: NDArray[np.float64]) -> str:
    return f"{values.mean():.4f} ({values.min():.3f}-{values.max():.3f})"


def _verdict(name: str, means: NDArray[np.float64], products: float) -> list[str]:
    missed = [str(b) for b, m, t in zip(BUDGETS, means, PROTOTYPE[name][1], strict=True) if m < t - ALLOWED_LOSS]
    most = MOST_PRODUCTS[name]
    return [
        f"missed at {', '.join(missed)}" if missed else "yes",
        f"<= {most}: {'yes' if products <= most else 'no'}",
    ]


def run(bench: Workbench, sets: Sequence[str], seeds: Sequence[int], *, aloud: bool = False) -> list[Table]:
    columns = ["set", "row", *map(str, BUDGETS), f"products for {WANTED}", "s", "reached", "target met", "products met"]
    table = Table("Taught graphs", "", columns, notes=[NOTE])
    for name in sets:
        add_rows(table, name, measure(Setting(bench, name), seeds, aloud))
    return [table]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.taught_recall")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--seeds", nargs="+", type=int, default=(1, 2, 3))
    parser.add_argument("--write", type=Path, help="the page to write the part to")
    given = parser.parse_args()
    tables = run(Workbench(), given.sets, given.seeds, aloud=True)
    print(f"\n{tables[0].as_text()}")
    if given.write is not None:
        write_part(given.write, "taught", ABOUT, tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
