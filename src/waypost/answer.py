"""What a search answers."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Trace:
    """The walk of one query, in rows of the items, for pictures and tests.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.array([[3.0], [2.0], [1.0]])
    >>> graph = wp.Graph("by-hand", 1, np.array([[1], [2], [-1]], np.int32), entry=0)
    >>> trace = wp.Index(items, graph).search(np.ones((1, 1)), k=1, trace=True).trace[0]
    >>> trace.rows.tolist(), trace.hops.tolist(), trace.path[:2].tolist()
    ([0, 1, 2], [-1, 0, 1], [0, 1])
    """

    rows: NDArray[np.int32]
    """The visited rows, in the order of their visits."""
    scores: NDArray[np.float32]
    """The routing score of each."""
    hops: NDArray[np.int32]
    """The place in `path` of the row from which each was first seen; -1 for an entry."""
    path: NDArray[np.int32]
    """The rows whose neighbours were looked at, in order."""


class Answer(NamedTuple):
    """The answers of a batch of queries, best first; a tuple, because one must be cheap to make.

    >>> import numpy as np
    >>> import waypost as wp
    >>> graph = wp.Graph("by-hand", 1, np.array([[1], [0], [-1]], np.int32), entry=0)
    >>> answer = wp.Index(np.eye(3), graph).search(np.array([[1.0, 2.0, 3.0]]), k=3)
    >>> answer.ids.tolist(), answer.scores.tolist(), answer.cost.tolist()
    ([[1, 0, -1]], [[2.0, 1.0, -inf]], [2])
    """

    ids: NDArray[Any]
    """(m, k): int64 rows, or the user's own ids; where fewer than k were found, -1, or None among strings."""
    scores: NDArray[np.float32]
    """(m, k): the scores that the answers are ordered by; -inf where there is no answer."""
    cost: NDArray[np.int64]
    """(m,): how many inner products with item vectors each query took."""
    trace: tuple[Trace, ...] | None = None
    """One walk a query, when asked for."""


def traces(
    offsets: NDArray[np.int64],
    rows: NDArray[np.int32],
    scores: NDArray[np.float32],
    hops: NDArray[np.int32],
    path_offsets: NDArray[np.int64],
    path: NDArray[np.int32],
) -> tuple[Trace, ...]:
    """Cuts what the native search wrote of all the queries into one trace each."""
    seen = [slice(*bounds) for bounds in pairwise(offsets.tolist())]
    walked = [slice(*bounds) for bounds in pairwise(path_offsets.tolist())]
    return tuple(Trace(rows[s], scores[s], hops[s], path[w]) for s, w in zip(seen, walked, strict=True))
