"""Searching an index by a bounded pool: what a call asks for is put together here for the native search."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from waypost import _core
from waypost.arguments import Floats, as_count
from waypost.codes import Codes
from waypost.entry import Rows
from waypost.graph import Graph
from waypost.norms import squared_norms
from waypost.router import Router
from waypost.settings import SearchSettings

PRODUCTS_A_CANDIDATE = 5  # what a candidate of the pool costs, more or less, on the graphs of real factors


class PoolCall(NamedTuple):
    """What the native search takes beside queries and entries, in its order."""

    k: int
    pool: int
    budget: int | None
    rerank: int
    bias_scale: float
    by_kind: bool
    deferred: int


class PoolSearch:
    """The native pool search over the parts of an index."""

    def __init__(self, items: Floats, graph: Graph, router: Router, codes: Codes | None, block: Rows | None) -> None:
        self._items, self._router, self._coded = items, router, codes is not None
        self._block = block
        self._largest_row: Callable[[], Rows] | None = None
        rank = None if router.routes_exactly else items
        coded = (None, None) if codes is None else (codes.values, codes.scales)
        codebook = (None, None) if router.codebook is None else (router.codebook.centroids, router.codebook.seeds)
        searcher = _core.PoolSearcher(graph.neighbors, router.route(items), rank, *coded, router.bias, *codebook)
        self.native: Callable[..., Any] = searcher.search

    def call(self, settings: SearchSettings, k: int, own_entry: bool) -> PoolCall:
        """Checked numbers for the native search; `own_entry`: the caller named rows to start from."""
        n = len(self._items)
        pool, rerank = min(settings.pool or 0, n), self._rerank(settings.rerank, k)
        scale, by_kind = self._use(settings, pool, own_entry)
        overhead = len(self._router.codebook) if by_kind and self._router.codebook is not None else 0
        least = rerank + overhead + 1
        if settings.budget is not None and settings.budget < least:
            raise ValueError(
                f"budget is {settings.budget}, which leaves nothing to walk beside rerank={rerank} and {overhead} "
                f"centroids; pass a budget of at least {least}, or none."
            )
        budget = None if settings.budget is None else min(settings.budget, n + rerank + overhead)
        return PoolCall(k, pool, budget, rerank, scale, by_kind, min(settings.deferred, n))

    def block(self, count: int) -> Rows:
        """(1, count) rows of the largest norms, largest first; kept, because finding them looks at every item."""
        count = min(count, len(self._items))
        if self._block is None or self._block.shape[1] < count:
            self._block = largest_norms(self._items, count)[None, :]
        return self._block if self._block.shape[1] == count else np.ascontiguousarray(self._block[:, :count])

    def _rerank(self, rerank: int | None, k: int) -> int:
        exact = self._router.routes_exactly and not self._coded
        if exact:  # a re-rank would spend products on nothing
            return 0
        if rerank is None:
            return min(2 * k, len(self._items))
        if 0 < rerank < k:
            raise ValueError(f"rerank is {rerank}, below k={k}; pass 0 or at least {k}.")
        return min(rerank, len(self._items))

    def _use(self, settings: SearchSettings, pool: int, own_entry: bool) -> tuple[float, bool]:
        router = self._router
        about = settings.budget or settings.entries + PRODUCTS_A_CANDIDATE * pool
        manner = router.manner(about)
        scale = (0.0 if manner.plain else manner.bias_scale) if settings.bias_scale is None else settings.bias_scale
        by_kind = (manner.by_kind and not manner.plain) if settings.by_kind is None else settings.by_kind
        usable = router.codebook is not None and not own_entry and settings.entries == 0
        return 0.0 if router.bias is None else float(scale), by_kind and usable


def largest_norms(items: Floats, count: int) -> Rows:
    """The rows of the `count` largest norms, largest first; ties go to the lower row."""
    norms = squared_norms(items)
    return np.argsort(-norms, kind="stable")[:count].astype(np.int32)


def merged(settings: SearchSettings, **passed: Any) -> SearchSettings:
    """The settings of a call: what is passed, and for the rest those of the index."""
    from dataclasses import replace

    given = {name: value for name, value in passed.items() if value is not None}
    for name in ("entries", "deferred"):
        if name in given:
            given[name] = as_count(given[name], name, least=0)
    return replace(settings, **given)
