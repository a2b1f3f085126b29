"""What the graph looks like: degrees, and how far its rows are from the entry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.graph import Graph
from waypost.report.content import DegreeBin, GraphFacts


def graph_facts(graph: Graph, entry: int, answers: NDArray[np.int64]) -> GraphFacts:
    """Of the graph, walked from `entry`, and of the rows that are true answers (any shape, -1 is none).

    >>> import waypost as wp
    >>> graph = wp.Graph("by-hand", 1, np.array([[1], [0], [0], [0]], np.int32), entry=0)
    >>> facts = graph_facts(graph, 0, np.array([[1, 2]]))
    >>> facts.hops, facts.unreachable, facts.answers_unreachable
    ([1, 1], 2, 1)
    """
    hops = _core.hops_from(graph.neighbors, np.array([entry], np.int32))
    answer_hops = hops[answers[answers >= 0]]
    longest = int(hops.max()) + 1
    out = (graph.neighbors >= 0).sum(axis=1)
    popularity = np.bincount(graph.neighbors[graph.neighbors >= 0], minlength=len(graph))
    return GraphFacts(
        kind=graph.kind,
        cap=graph.degree,
        items=len(graph),
        edges=int(np.sum(graph.neighbors >= 0)),
        bytes=graph.bytes,
        degrees=graph.degree_histogram().tolist(),
        degree_bins=_binned(out, popularity),
        most_popular=int(popularity.max()),
        hops=np.bincount(hops[hops >= 0], minlength=longest).tolist(),
        answer_hops=np.bincount(answer_hops[answer_hops >= 0], minlength=longest).tolist(),
        unreachable=int(np.sum(hops < 0)),
        answers_unreachable=int(np.sum(answer_hops < 0)),
    )


def _binned(having: NDArray[np.int64], being: NDArray[np.int64]) -> list[DegreeBin]:
    """By powers of two: few rows have very many."""
    bins, low, high = [], 0, 0
    while low <= max(having.max(), being.max()):
        within = [int(np.sum((degrees >= low) & (degrees <= high))) for degrees in (having, being)]
        bins.append(DegreeBin(low, high, *within))
        low, high = high + 1, max(2 * high, 1)
    return bins
