"""The exact, the unlearned and the learned search side by side, at equal budgets, on the same queries."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.arguments import Floats, as_count, as_matrix
from waypost.exact import Truth
from waypost.index import Index

Progress = Callable[[int, int], None]

BUDGETS = (64, 128, 256, 512)
EXACT_BATCH, EXACT_SINGLES = 2000, 20  # the exact search looks at every item for each query


@dataclass(frozen=True, slots=True)
class Measured:
    """One search at one budget.

    >>> Measured("exact", None, 1.0, 5000.0, 900.0, 300.0).recall
    1.0
    """

    search: str
    """"exact", "unlearned" or "learned"."""
    budget: int | None
    """The most inner products of a query; the exact search has none."""
    recall: float
    """k@k, of the true best `k`."""
    cost: float
    """The mean number of inner products of a query."""
    batched_qps: float
    """Queries a second, asked all at once."""
    single_qps: float
    """Queries a second, asked one by one on one thread."""
    gain: float | None = None
    """Recall less that of the unlearned search at the same budget."""
    error: float | None = None
    """The standard error of the gain, from the queries' own differences."""


@dataclass(frozen=True)
class Comparison:
    """What was measured, and on how much.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((300, 8), dtype=np.float32)
    >>> plain = wp.Index(items, wp.build_graph(items, "ip-nsw", repair=True))
    >>> learned = plain.with_router(wp.Router(bias=np.zeros(300)))
    >>> compare(plain, learned, items[:20], budgets=(50,)).verdicts
    ('At a budget of 50 the learned search does not beat the unlearned one.',)
    """

    k: int
    items: int
    queries: int
    rows: tuple[Measured, ...]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """For each budget, whether the learned search is the better one: a gain of at least twice its error counts."""
        return tuple(_verdict(row) for row in self.rows if row.search == "learned")

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON.

        >>> Comparison(10, 300, 20, ()).as_dict()["queries"]
        20
        """
        return asdict(self) | {"rows": [asdict(row) for row in self.rows], "verdicts": list(self.verdicts)}


def compare(
    plain: Index,
    learned: Index | None,
    queries: ArrayLike,
    *,
    truth: Truth | None = None,
    k: int = 10,
    budgets: Sequence[int] = BUDGETS,
    threads: int = 0,
    repeats: int = 3,
    singles: int = 500,
    progress: Progress | None = None,
) -> Comparison:
    """Asks the exact search, then the unlearned and the learned one by turns, budget by budget.

    `truth` is what `plain.exact` gives for these queries and this `k`; left out, it is searched for. Times are the best
    of `repeats`; `singles` of the queries are also asked one by one.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((300, 8), dtype=np.float32)
    >>> index = wp.Index(items, wp.build_graph(items, "ip-nsw", repair=True))
    >>> [(row.search, row.recall, row.cost) for row in compare(index, None, items[:20], budgets=(300,)).rows]
    [('exact', 1.0, 300.0), ('unlearned', 1.0, 300.0)]
    """
    asked, repeats = as_matrix(queries, "queries"), as_count(repeats, "repeats")
    few = asked[: as_count(singles, "singles")]
    stages, done = 1 + len(budgets), 0
    true_ids = plain.exact(asked, k, threads=threads).ids if truth is None else truth.ids
    rows = [_exact(plain, asked, k, threads, repeats)]
    for budget in budgets:
        done = _tell(progress, done, stages)
        before: NDArray[np.float64] | None = None
        for name, index in _both(plain, learned):
            search = partial(index.search, k=k, budget=budget)
            answer, batched = _timed(partial(search, asked, threads=threads), repeats)
            _, single = _timed(partial(_one_by_one, partial(search, threads=1), few), repeats)
            found = shares_found(answer.ids, true_ids)
            cost, speed = float(np.mean(answer.cost)), (len(asked) / batched, len(few) / single)
            gain = (None, None) if before is None else gain_of(found - before)
            rows.append(Measured(name, budget, float(found.mean()), cost, *speed, *gain))
            before = found
    _tell(progress, done, stages)
    return Comparison(k, len(plain), len(asked), tuple(rows))


def _both(plain: Index, learned: Index | None) -> Iterator[tuple[str, Index]]:
    yield "unlearned", plain
    if learned is not None:
        yield "learned", learned


def _exact(index: Index, queries: Floats, k: int, threads: int, repeats: int) -> Measured:
    many, few = queries[:EXACT_BATCH], queries[:EXACT_SINGLES]
    _, batched = _timed(partial(index.exact, many, k, threads=threads), repeats)
    _, single = _timed(partial(_one_by_one, partial(index.exact, k=k, threads=1), few), repeats)
    return Measured("exact", None, 1.0, float(len(index)), len(many) / batched, len(few) / single)


def _timed(run: Callable[[], Any], repeats: int) -> tuple[Any, float]:
    """What the last run gave, and the time of the quickest."""
    best, given = math.inf, None
    for _ in range(repeats):
        start = time.perf_counter()
        given = run()
        best = min(best, time.perf_counter() - start)
    return given, best


def _one_by_one(search: Callable[[Floats], object], queries: Floats) -> None:
    for at in range(len(queries)):
        search(queries[at : at + 1])


def shares_found(ids: NDArray[Any], truth: NDArray[Any]) -> NDArray[np.float64]:
    """The share of its true answers that each query found.

    >>> shares_found(np.array([[4, 7], [1, 2]]), np.array([[7, 9], [1, 2]])).tolist()
    [0.5, 1.0]
    """
    same = np.asarray(truth[:, :, None] == ids[:, None, :], bool)
    shares: NDArray[np.float64] = np.asarray(same.any(axis=2).mean(axis=1), np.float64)
    return shares


def gain_of(differences: NDArray[np.float64]) -> tuple[float, float]:
    """Their mean, and its standard error; of a single one no error is known, and 0 stands for it.

    >>> gain_of(np.array([0.5, 0.5]))
    (0.5, 0.0)
    """
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return float(differences.mean()), spread / math.sqrt(len(differences))


def _verdict(row: Measured) -> str:
    assert row.gain is not None
    assert row.error is not None
    where = f"At a budget of {row.budget} the learned search"
    if row.gain > 0 and row.gain >= 2 * row.error:
        return f"{where} finds {row.recall:.3f} of the answers, {row.gain:.3f} more than the unlearned one."
    if row.gain == 0:
        return f"{where} does not beat the unlearned one."
    side = "above" if row.gain > 0 else "below"
    certain = "" if abs(row.gain) >= 2 * row.error else ", within what chance explains"
    return f"{where} does not beat the unlearned one: it is {abs(row.gain):.4f} {side} it{certain}."


def _tell(progress: Progress | None, done: int, stages: int) -> int:
    if progress is not None:
        progress(done + 1, stages)
    return done + 1
