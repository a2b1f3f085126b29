"""Which kind of graph suits some items: the kinds are tried on a sample, whose own members stand for the queries."""

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.arguments import Floats
from waypost.entry import Block, affordable, start_rows

USUAL = "united"
OTHERS = ("moebius", "ip-nsw")
ENOUGH_BETTER = 0.05  # recall by which another kind has to beat the usual one, since items are no queries
SAMPLE, QUERIES, K = 8_000, 200, 10
DEGREE, CANDIDATES, BUDGET = 16, 100, 128
USUAL_ENTRY: Block = ("largest-norm", 128)


def kind_for(items: Floats, seed: int = 0, threads: int = 0) -> str:
    """The usual kind, unless another finds clearly more on a sample of the items, a few of which stand for queries.

    >>> rng = np.random.default_rng(0)
    >>> items = rng.standard_normal((2000, 24), dtype=np.float32) * np.exp(rng.standard_normal((2000, 1)) / 2)
    >>> kind_for(items.astype(np.float32))
    'united'
    """
    order = np.random.default_rng(seed).permutation(len(items))[:SAMPLE].astype(np.int32)
    sample = np.ascontiguousarray(items[order])
    queries = np.ascontiguousarray(sample[:QUERIES])
    truth, _ = _core.exact_search(sample, queries, min(K, len(sample)), threads)
    usual = _recall(sample, USUAL, queries, truth, seed, threads)
    found = {kind: _recall(sample, kind, queries, truth, seed, threads) for kind in OTHERS}
    best = max(OTHERS, key=lambda kind: found[kind])
    return best if found[best] > usual + ENOUGH_BETTER else USUAL


def _recall(items: Floats, kind: str, queries: Floats, truth: NDArray[np.int64], seed: int, threads: int) -> float:
    """As this kind's searches start unless told otherwise; items stand in a random order already."""
    neighbors = _core.build_graph(items, kind, DEGREE, CANDIDATES, seed=seed, threads=threads)
    entries = start_rows(USUAL_ENTRY if kind == USUAL else "largest-norm", items)
    searcher = _core.Searcher(neighbors, items)
    found = searcher.search(queries, affordable(entries, BUDGET), truth.shape[1], BUDGET, threads=threads)[0]
    hits = (found[:, :, None] == truth[:, None, :]).any(axis=2)
    return float(hits.mean())
