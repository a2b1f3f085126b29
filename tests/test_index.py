"""The index: searching it in every way that it offers."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import waypost as wp

RNG = np.random.default_rng(0)
ITEMS = RNG.integers(-3, 4, (500, 8)).astype(np.float32)
QUERIES = RNG.integers(-3, 4, (40, 8)).astype(np.float32)
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=8, repair=True)
INDEX = wp.Index(ITEMS, GRAPH)


def assert_same(one: wp.Answer, other: wp.Answer) -> None:
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.cost, other.cost)


def test_what_an_answer_holds() -> None:
    answer = INDEX.search(QUERIES, k=5, budget=64)
    assert (answer.ids.dtype, answer.ids.shape) == (np.int64, (40, 5))
    assert (answer.scores.dtype, answer.scores.shape) == (np.float32, (40, 5))
    assert (answer.cost.dtype, answer.cost.tolist()) == (np.int64, [64] * 40)
    assert answer.trace is None
    np.testing.assert_array_equal(answer.scores, np.take_along_axis(QUERIES @ ITEMS.T, answer.ids, axis=1))
    assert (np.diff(answer.scores, axis=1) <= 0).all()


def test_the_whole_budget_on_a_repaired_graph_is_the_exact_search() -> None:
    truth = wp.exact_search(ITEMS, QUERIES, k=10)
    answer = INDEX.search(QUERIES, budget=500)
    np.testing.assert_array_equal(answer.ids, truth.ids)
    np.testing.assert_array_equal(answer.scores, truth.scores)


def test_arrays_are_held_and_not_copied() -> None:
    assert INDEX.items is ITEMS
    assert INDEX.graph is GRAPH
    assert INDEX.graph.neighbors is GRAPH.neighbors


@pytest.mark.parametrize("budget", [1, 3, 9])
def test_fewer_answers_than_k_are_filled_up(budget: int) -> None:
    answer = INDEX.search(QUERIES, k=10, budget=budget)
    assert (answer.ids[:, :budget] >= 0).all()
    assert (answer.ids[:, budget:] == -1).all()
    assert (answer.scores[:, budget:] == -np.inf).all()


@pytest.mark.parametrize("budget", [500, 501, 2**31, 2**40, 10**30])
def test_a_budget_beyond_the_items_costs_no_more_than_they_do(budget: int) -> None:
    assert INDEX.search(QUERIES, budget=budget).cost.tolist() == [500] * 40


def test_queries_of_other_types_and_orders_give_the_same_answers() -> None:
    plain = INDEX.search(QUERIES)
    for queries in (QUERIES.astype(np.float64), QUERIES.astype(np.int8), np.asfortranarray(QUERIES), QUERIES.tolist()):
        assert_same(INDEX.search(queries), plain)


def test_numbers_of_numpy_are_numbers() -> None:
    assert_same(INDEX.search(QUERIES, np.int64(7), np.int32(50), threads=np.uint8(1)), INDEX.search(QUERIES, 7, 50))


@pytest.mark.parametrize(
    "options", [{}, {"entry": "random", "seed": 4}, {"entry": 9}, {"trace": True}, {"rerank": 20}], ids=str
)
def test_one_by_one_and_on_any_number_of_threads_the_same(options: dict) -> None:
    batch = INDEX.search(QUERIES, threads=2, **options)
    assert_same(INDEX.search(QUERIES, threads=1, **options), batch)
    for at in range(len(QUERIES)):
        one = INDEX.search(QUERIES[at : at + 1], **options)
        assert_same(one, wp.Answer(*(part[at : at + 1] for part in batch[:3])))


def test_one_index_serves_many_python_threads() -> None:
    expected = INDEX.search(QUERIES, budget=100)
    with ThreadPoolExecutor(8) as pool:
        for answer in pool.map(lambda _: INDEX.search(QUERIES, budget=100), range(100)):
            assert_same(answer, expected)


def test_an_index_outlives_the_arrays_of_its_maker() -> None:
    def make() -> wp.Index:
        items = ITEMS.copy()
        return wp.Index(items, wp.build_graph(items, "ip-nsw", degree=8, repair=True))

    index = make()
    np.ones(ITEMS.shape, np.float32)  # would be given the freed memory
    assert_same(index.search(QUERIES), INDEX.search(QUERIES))


def test_entry_rows_of_each_querys_own() -> None:
    rows = np.arange(40)
    assert INDEX.search(QUERIES, k=1, budget=1, entry=rows).ids[:, 0].tolist() == rows.tolist()
    several = np.stack([rows, rows + 100, rows + 200], axis=1)
    answer = INDEX.search(QUERIES, k=3, budget=3, entry=several)
    assert [set(ids) for ids in answer.ids.tolist()] == [set(row) for row in several.tolist()]


def test_a_repeated_entry_row_is_paid_for_once() -> None:
    answer = INDEX.search(QUERIES[:1], k=3, budget=5, entry=np.array([[7, 7, 7]]))
    assert answer.cost.tolist() == [5]
    assert len(set(answer.ids[0].tolist())) == 3


def test_the_default_entry_is_the_graphs() -> None:
    graph = wp.build_graph(ITEMS, "ip-nsw", degree=8, entry=123)
    index = wp.Index(ITEMS, graph)
    assert index.router.entry == 123
    assert index.search(QUERIES, k=1, budget=1).ids.tolist() == [[123]] * 40
    largest = int(np.argmax((ITEMS**2).sum(axis=1)))
    assert index.search(QUERIES, k=1, budget=1, entry="largest-norm").ids.tolist() == [[largest]] * 40
    assert INDEX.search(QUERIES, k=1, budget=1).ids.tolist() == [[largest]] * 40


def test_a_trace_tells_the_walk() -> None:
    answer = INDEX.search(QUERIES, k=10, budget=60, trace=True)
    assert_same(answer, INDEX.search(QUERIES, k=10, budget=60))
    for query, ids, cost, trace in zip(QUERIES, answer.ids, answer.cost, answer.trace, strict=True):
        assert len(trace.rows) == len(trace.scores) == len(trace.hops) == cost
        assert len(set(trace.rows.tolist())) == cost
        assert trace.rows[0] == GRAPH.entry
        np.testing.assert_array_equal(trace.scores, ITEMS[trace.rows] @ query)
        best = sorted(zip(-trace.scores, trace.rows, strict=True))[:10]
        assert [row for _, row in best] == ids.tolist()
        for row, hop in zip(trace.rows.tolist(), trace.hops.tolist(), strict=True):
            assert hop == -1 if row == GRAPH.entry else row in GRAPH.neighbors[trace.path[hop]]


def test_whole_number_ids() -> None:
    ids = np.arange(500) * 7 - 1000
    answer = wp.Index(ITEMS, GRAPH, ids=ids).search(QUERIES, budget=7)
    rows = INDEX.search(QUERIES, budget=7).ids
    np.testing.assert_array_equal(answer.ids, np.where(rows < 0, -1, ids[rows]))


@pytest.mark.parametrize("queries", [QUERIES, QUERIES[:2]], ids=["many", "few"])
def test_string_ids(queries: np.ndarray) -> None:
    ids = [f"item {row}" for row in range(500)]
    index = wp.Index(ITEMS, GRAPH, ids=ids)
    rows = INDEX.search(queries, budget=7).ids.tolist()
    expected = [[None if row < 0 else ids[row] for row in line] for line in rows]
    assert index.search(queries, budget=7).ids.tolist() == expected
    assert index.ids.tolist() == ids


def test_exact_answers_in_the_same_ids() -> None:
    ids = [f"item {row}" for row in range(500)]
    index = wp.Index(ITEMS, GRAPH, ids=ids)
    truth = index.exact(QUERIES, k=5)
    np.testing.assert_array_equal(truth.ids, np.array(ids, object)[INDEX.exact(QUERIES, k=5).ids])
    assert wp.recall(index.search(QUERIES, k=5, budget=500).ids, truth.ids) == 1


def test_what_an_index_says_of_itself() -> None:
    assert len(INDEX) == 500
    assert repr(INDEX) == "Index(500 items of width 8, ip-nsw graph of degree 8)"
    assert INDEX.ids is None


def test_read_only_arrays_will_do() -> None:
    items, queries = ITEMS.copy(), QUERIES.copy()
    items.flags.writeable = queries.flags.writeable = False
    index = wp.Index(items, wp.build_graph(items, "ip-nsw", degree=8, repair=True))
    assert index.items is items
    assert_same(index.search(queries), INDEX.search(QUERIES))
