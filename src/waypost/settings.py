"""How an index is searched when a call says nothing else."""

import math
from dataclasses import dataclass

from waypost.arguments import as_count

DEFAULT_BUDGET = 256


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a plain `search(queries, k)` goes by; an index carries it and saves it.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((500, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, kind="ip-nsw", degree=8, repair=True)
    >>> index = wp.Index(items, graph, settings=wp.SearchSettings(pool=500))
    >>> index.search(items[:2]).cost.tolist()
    [500, 500]
    """

    budget: int | None = None
    """The most inner products of a query: 256 where there is no pool, and no limit where there is one."""
    pool: int | None = None
    """How many candidates a search keeps, until all of them are expanded; None is the walk that counts exactly."""
    rerank: int | None = None
    """How many of the best are scored exactly at the end; None leaves it to the search."""
    second_looks: int | None = None
    """How many of its best a pool comes back to for their deferred edges, on graphs with such; None is an eighth, or
    all where the pool holds every row."""
    bias_scale: float | None = None
    """How much of a router's bias a pool search takes; None is what the router's manner says of such a search."""
    by_kind: bool | None = None
    """Whether a pool search starts at the seeds of the router's codebook; None is what the router's manner says."""

    def __post_init__(self) -> None:
        for name, least in (("budget", 1), ("pool", 1), ("rerank", 0), ("second_looks", 0)):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, as_count(given, name, least=least))
        if self.bias_scale is not None and not math.isfinite(self.bias_scale):
            raise ValueError(f"bias_scale is {self.bias_scale}; pass a finite number.")
        if self.by_kind is not None:
            object.__setattr__(self, "by_kind", bool(self.by_kind))


def as_settings(settings: object) -> SearchSettings:
    if settings is None:
        return SearchSettings()
    if not isinstance(settings, SearchSettings):
        raise TypeError(f"settings is of type {type(settings).__name__}; pass a waypost.SearchSettings or None.")
    return settings
