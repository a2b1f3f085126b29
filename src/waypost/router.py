"""A router: what a walk goes by. Once trained it is only arrays; untrained, it is the items themselves."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from waypost import _core
from waypost.arguments import Floats, as_count, as_float32, check_finite
from waypost.codebook import Codebook
from waypost.entry import DEFAULT_RULE, Start, as_row, as_start
from waypost.errors import WaypostError


@dataclass(frozen=True, slots=True)
class Manner:
    """How a search of a certain budget uses its router; training chooses one for each budget it looks at.

    >>> Manner(budget=256, bias_scale=0.75).by_kind
    False
    """

    budget: int
    bias_scale: float = 1.0
    """The bias is added to routing scores so many times; 0 leaves it out."""
    by_kind: bool = False
    """Whether the codebook tells queries apart: each walk starts at its kind's seeds and goes by its kind's bias."""
    rerank: int = 0
    """How many of the best visited are scored exactly unless the search is told otherwise."""
    plain: bool = False
    """Whether to search as without a router, from the same entry: where what was learned is no gain."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "budget", as_count(self.budget, "budget"))
        object.__setattr__(self, "rerank", as_count(self.rerank, "rerank", least=0))
        for name in ("by_kind", "plain"):
            object.__setattr__(self, name, bool(getattr(self, name)))
        if not math.isfinite(self.bias_scale):
            raise ValueError(f"bias_scale is {self.bias_scale}; pass a finite number.")


@dataclass(frozen=True, eq=False, slots=True)
class Router:
    """Vectors to route by, a matrix that turns a query into a routing query, a learned bias, and an entry rule.

    A query q walks by the products of `query_matrix` q with `vectors`, plus the bias; None stands for the items and for
    q itself. A bias alone leaves answers exact: they are ranked without it, at no further product.

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
    entry: Start = DEFAULT_RULE
    """"largest-norm", "first", "random", one of these with a number of rows, such as ("largest-norm", 64), or a row."""
    bias: Floats | None = None
    """(n,) float32, or (1 + c, n): one for all queries, then one for each of the codebook's kinds of queries."""
    codebook: Codebook | None = None
    """The kinds of queries, and entries for each in the place of `entry`."""
    manners: tuple[Manner, ...] = field(default=())
    """How searches use all this, by budget; the one of the nearest budget holds (by ratio)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "entry", as_start(self.entry))
        if self.bias is not None and np.ndim(self.bias) == 1:
            object.__setattr__(self, "bias", np.asarray(self.bias)[None, :])
        for name in ("vectors", "query_matrix", "bias"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, as_float32(given, name))
        if self.codebook is not None and not isinstance(self.codebook, Codebook):
            raise TypeError(f"codebook is of type {type(self.codebook).__name__}; pass a waypost.Codebook or None.")
        object.__setattr__(self, "manners", _as_manners(self.manners))

    @classmethod
    def identity(cls, entry: Start = DEFAULT_RULE) -> "Router":
        """The router of the plain search: it goes by the items and the queries as they are.

        >>> import waypost as wp
        >>> wp.Router.identity().is_identity
        True
        """
        return cls(entry=entry)

    @property
    def is_identity(self) -> bool:
        """Whether this is the plain search from one entry.

        >>> import numpy as np
        >>> import waypost as wp
        >>> wp.Router(vectors=np.eye(3)).is_identity
        False
        """
        return self.routes_exactly and self.bias is None and self.codebook is None

    @property
    def routes_exactly(self) -> bool:
        """Whether exact scores come with the walk, so that a re-rank would spend budget on nothing.

        >>> import numpy as np
        >>> import waypost as wp
        >>> wp.Router(bias=np.ones(3)).routes_exactly
        True
        """
        return self.vectors is None and self.query_matrix is None

    def manner(self, budget: int) -> Manner:
        """How a search of this budget uses the router.

        >>> import waypost as wp
        >>> wp.Router(manners=[Manner(128, 0.25), Manner(512, 1.0)]).manner(300).bias_scale
        1.0
        """
        if not self.manners:
            return Manner(budget, by_kind=True)
        return min(self.manners, key=lambda manner: abs(math.log(manner.budget / budget)))

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


def _as_manners(manners: Iterable[Manner]) -> tuple[Manner, ...]:
    given = tuple(manners)
    for manner in given:
        if not isinstance(manner, Manner):
            raise TypeError(f"manners holds a {type(manner).__name__}; pass waypost.Manner objects.")
    return tuple(sorted(given, key=lambda manner: manner.budget))


def check_router(router: object, items: Floats) -> None:
    """Refuses what is no router, or not one for these items."""
    if not isinstance(router, Router):
        raise TypeError(f"router is of type {type(router).__name__}; pass a waypost.Router or None.")
    check_fit(router, items)
    for name in ("vectors", "query_matrix", "bias"):
        given = getattr(router, name)
        if given is not None:
            check_finite(given, name)


def check_fit(router: Router, items: Floats) -> None:
    """Compares shapes, and the few numbers of a codebook, so that it costs next to nothing on a mapped file."""
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
    if router.codebook is not None:
        router.codebook.check(n, rows)
    _check_bias(router, n)
    if isinstance(router.entry, int):
        as_row(router.entry, n)


def _check_bias(router: Router, n: int) -> None:
    kinds = 0 if router.codebook is None else len(router.codebook)
    if router.bias is not None and router.bias.shape not in ((1, n), (1 + kinds, n)):
        raise ValueError(
            f"bias has shape {router.bias.shape} for {n} items and {kinds} kinds of queries; pass one number an item, "
            "or such a row and one for each centroid of the codebook."
        )
