"""Lessons of beam states: the native ones against plain Python, the gradient against differences of the loss."""

import numpy as np
import pytest
from reference.beam_lessons import beam_lessons as plain_lessons
from reference.beam_lessons import numeric_gradient

import waypost as wp
from waypost import _core
from waypost.learn.beam_lessons import beam_lessons

RNG = np.random.default_rng(0)
ITEMS = RNG.standard_normal((120, 6), dtype=np.float32)
QUERIES = RNG.standard_normal((15, 6), dtype=np.float32)
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=5, candidates=20, repair="within-degree")
ANSWERS = wp.exact_search(ITEMS, QUERIES, k=8).ids.astype(np.int32)
ANSWERS[3, 5:] = -1
ANSWERS[4] = -1
BIAS = RNG.standard_normal((1, 120), dtype=np.float32)
LESSONS = pytest.mark.parametrize("lesson", ["imitation", "reinforcement"])


@LESSONS
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize(
    ("budget", "tau"), [(1, 0.5), (2, 0.5), (37, 0.4), (37, 3.0), (37, 0.02), (120, 0.5), (500, 0.5)]
)
def test_native_lessons_are_the_plain_ones(lesson: str, biased: bool, budget: int, tau: float) -> None:
    entries = np.array([[7, 3]], np.int32)
    lessons = beam_lessons(
        GRAPH,
        ITEMS,
        QUERIES,
        ANSWERS,
        entries,
        budget=budget,
        tau=tau,
        lesson=lesson,
        bias=BIAS if biased else None,
    )
    loss, states, found = 0.0, 0, 0
    for i, query in enumerate(QUERIES):
        scores = (ITEMS @ query + (BIAS[0] if biased else 0)).astype(np.float64)
        plain = plain_lessons(GRAPH.neighbors, scores, [7, 3], ANSWERS[i].tolist(), budget, tau, lesson)
        part = slice(*lessons.offsets[i : i + 2])
        assert lessons.rows[part].tolist() == plain[0]
        np.testing.assert_allclose(lessons.weights[part], plain[1], rtol=2e-4, atol=2e-6)
        loss, states, found = loss + plain[2], states + plain[3], found + plain[4]
    assert lessons.loss == pytest.approx(loss / max(states, 1), rel=1e-4)
    assert lessons.found == pytest.approx(found / (ANSWERS >= 0).sum())


@LESSONS
@pytest.mark.parametrize("tau", [0.1, 0.06])
def test_scores_may_be_a_hundred_temperatures_apart(lesson: str, tau: float) -> None:
    lessons = beam_lessons(GRAPH, ITEMS, QUERIES, ANSWERS, np.array([[7]], np.int32), budget=60, tau=tau, lesson=lesson)
    assert np.ptp(ITEMS @ QUERIES.T, axis=0).max() > 100 * tau
    for i, query in enumerate(QUERIES):
        scores = (ITEMS @ query).astype(np.float64)
        plain = plain_lessons(GRAPH.neighbors, scores, [7], ANSWERS[i].tolist(), 60, tau, lesson)
        part = slice(*lessons.offsets[i : i + 2])
        assert lessons.rows[part].tolist() == plain[0]
        np.testing.assert_allclose(lessons.weights[part], plain[1], rtol=2e-3, atol=1e-4)


@LESSONS
@pytest.mark.parametrize("tau", [0.01, 0.001, 0.0001])
def test_no_temperature_is_too_low(lesson: str, tau: float) -> None:
    lessons = beam_lessons(GRAPH, ITEMS, QUERIES, ANSWERS, np.array([[7]], np.int32), budget=60, tau=tau, lesson=lesson)
    assert np.isfinite(lessons.loss)
    assert np.isfinite(lessons.weights).all()


@LESSONS
@pytest.mark.parametrize("penalty", [0.0, 0.4, 50.0])
@pytest.mark.parametrize("budget", [10, 60, 120])
def test_native_lessons_come_back_for_deferred_edges(lesson: str, budget: int, penalty: float) -> None:
    core, deferred = GRAPH.neighbors.copy(), np.roll(GRAPH.neighbors, -2, axis=1)
    core[:, 2:] = deferred[:, 3:] = deferred[::4] = -1
    graph = wp.Graph("by-hand", 5, core, 0, deferred, penalty)
    lessons = beam_lessons(
        graph, ITEMS, QUERIES, ANSWERS, np.array([[7]], np.int32), budget=budget, tau=0.5, lesson=lesson
    )
    for i, query in enumerate(QUERIES):
        scores = (ITEMS @ query).astype(np.float64)
        back = penalty * float(np.linalg.norm(query))
        plain = plain_lessons(core, scores, [7], ANSWERS[i].tolist(), budget, 0.5, lesson, deferred, back)
        part = slice(*lessons.offsets[i : i + 2])
        assert lessons.rows[part].tolist() == plain[0]
        np.testing.assert_allclose(lessons.weights[part], plain[1], rtol=2e-4, atol=2e-6)


