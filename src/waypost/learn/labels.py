"""What the truth says to a training: the vertices to reach, and how far every vertex is from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.graph import Graph

UNREACHABLE = 255  # the native core's word for "no way there"
FARTHEST = 254
UNLABELLED = -1


@dataclass(frozen=True, eq=False)
class Labels:
    """Targets of the training queries, and the potentials L(v, v*) of the paper's reward shaping.

    >>> graph = Graph("by-hand", 1, np.array([[1], [2], [-1]], np.int32), entry=0)
    >>> labels = Labels.of(graph, np.array([[2], [-1], [1]]), entry=0)
    >>> labels.hops[labels.targets[0, 0]].tolist(), labels.labelled, labels.unreachable
    ([2, 1, 0], 2, 0)
    """

    hops: NDArray[np.uint8]
    """(distinct targets, n): edges from each vertex to the target, as the crow flies none: along the graph's edges."""
    targets: NDArray[np.int32]
    """(queries, 1 or more): rows of `hops`, -1 at free places."""
    unreachable: int
    """Queries that lost their label, because no path leads from the entry to any of their targets."""

    @property
    def labelled(self) -> int:
        """How many queries have a target."""
        return int((self.targets >= 0).any(axis=1).sum())

    @classmethod
    def of(cls, graph: Graph, truth: NDArray[np.int64], entry: int, threads: int = 0) -> Labels:
        """From (queries, t) true rows, a row of -1 where none is known.

        A target that no path from the entry leads to is no target. A vertex that no path leads from counts as one edge
        farther than the farthest that has one.
        """
        distinct, places = np.unique(truth, return_inverse=True)
        targets = places.reshape(truth.shape).astype(np.int32)
        if len(distinct) and distinct[0] == UNLABELLED:
            distinct, targets = distinct[1:], targets - 1
        hops = _core.hops_to(graph.neighbors, distinct.astype(np.int32), threads)
        out_of_reach = (
            (targets >= 0) & (hops[np.maximum(targets, 0), entry] == UNREACHABLE) if len(distinct) else targets < -1
        )
        lost = int((out_of_reach.any(axis=1) & ~((targets >= 0) & ~out_of_reach).any(axis=1)).sum())
        _fill_unreachable(hops)
        return cls(hops, np.ascontiguousarray(np.where(out_of_reach, UNLABELLED, targets)), lost)

    def batch(self, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        """The targets of some of the queries."""
        return np.ascontiguousarray(self.targets[rows])


def _fill_unreachable(hops: NDArray[np.uint8]) -> None:
    for row in hops:  # one target at a time: the table may be large
        lost = row == UNREACHABLE
        if lost.any():
            row[lost] = min(int(row[~lost].max(initial=0)) + 1, FARTHEST)
