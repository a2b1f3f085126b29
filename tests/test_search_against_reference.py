"""The native search against Algorithm 2 in plain Python: the same vertices, in the same order, at the same cost."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import Lists
from reference.beam_search import Walk, answers, beam_search
from reference.samples import Vectors, small_integers

from waypost import _core

K = 10


def rows(values: list[list[int]]) -> NDArray[np.int32]:
    return np.asarray(values, np.int32)


def sample(seed: int) -> tuple[Vectors, Vectors, NDArray[np.int32], Lists]:
    """Items, queries and a graph; small integers, so that scores are exact and many are tied."""
    items = small_integers(300, seed)
    queries = np.random.default_rng(seed + 100).integers(-3, 4, (25, items.shape[1])).astype(np.float32)
    neighbors = _core.build_graph(items, "ip-nsw", 6, 16)
    return items, queries, neighbors, [[row for row in one if row >= 0] for one in neighbors.tolist()]


def routing_scores(items: Vectors, query: Vectors) -> list[float]:
    return [float(score) for score in items.astype(np.float64) @ query.astype(np.float64)]


def assert_answers(found: _core.Found, at: int, expected: list[int], scores: list[float], cost: int) -> None:
    missing = K - len(expected)
    assert found[0][at].tolist() == expected + [-1] * missing
    assert found[1][at].tolist() == [scores[row] for row in expected] + [-np.inf] * missing
    assert found[2][at] == cost


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("budget", [1, 2, 9, 10, 37, 128, 299, 300, 1000])
def test_same_answers_and_cost(budget: int, seed: int) -> None:
    items, queries, neighbors, lists = sample(seed)
    found = _core.Searcher(neighbors, items).search(queries, rows([[seed]]), K, budget)
    for at, query in enumerate(queries):
        scores = routing_scores(items, query)
        walk = beam_search(lists, scores, [seed], budget)
        assert_answers(found, at, answers(walk, scores, K), scores, len(walk.visited))


def traced_walk(traced: _core.Traced, at: int) -> Walk:
    _, _, _, offsets, visited, _, hop, path_offsets, path = traced
    mine = slice(offsets[at], offsets[at + 1])
    return Walk(
        visited=visited[mine].tolist(),
        hop=hop[mine].tolist(),
        path=path[path_offsets[at] : path_offsets[at + 1]].tolist(),
    )


@pytest.mark.parametrize("budget", [1, 5, 40, 300])
def test_same_visits_hops_and_path(budget: int) -> None:
    items, queries, neighbors, lists = sample(4)
    traced = _core.Searcher(neighbors, items).search(queries, rows([[7]]), K, budget, trace=True)
    for at, query in enumerate(queries):
        scores = routing_scores(items, query)
        walk = traced_walk(traced, at)
        assert walk == beam_search(lists, scores, [7], budget)
        assert traced[5][traced[3][at] : traced[3][at + 1]].tolist() == [scores[row] for row in walk.visited]


@pytest.mark.parametrize("penalty", [0, 2, 40])
@pytest.mark.parametrize("budget", [1, 5, 40, 120, 300])
def test_deferred_neighbours_wait_for_a_second_visit(budget: int, penalty: int) -> None:
    items, queries, neighbors, lists = sample(4)
    queries[:] = 0
    queries[:, :4] = np.random.default_rng(9).choice([-2, 2], (len(queries), 4))  # all of length 4
    core = neighbors.copy()
    core[:, 2:] = -1
    deferred = np.roll(neighbors, -2, axis=1)
    deferred[:, 4:] = -1
    deferred[::5] = -1
    searcher = _core.Searcher(core, items, deferred=deferred, penalty=penalty / 4)
    traced = searcher.search(queries, rows([[7]]), K, budget, trace=True)
    later = [[row for row in one if row >= 0] for one in deferred.tolist()]
    for at, query in enumerate(queries):
        scores = routing_scores(items, query)
        expected = beam_search([one[:2] for one in lists], scores, [7], budget, later, penalty)
        assert traced_walk(traced, at) == expected


def test_entries_a_query_count_once_each() -> None:
    items, queries, neighbors, lists = sample(5)
    entries = np.random.default_rng(0).integers(0, len(items), (len(queries), 6)).astype(np.int32)
    entries[:, 3] = entries[:, 1]
    found = _core.Searcher(neighbors, items).search(queries, entries, K, 50)
    for at, query in enumerate(queries):
        scores = routing_scores(items, query)
        walk = beam_search(lists, scores, entries[at].tolist(), 50)
        assert_answers(found, at, answers(walk, scores, K), scores, len(walk.visited))


def test_what_cannot_be_reached_costs_nothing() -> None:
    items = small_integers(50, 6)
    neighbors = np.full((50, 4), -1, np.int32)
    neighbors[3, :2] = [4, 5]
    neighbors[5, :1] = [3]
    query = items[:1]
    found = _core.Searcher(neighbors, items).search(query, rows([[3]]), K, 40)
    scores = routing_scores(items, query[0])
    assert_answers(found, 0, answers(Walk(visited=[3, 4, 5]), scores, K), scores, 3)


@pytest.mark.parametrize(("budget", "rerank"), [(40, 10), (100, 32), (600, 64), (20, 19)])
def test_rerank_spends_its_share_on_exact_scores(budget: int, rerank: int) -> None:
    """Walk on budget - R by the routing vectors, then score the best R visited by the ranking vectors."""
    items, queries, neighbors, lists = sample(8)
    route = small_integers(len(items), 9, dimensions=4)
    route_queries = small_integers(len(queries), 10, dimensions=4)
    searcher = _core.Searcher(neighbors, route, items)
    found = searcher.search(route_queries, rows([[2]]), K, budget, rerank, queries)
    for at, query in enumerate(queries):
        routing, exact = routing_scores(route, route_queries[at]), routing_scores(items, query)
        walk = beam_search(lists, routing, [2], budget - rerank)
        ranked = Walk(visited=answers(walk, routing, rerank))
        assert_answers(found, at, answers(ranked, exact, K), exact, len(walk.visited) + len(ranked.visited))


def test_same_answers_on_gaussian_data() -> None:
    """Scores from the core's own kernel, so that no near tie is turned by rounding."""
    rng = np.random.default_rng(3)
    items = rng.standard_normal((400, 24)).astype(np.float32)
    queries = rng.standard_normal((20, 24)).astype(np.float32)
    neighbors = _core.build_graph(items, "ip-nsw", 8, 24)
    lists = [[row for row in one if row >= 0] for one in neighbors.tolist()]
    found = _core.Searcher(neighbors, items).search(queries, rows([[11]]), K, 90)
    for at, query in enumerate(queries):
        scores = _core.dot_rows(query, items, np.arange(400, dtype=np.int32)).tolist()
        walk = beam_search(lists, scores, [11], 90)
        assert_answers(found, at, answers(walk, scores, K), scores, len(walk.visited))