@LESSONS
def test_the_gradient_is_that_of_the_loss(lesson: str) -> None:
    """As long as the walk's choices stay the same, which a small enough step of a score leaves them."""
    scores = (ITEMS @ QUERIES[0]).astype(np.float64)

    def outcome(values: np.ndarray) -> tuple[list[int], list[float], float, int, int]:
        return plain_lessons(GRAPH.neighbors, values, [7], ANSWERS[0].tolist(), 40, 0.7, lesson)

    rows, gradient, *_ = outcome(scores)
    slopes = numeric_gradient(lambda values: outcome(values)[2], scores, rows)
    assert any(abs(slope) > 1e-3 for slope in slopes)
    np.testing.assert_allclose(gradient, slopes, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("scale", [1, 10, 30, 60, 100, 1e3, 1e8])
def test_scores_far_apart_do_no_harm(scale: float) -> None:
    """Apart by more than the exponential of a float holds, of a double, and of neither."""
    items = np.float32(scale) * ITEMS
    lessons = beam_lessons(GRAPH, items, QUERIES, ANSWERS, np.array([[0]], np.int32), budget=60, tau=1.0)
    assert np.isfinite(lessons.weights).all()
    assert np.isfinite(lessons.loss)


def test_each_kind_goes_by_its_own_bias() -> None:
    biases = RNG.standard_normal((3, 120), dtype=np.float32)
    kinds = (np.arange(15) % 3).astype(np.int32)
    settings = {"budget": 40, "tau": 0.5}
    entries = np.array([[0]], np.int32)
    mixed = beam_lessons(GRAPH, ITEMS, QUERIES, ANSWERS, entries, bias=biases, kinds=kinds, **settings)
    table = np.zeros((3, 120))
    for kind in range(3):
        alone = beam_lessons(
            GRAPH,
            ITEMS,
            QUERIES[kind::3].copy(),
            ANSWERS[kind::3].copy(),
            entries,
            bias=biases[kind : kind + 1],
            **settings,
        )
        table[kind] = alone.by_vertex(120) * alone.queries / mixed.queries
    np.testing.assert_allclose(mixed.by_kind(kinds, 3, 120), table, atol=1e-9)


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_threads_do_not_change_lessons(noise: float) -> None:
    entries = np.array([[0]], np.int32)
    one, other = (
        beam_lessons(GRAPH, ITEMS, QUERIES, ANSWERS, entries, budget=50, tau=0.5, noise=noise, seed=5, threads=threads)
        for threads in (1, 3)
    )
    np.testing.assert_array_equal(one.rows, other.rows)
    np.testing.assert_array_equal(one.weights, other.weights)


def test_noise_shows_other_states_by_seed_alone() -> None:
    entries = np.array([[0]], np.int32)
    walks = [
        beam_lessons(GRAPH, ITEMS, QUERIES, ANSWERS, entries, budget=50, tau=0.5, noise=noise, seed=seed).rows.tolist()
        for noise, seed in ((0.0, 1), (1.0, 1), (1.0, 1), (1.0, 2))
    ]
    assert walks[1] == walks[2]
    assert walks[0] != walks[1]
    assert walks[1] != walks[3]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget": 0}, "budget must be at least 1"),
        ({"tau": 0.0}, "tau must be above 0"),
        ({"noise": -1.0}, "noise not below"),
        ({"lesson": "other"}, "lesson must be"),
        ({"answers": np.zeros((15, 65), np.int32)}, "at most 64"),
        ({"answers": ANSWERS[:3].copy()}, "one row a query"),
        ({"bias": np.zeros((1, 5), np.float32)}, "as long"),
        ({"bias": BIAS, "kinds": np.full(15, 1, np.int32)}, "kinds must be rows of bias"),
        ({"bias": BIAS, "kinds": np.zeros(3, np.int32)}, "kinds must be one a query"),
        ({"entries": np.zeros((4, 1), np.int32)}, "entries must have"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, object], message: str) -> None:
    given: dict[str, object] = {
        "neighbors": GRAPH.neighbors,
        "route": ITEMS,
        "queries": QUERIES,
        "entries": np.array([[0]], np.int32),
        "answers": ANSWERS,
        "budget": 20,
        "tau": 0.5,
    }
    with pytest.raises(ValueError, match=message):
        _core.beam_lessons(**(given | changes))
