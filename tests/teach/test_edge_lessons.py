"""Lessons about edges: the native counts against plain Python, whatever the number of threads."""

import numpy as np
import pytest
from reference.beam_search import beam_search
from reference.edge_lessons import edge_lessons
from reference.samples import small_integers

import waypost as wp
from waypost import _core

N, QUERIES = 150, 30
ITEMS = small_integers(N, 3)
ASKED = np.random.default_rng(4).integers(-3, 4, (QUERIES, ITEMS.shape[1])).astype(np.float32)
ASKED[:, 0] = 1
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=6, candidates=16)
ANSWERS = wp.exact_search(ITEMS, ASKED, k=8).ids.astype(np.int32)
ANSWERS[3, 4:] = ANSWERS[4] = -1
CANDIDATES = np.hstack([GRAPH.neighbors[:, ::-1], np.roll(GRAPH.neighbors, 7, axis=0)])
CANDIDATES = np.ascontiguousarray(np.where(np.sort(CANDIDATES < 0, axis=1), -1, np.abs(CANDIDATES)))


def lists(edges: np.ndarray) -> list[list[int]]:
    return [[row for row in one if row >= 0] for one in edges.tolist()]


def native(**changes: object) -> tuple[np.ndarray, np.ndarray]:
    given: dict[str, object] = {
        "neighbors": GRAPH.neighbors,
        "route": ITEMS,
        "queries": ASKED,
        "entries": np.array([[7, 3]], np.int32),
        "answers": ANSWERS,
        "candidates": CANDIDATES,
        "budget": 60,
    }
    return _core.edge_lessons(**(given | changes))


@pytest.mark.parametrize("deferring", [False, True])
@pytest.mark.parametrize("budget", [1, 2, 25, 90, 400])
def test_native_lessons_are_the_plain_ones(budget: int, deferring: bool) -> None:
    deferred = np.roll(GRAPH.neighbors, 11, axis=0) if deferring else None
    shown, hits = native(budget=budget, deferred=deferred, penalty=0.0)
    expected = np.zeros((2, *CANDIDATES.shape), np.int64)
    later = None if deferred is None else lists(deferred)
    for query, answers in zip(ASKED, ANSWERS, strict=True):
        scores = (ITEMS.astype(np.float64) @ query).tolist()
        walk = beam_search(lists(GRAPH.neighbors), scores, [7, 3], budget, later)
        for (source, target), hit in edge_lessons(walk, lists(CANDIDATES), set(answers.tolist()) - {-1}).items():
            places = np.flatnonzero(CANDIDATES[source] == target)
            expected[0, source, places] += 1
            expected[1, source, places] += hit
    np.testing.assert_array_equal(shown, expected[0])
    np.testing.assert_array_equal(hits, expected[1])
    assert (hits <= shown).all()


def test_threads_do_not_change_lessons() -> None:
    one, other = (native(threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(one[0], other[0])
    np.testing.assert_array_equal(one[1], other[1])
    assert other[1].sum() > 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"budget": 0}, "budget must be at least 1"),
        ({"candidates": CANDIDATES[:9].copy()}, "as long"),
        ({"answers": ANSWERS[:9].copy()}, "answers must have one row a query"),
        ({"entries": np.zeros((4, 1), np.int32)}, "entries must have 1 row or one a query"),
        ({"queries": ASKED[:, :3].copy()}, "queries must be as wide as route"),
        ({"deferred": GRAPH.neighbors[:5].copy()}, "deferred must have one row an item"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        native(**changes)
