"""Building a graph from Python, and what a graph says of itself."""

import numpy as np
import pytest

import waypost as wp

ITEMS = np.random.default_rng(0).standard_normal((400, 8)).astype(np.float32)
BY_HAND = wp.Graph("by-hand", 2, np.array([[1, -1], [2, 0], [-1, -1], [0, 2]], np.int32), entry=0)


def test_degree_histogram() -> None:
    assert BY_HAND.degree_histogram().tolist() == [1, 1, 2]


def test_reachable() -> None:
    assert BY_HAND.reachable() == 0.75
    assert BY_HAND.reachable(2) == 0.25
    assert BY_HAND.reachable(3) == 1.0
    assert BY_HAND.reachable(np.array([2, 3])) == 1.0


def test_reachable_answers() -> None:
    assert BY_HAND.reachable_answers([[0, 3], [3, 3]]) == 0.25
    assert BY_HAND.reachable_answers([3, 3, 1], entry=3) == 1.0
    assert BY_HAND.reachable_answers([[2, -1], [-1, -1]]) == 1.0


def test_reachable_answers_bounds_the_recall_of_any_search() -> None:
    graph = wp.build_graph(ITEMS, "ip-nsw", degree=3, candidates=10)
    truth = wp.exact_search(ITEMS, ITEMS, k=10)
    answer = wp.Index(ITEMS, graph).search(ITEMS, k=10, budget=len(ITEMS))
    assert wp.recall(answer.ids, truth.ids) == pytest.approx(graph.reachable_answers(truth.ids))
    assert graph.reachable() < 1


def test_bytes_are_those_of_the_neighbors() -> None:
    assert BY_HAND.bytes == 4 * 2 * 4


