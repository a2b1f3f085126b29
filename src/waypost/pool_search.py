"""Searching by a bounded pool: what a call asks for is put together here for the native search."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy import empty

from waypost import _core
from waypost.answer import Answer
from waypost.arguments import Floats
from waypost.codes import Codes
from waypost.entry import Rows
from waypost.graph import Graph
from waypost.ids import IntIds, OwnIds, TextIds
from waypost.router import Manner, Router
from waypost.settings import SearchSettings

INT64, FLOAT32 = np.dtype(np.int64), np.dtype(np.float32)
new = tuple.__new__
PRODUCTS_A_CANDIDATE = 5  # what a candidate of the pool costs beside the entries, more or less


class PoolCall(NamedTuple):
    """What the native search takes after its arrays, in its order."""

    pool: int
    budget: int | None
    rerank: int
    rank_queries: Floats | None
    threads: int
    bias_scale: float
    by_kind: bool
    second_looks: int


class PoolSearch:
    """The native pool search over the parts of an index."""

    def __init__(self, items: Floats, graph: Graph, router: Router, codes: Codes | None, ids: OwnIds | None) -> None:
        self._n, self._router = len(items), router
        self._exact = router.routes_exactly and codes is None
        values, scales = (None, None) if codes is None else (codes.values, codes.scales)
        book = router.codebook
        centroids, seeds = (None, None) if book is None else (book.centroids, book.seeds)
        rank = None if router.routes_exactly else items
        numbers = ids.values if isinstance(ids, IntIds) else None
        self.texts = ids if isinstance(ids, TextIds) else None
        searcher = _core.PoolSearcher(
            graph.neighbors,
            router.route(items),
            rank,
            values,
            scales,
            router.bias,
            centroids,
            seeds,
            graph.deferred,
            numbers,
        )
        self._native: Callable[..., None] = searcher.search

    def run(self, queries: Floats, entries: Rows, k: int, call: PoolCall, *filtering: Any) -> Answer:
        """The native search refuses what is not a finite float32 matrix of the right width."""
        m = len(queries)
        ids, scores, cost = empty((m, k), INT64), empty((m, k), FLOAT32), empty(m, INT64)
        self._native(queries, entries, ids, scores, cost, *call, *filtering)
        # As Answer(...) does it, without the step through Python.
        return new(Answer, (ids if self.texts is None else self.texts.of_rows(ids), scores, cost, None))

    def call(
        self, settings: SearchSettings, k: int, entries: int, queries: Floats, own_entry: bool, threads: int
    ) -> PoolCall:
        """Checked numbers for the native search; `own_entry`: the caller says where walks start."""
        pool, rerank = min(settings.pool or k, self._n), self._rerank(settings.rerank, k)
        scale, by_kind = self._use(settings, entries, own_entry)
        overhead = len(self._router.codebook) if by_kind and self._router.codebook is not None else 0
        budget = _checked(settings.budget, rerank, overhead, entries, self._n)
        looks = self._second_looks(pool) if settings.second_looks is None else min(settings.second_looks, self._n)
        rank_queries = None if self._router.routes_exactly or not rerank else queries
        return PoolCall(pool, budget, rerank, rank_queries, threads, scale, by_kind, looks)

    def _second_looks(self, pool: int) -> int:
        """A pool that holds every row is asked for the exact answer, so it comes back to all of them."""
        return pool if pool == self._n else max(pool // 8, 1)

    def goes_plainly(self, settings: SearchSettings, entries: int) -> bool:
        """Whether the router says that what it learned is no gain, where that is more than a bias to leave out."""
        return not self._router.routes_exactly and self._manner(settings, entries).plain

    def _manner(self, settings: SearchSettings, entries: int) -> Manner:
        return self._router.manner(settings.budget or entries + PRODUCTS_A_CANDIDATE * (settings.pool or 1))

    def _rerank(self, rerank: int | None, k: int) -> int:
        if self._exact:  # it would spend products on nothing
            return 0
        if rerank is None:
            return min(2 * k, self._n)
        if 0 < rerank < k:
            raise ValueError(f"rerank is {rerank}, below k={k}; pass 0 or at least {k}.")
        return min(rerank, self._n)

    def _use(self, settings: SearchSettings, entries: int, own_entry: bool) -> tuple[float, bool]:
        """How much of the bias, and whether the codebook: where nothing is set, as the router's manner for a search
        that costs so much has it."""
        router, manner = self._router, self._manner(settings, entries)
        scale = (0.0 if manner.plain else manner.bias_scale) if settings.bias_scale is None else settings.bias_scale
        by_kind = (manner.by_kind and not manner.plain) if settings.by_kind is None else settings.by_kind
        return 0.0 if router.bias is None else float(scale), by_kind and router.codebook is not None and not own_entry


def _checked(budget: int | None, rerank: int, overhead: int, entries: int, n: int) -> int | None:
    if budget is None:
        return None
    least = rerank + overhead + (0 if overhead else entries) + (1 if overhead else 0)
    if budget < least:
        raise ValueError(
            f"budget is {budget}, too little for the entries and rerank={rerank}; pass a budget of at least {least}, "
            "or none."
        )
    return min(budget, n + rerank + overhead)  # no search can spend more, and the native number is narrower
