"""What a graph is taught from: queries with their answers, and queries that judge."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.arguments import Floats, as_matrix, check_width
from waypost.exact import exact_search
from waypost.graph import Graph
from waypost.index import Index
from waypost.teach.answer_core import CORE_ANSWERS

MOST_QUERIES = 10_000  # to learn from; more of them cost time and change little
MOST_VALIDATION = 2_000
UNLEARNED_BUDGET = 4_096  # what the unlearned search may spend on a query, where its answers stand for true ones


@dataclass(frozen=True, eq=False)
class Pupils:
    """Queries to learn from, their answers, and queries to validate by."""

    queries: Floats
    answers: NDArray[np.int64]
    """(queries, t) rows, best first, -1 at free places; each query has one at least."""
    valid: Floats

    @classmethod
    def of(
        cls,
        items: Floats,
        graph: Graph,
        queries: ArrayLike,
        truth: ArrayLike | str | None,
        valid: ArrayLike | None,
        seed: int,
        threads: int,
    ) -> "Pupils":
        """Checked, and cut to as many as are worth their time; without `valid`, a tenth of the queries is set apart.

        >>> items = np.eye(6, dtype=np.float32)
        >>> graph = Graph("by-hand", 1, np.array([[1], [2], [3], [4], [5], [0]], np.int32), entry=0)
        >>> pupils = Pupils.of(items, graph, items, None, items[:2], seed=0, threads=1)
        >>> pupils.answers.shape, len(pupils.valid)
        ((6, 6), 2)
        """
        asked = _as_queries(queries, "queries", items)
        rows = _as_truth(truth, len(asked), len(items))
        order = np.random.default_rng(seed).permutation(len(asked))
        if valid is None:
            if len(asked) < 2:
                raise ValueError("queries holds one row and valid is left out; pass more queries, or valid ones.")
            count = min(max(len(asked) // 10, 1), MOST_VALIDATION)
            judges, order = asked[np.sort(order[:count])], order[count:]
        else:
            judges = _as_queries(valid, "valid", items)[:MOST_VALIDATION]
        if rows is not None:
            order = order[(rows[order] >= 0).any(axis=1)]
            if not len(order):
                raise ValueError("truth labels no query to learn from; label some, or leave truth out.")
        learning = np.sort(order[:MOST_QUERIES])
        asked = np.ascontiguousarray(asked[learning])
        answers = _found(items, graph, asked, truth, threads) if rows is None else rows[learning]
        return cls(asked, answers, np.ascontiguousarray(judges))

    def gap(self, items: Floats) -> float:
        """How far the first and the last of ten answers lie apart, for a middling query of unit length.

        >>> items = np.array([[4], [3], [1]], np.float32)
        >>> Pupils(np.ones((2, 1), np.float32), np.array([[0, 2], [0, 1]]), items).gap(items)
        2.0
        """
        first, last = self.answers[:, 0], self.answers[:, min(10, self.answers.shape[1]) - 1]
        known = (first >= 0) & (last >= 0) & self.queries.any(axis=1)
        if not known.any():
            return 1.0
        apart = np.einsum("qd,qd->q", self.queries[known], items[first[known]] - items[last[known]])
        gap = float(np.median(apart / np.linalg.norm(self.queries[known], axis=1)))
        return gap if gap > 0 else 1.0


def _as_queries(values: ArrayLike, name: str, items: Floats) -> Floats:
    queries = as_matrix(values, name)
    check_width(queries, name, items.shape[1], "items")
    return queries


def _found(items: Floats, graph: Graph, queries: Floats, truth: object, threads: int) -> NDArray[np.int64]:
    k = min(CORE_ANSWERS, len(items))
    if truth is None:
        return exact_search(items, queries, k, threads=threads).ids
    return Index(items, graph).search(queries, k, UNLEARNED_BUDGET, threads=threads).ids


def _as_truth(truth: ArrayLike | str | None, queries: int, n: int) -> NDArray[np.int64] | None:
    if truth is None:
        return None
    if isinstance(truth, str):
        if truth != "unlearned":
            raise ValueError(f"truth is {truth!r}; pass rows, 'unlearned' or None.")
        return None
    rows = np.asarray(truth)
    if rows.dtype.kind not in "iu":
        raise TypeError(f"truth has dtype {rows.dtype}; pass whole numbers, the true rows of each query.")
    if rows.ndim != 2 or len(rows) != queries or rows.shape[1] == 0:
        raise ValueError(f"truth has shape {rows.shape} for {queries} queries; pass one row of true rows a query.")
    if rows.min() < -1 or rows.max() >= n:
        raise ValueError(f"truth holds rows outside the {n} items; pass rows from 0 to {n - 1}, or -1 for none.")
    return rows.astype(np.int64)
