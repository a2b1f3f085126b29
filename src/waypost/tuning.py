"""The cheapest settings of an index for a wanted recall, or the best recall within a time, by validation queries."""

import math
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.answer import Answer
from waypost.arguments import Floats, as_matrix, as_threads, check_k, check_width
from waypost.exact import exact_search
from waypost.index import Index
from waypost.settings import SearchSettings

PROMISE = 0.01  # recall on queries to come falls below the target by no more than this
TOO_FEW = 2  # times the promise: so wide a margin makes a search dearer than it need be
DEVIATIONS = 2.0  # of a mean over the validation queries, that a promise has to stand
FINEST = 4  # pools are so many candidates apart at least, and an eighth of their size
MOST_POOL = 4_096
RERANKS = (1.0, 1.5, 2.0, 4.0)  # times k, where scores of the walk are not exact
TIMED = 512  # queries a timing
ROUNDS = 9

Watch = Callable[["Trial"], object]


@dataclass(frozen=True, slots=True)
class Trial:
    """One way of searching, on validation queries; as text, a line.

    >>> print(Trial("united, degree 16", pool=40, rerank=0, recall=0.962, margin=0.004, cost=270.0))
    united, degree 16: pool 40, recall 0.962 +- 0.004, 270 products
    """

    what: str
    pool: int
    rerank: int
    recall: float
    margin: float
    """How far the recall may be off, for the number of validation queries: two standard errors."""
    cost: float
    """Inner products of a query, in the mean."""
    microseconds: float | None = None
    """Of a query, one thread, many queries a call; None where it was not measured."""

    def __str__(self) -> str:
        rerank = f", re-rank {self.rerank}" if self.rerank else ""
        timed = "" if self.microseconds is None else f", {self.microseconds:.1f} microseconds"
        return (
            f"{self.what}: pool {self.pool}{rerank}, recall {self.recall:.3f} +- {self.margin:.3f}, "
            f"{self.cost:.0f} products{timed}"
        )

    @property
    def settings(self) -> SearchSettings:
        return SearchSettings(pool=self.pool, rerank=self.rerank or None)

    def meets(self, target: float) -> bool:
        """Whether queries to come may be promised this recall."""
        return self.recall >= target and self.recall - self.margin >= target - PROMISE

    def needed(self, queries: int) -> int:
        """How many validation queries, of `queries` that there were, would measure this to within the promise."""
        return math.ceil(queries * (self.margin / PROMISE) ** 2)


@dataclass(frozen=True, eq=False, slots=True)
class Tuned:
    """What tuning chose: `index` searches so when it is told nothing else.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((400, 8), dtype=np.float32)
    >>> index = wp.Index(items, wp.build_graph(items, kind="ip-nsw", repair=True))
    >>> tuned = wp.tune(index, np.random.default_rng(1).standard_normal((500, 8), dtype=np.float32))
    >>> tuned.chosen in tuned.trials, tuned.index.settings.pool == tuned.chosen.pool
    (True, True)
    """

    index: Index
    chosen: Trial
    trials: tuple[Trial, ...]


class Examiner:
    """Searches validation queries and says how good the answers are; equal scores are equally good answers."""

    def __init__(self, items: Floats, queries: Floats, k: int, threads: int, watch: Watch | None = None) -> None:
        self.items, self.queries, self.k, self.threads = items, queries, k, threads
        self.least = exact_search(items, queries, k, threads=threads).scores[:, -1]  # of a true answer
        self.trials: list[Trial] = []
        self.watch = watch

    def trial(self, index: Index, what: str, pool: int, rerank: int = 0) -> Trial:
        settings = SearchSettings(pool=pool, rerank=rerank or None)
        answer = index.search(self.queries, self.k, threads=self.threads, settings=settings)
        recalls = self._recalls(answer)
        margin = DEVIATIONS * _error_of_mean(recalls)
        return self.note(Trial(what, pool, rerank, float(np.mean(recalls)), margin, float(np.mean(answer.cost))))

    def note(self, trial: Trial) -> Trial:
        self.trials.append(trial)
        if self.watch is not None:
            self.watch(trial)
        return trial

    def _recalls(self, answer: Answer) -> NDArray[np.float64]:
        """Of each query. Scores are worked out anew, since those of a walk need not be exact."""
        rows = answer.ids
        found = rows >= 0
        scores = np.einsum("mkd,md->mk", self.items[np.maximum(rows, 0)], self.queries)
        rounding = 1e-5 * np.abs(self.least)[:, None]
        hits = found & (scores >= self.least[:, None] - rounding)
        return np.asarray(np.minimum(hits.sum(axis=1), self.k) / self.k, np.float64)


