"""Routers: searching by other vectors than those that rank."""

import numpy as np
import pytest

import waypost as wp

RNG = np.random.default_rng(0)
ITEMS = RNG.integers(-3, 4, (300, 6)).astype(np.float32)
QUERIES = RNG.integers(-3, 4, (20, 6)).astype(np.float32)
VECTORS = RNG.integers(-3, 4, (300, 6)).astype(np.float32)
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=8, repair="within-degree")


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


BIAS = RNG.integers(-4, 5, (4, 300)).astype(np.float32)
CODEBOOK = wp.Codebook(RNG.integers(-3, 4, (3, 6)), [[5, 9], [250, -1], [17, 3]])


def walked(query: np.ndarray, scores: np.ndarray, entries: list[int], budget: int) -> list[int]:
    """The rows that a walk by `scores` sees: the plain best-first search."""
    seen, open_rows = [], []

    def see(rows: list[int]) -> None:
        for row in rows:
            if row >= 0 and row not in seen and len(seen) < budget:
                seen.append(row)
                open_rows.append(row)

    see(entries)
    while open_rows and len(seen) < budget:
        best = min(open_rows, key=lambda row: (-scores[row], row))
        open_rows.remove(best)
        see(GRAPH.neighbors[best].tolist())
    return seen


@pytest.mark.parametrize("scale", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("by_kind", [False, True])
def test_a_bias_leads_the_walk_and_leaves_the_scores(scale: float, by_kind: bool) -> None:
    router = wp.Router(bias=BIAS, codebook=CODEBOOK, manners=(wp.Manner(60, scale, by_kind),), entry=7)
    answer = wp.Index(ITEMS, GRAPH, router).search(QUERIES, k=5, budget=60, trace=True)
    for i, query in enumerate(QUERIES):
        kind = int(np.argmax(CODEBOOK.centroids @ query))
        exact = ITEMS @ query
        scores = exact + scale * BIAS[1 + kind if by_kind else 0]
        entries = CODEBOOK.seeds[kind].tolist() if by_kind else [7]
        rows = walked(query, scores, entries, 57 if by_kind else 60)
        assert answer.trace is not None
        assert answer.trace[i].rows.tolist() == rows
        best = sorted(rows, key=lambda row, exact=exact: (-exact[row], row))[:5]
        assert answer.ids[i].tolist() == best
        assert answer.scores[i].tolist() == exact[best].tolist()
        assert answer.cost[i] == len(rows) + (3 if by_kind else 0)


def test_a_bias_of_one_row_holds_for_every_kind() -> None:
    manners = (wp.Manner(60, 1.0, by_kind=True),)
    one = wp.Router(bias=BIAS[0], codebook=CODEBOOK, manners=manners)
    many = wp.Router(bias=np.repeat(BIAS[:1], 4, axis=0), codebook=CODEBOOK, manners=manners)
    for a, b in zip(*(wp.Index(ITEMS, GRAPH, router).search(QUERIES)[:3] for router in (one, many)), strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_budget_that_cannot_pay_for_kinds_goes_without() -> None:
    router = wp.Router(bias=BIAS, codebook=CODEBOOK, entry=7)
    index = wp.Index(ITEMS, GRAPH, router)
    assert index.search(QUERIES, k=1, budget=3).cost.tolist() == [3] * len(QUERIES)
    assert index.search(QUERIES[:1], k=1, budget=3, trace=True).trace[0].rows[0] == 7
    assert index.search(QUERIES[:1], k=1, budget=4, trace=True).trace[0].rows[0] != 7


def test_an_entry_of_the_callers_own_comes_before_the_seeds() -> None:
    index = wp.Index(ITEMS, GRAPH, wp.Router(bias=BIAS, codebook=CODEBOOK))
    answer = index.search(QUERIES, budget=30, entry=11, trace=True)
    assert [trace.rows[0] for trace in answer.trace] == [11] * len(QUERIES)


def test_the_manner_of_the_nearest_budget_holds() -> None:
    manners = [wp.Manner(512, 1.0), wp.Manner(128, 0.25), wp.Manner(256, 0.5, rerank=40)]
    router = wp.Router(manners=manners)
    assert [router.manner(budget).budget for budget in (1, 128, 180, 182, 256, 362, 363, 10**9)] == [
        128, 128, 128, 256, 256, 256, 512, 512,
    ]  # fmt: skip
    assert wp.Router().manner(99) == wp.Manner(99, 1.0, by_kind=True)


def test_a_bias_goes_with_vectors_and_a_rerank() -> None:
    router = wp.Router(VECTORS, bias=BIAS[0], manners=(wp.Manner(100, 1.0, rerank=40),))
    answer = wp.Index(ITEMS, GRAPH, router).search(QUERIES, k=5, budget=100)
    exact = np.einsum("qkd,qd->qk", ITEMS[answer.ids], QUERIES)
    np.testing.assert_array_equal(answer.scores, exact)
    assert answer.cost.max() == 100


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: wp.Router(bias=BIAS[:2]), "bias has shape"),
        (lambda: wp.Router(bias=BIAS[:, :5]), "bias has shape"),
        (lambda: wp.Router(bias=np.full(300, np.nan)), "bias holds NaN"),
        (lambda: wp.Router(codebook=wp.Codebook(np.ones((2, 4)), [[0], [1]])), "centroids has 4 columns"),
        (lambda: wp.Router(codebook=wp.Codebook(np.ones((2, 6)), [[0], [300]])), "seeds holds row 300"),
        (lambda: wp.Router(codebook=wp.Codebook(np.full((1, 6), np.inf), [[0]])), "centroids holds NaN or infinity"),
        (lambda: wp.Codebook(np.ones((2, 6)), [[0], [-1]]), "without a seed"),
        (lambda: wp.Codebook(np.ones((2, 6)), [[0, -1, 2], [1, 2, 3]]), "fill each row from its left"),
        (lambda: wp.Codebook(np.ones((2, 6)), [[0]]), "seeds has 1 rows for 2 centroids"),
        (lambda: wp.Codebook(np.ones((2, 6)), [0.5]), "seeds has dtype"),
        (lambda: wp.Manner(0), "budget is 0"),
        (lambda: wp.Manner(10, float("nan")), "bias_scale is nan"),
    ],
)
def test_what_does_not_fit_together_is_refused(made: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wp.Index(ITEMS, GRAPH, made())  # type: ignore[operator]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: wp.Router(codebook=3), "codebook is of type int"),
        (lambda: wp.Router(manners=[3]), "manners holds a int"),
    ],
)
def test_what_is_of_another_type_is_refused(made: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        made()  # type: ignore[operator]


def test_a_plain_manner_is_the_search_without_a_router() -> None:
    manners = (wp.Manner(30, plain=True), wp.Manner(60))
    plain = wp.Index(ITEMS, GRAPH, wp.Router(entry=7)).search(QUERIES, k=5, budget=30)
    for router in (
        wp.Router(VECTORS, entry=7, manners=manners),
        wp.Router(bias=BIAS, codebook=CODEBOOK, entry=7, manners=manners),
    ):
        index = wp.Index(ITEMS, GRAPH, router)
        for ours, theirs in zip(index.search(QUERIES, k=5, budget=30)[:3], plain[:3], strict=True):
            np.testing.assert_array_equal(ours, theirs)
        learned = index.search(QUERIES, k=5, budget=60)
        assert not np.array_equal(
            learned.scores, wp.Index(ITEMS, GRAPH).search(QUERIES, k=5, budget=60, entry=7).scores
        )
