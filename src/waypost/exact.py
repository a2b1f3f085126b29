"""Exact top-k: the ground truth that every search is measured against."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost import _core
from waypost.arguments import as_matrix, as_threads, check_k, check_progress, check_width


@dataclass(frozen=True, eq=False, slots=True)
class Truth:
    """The true answers of each query, best first.

    >>> import numpy as np
    >>> import waypost as wp
    >>> truth = wp.exact_search(np.eye(3), np.array([[1.0, 0.0, 2.0]]), k=2)
    >>> truth.ids.tolist(), truth.scores.tolist()
    ([[2, 0]], [[2.0, 1.0]])
    """

    ids: NDArray[Any]
    """(m, k): int64 rows of the items, or the user's own ids where an index gave them."""
    scores: NDArray[np.float32]
    """(m, k): the inner products."""


def exact_search(
    items: ArrayLike,
    queries: ArrayLike,
    k: int = 10,
    *,
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Truth:
    """The `k` items with the largest inner products for each query, by computing all of them.

    Equal scores go to the lower row. The whole score matrix is never held; `threads=0` uses every core.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.array([[3.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> wp.exact_search(items, np.array([[0.0, 1.0]]), k=2).ids.tolist()
    [[1, 2]]
    """
    items, queries = as_matrix(items, "items"), as_matrix(queries, "queries")
    check_width(queries, "queries", items.shape[1], "items")
    k = check_k(k, len(items))
    check_progress(progress)
    return Truth(*_core.exact_search(items, queries, k, as_threads(threads), progress))
