"""Recall by the paper's definition, and the curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import waypost as wp

RNG = np.random.default_rng(0)
ITEMS = RNG.standard_normal((400, 8)).astype(np.float32)
QUERIES = RNG.standard_normal((30, 8)).astype(np.float32)
INDEX = wp.Index(ITEMS, wp.build_graph(ITEMS, "ip-nsw", degree=8, repair=True))

ROWS = st.lists(st.lists(st.integers(-1, 12), min_size=4, max_size=4), min_size=3, max_size=3)


def without_repeats(row: list[int]) -> list[int]:
    """As answers are: an id at most once, what is missing at the end."""
    kept = [value for value in dict.fromkeys(row) if value >= 0]
    return kept + [-1] * (len(row) - len(kept))


@given(ROWS, ROWS, st.integers(1, 4), st.integers(1, 4))
def test_recall_is_the_papers_sum_over_sets(found: list, truth: list, m: int, n: int) -> None:
    found, truth = [without_repeats(row) for row in found], [without_repeats(row) for row in truth]
    true = [set(row[:m]) - {-1} for row in truth]
    if not any(true):
        return
    hits = sum(len(set(row[:n]) & wanted) for row, wanted in zip(found, true, strict=True))
    assert wp.recall(found, truth, m, n) == pytest.approx(hits / sum(map(len, true)))


def test_recall_is_10_at_10_unless_told_otherwise() -> None:
    found = np.arange(20)[None]
    truth = np.concatenate([np.arange(5), np.arange(10, 25)])[None]
    assert wp.recall(found, truth) == 0.5
    assert wp.recall(found, truth, m=10, n=15) == 1.0
    assert wp.recall(found, truth, m=5, n=1) == 0.2


def test_what_is_missing_is_neither_found_nor_true() -> None:
    assert wp.recall([[1, -1, -1]], [[1, 2, -1]]) == 0.5
    assert wp.recall([[1, 2], [-1, -1]], [[1, 2], [-1, -1]]) == 1.0
    assert wp.recall(np.array([["a", None]], object), np.array([["a", None]], object)) == 1.0
    assert wp.recall(np.array([[None, "a"]], object), np.array([["b", None]], object)) == 0.0


def test_own_ids_below_zero_are_answers() -> None:
    assert wp.recall([[-7, 3]], [[-7, -8]]) == 0.5


def test_more_queries_than_one_block() -> None:
    truth = RNG.permuted(np.tile(np.arange(30), (5000, 1)), axis=1)[:, :10]
    found = truth.copy()
    found[::2, :4] = 99
    assert wp.recall(found, truth) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        (([[1]], [[1], [2]]), ValueError, "found has 1 rows and truth has 2; pass both for the same queries."),
        (([1], [[1]]), ValueError, r"found has dtype int64 and shape (1,); pass a matrix of ids, a row a query."),
        (
            ([[1]], [[1.0]]),
            ValueError,
            "truth has dtype float64 and shape (1, 1); pass a matrix of ids, a row a query.",
        ),
        (([[1]], [["a"]]), TypeError, "found and truth are not ids of one type; take the truth from index.exact."),
        (([[1]], [[-1]]), ValueError, "truth holds no answer at all; pass at least one row with true ids."),
        (([[1]], [[1]], 2), ValueError, "m is 2 but truth has 1 columns; pass 1 or less."),
        (([[1]], [[1]], 1, 2), ValueError, "n is 2 but found has 1 columns; pass 1 or less."),
        (([[1]], [[1]], 0), ValueError, "m is 0; pass 1 or more."),
    ],
)
def test_ids_that_cannot_be_compared_are_refused(arguments: tuple, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        wp.recall(*arguments)
    assert str(caught.value) == sentence


def test_recall_against_budget() -> None:
    truth = INDEX.exact(QUERIES, k=10)
    points = wp.recall_against_budget(INDEX, QUERIES, truth, [16, 64, 400])
    assert [point.budget for point in points] == [16, 64, 400]
    assert [point.cost for point in points] == [16.0, 64.0, 400.0]
    assert [point.recall for point in points] == sorted(point.recall for point in points)
    assert points[-1].recall == 1.0
    assert points == wp.recall_against_budget(INDEX, QUERIES, truth.ids, [16, 64, 400])
    assert points[1].recall == wp.recall(INDEX.search(QUERIES, budget=64).ids, truth.ids)


def test_recall_against_budget_passes_its_options_on() -> None:
    truth = INDEX.exact(QUERIES, k=10)
    [point] = wp.recall_against_budget(INDEX, QUERIES, truth, [50], k=20, m=1, n=20, entry="random", seed=3)
    found = INDEX.search(QUERIES, k=20, budget=50, entry="random", seed=3).ids
    assert point.recall == wp.recall(found, truth.ids, m=1, n=20)


def test_recall_against_speed() -> None:
    truth = INDEX.exact(QUERIES, k=10)
    points = wp.recall_against_speed(INDEX, QUERIES, truth, [16, 400], singles=5, repeats=1)
    recalls = [point.recall for point in wp.recall_against_budget(INDEX, QUERIES, truth, [16, 400])]
    assert [point.recall for point in points] == recalls
    assert all(point.batched_qps > 0 and point.single_qps > 0 for point in points)


def test_a_curve_as_text() -> None:
    assert wp.as_table([wp.SpeedPoint(16, 0.5, 123456.78, 99.0), wp.SpeedPoint(1024, 1.0, 7.0, 5.0)]).splitlines() == [
        "budget  recall  batched_qps  single_qps",
        "    16  0.5000     123456.8        99.0",
        "  1024  1.0000          7.0         5.0",
    ]


def test_an_empty_curve_is_refused() -> None:
    with pytest.raises(ValueError, match="points is empty; pass at least one point of a curve."):
        wp.as_table([])
