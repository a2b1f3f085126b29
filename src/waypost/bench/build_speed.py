"""Building a graph, against hnswlib on one thread and against itself on two."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import waypost as wp
from waypost.bench.ratings import Missing
from waypost.bench.tables import Table
from waypost.bench.timing import by_turns
from waypost.bench.workbench import Floats, Workbench

DEGREE, CANDIDATES = 16, 100
SLOWEST = 1.0  # of hnswlib's seconds
SPEED_UP = 1.7  # of two threads over one
MOST_ROUNDS = 3  # a round builds three graphs of each kind
DATA = "gowalla"
PEERS = {  # hnswlib's space for each kind: the one that compares items as the kind does
    "ip-nsw": "ip",
    "ipdg": "ip",
    "moebius": "l2",
    "l2-nsw": "l2",
    "cos-nsw": "cosine",
}


def run(bench: Workbench) -> list[Table]:
    items = bench.vectors(DATA).items
    rounds = min(bench.repeats, MOST_ROUNDS)
    table = Table(
        "Building",
        f"Seconds on {DATA} ({len(items):,} x {items.shape[1]}), degree {DEGREE}, candidates {CANDIDATES}; medians "
        f"and median ratios of {rounds} interleaved rounds. hnswlib: M = {DEGREE // 2} (its layer-0 cap is "
        f"{DEGREE}), ef_construction = {CANDIDATES}, one thread, in the space that compares items as the kind does, on "
        "the same items; for Moebius on their images x / |x|^2. IPDG inserts every item twice.",
        ["kind", "1 thread", "hnswlib", "its space", "ours / hnswlib", "target", "met", "2 threads", "speed-up",
         "target", "met"],
    )  # fmt: skip
    for kind, space in PEERS.items():
        theirs = partial(_hnswlib, _images(items) if kind == "moebius" else items, space)
        table.add(kind, *_cells(rounds, items, kind, theirs, space))
    return [table]


def _cells(rounds: int, items: Floats, kind: str, theirs: Callable[[], object], space: str) -> list[str]:
    build = partial(wp.build_graph, items, kind=kind, degree=DEGREE, candidates=CANDIDATES)
    contestants: dict[str, Callable[[], object]] = {
        "one": partial(build, threads=1),
        "hnswlib": theirs,
        "two": partial(build, threads=2),
    }
    timings = by_turns(contestants, rounds, warm=False)
    share, gain = timings.median_ratio("one", "hnswlib"), timings.median_ratio("one", "two")
    return [
        f"{timings.median('one'):.2f}",
        f"{timings.median('hnswlib'):.2f}",
        space,
        f"{share:.2f}",
        f"<= {SLOWEST}",
        "yes" if share <= SLOWEST else "no",
        f"{timings.median('two'):.2f}",
        f"{gain:.2f}",
        f">= {SPEED_UP}",
        "yes" if gain >= SPEED_UP else "no",
    ]


def _hnswlib(items: Floats, space: str) -> Any:
    try:
        import hnswlib  # type: ignore[import-untyped]
    except ImportError as error:
        raise Missing("hnswlib: pip install 'waypost[bench]'") from error
    index = hnswlib.Index(space=space, dim=items.shape[1])
    index.init_index(max_elements=len(items), M=DEGREE // 2, ef_construction=CANDIDATES, random_seed=0)
    index.add_items(items, num_threads=1)
    return index


def _images(items: Floats) -> Floats:
    """What the Moebius graph is built on: x / |x|^2."""
    return np.ascontiguousarray(items / np.square(items).sum(axis=1, keepdims=True), np.float32)
