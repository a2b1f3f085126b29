"""The index: items, a graph and a router, ready to be searched, saved and loaded."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost import _core
from waypost.als import AlsNumbers, check_als
from waypost.answer import Answer, traces
from waypost.arguments import Floats, as_count, as_matrix, as_seed, as_threads, check_k, check_width
from waypost.codes import encode
from waypost.entrances import Entrances
from waypost.entry import MOST_OF_BUDGET, Entry, is_drawn, start_rows
from waypost.exact import Truth, exact_search
from waypost.filters import as_filter, read_again
from waypost.graph import Graph
from waypost.id_lookup import Lookup, lookup_of, rows_by_id
from waypost.ids import as_ids
from waypost.index_file import Parts, read_index, write_index
from waypost.layout import reordered_parts
from waypost.pool_search import PoolCall, PoolSearch
from waypost.router import Router, check_router
from waypost.settings import DEFAULT_BUDGET, SearchSettings, as_settings
from waypost.spending import check_spending, fitting, reserved

if TYPE_CHECKING:
    from waypost.data.fold_in import LeastSquares

Asked = tuple[int, int | None, int | None, int]  # k, pool, budget and threads, as a call passes them
Use = tuple[float, bool]  # the scale of a router's bias, and whether queries are told apart by its codebook
MOST_REMEMBERED = 1024  # budgets, and pools, whose use is kept, for the sake of single queries


class Index:
    """Finds, for a query, the items with the largest inner products.

    `router=None` routes by the items themselves, from where the graph says. `ids` are the caller's own, whole
    numbers or strings, one an item; without them an answer's ids are rows. Float32 arrays are held as they are, not
    copied. `codes="int8"` adds a byte a dimension for searches with a pool to walk by. `settings` are what a search
    goes by where the call says nothing else. With `als`, the numbers of the ALS model that made the items, `fold_in`
    makes queries for new users.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((500, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, kind="ip-nsw", degree=8, repair=True)
    >>> index = wp.Index(items, graph)
    >>> answer = index.search(items[:3], k=5, budget=500)
    >>> wp.recall(answer.ids, wp.exact_search(items, items[:3], k=5).ids)
    1.0
    """

    def __init__(
        self,
        items: ArrayLike,
        graph: Graph,
        router: Router | None = None,
        ids: Iterable[Any] | None = None,
        als: AlsNumbers | None = None,
        codes: str | None = None,
        settings: SearchSettings | None = None,
    ) -> None:
        items = as_matrix(items, "items")
        _check_graph(graph, items)
        router = Router.identity(graph.start) if router is None else router
        check_router(router, items)
        own_ids = None if ids is None else as_ids(ids, len(items))
        check_als(als)
        coded = None if codes is None else encode(router.route(items), codes)
        start = start_rows(router.entry, items)
        self._assemble(Parts(items, graph, router, own_ids, start, als, coded, as_settings(settings)))

    def _assemble(self, parts: Parts) -> None:
        self._parts = parts
        self.items, self.graph, self.router, self._ids, self._entries, self.als = parts[:6]
        self._codes, self.settings = parts.codes, parts.settings
        self._n: int = len(parts.items)
        self._most_products = self._n + (0 if parts.router.codebook is None else len(parts.router.codebook))
        self._d: int = parts.items.shape[1]
        self._entrances = Entrances(parts.items, parts.router.entry, parts.start)
        self._least_budget = 1 if self._entries.size == 1 else MOST_OF_BUDGET * self._entries.size
        router = parts.router
        self._exact_routing = router.routes_exactly
        rank = None if self._exact_routing else parts.items
        centroids, seeds = (
            (None, None) if router.codebook is None else (router.codebook.centroids, router.codebook.seeds)
        )
        searcher = _core.Searcher(
            parts.graph.neighbors,
            router.route(parts.items),
            rank,
            router.bias,
            centroids,
            seeds,
            parts.graph.deferred,
            parts.graph.penalty,
        )
        self._native_search: Callable[..., Any] = searcher.search
        self._pool = PoolSearch(parts.items, parts.graph, router, parts.codes, parts.ids)
        self._pool_calls: dict[Asked, PoolCall] = {}
        self._plain = self._exact_routing and not is_drawn(router.entry)
        self._budget = None if parts.settings.pool else parts.settings.budget or DEFAULT_BUDGET
        self._usual: dict[int, Use] = {}
        self._unlearned: Index | None = None

    @property
    def ids(self) -> NDArray[Any] | None:
        """The caller's own ids by row, or None.

        >>> import numpy as np
        >>> import waypost as wp
        >>> graph = wp.build_graph(np.eye(2), kind="ip-nsw", degree=1)
        >>> wp.Index(np.eye(2), graph, ids=["tea", "milk"]).ids
        array(['tea', 'milk'], dtype=object)
        """
        return None if self._ids is None else self._ids.all()

    def search(
        self,
        queries: ArrayLike,
        k: int = 10,
        budget: int | None = None,
        rerank: int | None = None,
        entry: Entry | None = None,
        seed: int = 0,
        threads: int = 0,
        trace: bool = False,
        *,
        exclude: Any = None,
        allow: Any = None,
        complete: bool = True,
        pool: int | None = None,
        settings: SearchSettings | None = None,
    ) -> Answer:
        """Walks the graph for each query and answers with the best `k` of what it visited.

        There are two ways to walk. With a `budget` alone, 256 where nothing is said, the walk spends exactly that; with
        a `pool` it is faster, keeps so many candidates and ends when all of them are expanded.

        - `budget`: the most inner products with item vectors that one query may cost; every one counts.
        - `pool`: how many candidates are kept; more find more. A budget beside it is a cap. The walk goes by the codes
          if the index has them.
        - `rerank`: how many of the best visited are scored exactly, inside the budget; at 0 the answers are ordered by
          the routing scores. Where these are exact already, a re-rank spends nothing. Left out, it is the router's, or
          0 where that does not fit `k` and `budget`; with a pool, 2 `k`.
        - `entry`: "largest-norm", "first", "random" (drawn by `seed`, the same for all the queries), one of these with
          a number of rows, such as ("largest-norm", 64), of which at most as many are taken as a quarter of the budget
          pays for; a row, an array of one row a query, or a matrix of several rows a query. By default the router's.
        - `threads`: 0 uses every core. `trace=True` adds the walk of each query, but none with a pool.
        - `exclude`: what a query may not be answered with: a scipy CSR matrix (a row a query, a column a row of the
          items), a list of ids a query, or one flat list of ids for all of them. `allow`: the only ids that may be
          answers of this call. Walks go through the other items all the same.
        - `complete`: a filtered query that has found fewer than `k` within its budget goes on beyond it until it has
          `k`, if so many are allowed; its cost says how far. False keeps to the budget.
        - `settings`: in the place of the index's own, which hold for what is left out: all of it, when neither `budget`
          nor `pool` is passed, and what concerns pools when `pool` is.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.random.default_rng(0).standard_normal((500, 8), dtype=np.float32)
        >>> index = wp.Index(items, wp.build_graph(items, kind="ip-nsw", repair=True))
        >>> answer = index.search(items[:2], k=3, budget=100, entry="first")
        >>> answer.ids.shape, answer.cost.tolist()
        ((2, 3), [100, 100])
        >>> bool((index.search(items[:2], k=3, pool=20).cost < 300).all())
        True
        """
        try:  # The common call: the native search refuses what is not a finite float32 matrix of the right width.
            plain = self._plain and entry is None and settings is None and rerank is None and not trace
            filtered = exclude is not None or allow is not None
            if plain and len(queries) > 0:  # type: ignore[arg-type]
                budget_now = self._budget if budget is None else budget
                if pool is not None or budget_now is None:
                    call = self._pool_calls.get((k, pool, budget, threads))
                    if call is not None and not filtered:
                        return self._pool.run(queries, self._entries, k, call)  # type: ignore[arg-type]
                    if call is not None and read_again(exclude) and read_again(allow):
                        lists = self._filter(exclude, allow, len(queries))  # type: ignore[arg-type]
                        return self._pool.run(queries, self._entries, k, call, lists, bool(complete))  # type: ignore[arg-type]
                elif not filtered and 0 < k <= self._n and budget_now >= self._least_budget:
                    scale, by_kind = self._usual.get(budget_now) or self._use(budget_now)
                    rows, scores, cost = self._native_search(
                        queries, self._entries, k, budget_now, 0, None, threads, False, scale, by_kind
                    )
                    return Answer(rows if self._ids is None else self._ids.of_rows(rows), scores, cost)
        except (TypeError, ValueError):
            pass  # The careful call below converts what it can and says in our words what it cannot.
        usual = self.settings if settings is None else as_settings(settings)
        filtering = exclude, allow, complete
        if pool is None and (budget is not None or usual.pool is None):
            if budget is None:
                rerank, budget = usual.rerank if rerank is None else rerank, usual.budget or DEFAULT_BUDGET
            return self._search_with_care(queries, k, budget, rerank, entry, seed, threads, trace, filtering)
        if trace:
            raise ValueError("trace shows walks that spend a budget; pass a budget, and no pool.")
        wanted = _with_passed(usual, pool, budget, rerank)
        usual_call = entry is None and settings is None and rerank is None
        asked = (k, pool, budget, threads) if usual_call else None
        return self._pool_search_with_care(queries, k, wanted, entry, seed, threads, asked, filtering)

    def _search_with_care(
        self,
        queries: ArrayLike,
        k: int,
        budget: int,
        rerank: int | None,
        entry: Entry | None,
        seed: int,
        threads: int,
        trace: bool,
        filtering: tuple[Any, Any, bool],
    ) -> Answer:
        queries = self._as_queries(queries)
        k, budget = check_k(k, self._n), as_count(budget, "budget")
        manner = self.router.manner(budget)
        if manner.plain and not self._exact_routing:
            plain = self._without_router()
            return plain._search_with_care(queries, k, budget, rerank, entry, seed, threads, trace, filtering)
        entries = self._entrances.of(entry, as_seed(seed), len(queries), budget - reserved(rerank, budget))
        if rerank is None:
            rerank = fitting(manner.rerank, k, budget, entries.shape[1])
        rerank = check_spending(k, budget, as_count(rerank, "rerank", least=0), entries.shape[1])
        ranking = rerank > 0 and not self._exact_routing
        exclude, allow, complete = filtering
        scale, by_kind = self._use(budget, rerank if ranking else 0, own_entry=entry is None)
        rows, scores, cost, *walks = self._native_search(
            self.router.route_queries(queries),
            entries,
            k,
            min(budget, self._most_products + rerank),  # no walk can spend more, and the native number is narrower
            rerank if ranking else 0,
            queries if ranking else None,
            as_threads(threads),
            bool(trace),
            scale,
            by_kind,
            self._filter(exclude, allow, len(queries)),
            bool(complete),
        )
        return Answer(self._own(rows), scores, cost, traces(*walks) if trace else None)

    def _pool_search_with_care(
        self,
        queries: ArrayLike,
        k: int,
        settings: SearchSettings,
        entry: Entry | None,
        seed: int,
        threads: int,
        asked: Asked | None,
        filtering: tuple[Any, Any, bool],
    ) -> Answer:
        queries, k, threads = self._as_queries(queries), check_k(k, self._n), as_threads(threads)
        entries = self._entrances.of(entry, as_seed(seed), len(queries), MOST_OF_BUDGET * self._n)
        if self._pool.goes_plainly(settings, entries.shape[1]):
            plain = self._without_router()
            return plain._pool_search_with_care(queries, k, settings, entry, seed, threads, None, filtering)
        call = self._pool.call(settings, k, entries.shape[1], queries, entry is not None, threads)
        if asked is not None and self._plain and len(self._pool_calls) < MOST_REMEMBERED:
            self._pool_calls[asked] = call
        exclude, allow, complete = filtering
        lists = self._filter(exclude, allow, len(queries))
        return self._pool.run(self.router.route_queries(queries), entries, k, call, lists, bool(complete))

    def exact(
        self, queries: ArrayLike, k: int = 10, *, threads: int = 0, exclude: Any = None, allow: Any = None
    ) -> Truth:
        """The true answers, in the same ids as those of `search`, among what `exclude` and `allow` leave.

        >>> import numpy as np
        >>> import waypost as wp
        >>> index = wp.Index(np.eye(2), wp.build_graph(np.eye(2), kind="ip-nsw", degree=1), ids=["tea", "milk"])
        >>> index.exact(np.array([[1.0, 2.0]]), k=2).ids
        array([['milk', 'tea']], dtype=object)
        >>> index.exact(np.array([[1.0, 2.0]]), k=1, exclude=["milk"]).ids.tolist()
        [['tea']]
        """
        if exclude is None and allow is None:
            truth = exact_search(self.items, self._as_queries(queries), k, threads=threads)
            return Truth(self._own(truth.ids), truth.scores)
        # A budget that pays for all the items buys a scan of those allowed.
        scanned = self._without_router().search(queries, k, self._n, threads=threads, exclude=exclude, allow=allow)
        return Truth(scanned.ids, scanned.scores)

    def with_router(self, router: Router) -> "Index":
        """The same index with another router.

        >>> import numpy as np
        >>> import waypost as wp
        >>> index = wp.Index(np.eye(2), wp.build_graph(np.eye(2), kind="ip-nsw", degree=1), ids=["tea", "milk"])
        >>> index.with_router(wp.Router(bias=np.ones(2))).ids.tolist()
        ['tea', 'milk']
        """
        check_router(router, self.items)
        return self._of_parts(self._parts._replace(router=router, start=start_rows(router.entry, self.items)))

    def fold_in(self, liked: Iterable[Any], unknown: str = "raise") -> Floats:
        """Queries for users who were not in training, one row each, from the ids of the items that they like.

        `liked` is a list of ids or a list of such lists. An id that is not known is an error, or is left out with
        unknown="skip". It needs the numbers of the ALS model that made the items.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items, als = np.eye(3, dtype=np.float32), wp.AlsNumbers(scale=1.0, alpha=10.0, regularization=0.01)
        >>> graph = wp.build_graph(items, kind="ip-nsw", degree=2, repair=True)
        >>> index = wp.Index(items, graph, ids=["tea", "milk", "nails"], als=als)
        >>> index.search(index.fold_in(["tea", "milk"]), k=2).ids.tolist()
        [['tea', 'milk']]
        """
        from waypost.data.fold_in import as_liked

        if hasattr(liked, "tocsr") and self._lookup.numbering:  # columns are ids then, and rows stand in another order
            liked = liked.tocsr()[:, self.ids]
        return self._solver.queries(*as_liked(liked, None, len(self), self._row_of, unknown))

    @cached_property
    def _solver(self) -> "LeastSquares":
        from waypost.data.fold_in import LeastSquares

        if self.als is None:
            raise ValueError("this index does not know how an ALS model made its items; pass als= when it is made.")
        return LeastSquares(self.items, *self.als)

    @cached_property
    def _row_of(self) -> dict[Any, int] | None:
        return rows_by_id(self.ids)

    def reordered(self) -> "Index":
        """The same index with its rows in the order in which walks come to them, which makes searches quicker.

        Its answers have the ids that they had, rows of this index where it has no ids of its own; where scores tie,
        another of the tied items may come first. Entries that are given as rows, and traces, mean the new rows.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.random.default_rng(0).standard_normal((500, 8), dtype=np.float32)
        >>> index = wp.Index(items, wp.build_graph(items, kind="ip-nsw", repair=True))
        >>> faster = index.reordered()
        >>> np.array_equal(faster.search(items, pool=20).ids, index.search(items, pool=20).ids)
        True
        """
        return self._of_parts(reordered_parts(self._parts))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes one file. A kill at any moment leaves the old file or the new one, never a broken one.

        >>> import pathlib, tempfile
        >>> import numpy as np
        >>> import waypost as wp
        >>> index = wp.Index(np.eye(2), wp.build_graph(np.eye(2), kind="ip-nsw", degree=1))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     index.save(pathlib.Path(folder) / "shop.waypost")
        ...     len(wp.Index.load(pathlib.Path(folder) / "shop.waypost"))
        2
        """
        write_index(path, self._parts)

    @classmethod
    def load(cls, path: str | os.PathLike[str], mmap: bool = False) -> "Index":
        """Opens a file that `save` wrote.

        By default all of it is read and compared with its checksums. `mmap=True` maps it: opening takes milliseconds,
        processes share its pages, and the numbers are taken on trust. Replace a mapped file by saving, never in place.

        >>> import pathlib, tempfile
        >>> import numpy as np
        >>> import waypost as wp
        >>> index = wp.Index(np.eye(2), wp.build_graph(np.eye(2), kind="ip-nsw", degree=1))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "shop.waypost"
        ...     index.save(path)
        ...     wp.Index.load(path, mmap=True).search(np.eye(2), k=1).ids.tolist()
        [[0], [1]]
        """
        return cls._of_parts(read_index(path, mmap))

    @classmethod
    def _of_parts(cls, parts: Parts) -> "Index":
        """From parts that were checked when their index was first made."""
        index = cls.__new__(cls)
        index._assemble(parts)
        return index

    def __reduce__(self) -> tuple[Callable[[Parts], "Index"], tuple[Parts]]:
        return type(self)._of_parts, (self._parts,)

    def __len__(self) -> int:
        return self._n

    def __repr__(self) -> str:
        return f"Index({self._n} items of width {self._d}, {self.graph.kind} graph of degree {self.graph.degree})"

    def _as_queries(self, queries: ArrayLike) -> Floats:
        matrix = as_matrix(queries, "queries")
        check_width(matrix, "queries", self._d, "the index")
        return matrix

    def _use(self, budget: int, rerank: int = 0, own_entry: bool = True) -> Use:
        """How much of the bias a search of this budget takes, and whether it tells queries apart by the codebook: not
        where the walk cannot pay for that, nor where the caller has entries of their own."""
        router, manner = self.router, self.router.manner(budget)
        scale = 0.0 if router.bias is None or manner.plain else manner.bias_scale
        affordable = router.codebook is not None and len(router.codebook) < budget - rerank
        use = scale, bool(own_entry and manner.by_kind and affordable and not manner.plain)
        if own_entry and not rerank and len(self._usual) < MOST_REMEMBERED:
            self._usual[budget] = use
        return use

    def _without_router(self) -> "Index":
        """The plain search from the same entry, for budgets at which what was learned is no gain."""
        if self._unlearned is None:
            identity = Router.identity(self.router.entry)
            codes = self._codes
            if codes is not None and not self._exact_routing:
                codes = encode(self.items, "int8")
            self._unlearned = self._of_parts(self._parts._replace(router=identity, codes=codes))
        return self._unlearned

    @cached_property
    def _lookup(self) -> Lookup:
        return lookup_of(self._ids, self._n)

    def _filter(self, exclude: Any, allow: Any, queries: int) -> _core.Filter | None:
        if exclude is None and allow is None:
            return None
        return as_filter(exclude, allow, queries, self._n, self._lookup)

    def _own(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        return rows if self._ids is None else self._ids.of_rows(rows)


def _check_graph(graph: object, items: Floats) -> None:
    if not isinstance(graph, Graph):
        raise TypeError(f"graph is of type {type(graph).__name__}; pass what waypost.build_graph returns.")
    if len(graph) != len(items):
        raise ValueError(f"graph has {len(graph)} rows for {len(items)} items; pass the graph of these items.")


def _with_passed(settings: SearchSettings, pool: int | None, budget: int | None, rerank: int | None) -> SearchSettings:
    """A budget that was meant for walks without a pool is no cap of those with one."""
    return replace(
        settings,
        pool=settings.pool if pool is None else pool,
        budget=settings.budget if budget is None and settings.pool else budget,
        rerank=settings.rerank if rerank is None else rerank,
    )
