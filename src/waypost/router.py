"""A router: what a walk goes by. Once trained it is only arrays; untrained, it is the items themselves."""

from dataclasses import dataclass

import numpy as np

from waypost import _core
from waypost.arguments import Floats, as_count, as_float32, check_finite
from waypost.entry import DEFAULT_RULE, as_row, check_rule
from waypost.errors import WaypostError


@dataclass(frozen=True, eq=False, slots=True)
class Router:
    """Vectors to route by, a matrix that turns a query into a routing query, and an entry rule.

    A query q walks by the products of `query_matrix` q with `vectors`; None stands for the items and for q itself.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.eye(3, dtype=np.float32)
    >>> graph = wp.build_graph(items, kind="ip-nsw", degree=2, repair=True)
    >>> router = wp.Router(vectors=2 * items, entry="first")
    >>> wp.Index(items, graph, router).search(items[:1], k=1).scores
    array([[2.]], dtype=float32)
    """

    vectors: Floats | None = None
    """(n, d') float32, one a row of the items."""
    query_matrix: Floats | None = None
    """(d', d) float32."""
    entry: str | int = DEFAULT_RULE
    """"largest-norm", "first", "random" or a row."""
    rerank: int = 0
    """How many of the best visited a search scores exactly unless told otherwise; what training found best."""

    def __post_init__(self) -> None:
        check_rule(self.entry)
        object.__setattr__(self, "rerank", as_count(self.rerank, "rerank", least=0))
        for name in ("vectors", "query_matrix"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, as_float32(given, name))

    @classmethod
    def identity(cls, entry: str | int = DEFAULT_RULE) -> "Router":
        """The router of the plain search: it goes by the items and the queries as they are.

        >>> import waypost as wp
        >>> wp.Router.identity().is_identity
        True
        """
        return cls(entry=entry)

    @property
    def is_identity(self) -> bool:
        """Whether routing scores are the exact scores.

        >>> import numpy as np
        >>> import waypost as wp
        >>> wp.Router(vectors=np.eye(3)).is_identity
        False
        """
        return self.vectors is None and self.query_matrix is None

    def route(self, items: Floats) -> Floats:
        """The vectors to route by.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.eye(3, dtype=np.float32)
        >>> wp.Router.identity().route(items) is items
        True
        """
        return items if self.vectors is None else self.vectors

    def route_queries(self, queries: Floats) -> Floats:
        """The queries to route with: `query_matrix` q for each q.

        >>> import numpy as np
        >>> import waypost as wp
        >>> wp.Router(query_matrix=2 * np.eye(2)).route_queries(np.ones((1, 2), np.float32))
        array([[2., 2.]], dtype=float32)
        """
        if self.query_matrix is None:
            return queries
        with np.errstate(over="ignore", invalid="ignore"):
            routed: Floats = np.ascontiguousarray(queries @ self.query_matrix.T)
        if not _core.all_finite(routed):
            raise WaypostError("queries are too large for the router, or it is damaged; scale them or build it again.")
        return routed


def check_router(router: object, items: Floats) -> None:
    """Refuses what is no router, or not one for these items."""
    if not isinstance(router, Router):
        raise TypeError(f"router is of type {type(router).__name__}; pass a waypost.Router or None.")
    check_fit(router, items)
    for name in ("vectors", "query_matrix"):
        given = getattr(router, name)
        if given is not None:
            check_finite(given, name)


def check_fit(router: Router, items: Floats) -> None:
    """Compares shapes alone, so that it costs nothing on a mapped file."""
    n, d = items.shape
    vectors = router.route(items)
    if len(vectors) != n:
        raise ValueError(f"router has vectors of {len(vectors)} rows for {n} items; pass the router of these items.")
    rows, columns = (d, d) if router.query_matrix is None else router.query_matrix.shape
    if columns != d or rows != vectors.shape[1]:
        raise ValueError(
            f"router turns queries of width {columns} into width {rows}, but the items have width {d} and the vectors "
            f"{vectors.shape[1]}; pass the router of these items."
        )
    if not isinstance(router.entry, str):
        as_row(router.entry, n)
