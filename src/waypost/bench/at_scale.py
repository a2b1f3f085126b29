"""From ten thousand items to ten million: `python -m waypost.bench.at_scale`, or `make bench-scale`.

Made-up items with the norms, the spectrum and the crowding of real factors; building, memory, speed and recall at fixed
settings. Every size runs in a process of its own, so that its peak memory is its own; what was measured stays in a JSON
file, and a run that was cut off goes on.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import waypost as wp
from waypost.bench import machine
from waypost.bench.document import write_part
from waypost.bench.peak import peak_gib
from waypost.bench.scale_figure import draw
from waypost.bench.tables import Table
from waypost.bench.timing import seconds
from waypost.data import Factors, synthetic_factors

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
DIMENSIONS, K = 96, 10
QUERIES, JUDGED = 10_000, 1_000  # asked for speed, and compared with their true answers
KIND, DEGREE, CANDIDATES, CODES = "united", 32, 100, "int8"
POOL = 128  # the fixed effort
WANTED = 0.9  # recall for which the least effort is looked up
EFFORTS = tuple(round(10 * 2 ** (step / 4)) for step in range(33))
ROUNDS = 5
MOST_GIB, MOST_HOURS = 20.0, 4.0  # for the largest size
PART = "scale"


@dataclass(frozen=True)
class Measured:
    """What one size took and gave."""

    items: int
    generate: float  # seconds
    build: float  # seconds on all cores
    peak: float  # GiB, all in
    qps: float  # on one core, batched, at the fixed effort
    recall: float
    effort: int  # the least with the wanted recall
    qps_enough: float  # with that effort
    recall_enough: float
    products: float  # inner products a query with that effort

    @property
    def bytes_an_item(self) -> float:
        return self.peak * 2**30 / self.items


def measure(n: int) -> Measured:
    made: list[Factors] = []
    generate = seconds(lambda: made.append(synthetic_factors(n, DIMENSIONS, queries=QUERIES)))
    items, queries = made[0].items, made[0].users
    built: list[wp.Index] = []
    build = seconds(lambda: built.append(_index(items)))
    index = built[0]
    fixed = _speed(index, queries, POOL)
    truth = wp.exact_search(items, queries[: 2 * JUDGED], k=K).ids
    peak = peak_gib()
    enough = _enough(index, queries[:JUDGED], truth[:JUDGED])
    judged = queries[JUDGED : 2 * JUDGED]  # others than those that the effort was chosen by
    recalls = [wp.recall(_search(index, judged, effort).ids, truth[JUDGED:]) for effort in (POOL, enough)]
    products = float(np.mean(_search(index, judged, enough).cost))
    return Measured(
        n, generate, build, peak, fixed, recalls[0], enough, _speed(index, queries, enough), recalls[1], products
    )


def _index(items: np.ndarray) -> wp.Index:
    """Renumbered for the caches, as `fit` leaves an index."""
    graph = wp.build_graph(items, kind=KIND, degree=DEGREE, candidates=CANDIDATES)
    return wp.Index(items, graph, codes=CODES).reordered()


def _search(index: wp.Index, queries: np.ndarray, effort: int) -> wp.Answer:
    return index.search(queries, k=K, pool=effort, threads=1)


def _speed(index: wp.Index, queries: np.ndarray, effort: int) -> float:
    """Queries a second on one core."""
    return len(queries) / min(seconds(lambda: _search(index, queries, effort)) for _ in range(ROUNDS))


def _enough(index: wp.Index, queries: np.ndarray, truth: np.ndarray) -> int:
    """The least effort with the wanted recall, or the most that there is."""
    reaching = (effort for effort in EFFORTS if wp.recall(_search(index, queries, effort).ids, truth) >= WANTED)
    return next(reaching, EFFORTS[-1])


def growth(measured: Sequence[Measured]) -> list[tuple[float, float]]:
    """A query's time over that at the size before, each divided by its own log2(n) squared: below 1 where it grows
    slower. First at the fixed effort, then at the wanted recall.

    >>> few = Measured(2**10, 0, 0, 0, 100.0, 1, 64, 100.0, 1, 64)
    >>> many = Measured(2**20, 0, 0, 0, 100.0, 1, 64, 50.0, 1, 64)
    >>> growth([few, many])
    [(0.25, 0.5)]
    """
    fixed = [1 / (one.qps * math.log2(one.items) ** 2) for one in measured]
    enough = [1 / (one.qps_enough * math.log2(one.items) ** 2) for one in measured]
    return [(fixed[at] / fixed[at - 1], enough[at] / enough[at - 1]) for at in range(1, len(measured))]


ABOUT_SIZES = (
    f"Made-up items in the manner of real factors (`synthetic_factors`), d = {DIMENSIONS}; {KIND}, degree {DEGREE}, "
    f"candidates {CANDIDATES}, {CODES} codes, built and renumbered on all cores; {QUERIES:,} queries on one core, "
    f"recall {K}@{K} on {JUDGED:,} of them. First at a fixed effort (a pool of {POOL}), then at the least with recall "
    f"{WANTED}. The peak "
    "is the whole process: interpreter, items, graph, codes, what building took. Growth: a query's time over that at "
    "the size before, divided by how log2(n) squared grows, at the fixed effort and at the wanted recall; target: both "
    f"below 1. Targets of {max(SIZES):,} items: {MOST_GIB:g} GiB and {MOST_HOURS:g} hours."
)


def table_of(measured: Sequence[Measured]) -> Table:
    table = Table(
        "From ten thousand items to ten million",
        ABOUT_SIZES,
        ["items", "made, s", "built, s", "peak, GiB", "bytes an item", "queries a second", "recall", "effort",
         "queries a second", "recall", "products", "growth", "met"],
    )  # fmt: skip
    for one, growing in zip(measured, [None, *growth(measured)], strict=True):
        table.add(
            f"{one.items:,}",
            f"{one.generate:.1f}",
            f"{one.build:.1f}",
            f"{one.peak:.2f}",
            f"{one.bytes_an_item:,.0f}",
            f"{one.qps:,.0f}",
            f"{one.recall:.3f}",
            f"{one.effort:,}",
            f"{one.qps_enough:,.0f}",
            f"{one.recall_enough:.3f}",
            f"{one.products:,.0f}",
            "" if growing is None else " / ".join(f"{step:.2f}" for step in growing),
            "yes" if _meets(one, growing) else "no",
        )
    return table


def _meets(one: Measured, growing: tuple[float, float] | None) -> bool:
    return one.peak <= MOST_GIB and one.build <= 3600 * MOST_HOURS and (growing is None or max(growing) < 1)


def measure_apart(n: int) -> Measured:
    command = [sys.executable, "-m", "waypost.bench.at_scale", "--alone", str(n)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Measured(**json.loads(output))


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    if options.alone:
        print(json.dumps(asdict(measure(options.alone))))
        return 0
    known = {} if options.fresh or not options.results.exists() else _read(options.results)
    for n in options.sizes:
        if n not in known:
            print(f"measuring {n:,} items ...", file=sys.stderr, flush=True)
            known[n] = measure_apart(n)
            options.results.write_text(json.dumps([asdict(one) for one in known.values()], indent=1) + "\n")
    report([known[n] for n in sorted(known)], options.write)
    return 0


def _read(path: Path) -> dict[int, Measured]:
    return {one["items"]: Measured(**one) for one in json.loads(path.read_text())}


def report(measured: Sequence[Measured], page: Path | None) -> None:
    table = table_of(measured)
    print(table.as_text(), flush=True)
    if page:
        picture = draw([asdict(one) for one in measured], page.parent / "figures" / PART)
        write_part(
            page, PART, ABOUT.format(picture=picture.relative_to(page.parent).as_posix()), [machine.describe(), table]
        )


ABOUT = """# At scale

Written by `python -m waypost.bench.at_scale --write docs/benchmarks.md`.

![Building, memory, speed and recall by the number of items]({picture})
"""


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.at_scale", description=__doc__)
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--alone", type=int, metavar="N", help="measure this size here and print it as JSON")
    parser.add_argument("--fresh", action="store_true", help="measure sizes anew that the results hold")
    parser.add_argument("--results", type=Path, default=Path("scale.json"), help="what was measured")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="also write the report as Markdown, with its picture"
    )
    options = parser.parse_args(arguments)
    small = [n for n in [*options.sizes, *([options.alone] if options.alone else [])] if n < JUDGED]
    if small:
        parser.error(f"--sizes names {small[0]}; pass {JUDGED} or more.")
    return options


if __name__ == "__main__":
    sys.exit(main())
