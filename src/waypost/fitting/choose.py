"""The one call, and the order in which it tries things: the kind of graph first, then its degree and entries, then
codes and a router, and at last the clock decides among the best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from waypost.als import AlsNumbers, check_als
from waypost.arguments import Floats, as_count, as_matrix, as_seed, as_threads, check_k, check_width
from waypost.fitting.sides import Sides, split
from waypost.fitting.ways import DENSER, ENTRIES, FIRST, KINDS, SPARSER, Way
from waypost.fitting.workshop import Workshop
from waypost.ids import as_ids
from waypost.index import Index
from waypost.tuning import (
    RERANKS,
    Examiner,
    Trial,
    Watch,
    as_limit,
    as_share,
    best_within,
    cheapest,
    check_watch,
    tell,
    timed,
    with_settings,
)

FEW = 400  # validation queries that screen
MOST_SCREENED = 150_000  # items that kinds are screened on
FINALISTS = 5
CLEARLY = 1.05  # so many times as fast as what is before it a search must be to be preferred
FIXED = 32  # what a product costs beside its dimensions, counted in these: marks, pool, adjacency
BY_CODE = 0.6  # what a dimension costs in codes


class Candidate(NamedTuple):
    """A way and the cheapest trial that meets the target, or else its best."""

    way: Way
    trial: Trial
    met: bool


def fit(
    items: ArrayLike,
    queries: ArrayLike,
    target_recall: float = 0.95,
    k: int = 10,
    *,
    ids: Iterable[Any] | None = None,
    als: AlsNumbers | None = None,
    max_time_us: float | None = None,
    max_bytes: int | None = None,
    learned: bool = True,
    seed: int = 0,
    threads: int = 0,
    watch: Watch | None = None,
) -> Index:
    """Chooses everything for a wanted recall, and returns an index whose plain `search(queries, k)` uses it.

    Some of `queries`, which should be like those to come, are set apart; on these, kinds of graphs, degrees, entries,
    codes, re-ranks, a learned router and sizes of the pool are tried, and the fastest that reaches `target_recall`
    (recall k@k) is taken. A learned router is used only where it wins.

    - `ids`, `als`: for the index, as `Index` takes them. `learned=False` leaves out what is learned from
      queries: graphs that they teach, and routers.
    - `max_time_us`: microseconds that a query may take, one thread and many queries a call; `max_bytes`: what the index
      may take in memory. Where the target cannot be reached within these, the best recall is.
    - `watch`: called with each `Trial` as it was made; `print` will do.

    The rows of the index stand in the order in which walks come to them, which is faster; answers' ids are those given,
    or else the rows of `items`.

    The recall holds for queries to come, too, to within 0.01, unless a warning says that there are too few queries to
    tell. A target that cannot be met gives the best index found, and a warning. The last choice among the best goes by
    the clock, with a margin; all else is the same for the same seed. Equal scores count as equal answers.

    >>> import numpy as np
    >>> import waypost as wp
    >>> rng = np.random.default_rng(0)
    >>> items, queries = (rng.standard_normal((n, 8), dtype=np.float32) for n in (400, 900))
    >>> index = wp.fit(items, queries, target_recall=0.9, learned=False)
    >>> wp.recall(index.search(queries).ids, index.exact(queries).ids) >= 0.9
    True
    """
    items, queries = as_matrix(items, "items"), as_matrix(queries, "queries")
    check_width(queries, "queries", items.shape[1], "items")
    target, k, seed, threads = as_share(target_recall), check_k(k, len(items)), as_seed(seed), as_threads(threads)
    limit = as_limit(max_time_us, "max_time_us")
    own_ids = None if ids is None else as_ids(ids, len(items))
    check_als(als)
    check_watch(watch)
    fitting = Fitting(items, split(queries, seed), target, k, limit, _memory(max_bytes, items), seed, threads, watch)
    index = fitting.run(bool(learned))
    return Index._of_parts(index._parts._replace(ids=own_ids, als=als)).reordered()


class Fitting:
    """One fit: what it may spend, what it tried, and who is ahead."""

    def __init__(
        self,
        items: Floats,
        sides: Sides,
        target: float,
        k: int,
        limit: float | None,
        memory: int | None,
        seed: int,
        threads: int,
        watch: Watch | None,
    ) -> None:
        self.items, self.sides, self.target, self.k, self.limit, self.memory = items, sides, target, k, limit, memory
        self.seed, self.threads = seed, threads
        self.workshop = Workshop(items, sides.train, k, seed, threads)
        self.examiner = Examiner(items, sides.valid, k, threads, watch)
        self.candidates: list[Candidate] = []

    def run(self, learned: bool) -> Index:
        start = self._best_start()
        sizes = self._affordable([replace(start, degree=d, candidates=c) for d, c in (FIRST, *SPARSER, *DENSER)])
        best = min([self._try(way) for way in sizes], key=self._order).way
        for entries in ENTRIES:
            if entries != best.entries:
                self._try(replace(best, entries=entries))
        if learned:
            self._teach(self._ahead(1)[0])
        for candidate in self._ahead(2):
            self._code(candidate.way)
        if learned:
            self._learn_where_it_pays(self._ahead(1)[0])
        return self._decide()

    def _best_start(self) -> Way:
        """The best kind of graph, by a few queries, and by some of the items where there are very many."""
        items, shop = self.items, self.workshop
        if len(items) > MOST_SCREENED:
            rows = np.random.default_rng(self.seed).choice(len(items), MOST_SCREENED, replace=False)
            items = np.ascontiguousarray(items[np.sort(rows)])
            shop = Workshop(items, self.sides.train[:0], self.k, self.seed, self.threads)
        few = Examiner(items, self.sides.valid[:FEW], self.k, self.threads, self.examiner.watch)
        ways = [Way(kind, *FIRST, entries) for kind in KINDS for entries in ENTRIES[:2]]
        found = [Candidate(way, *cheapest(few, shop.index(way), str(way), self.target, sure=False)) for way in ways]
        best = min(found, key=self._order).way
        self.workshop.keep_only(best.kind)
        return best

    def _try(self, way: Way, rerank: int = 0) -> Candidate:
        index = self.workshop.index(way)
        candidate = Candidate(way, *cheapest(self.examiner, index, str(way), self.target, rerank=rerank))
        self.candidates.append(candidate)
        return candidate

    def _code(self, way: Way) -> None:
        """The same walk by codes, re-ranked more or less."""
        for coded in self._affordable([replace(way, coded=True)]):
            for times in RERANKS:
                self._try(coded, min(round(times * self.k), len(self.items)))

    def _teach(self, ahead: Candidate) -> None:
        for way in self._affordable([replace(ahead.way, taught=True)]):
            taught = self.workshop.teach(replace(way, taught=False), round(ahead.trial.cost))
            if taught is not None:
                self._try(taught)

    def _learn_where_it_pays(self, ahead: Candidate) -> None:
        """On the best graph; and where that leaves recall to spare at the smallest pool, on the sparser first one."""
        learned = self._learn(ahead)
        spare = learned is not None and learned.met and learned.trial.pool == self.k
        sparser = replace(ahead.way, degree=FIRST[0], candidates=FIRST[1])
        if spare and sparser.degree < ahead.way.degree and not ahead.way.taught:
            plain = next((one for one in self.candidates if one.way == replace(sparser, coded=False)), ahead)
            self._learn(plain._replace(way=sparser))

    def _learn(self, ahead: Candidate) -> Candidate | None:
        walk = replace(ahead.way, coded=False, learned=True)
        if not self._affordable([walk]) or not self.workshop.learn(walk, round(ahead.trial.cost)):
            return None
        found = self._try(walk)
        self._code(walk)
        return found

    def _affordable(self, ways: list[Way]) -> list[Way]:
        n, d = self.items.shape
        return [way for way in ways if self.memory is None or way.bytes(n, d) <= self.memory]

    def _ahead(self, count: int) -> list[Candidate]:
        """The best, one a graph."""
        best: dict[Way, Candidate] = {}
        for candidate in sorted(self.candidates, key=self._order):
            graph = replace(candidate.way, entries=1, coded=False, learned=False)
            best.setdefault(graph, candidate)
        return list(best.values())[:count]

    def _order(self, candidate: Candidate) -> tuple[bool, float, float]:
        """Those that meet the target first, by their work; the others by their recall."""
        return not candidate.met, 0.0 if candidate.met else -candidate.trial.recall, self._work(candidate)

    def _work(self, candidate: Candidate) -> float:
        """What a search costs, in products with rows of 32-bit floats; counted, so that it is always the same."""
        d, trial = self.items.shape[1], candidate.trial
        product = FIXED + d * (BY_CODE if candidate.way.coded else 1.0)
        return float((trial.cost * product + trial.rerank * d) / (FIXED + d))

    def _decide(self) -> Index:
        """By the clock, among the best by their work; one with more work must be clearly faster."""
        final = sorted(self.candidates, key=self._order)[:FINALISTS]
        if self.limit is None:  # else one that misses the target may be the best within the time
            final = [candidate for candidate in final if candidate.met] or final[:1]
        indexes = [self.workshop.index(candidate.way) for candidate in final]
        trials = timed(self.examiner, [(index, one.trial) for index, one in zip(indexes, final, strict=True)])
        at = _fastest([trial.microseconds or 0.0 for trial in trials])
        chosen, index, met = trials[at], indexes[at], final[at].met
        if self.limit is not None and (chosen.microseconds or 0) > self.limit:
            within = [
                best_within(self.examiner, index, trial.what, trial.rerank, self.limit)
                for index, trial in zip(indexes, trials, strict=True)
            ]
            at = min(range(len(within)), key=lambda i: _by_recall(within[i], self.limit or 0.0))
            chosen, index, met = within[at], indexes[at], within[at].meets(self.target)
        tell(chosen, self.target, met, len(self.sides.valid), self.limit, stacklevel=4)
        return with_settings(index, chosen.settings)


def _fastest(times: list[float]) -> int:
    """The first that nothing beats clearly: a slow moment of the machine should not decide.

    >>> _fastest([10.0, 9.8, 7.0, 6.9])
    2
    """
    return next(at for at, spent in enumerate(times) if spent <= CLEARLY * min(times))


def _by_recall(trial: Trial, limit: float) -> tuple[bool, float]:
    return (trial.microseconds or 0) > limit, -trial.recall


def _memory(value: object, items: Floats) -> int | None:
    if value is None:
        return None
    memory = as_count(value, "max_bytes")
    least = min(Way(KINDS[0], *size).bytes(*items.shape) for size in (FIRST, *SPARSER))
    if memory < least:
        raise ValueError(
            f"max_bytes is {memory}, below the {least} of these items with the sparsest graph; pass {least} or more."
        )
    return memory
