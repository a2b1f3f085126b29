"""What the graph looks like: degrees, and how far its rows are from the entry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.graph import Graph
from waypost.report.content import GraphFacts


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
    return GraphFacts(
        kind=graph.kind,
        cap=graph.degree,
        items=len(graph),
        edges=int(np.sum(graph.neighbors >= 0)),
        bytes=graph.bytes,
        degrees=graph.degree_histogram().tolist(),
        hops=np.bincount(hops[hops >= 0], minlength=longest).tolist(),
        answer_hops=np.bincount(answer_hops[answer_hops >= 0], minlength=longest).tolist(),
        unreachable=int(np.sum(hops < 0)),
        answers_unreachable=int(np.sum(answer_hops < 0)),
    )
