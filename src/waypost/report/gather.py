"""Measures and collects all that a report says."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.answer import Answer
from waypost.arguments import Floats, as_count, as_matrix, as_seed, as_threads, check_k, check_width
from waypost.comparison import Comparison, compare
from waypost.entry import entry_row
from waypost.exact import Truth
from waypost.id_lookup import rows_by_id
from waypost.index import Index
from waypost.report.content import Example, PathLengths, Recalls, Report, SearchPicture, Speeds
from waypost.report.graph_facts import graph_facts
from waypost.report.path_lengths import path_lengths
from waypost.report.pictures import Chosen, NameOf, chosen_queries, search_picture
from waypost.report.training_log import read_training_log

Rows = NDArray[np.int64]

WALKED = 2000  # queries whose walks are looked at, drawn by the seed
MOST_DRAWN = 128  # products of a search that is drawn: more vertices than twice that are a blur
USUAL = 256  # the budget that path lengths are counted at, if it is one of them


def gather(
    plain: Index,
    learned: Index,
    queries: ArrayLike,
    *,
    truth: Truth | ArrayLike | None = None,
    k: int = 10,
    budgets: Iterable[int] = (64, 128, 256, 512),
    measured: Comparison | None = None,
    log: str | os.PathLike[str] | None = None,
    names: Sequence[str] | None = None,
    examples: Sequence[Example] = (),
    seed: int = 0,
    threads: int = 0,
    title: str = "What learned routing buys",
) -> Report:
    """Measures two indexes over the same items and graph, the first without a router, on queries held out for it.

    - `truth`: the true answers of the queries, as `plain.exact` gives them; left out, they are searched for.
    - `measured`: what `waypost.comparison.compare` measured on these, with its k and its budgets; left out, it is
      measured here.
    - `log`: what `train_router(log=...)` wrote. `names`: one an item; left out, the index's ids are shown.
    - `examples`: answers to be shown by name. `seed` draws the queries whose walks are looked at.

    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((500, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", repair=True)
    >>> plain, learned = wp.Index(items, graph), wp.Index(items, graph, wp.Router(bias=np.zeros(500)))
    >>> report = gather(plain, learned, items[:20], budgets=(64, 500))
    >>> report.recalls[1]
    Recalls(budget=500, unlearned=1.0, learned=1.0, error=0.0)
    """
    _check_pair(plain, learned)
    matrix, threads, seed = _as_queries(queries, plain), as_threads(threads), as_seed(seed)
    k = check_k(k, len(plain)) if measured is None else _check_measured(measured, matrix, plain)
    truth = plain.exact(matrix, k, threads=threads) if truth is None else truth
    true_rows = _true_rows(plain, matrix, truth, k)
    if measured is None:
        known = truth if isinstance(truth, Truth) and truth.ids.shape[1] == k else None
        measured = compare(plain, learned, matrix, truth=known, k=k, budgets=_as_budgets(budgets), threads=threads)
    recalls = _recalls(measured)
    by_row = {"unlearned": _without_ids(plain), "learned": _without_ids(learned)}
    walks, budgets = _Walks(by_row, matrix, true_rows, k, seed, threads), [at.budget for at in recalls]
    name_of = _names(plain, names)
    return Report(
        title=title,
        items=len(plain),
        width=plain.items.shape[1],
        queries=len(matrix),
        k=k,
        recalls=recalls,
        speeds=[Speeds(at.budget or 0, at.search, at.recall, at.batched_qps, at.single_qps) for at in measured.rows],
        training=read_training_log(log),
        lengths=walks.lengths(usual_budget(budgets)),
        graph=graph_facts(plain.graph, entry_row(plain.router.entry, plain.items, seed), true_rows),
        pictures=walks.pictures(max([b for b in budgets if b <= MOST_DRAWN], default=min(budgets)), name_of),
        examples=list(examples),
        routed=not learned.router.is_identity,
    )


def usual_budget(budgets: Sequence[int]) -> int:
    """The budget that is spoken of when one must stand for all: 256, or the one nearest to it.

    >>> usual_budget([64, 200, 900])
    200
    """
    return min(budgets, key=lambda budget: (abs(np.log(budget / USUAL)), budget))


class _Walks:
    """The same queries, walked by both searches."""

    def __init__(
        self, indexes: dict[str, Index], queries: Floats, truth: Rows, k: int, seed: int, threads: int
    ) -> None:
        rows = np.sort(np.random.default_rng(seed).permutation(len(queries))[:WALKED])
        self.indexes, self.k, self.seed, self.threads = indexes, k, seed, threads
        self.rows, self.queries, self.truth = rows, np.ascontiguousarray(queries[rows]), truth[rows]

    def _walk(self, budget: int, queries: Floats) -> list[Answer]:
        return [
            index.search(queries, self.k, budget, seed=self.seed, threads=self.threads, trace=True)
            for index in self.indexes.values()
        ]

    def lengths(self, budget: int) -> PathLengths:
        plain, routed = (answer.trace or () for answer in self._walk(budget, self.queries))
        return path_lengths(budget, self.truth, plain, routed)

    def pictures(self, budget: int, name_of: NameOf) -> list[SearchPicture]:
        answers = self._walk(budget, self.queries)
        found = [self._found(answer) for answer in answers]
        return [self._picture(place, why, budget, name_of) for place, why in chosen_queries(*found)]

    def _found(self, answer: Answer) -> Rows:
        same = (answer.ids[:, :, None] == self.truth[:, None, :]) & (self.truth[:, None, :] >= 0)
        return np.asarray(same.any(axis=1).sum(axis=1), np.int64)

    def _picture(self, place: int, why: str, budget: int, name_of: NameOf) -> SearchPicture:
        query, items = self.queries[place], self.indexes["unlearned"].items
        plain, routed = ((answer.trace or ())[0] for answer in self._walk(budget, query[None]))
        chosen = Chosen(why, len(self.rows), int(self.rows[place]), budget)
        return search_picture(chosen, items, query, self.truth[place], (plain, routed), name_of)


def _recalls(measured: Comparison) -> list[Recalls]:
    """Both searches' recall by budget; without a learned one, the unlearned stands for both."""
    by_search = {(at.search, at.budget): at for at in measured.rows}
    recalls = []
    for at in measured.rows:
        if at.search == "unlearned" and at.budget is not None:
            learned = by_search.get(("learned", at.budget), at)
            recalls.append(Recalls(at.budget, at.recall, learned.recall, learned.error or 0.0))
    return recalls


def _check_measured(measured: Comparison, queries: Floats, index: Index) -> int:
    """The k that was measured by; refuses what was measured on something else."""
    if (measured.queries, measured.items) != (len(queries), len(index)):
        raise ValueError(
            f"measured is of {measured.queries} queries and {measured.items} items, not of these {len(queries)} and "
            f"{len(index)}; pass what compare gave for them."
        )
    return measured.k


def _true_rows(index: Index, queries: Floats, truth: Truth | ArrayLike, k: int) -> Rows:
    """The true answers as rows, whatever ids the index has."""
    ids = np.asarray(truth.ids if isinstance(truth, Truth) else truth)
    if ids.ndim != 2 or len(ids) != len(queries) or ids.shape[1] < k:
        raise ValueError(f"truth has shape {ids.shape}; pass {k} answers or more for each of {len(queries)} queries.")
    ids = ids[:, :k]
    row_of = rows_by_id(index.ids)
    if row_of is None:
        return ids.astype(np.int64)
    return np.array([[row_of.get(own, -1) for own in line] for line in ids.tolist()], np.int64)


def _without_ids(index: Index) -> Index:
    return index if index.ids is None else Index(index.items, index.graph, index.router)


def _names(index: Index, names: Sequence[str] | None) -> NameOf:
    if names is not None:
        if len(names) != len(index):
            raise ValueError(f"names has {len(names)} entries for {len(index)} items; pass one name an item.")
        return lambda row: str(names[row])
    ids = index.ids
    return (lambda row: f"item {row}") if ids is None else (lambda row: str(ids[row]))


def _as_queries(queries: ArrayLike, index: Index) -> Floats:
    matrix = as_matrix(queries, "queries")
    check_width(matrix, "queries", index.items.shape[1], "the index")
    return matrix


def _as_budgets(budgets: Iterable[int]) -> list[int]:
    checked = sorted({as_count(budget, "budgets") for budget in budgets})
    if not checked:
        raise ValueError("budgets is empty; pass at least one.")
    return checked


def _check_pair(plain: Index, learned: Index) -> None:
    if len(plain) != len(learned) or not np.array_equal(plain.graph.neighbors, learned.graph.neighbors):
        raise ValueError("plain and learned are of different items or graphs; pass two indexes of the same.")
    if plain.items.shape != learned.items.shape or not np.array_equal(plain.items, learned.items):
        raise ValueError("plain and learned hold different items; pass two indexes of the same.")
