"""What holds for every kind of graph, from every entry, repaired or not."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import waypost as wp

Matrix = NDArray[np.float32]

N, QUERIES = 300, 24
ENTRIES = {
    "by default": None,
    "largest-norm": "largest-norm",
    "first": "first",
    "random": "random",
    "a row": 41,
    "a row a query": np.arange(QUERIES) * 7,
    "rows a query": np.arange(3 * QUERIES).reshape(QUERIES, 3),
    "shared rows": np.array([[5, 50, 150, 250]]),
    "a block": ("largest-norm", 9),
}

every_kind = pytest.mark.parametrize("kind", wp.KINDS)
repaired_or_not = pytest.mark.parametrize("repair", [False, True], ids=["as printed", "repaired"])
every_entry = pytest.mark.parametrize("entry", ENTRIES)


def whole_numbers(n: int, d: int, seed: int) -> Matrix:
    """Sums of these are exact in any order, so answers can be compared one by one; many scores are tied."""
    return np.random.default_rng(seed).integers(-3, 4, (n, d)).astype(np.float32)


@cache
def sample() -> tuple[Matrix, Matrix]:
    items, queries = whole_numbers(N, 6, seed=0), whole_numbers(QUERIES, 6, seed=1)
    items[100:130] = items[:30]
    items[130:135] = 0
    return items, queries


@cache
def built(kind: str, repair: bool) -> wp.Index:
    items, _ = sample()
    return wp.Index(items, wp.build_graph(items, kind, degree=6, candidates=20, repair=repair))


def assert_sound(graph: wp.Graph, degree: int) -> None:
    assert graph.neighbors.dtype == np.int32
    assert graph.neighbors.shape[1] == graph.degree == degree
    for row, neighbors in enumerate(graph.neighbors.tolist()):
        used = [neighbor for neighbor in neighbors if neighbor != -1]
        assert neighbors == used + [-1] * (degree - len(used)), "free places stand at the end"
        assert row not in used, "no row is its own neighbour"
        assert len(set(used)) == len(used), "no neighbour is repeated"
        assert all(0 <= neighbor < len(graph) for neighbor in used), "no neighbour is out of range"


def rows_within_reach(graph: wp.Graph, entries: list[int]) -> int:
    seen, todo = set(entries), list(entries)
    while todo:
        at = todo.pop()
        later = [] if graph.deferred is None else graph.deferred[at].tolist()
        found = {row for row in graph.neighbors[at].tolist() + later if row >= 0} - seen
        seen |= found
        todo += found
    return len(seen)


def entries_of_queries(index: wp.Index, name: str, budget: int) -> list[list[int]]:
    """The rows that each query starts from, as its walk shows them."""
    answer = index.search(sample()[1], k=1, budget=budget, entry=ENTRIES[name], trace=True)
    return [trace.rows[trace.hops == -1].tolist() for trace in answer.trace]


def assert_same(one: wp.Answer, other: wp.Answer) -> None:
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.cost, other.cost)


@repaired_or_not
@every_kind
def test_the_graph_is_sound(kind: str, repair: bool) -> None:
    assert_sound(built(kind, repair).graph, degree=6)


@every_kind
def test_a_repaired_graph_leaves_nothing_out(kind: str) -> None:
    graph = built(kind, True).graph
    assert all(graph.reachable(row) == 1 for row in range(N))


@every_entry
@repaired_or_not
@every_kind
def test_the_budget_is_spent_to_the_last_product_unless_the_walk_runs_dry(kind: str, repair: bool, entry: str) -> None:
    index, (_, queries) = built(kind, repair), sample()
    for budget in (4, 5, 30, 100, N, 2 * N):
        answer = index.search(queries, budget=budget, entry=ENTRIES[entry])
        reach = [rows_within_reach(index.graph, rows) for rows in entries_of_queries(index, entry, budget)]
        assert answer.cost.tolist() == [min(budget, within) for within in reach]
        assert ((answer.ids >= 0).sum(axis=1) == np.minimum(answer.cost, 10)).all()


@every_entry
@repaired_or_not
@every_kind
def test_answers_are_the_best_of_what_was_visited(kind: str, repair: bool, entry: str) -> None:
    index, (items, queries) = built(kind, repair), sample()
    answer = index.search(queries, k=7, budget=40, entry=ENTRIES[entry], trace=True)
    for query, ids, scores, trace in zip(queries, answer.ids, answer.scores, answer.trace, strict=True):
        best = sorted(trace.rows.tolist(), key=lambda row, query=query: (-float(items[row] @ query), row))[:7]
        assert ids[: len(best)].tolist() == best
        assert scores[: len(best)].tolist() == [float(items[row] @ query) for row in best]
        assert (ids[len(best) :] == -1).all()
        assert (scores[len(best) :] == -np.inf).all()


@every_entry
@repaired_or_not
@every_kind
def test_threads_and_company_change_nothing(kind: str, repair: bool, entry: str) -> None:
    index, (_, queries) = built(kind, repair), sample()
    rows = ENTRIES[entry]
    batch = index.search(queries, budget=50, entry=rows, threads=2)
    assert_same(index.search(queries, budget=50, entry=rows, threads=1), batch)
    for at in range(QUERIES):
        own = rows[at : at + 1] if isinstance(rows, np.ndarray) and len(rows) == QUERIES else rows
        one = index.search(queries[at : at + 1], budget=50, entry=own)
        assert_same(one, wp.Answer(*(part[at : at + 1] for part in batch[:3])))


@every_entry
@every_kind
def test_the_whole_budget_on_a_repaired_graph_is_the_exact_search(kind: str, entry: str) -> None:
    index, (items, queries) = built(kind, True), sample()
    truth = wp.exact_search(items, queries, k=20)
    answer = index.search(queries, k=20, budget=N, entry=ENTRIES[entry])
    np.testing.assert_array_equal(answer.ids, truth.ids)
    np.testing.assert_array_equal(answer.scores, truth.scores)


@repaired_or_not
@every_kind
def test_the_graph_does_not_depend_on_threads(kind: str, repair: bool) -> None:
    items, _ = sample()
    for batch in (None, 1, 32):
        one, two = (
            wp.build_graph(items, kind, degree=6, candidates=20, repair=repair, batch=batch, threads=threads)
            for threads in (1, 2)
        )
        np.testing.assert_array_equal(one.neighbors, two.neighbors)
        assert_sound(two, degree=6)


@repaired_or_not
@every_kind
@pytest.mark.parametrize("entry", ["largest-norm", "first", "random", 299])
def test_a_graph_may_be_built_from_any_entry(kind: str, repair: bool, entry: str | int) -> None:
    items, _ = sample()
    graph = wp.build_graph(items, kind, degree=6, candidates=20, entry=entry, repair=repair, seed=3)
    assert_sound(graph, degree=6)
    assert not repair or graph.reachable() == 1


ODD_DATA = {
    "one item": whole_numbers(1, 4, seed=2),
    "one zero": np.zeros((1, 4), np.float32),
    "two items": whole_numbers(2, 4, seed=3),
    "fewer items than the cap": whole_numbers(5, 4, seed=4),
    "as many items as the cap": whole_numbers(6, 4, seed=5),
    "one more than the cap": whole_numbers(7, 4, seed=6),
    "all the same": np.ones((80, 4), np.float32),
    "all zero": np.zeros((80, 4), np.float32),
    "every item twice": np.tile(whole_numbers(60, 4, seed=7), (2, 1)),
    "half of them zero": whole_numbers(90, 4, seed=8) * (np.arange(90) % 2)[:, None].astype(np.float32),
    "one column": whole_numbers(70, 1, seed=9),
    "all on one ray": np.arange(1, 71, dtype=np.float32)[:, None] * np.ones((1, 4), np.float32),
    "all below zero": -np.abs(whole_numbers(70, 4, seed=10)) - 1,
}


@repaired_or_not
@every_kind
@pytest.mark.parametrize("data", ODD_DATA)
def test_odd_data(kind: str, repair: bool, data: str) -> None:
    items = ODD_DATA[data]
    n = len(items)
    graph = wp.build_graph(items, kind, degree=6, candidates=12, repair=repair)
    assert_sound(graph, degree=6)
    answer = wp.Index(items, graph).search(items, k=min(n, 10), budget=n)
    assert answer.ids[:, 0].min() >= 0
    if repair:
        assert graph.reachable() == 1
        np.testing.assert_array_equal(answer.ids, wp.exact_search(items, items, k=min(n, 10)).ids)


@every_kind
@pytest.mark.parametrize("scale", [1e-30, 1e-10, 1e10, 1e15])
def test_very_small_and_very_large_numbers(kind: str, scale: float) -> None:
    items = np.random.default_rng(0).standard_normal((120, 5)).astype(np.float32) * np.float32(scale)
    graph = wp.build_graph(items, kind, degree=6, candidates=12, repair=True)
    assert_sound(graph, degree=6)
    assert wp.Index(items, graph).search(items, budget=120).cost.tolist() == [120] * 120


@settings(deadline=None, max_examples=60)
@given(data=st.data())
@every_kind
def test_any_small_data(kind: str, data: st.DataObject) -> None:
    n, d = data.draw(st.integers(1, 60), "n"), data.draw(st.integers(1, 9), "d")
    degree = data.draw(st.integers(1, 8), "degree")
    candidates = data.draw(st.integers(degree, 20), "candidates")
    batch = data.draw(st.sampled_from([None, 1, 2, 7, 100]), "batch")
    items = whole_numbers(n, d, seed=data.draw(st.integers(0, 10_000), "seed"))
    graph = wp.build_graph(items, kind, degree=degree, candidates=candidates, batch=batch, repair=True)
    assert_sound(graph, degree)
    assert wp.build_graph(
        items, kind, degree=degree, candidates=candidates, batch=batch, repair=True
    ).neighbors.tolist() == (graph.neighbors.tolist())
    budget = data.draw(st.integers(1, 2 * n), "budget")
    answer = wp.Index(items, graph).search(items[:5], k=n, budget=budget)
    assert answer.cost.tolist() == [min(n, budget)] * len(items[:5])
    if budget >= n:
        np.testing.assert_array_equal(answer.ids, wp.exact_search(items, items[:5], k=n).ids)


@every_kind
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"degree": 0}, "degree is 0; pass 1 or more."),
        ({"candidates": 0}, "candidates is 0; pass 1 or more."),
        ({"candidates": 5}, "candidates is 5, below degree 16; pass at least as many candidates."),
        ({"entry": N}, "entry is row 300 but there are only 300 items"),
        ({"seed": -1}, "seed is -1; pass 0 or more."),
        ({"batch": 0}, "batch is 0; pass 1 or more."),
        ({"threads": -1}, "threads is -1; pass 0 or more."),
    ],
)
def test_bad_settings_are_refused(kind: str, options: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wp.build_graph(sample()[0], kind, **options)
