"""The usual lift: one more coordinate makes the nearest item of Euclid's space the one with the largest score."""

from __future__ import annotations

import numpy as np

from waypost.bench.peers.peer import Floats


def lifted_items(items: Floats) -> Floats:
    """(x, sqrt(M^2 - |x|^2)), M being the largest norm: every item comes to lie on one sphere.

    >>> lifted_items(np.array([[3.0, 4.0], [0.0, 3.0]], np.float32)).tolist()
    [[3.0, 4.0, 0.0], [0.0, 3.0, 4.0]]
    """
    squares = np.square(items).sum(axis=1)
    height = np.sqrt(np.maximum(squares.max() - squares, 0))
    return np.ascontiguousarray(np.column_stack([items, height]), np.float32)


def lifted_queries(queries: Floats) -> Floats:
    """(q, 0), for one query or for many."""
    longer = np.zeros((*queries.shape[:-1], queries.shape[-1] + 1), np.float32)
    longer[..., :-1] = queries
    return longer
