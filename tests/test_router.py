"""Routers: searching by other vectors than those that rank."""

import numpy as np
import pytest

import waypost as wp

RNG = np.random.default_rng(0)
ITEMS = RNG.integers(-3, 4, (300, 6)).astype(np.float32)
QUERIES = RNG.integers(-3, 4, (20, 6)).astype(np.float32)
VECTORS = RNG.integers(-3, 4, (300, 6)).astype(np.float32)
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=8, repair=True)


def test_identity_is_the_plain_search() -> None:
    plain, routed = wp.Index(ITEMS, GRAPH), wp.Index(ITEMS, GRAPH, wp.Router.identity())
    for one, other in zip(plain.search(QUERIES)[:3], routed.search(QUERIES)[:3], strict=True):
        np.testing.assert_array_equal(one, other)


def test_without_a_rerank_answers_are_ordered_by_routing_scores() -> None:
    index = wp.Index(ITEMS, GRAPH, wp.Router(VECTORS))
    answer = index.search(QUERIES, budget=len(ITEMS))
    truth = wp.exact_search(VECTORS, QUERIES)
    np.testing.assert_array_equal(answer.ids, truth.ids)
    np.testing.assert_array_equal(answer.scores, truth.scores)


def test_a_rerank_orders_the_best_visited_by_exact_scores_and_is_paid_for() -> None:
    index = wp.Index(ITEMS, GRAPH, wp.Router(VECTORS))
    answer = index.search(QUERIES, k=5, budget=100, rerank=40)
    walked = index.search(QUERIES, k=40, budget=60)
    assert answer.cost.tolist() == (walked.cost + 40).tolist() == [100] * len(QUERIES)
    for query, ids, scores, seen in zip(QUERIES, answer.ids, answer.scores, walked.ids, strict=True):
        best = sorted(seen.tolist(), key=lambda row, query=query: (-float(ITEMS[row] @ query), row))[:5]
        assert ids.tolist() == best
        assert scores.tolist() == [float(ITEMS[row] @ query) for row in best]


def test_a_rerank_of_all_the_items_is_the_exact_search() -> None:
    index = wp.Index(ITEMS, GRAPH, wp.Router(VECTORS))
    answer = index.search(QUERIES, budget=2 * len(ITEMS), rerank=len(ITEMS))
    np.testing.assert_array_equal(answer.ids, wp.exact_search(ITEMS, QUERIES).ids)


def test_a_rerank_that_would_change_nothing_spends_nothing() -> None:
    index = wp.Index(ITEMS, GRAPH)
    plain, reranked = index.search(QUERIES, budget=100), index.search(QUERIES, budget=100, rerank=50)
    assert reranked.cost.tolist() == plain.cost.tolist()
    np.testing.assert_array_equal(plain.ids, reranked.ids)


def test_a_query_matrix_turns_queries_into_routing_queries() -> None:
    matrix = RNG.integers(-2, 3, (9, 6)).astype(np.float32)
    wide = RNG.integers(-2, 3, (300, 9)).astype(np.float32)
    index = wp.Index(ITEMS, GRAPH, wp.Router(wide, matrix))
    truth = wp.exact_search(wide, QUERIES @ matrix.T)
    np.testing.assert_array_equal(index.search(QUERIES, budget=300).ids, truth.ids)
    reranked = index.search(QUERIES, budget=600, rerank=300)
    np.testing.assert_array_equal(reranked.ids, index.exact(QUERIES).ids)


def test_a_query_matrix_may_stand_alone() -> None:
    matrix = np.diag([1, 1, 1, -1, -1, -1]).astype(np.float32)
    index = wp.Index(ITEMS, GRAPH, wp.Router(query_matrix=matrix))
    assert not index.router.is_identity
    np.testing.assert_array_equal(index.search(QUERIES, budget=300).ids, wp.exact_search(ITEMS, QUERIES @ matrix).ids)


def test_a_query_that_the_matrix_makes_infinite_is_refused() -> None:
    index = wp.Index(ITEMS, GRAPH, wp.Router(query_matrix=np.full((6, 6), 1e30, np.float32)))
    with pytest.raises(wp.WaypostError, match="queries are too large for the router"):
        index.search(np.full((1, 6), 1e30, np.float32))


def test_searches_start_at_the_routers_entry() -> None:
    index = wp.Index(ITEMS, GRAPH, wp.Router(entry=17))
    assert index.search(QUERIES, k=1, budget=1).ids.tolist() == [[17]] * len(QUERIES)
    assert index.search(QUERIES, k=1, budget=1, entry="first").ids.tolist() == [[0]] * len(QUERIES)


def test_a_random_entry_follows_the_seed() -> None:
    index = wp.Index(ITEMS, GRAPH, wp.Router(entry="random"))
    rows = [int(index.search(QUERIES[:1], k=1, budget=1, seed=seed).ids[0, 0]) for seed in range(8)]
    assert len(set(rows)) > 4
    assert rows == [
        int(wp.Index(ITEMS, GRAPH).search(QUERIES[:1], 1, 1, entry="random", seed=s).ids[0, 0]) for s in range(8)
    ]


@pytest.mark.parametrize(
    ("router", "words"),
    [
        (wp.Router(VECTORS[:-1]), "router has vectors of 299 rows for 300 items; pass the router of these items."),
        (wp.Router(VECTORS[:, :5]), "router turns queries of width 6 into width 6, but the items have width 6 and"),
        (
            wp.Router(VECTORS, np.ones((5, 6))),
            "router turns queries of width 6 into width 5, but the items have width 6",
        ),
        (wp.Router(query_matrix=np.ones((6, 5))), "router turns queries of width 5 into width 6, but the items have"),
        (wp.Router(np.full((300, 6), np.nan, np.float32)), "vectors holds NaN or infinity, first in row 0"),
        (wp.Router(entry=300), "entry is row 300 but there are only 300 items; pass a row from 0 to 299."),
    ],
)
def test_a_router_of_other_items_is_refused(router: wp.Router, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wp.Index(ITEMS, GRAPH, router)


def test_what_is_no_router_is_refused() -> None:
    with pytest.raises(TypeError, match="router is of type ndarray; pass a waypost.Router or None."):
        wp.Index(ITEMS, GRAPH, VECTORS)  # type: ignore[arg-type]
