"""Lists of edges as matrices, a row a vertex, -1 at free places: joining them and taking one from another."""

from collections.abc import Sequence

import numpy as np

from waypost.entry import Rows


def joined(parts: Sequence[Rows], most: int | None = None) -> Rows:
    """The edges of all parts in turn, none twice; at most so many a vertex, and no column without an edge.

    >>> joined([np.array([[1, -1], [0, 2]], np.int32), np.array([[2, 1], [2, -1]], np.int32)]).tolist()
    [[1, 2], [0, 2]]
    """
    every = np.concatenate(list(parts), axis=1).tolist()
    lists = [[row for row in dict.fromkeys(one) if row >= 0][:most] for one in every]
    return as_edges(lists)


def without(edges: Rows, taken: Rows) -> Rows:
    """The edges that the other matrix does not hold.

    >>> without(np.array([[1, 2], [0, 2]], np.int32), np.array([[2], [1]], np.int32)).tolist()
    [[1, -1], [0, 2]]
    """
    pairs = zip(edges.tolist(), taken.tolist(), strict=True)
    return as_edges([[row for row in one if row >= 0 and row not in other] for one, other in pairs])


def closed(edges: Rows) -> Rows:
    """The same lists without free places before an edge.

    >>> closed(np.array([[-1, 3, -1, 1], [2, -1, -1, -1]], np.int32)).tolist()
    [[3, 1], [2, -1]]
    """
    order = np.argsort(edges < 0, axis=1, kind="stable")
    packed = np.take_along_axis(edges, order, axis=1)
    return np.ascontiguousarray(packed[:, : max(1, int((edges >= 0).sum(axis=1).max()))])


def as_edges(lists: Sequence[Sequence[int]]) -> Rows:
    """
    >>> as_edges([[4], [], [1, 2]]).tolist()
    [[4, -1], [-1, -1], [1, 2]]
    """
    edges = np.full((len(lists), max(1, max(map(len, lists), default=0))), -1, np.int32)
    for at, one in enumerate(lists):
        edges[at, : len(one)] = one
    return edges
