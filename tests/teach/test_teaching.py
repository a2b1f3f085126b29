"""A taught graph: sound, never worse on the queries that judge, and with nothing lost."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import waypost as wp
from waypost.teach.co_answers import co_answers
from waypost.teach.edge_lists import closed, joined, without
from waypost.teach.outskirts import Outskirts

BUDGETS = (40, 80)


@cache
def data(n: int = 2500, d: int = 12, queries: int = 1500) -> tuple[np.ndarray, np.ndarray]:
    """Groups of queries that ask for some directions, and items of uneven length: few items are ever an answer."""
    rng = np.random.default_rng(0)
    centers = rng.standard_normal((10, d))
    items = rng.standard_normal((n, d)) * np.exp(0.6 * rng.standard_normal((n, 1)))
    asked = centers[rng.integers(0, 10, queries)] + 0.5 * rng.standard_normal((queries, d))
    return items.astype(np.float32), asked.astype(np.float32)


@cache
def base(kind: str = "united", repair: bool = True) -> wp.Graph:
    return wp.build_graph(data()[0], kind, degree=8, candidates=30, repair=repair)


@cache
def taught(kind: str = "united") -> wp.Graph:
    items, queries = data()
    return wp.teach_graph(items, base(kind), queries[:1000], valid=queries[1000:1250], budgets=BUDGETS)


def assert_sound(graph: wp.Graph) -> None:
    deferred = np.empty((len(graph), 0), np.int32) if graph.deferred is None else graph.deferred
    for row, (near, later) in enumerate(zip(graph.neighbors.tolist(), deferred.tolist(), strict=True)):
        for one in (near, later):
            used = [neighbor for neighbor in one if neighbor != -1]
            assert one == used + [-1] * (len(one) - len(used)), "free places stand at the end"
        every = [neighbor for neighbor in near + later if neighbor != -1]
        assert row not in every, "no row is its own neighbour"
        assert len(set(every)) == len(every), "no neighbour is repeated, deferred or not"
        assert all(0 <= neighbor < len(graph) for neighbor in every)


@pytest.mark.parametrize("kind", ["united", "ip-nsw", "moebius"])
def test_a_taught_graph_is_sound_and_reaches_everything_from_everywhere(kind: str) -> None:
    graph = taught(kind)
    assert graph.kind == f"taught-{kind}"
    assert graph.deferred is not None
    assert_sound(graph)
    assert all(graph.reachable(row) == 1 for row in range(0, len(graph), 97))


def test_with_a_product_for_each_item_the_answer_is_exact() -> None:
    items, queries = data()
    answer = wp.Index(items, taught()).search(queries[1250:1300], k=20, budget=len(items))
    np.testing.assert_array_equal(answer.ids, wp.exact_search(items, queries[1250:1300], k=20).ids)


@pytest.mark.parametrize("kind", ["united", "ip-nsw", "moebius"])
def test_teaching_helps_queries_that_it_never_saw(kind: str) -> None:
    items, queries = data()
    truth = wp.exact_search(items, queries[1250:], k=10).ids
    before, after = (
        [wp.recall(wp.Index(items, graph).search(queries[1250:], budget=budget).ids, truth) for budget in BUDGETS]
        for graph in (base(kind), taught(kind))
    )
    assert sum(after) > sum(before) + 0.05


def test_the_same_seed_gives_the_same_graph_on_any_number_of_threads() -> None:
    items, queries = data()
    one, other = (
        wp.teach_graph(items, base(), queries[:400], budgets=BUDGETS, seed=3, threads=threads) for threads in (1, 2)
    )
    np.testing.assert_array_equal(one.neighbors, other.neighbors)
    np.testing.assert_array_equal(one.deferred, other.deferred)
    assert (one.penalty, one.block, one.entry) == (other.penalty, other.block, other.entry)


def test_answers_may_be_known_or_found_or_both_ways_the_same() -> None:
    items, queries = data()
    truth = wp.exact_search(items, queries[:400], k=20).ids
    known, computed = (
        wp.teach_graph(items, base(), queries[:400], rows, queries[1000:1200], budgets=BUDGETS)
        for rows in (truth, None)
    )
    np.testing.assert_array_equal(known.neighbors, computed.neighbors)
    few = truth[:, :3].copy()
    few[::2] = -1
    for rows in (few, "unlearned"):
        assert_sound(wp.teach_graph(items, base(), queries[:400], rows, queries[1000:1200], budgets=BUDGETS))


def test_a_taught_graph_may_be_taught_again() -> None:
    items, queries = data()
    again = wp.teach_graph(items, taught(), queries[500:900], valid=queries[1000:1250], budgets=BUDGETS)
    assert again.kind == "taught-united"
    assert_sound(again)
    assert again.reachable() == 1


def test_where_nothing_helps_the_graph_stays_as_it_is() -> None:
    items = np.random.default_rng(0).standard_normal((30, 4)).astype(np.float32)
    graph = wp.build_graph(items, "united", degree=8, candidates=20, repair=True)
    assert wp.teach_graph(items, graph, items, budgets=[1000]) is graph


def test_a_bias_is_learned_on_a_taught_graph() -> None:
    items, queries = data()
    config = wp.TrainConfig(steps=60, batch=128, budget=40, kinds=0)
    router = wp.train_router(items, taught(), queries[:1000], None, config, queries[1000:1250])
    assert router.entry == taught().start
    truth = wp.exact_search(items, queries[1250:], k=10).ids
    plain, learned = wp.Index(items, taught()), wp.Index(items, taught(), router)
    before, after = (wp.recall(index.search(queries[1250:], budget=40).ids, truth) for index in (plain, learned))
    assert after >= before - 0.01


def test_a_taught_graph_is_saved_and_loaded(tmp_path) -> None:
    items, queries = data()
    index = wp.Index(items, taught())
    index.save(tmp_path / "shop.waypost")
    for mmap in (False, True):
        loaded = wp.Index.load(tmp_path / "shop.waypost", mmap=mmap)
        np.testing.assert_array_equal(loaded.search(queries[:50]).ids, index.search(queries[:50]).ids)


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_any_small_data(data: st.DataObject) -> None:
    n, m = data.draw(st.integers(1, 50), "n"), data.draw(st.integers(2, 30), "m")
    rng = np.random.default_rng(data.draw(st.integers(0, 10_000), "seed"))
    items, queries = (rng.integers(-3, 4, (count, 3)).astype(np.float32) for count in (n, m))
    graph = wp.build_graph(items, data.draw(st.sampled_from(["united", "ip-nsw"])), degree=4, candidates=8, repair=True)
    budget = data.draw(st.integers(1, 40), "budget")
    found = wp.teach_graph(items, graph, queries, budgets=[budget], k=min(5, n))
    assert_sound(found)
    assert all(found.reachable(row) == 1 for row in range(n))
    answer = wp.Index(items, found).search(queries, k=n, budget=4 * n)
    np.testing.assert_array_equal(answer.ids, wp.exact_search(items, queries, k=n).ids)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"graph": None}, TypeError, "graph is of type NoneType; pass what waypost.build_graph returns."),
        ({"items": np.eye(12)}, ValueError, "graph has 2500 rows for 12 items; pass the graph of these items."),
        ({"queries": np.eye(3)}, ValueError, "queries has 3 columns where items has 12"),
        ({"queries": np.eye(1, 12)}, ValueError, "queries holds one row and valid is left out; pass more queries"),
        ({"valid": np.eye(3)}, ValueError, "valid has 3 columns where items has 12"),
        ({"truth": "learned"}, ValueError, "truth is 'learned'; pass rows, 'unlearned' or None."),
        ({"truth": np.zeros((3, 2))}, TypeError, "truth has dtype float64; pass whole numbers"),
        ({"truth": np.zeros((3, 2), int)}, ValueError, r"truth has shape \(3, 2\) for 50 queries"),
        ({"truth": np.full((50, 2), 2500)}, ValueError, "truth holds rows outside the 2500 items"),
        ({"truth": np.full((50, 2), -1)}, ValueError, "truth labels no query to learn from; label some"),
        ({"budgets": []}, ValueError, "budgets is empty; pass at least one."),
        ({"budgets": [0]}, ValueError, "budgets is 0; pass 1 or more."),
        ({"k": 0}, ValueError, "k is 0; pass 1 or more."),
        ({"seed": -1}, ValueError, "seed is -1; pass 0 or more."),
        ({"threads": -1}, ValueError, "threads is -1; pass 0 or more."),
    ],
)
def test_bad_input_is_refused(changes: dict, error: type[Exception], words: str) -> None:
    items, queries = data()
    given = {"items": items, "graph": base(), "queries": queries[:50]} | changes
    with pytest.raises(error, match=words):
        wp.teach_graph(**given)


def test_co_answers_by_plain_counting() -> None:
    rng = np.random.default_rng(1)
    answers = np.array([rng.permutation(12)[:5] for _ in range(40)], np.int32)
    answers[::3, 3:] = -1
    lists = [set(one.tolist()) - {-1} for one in answers]
    frequency = [sum(row in one for one in lists) for row in range(12)]
    found = co_answers(answers, 12, most=4)
    for row in range(12):
        together = {other: sum(row in one and other in one for one in lists) for other in range(12) if other != row}
        weighed = sorted((-count / np.sqrt(frequency[other]), other) for other, count in together.items() if count)
        assert [one for one in found[row].tolist() if one >= 0] == [other for _, other in weighed[:4]]


def test_lists_of_edges_are_joined_thinned_and_closed() -> None:
    one, other = np.array([[3, 1, -1], [0, 2, 3]], np.int32), np.array([[1, 2], [3, -1]], np.int32)
    assert joined([one, other], most=3).tolist() == [[3, 1, 2], [0, 2, 3]]
    assert without(one, other).tolist() == [[3, -1], [0, 2]]
    assert closed(np.array([[-1, -1], [-1, 5]], np.int32)).tolist() == [[-1], [5]]


def test_the_outskirts_hold_together_without_the_core() -> None:
    items, _ = data()
    core = np.arange(0, len(items), 3)
    graph = base()
    outskirts = Outskirts.of(items, graph, core)
    edges = closed(np.hstack([graph.neighbors, outskirts.deferred]))
    edges = closed(np.where(np.isin(edges, core) | np.isin(np.arange(len(items)), core)[:, None], -1, edges))
    alone = wp.Graph("by-hand", edges.shape[1], edges, entry=1)
    for row in outskirts.rows[::200]:
        assert alone.reachable(row) == len(outskirts.rows) / len(items)
    gates = outskirts.gates.ravel()
    assert len(outskirts.gates) == len(core)
    assert not np.isin(gates, core).any()
    assert len(set(gates.tolist())) <= 8