def test_deferred_neighbours_count() -> None:
    graph = wp.Graph("by-hand", 1, np.array([[1], [-1], [0]]), 0, np.array([[-1, -1], [2, -1], [-1, -1]]), penalty=2)
    assert graph.reachable() == 1.0
    assert graph.bytes == 4 * 3 + 4 * 6
    assert graph.deferred is not None
    assert graph.deferred.dtype == np.int32


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"deferred": np.zeros((3, 2), int)}, "deferred has 3 rows where neighbors has 4; make them equal."),
        ({"deferred": np.zeros((4, 2))}, r"deferred has dtype float64 and shape \(4, 2\); pass an int32 matrix."),
        ({"deferred": np.zeros(4, int)}, r"deferred has dtype int64 and shape \(4,\); pass an int32 matrix."),
        ({"penalty": -1.0}, "penalty is -1.0; pass a finite number, 0 or more."),
        ({"penalty": np.inf}, "penalty is inf; pass a finite number, 0 or more."),
        ({"block": "first"}, "block is 'first'; pass a rule and how many rows it is to give."),
        ({"block": ("best", 3)}, "entry is 'best'; pass one of largest-norm"),
    ],
)
def test_parts_that_do_not_fit_are_refused(fields: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wp.Graph("by-hand", 2, BY_HAND.neighbors, 0, **fields)


def grouped(groups: int, spread: float, d: int = 24) -> np.ndarray:
    """Items round some directions, their lengths spread more or less."""
    rng = np.random.default_rng(1)
    items = rng.standard_normal((groups, d))[rng.integers(0, groups, 3000)] + 0.6 * rng.standard_normal((3000, d))
    lengths = np.exp(spread * rng.standard_normal((3000, 1)))
    return (items / np.linalg.norm(items, axis=1, keepdims=True) * lengths).astype(np.float32)


@pytest.mark.parametrize(
    ("groups", "spread", "kind"), [(30, 0.0, "moebius"), (30, 0.6, "united"), (1, 0.1, "ip-nsw"), (1, 0.6, "united")]
)
def test_auto_takes_the_kind_that_suits_the_items(groups: int, spread: float, kind: str) -> None:
    items = grouped(groups, spread)
    found, named = (wp.build_graph(items, one, degree=6, candidates=20) for one in ("auto", kind))
    assert (found.kind, found.block) == (kind, named.block)
    np.testing.assert_array_equal(found.neighbors, named.neighbors)
    assert wp.build_graph(items, "auto", degree=6, candidates=20, threads=1).kind == kind


def test_the_sturdy_kinds_keep_their_edges_when_repaired() -> None:
    for items in (ITEMS, grouped(30, 0.0)):
        plain, repaired = (wp.build_graph(items, "auto", degree=3, candidates=10, repair=one) for one in (False, True))
        np.testing.assert_array_equal(plain.neighbors, repaired.neighbors)
        assert plain.reachable() < 1 == repaired.reachable()
        assert repaired.deferred is not None
        assert repaired.penalty > 0


def test_repair_makes_every_row_reachable_from_every_entry() -> None:
    graph = wp.build_graph(ITEMS, "ip-nsw", degree=3, candidates=10, repair=True)
    assert all(graph.reachable(row) == 1 for row in range(0, len(ITEMS), 7))


def test_the_same_seed_gives_the_same_graph_on_any_number_of_threads() -> None:
    one, two, again = (wp.build_graph(ITEMS, "moebius", threads=threads) for threads in (1, 2, 2))
    np.testing.assert_array_equal(one.neighbors, two.neighbors)
    np.testing.assert_array_equal(two.neighbors, again.neighbors)


@pytest.mark.parametrize("most", [10_000, 2**40, 2**70])
def test_more_candidates_and_larger_batches_than_there_are_items(most: int) -> None:
    graph = wp.build_graph(ITEMS, "ipdg", degree=4, candidates=most, batch=most)
    same = wp.build_graph(ITEMS, "ipdg", degree=4, candidates=len(ITEMS), batch=len(ITEMS))
    np.testing.assert_array_equal(graph.neighbors, same.neighbors)


def test_progress_is_told_and_may_stop_the_building() -> None:
    told: list[tuple[int, int]] = []
    wp.build_graph(ITEMS, "ipdg", progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wp.build_graph(ITEMS, "ipdg", progress=stop)


def test_a_graph_made_by_hand_is_converted_and_checked() -> None:
    graph = wp.Graph("by-hand", 1, np.array([[1], [0]], np.int64), entry=1)
    assert graph.neighbors.dtype == np.int32
    assert len(graph) == 2


@pytest.mark.parametrize(
    ("degree", "neighbors", "entry", "words"),
    [
        (1, np.zeros((0, 1), np.int32), 0, r"neighbors has dtype int32 and shape \(0, 1\)"),
        (1, np.zeros(3, np.int32), 0, r"neighbors has dtype int32 and shape \(3,\)"),
        (1, np.zeros((3, 1)), 0, "neighbors has dtype float64"),
        (2, np.zeros((3, 1), np.int32), 0, "degree is 2 but neighbors has 1 columns; make them equal."),
        (1, np.zeros((3, 1), np.int32), 3, "entry is row 3 but there are only 3 items; pass a row from 0 to 2."),
    ],
)
def test_parts_of_a_graph_that_do_not_fit_are_refused(
    degree: int, neighbors: np.ndarray, entry: int, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        wp.Graph("by-hand", degree, neighbors, entry)


@pytest.mark.parametrize("ids", [[4], [-2], [], [0.5]])
def test_answers_outside_the_graph_are_refused(ids: list[float]) -> None:
    with pytest.raises((ValueError, TypeError), match="^ids "):
        BY_HAND.reachable_answers(ids)


def test_no_answers_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="ids holds no answer; pass at least one row that is not -1."):
        BY_HAND.reachable_answers([[-1, -1]])


def test_a_repair_leaves_the_neighbours_alone_or_keeps_to_the_degree() -> None:
    items = np.random.default_rng(1).standard_normal((400, 6), dtype=np.float32)
    plain, deferred, within = (
        wp.build_graph(items, "ip-nsw", degree=4, candidates=10, repair=repair)
        for repair in (False, True, "within-degree")
    )
    assert plain.reachable() < 1
    assert deferred.reachable() == within.reachable() == 1
    np.testing.assert_array_equal(deferred.neighbors, plain.neighbors)
    assert within.deferred is None
    assert within.neighbors.shape == plain.neighbors.shape
