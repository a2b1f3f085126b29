"""How an index is searched when a call says nothing else."""

import math
from dataclasses import dataclass

from waypost.arguments import as_count

DEFAULT_BUDGET = 256


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a plain `search(queries, k)` goes by; `waypost.fit` chooses it, and it is saved with the index.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((500, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, kind="ip-nsw", degree=8, repair=True)
    >>> index = wp.Index(items, graph, settings=wp.SearchSettings(pool=32, entries=16))
    >>> index.search(items[:2]).cost.min() >= 16
    True
    """

    budget: int | None = None
    """The most inner products of a query: 256 where there is no pool, and no limit where there is one."""
    pool: int | None = None
    """How many candidates a search keeps until all of them are expanded; None is the walk that counts exactly."""
    rerank: int | None = None
    """How many of the best are scored exactly at the end; None leaves it to the search."""
    entries: int = 0
    """A pool search starts at so many rows of largest norm; 0 is the router's entry."""
    deferred: int = 0
    """A pool that has converged looks up the deferred edges of so many of its best, where a graph has any."""
    bias_scale: float | None = None
    """How much of a router's bias a pool search takes; None goes by the router's manner for what it will cost."""
    by_kind: bool | None = None
    """Whether a pool search starts at the seeds of the router's codebook; None goes by the router's manner."""

    def __post_init__(self) -> None:
        for name, least in (("budget", 1), ("pool", 1), ("rerank", 0)):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, as_count(given, name, least=least))
        for name in ("entries", "deferred"):
            object.__setattr__(self, name, as_count(getattr(self, name), name, least=0))
        if self.bias_scale is not None and not math.isfinite(self.bias_scale):
            raise ValueError(f"bias_scale is {self.bias_scale}; pass a finite number.")
        if self.by_kind is not None:
            object.__setattr__(self, "by_kind", bool(self.by_kind))