def _error_of_mean(recalls: NDArray[np.float64]) -> float:
    """As if there were one more query, which is answered by half: that a few queries agree proves little."""
    spread = (float(np.sum((recalls - np.mean(recalls)) ** 2)) + 0.25) / (len(recalls) + 1)
    return math.sqrt(spread / len(recalls))


def pools(least: int, most: int) -> list[int]:
    """Sizes worth trying, an eighth apart.

    >>> pools(10, 50)
    [10, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 50]
    """
    most = max(least, most)
    sizes = [least]
    while sizes[-1] < most:
        step = max(FINEST, sizes[-1] // 8 // FINEST * FINEST)
        sizes.append(min((sizes[-1] + step) // FINEST * FINEST, most))
    return sizes


def smallest(sizes: list[int], good: Callable[[int], bool]) -> int | None:
    """The smallest size that is good, where larger ones are no worse; by strides that double, and halving back.

    >>> smallest([1, 2, 3, 4, 5, 6, 7], lambda size: size >= 5), smallest([1, 2], lambda size: False)
    (5, None)
    """
    bad, at, stride = -1, 0, 1
    while not good(sizes[at]):
        if at == len(sizes) - 1:
            return None
        bad, at, stride = at, min(at + stride, len(sizes) - 1), 2 * stride
    while at - bad > 1:
        middle = (bad + at) // 2
        bad, at = (bad, middle) if good(sizes[middle]) else (middle, at)
    return sizes[at]


def cheapest(
    examiner: Examiner, index: Index, what: str, target: float, *, rerank: int = 0, sure: bool = True
) -> tuple[Trial, bool]:
    """The trial of the smallest pool that reaches the target, and whether any does; else that of the best recall."""
    tried: dict[int, Trial] = {}

    def good(pool: int) -> bool:
        tried[pool] = examiner.trial(index, what, pool, rerank)
        return tried[pool].meets(target) if sure else tried[pool].recall >= target

    n = len(index)
    size = smallest(pools(min(max(examiner.k, rerank), n), min(MOST_POOL, n)), good)
    if size is None:
        return max(tried.values(), key=lambda trial: (trial.recall, -trial.cost)), False
    return tried[size], True


def microseconds(searches: Iterable[tuple[Index, Trial]], queries: Floats, k: int) -> list[float]:
    """Of a query, one thread: the least of some rounds in which all searches take turns."""
    few = np.ascontiguousarray(queries[:TIMED])
    ways = [(index, trial.settings) for index, trial in searches]
    best = [math.inf] * len(ways)
    for _ in range(ROUNDS):
        for at, (index, settings) in enumerate(ways):
            start = time.perf_counter()
            index.search(few, k, threads=1, settings=settings)
            best[at] = min(best[at], (time.perf_counter() - start) / len(few) * 1e6)
    return best


def with_settings(index: Index, settings: SearchSettings) -> Index:
    return Index._of_parts(index._parts._replace(settings=settings))


def tune(
    index: Index,
    queries: ArrayLike,
    target_recall: float = 0.95,
    k: int = 10,
    *,
    max_time_us: float | None = None,
    threads: int = 0,
    watch: Watch | None = None,
) -> Tuned:
    """Finds the cheapest settings of `index` that reach `target_recall` on `queries`, a sample of those to come.

    - `max_time_us`: microseconds that a query may take, one thread and many queries a call. Within it the target is
      reached as cheaply as can be; where it cannot be, the settings of the best recall within the time are chosen.
    - `watch`: called with each `Trial` as it was made; `print` will do.

    The recall is that of queries to come, too, to within 0.01, unless a warning says that there are too few queries to
    tell. A target that cannot be met gives the best found, and a warning. Equal scores count as equal answers.

    >>> import numpy as np
    >>> import waypost as wp
    >>> rng = np.random.default_rng(0)
    >>> items, queries = (rng.standard_normal((n, 8), dtype=np.float32) for n in (400, 900))
    >>> index = wp.Index(items, wp.build_graph(items, kind="ip-nsw", repair=True))
    >>> tuned = wp.tune(index, queries, target_recall=0.9)
    >>> tuned.chosen.recall >= 0.9
    True
    """
    queries = as_matrix(queries, "queries")
    check_width(queries, "queries", index.items.shape[1], "the index")
    target, k, limit = as_share(target_recall), check_k(k, len(index)), as_limit(max_time_us, "max_time_us")
    check_watch(watch)
    queries = distinct(queries)
    plain = Index._of_parts(index._parts._replace(ids=None))
    examiner = Examiner(index.items, queries, k, as_threads(threads), watch)
    what = f"{index.graph.kind}, degree {index.graph.degree}"
    exact = index.router.routes_exactly and index._parts.codes is None
    ways = [
        cheapest(examiner, plain, what, target, rerank=min(round(times * k), len(index)))
        for times in ((0,) if exact else RERANKS)
    ]
    chosen, met = min(ways, key=lambda way: (not way[1], way[0].cost if way[1] else -way[0].recall))
    chosen = timed(examiner, [(plain, chosen)])[0]
    if limit is not None and (chosen.microseconds or 0) > limit:
        chosen = best_within(examiner, plain, what, chosen.rerank, limit)
        met = chosen.meets(target)
    tell(chosen, target, met, len(queries), limit)
    return Tuned(with_settings(index, chosen.settings), chosen, tuple(examiner.trials))


def timed(examiner: Examiner, searches: list[tuple[Index, Trial]]) -> list[Trial]:
    """The same trials with their times."""
    times = microseconds(searches, examiner.queries, examiner.k)
    return [
        examiner.note(replace(trial, microseconds=spent)) for (_, trial), spent in zip(searches, times, strict=True)
    ]


def best_within(examiner: Examiner, index: Index, what: str, rerank: int, limit: float) -> Trial:
    """The largest pool that keeps to the time, for it has the best recall; the smallest of all where none does."""
    n = len(index)
    sizes = pools(min(max(examiner.k, rerank), n), min(MOST_POOL, n))
    tried: dict[int, Trial] = {}

    def too_slow(pool: int) -> bool:
        [tried[pool]] = timed(examiner, [(index, examiner.trial(index, what, pool, rerank))])
        return (tried[pool].microseconds or 0) > limit

    slow = smallest(sizes, too_slow)
    largest = sizes[-1] if slow is None else sizes[max(sizes.index(slow) - 1, 0)]
    return tried[largest]


def tell(chosen: Trial, target: float, met: bool, queries: int, limit: float | None, stacklevel: int = 3) -> None:
    """Warns where less is promised than was asked for."""
    if limit is not None and (chosen.microseconds or 0) > limit:
        warnings.warn(
            f"no search keeps to {limit:g} microseconds: the quickest takes {chosen.microseconds:.1f}, at a recall of "
            f"{chosen.recall:.3f}; raise max_time_us.",
            stacklevel=stacklevel,
        )
    elif not met and chosen.recall < target:
        within = "" if limit is None else f" within {limit:g} microseconds"
        warnings.warn(
            f"a recall of {target:g} was not reached{within}: the best found has {chosen.recall:.3f} on {queries} "
            "validation queries; lower target_recall or allow more.",
            stacklevel=stacklevel,
        )
    if chosen.margin > (TOO_FEW if chosen.meets(target) else 1) * PROMISE:
        warnings.warn(
            f"{queries} different validation queries tell the recall of {chosen.recall:.3f} to within "
            f"{chosen.margin:.3f} alone; about {chosen.needed(queries)} would be enough for {PROMISE}.",
            stacklevel=stacklevel,
        )


def distinct(queries: Floats) -> Floats:
    """Each query once, in the order of their first coming: what repeats says nothing new of queries to come."""
    whole = np.ascontiguousarray(queries + np.float32(0)).view(
        np.dtype((np.void, queries.dtype.itemsize * queries.shape[1]))
    )
    _, first = np.unique(whole.ravel(), return_index=True)
    return np.ascontiguousarray(queries[np.sort(first)])


def as_share(value: Any) -> float:
    if not isinstance(value, Real):
        raise TypeError(f"target_recall is of type {type(value).__name__}; pass a number above 0 and up to 1.")
    share = float(value)
    if not 0 < share <= 1:
        raise ValueError(f"target_recall is {share:g}; pass a number above 0 and up to 1.")
    return share


def as_limit(value: Any, name: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, Real):
        raise TypeError(f"{name} is of type {type(value).__name__}; pass a number above 0, or None.")
    limit = float(value)
    if not 0 < limit < math.inf:
        raise ValueError(f"{name} is {limit:g}; pass a finite number above 0, or None.")
    return limit


def check_watch(watch: object) -> None:
    if watch is not None and not callable(watch):
        raise TypeError(f"watch is of type {type(watch).__name__}; pass a function of a waypost.Trial, or None.")
