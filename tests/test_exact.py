"""Exact search against a stable sort of all the scores."""

import numpy as np
import pytest
from numpy.typing import NDArray

import waypost as wp

Matrix = NDArray[np.float32]


def whole_numbers(n: int, d: int, seed: int) -> Matrix:
    """Few different values: many scores are tied, and float32 sums are exact whatever their order."""
    return np.random.default_rng(seed).integers(-2, 3, (n, d)).astype(np.float32)


def sorted_by_numpy(items: Matrix, queries: Matrix, k: int) -> tuple[NDArray[np.int64], Matrix]:
    scores = queries @ items.T
    ids = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return ids, np.take_along_axis(scores, ids, axis=1)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 96, 100, 127, 128, 130])
def test_equals_a_stable_sort_with_ties_and_duplicates(d: int, threads: int) -> None:
    items, queries = whole_numbers(211, d, seed=d), whole_numbers(37, d, seed=d + 1)
    items[50:60] = items[:10]
    ids, scores = sorted_by_numpy(items, queries, 12)
    truth = wp.exact_search(items, queries, k=12, threads=threads)
    assert truth.ids.dtype == np.int64
    assert truth.scores.dtype == np.float32
    np.testing.assert_array_equal(truth.ids, ids)
    np.testing.assert_array_equal(truth.scores, scores)


@pytest.mark.parametrize(("n", "m", "k"), [(1, 1, 1), (1, 5, 1), (5, 1, 5), (300, 1, 300), (1000, 3, 1), (70, 70, 70)])
def test_any_k_up_to_all_the_items(n: int, m: int, k: int) -> None:
    items, queries = whole_numbers(n, 9, seed=1), whole_numbers(m, 9, seed=2)
    np.testing.assert_array_equal(wp.exact_search(items, queries, k).ids, sorted_by_numpy(items, queries, k)[0])


@pytest.mark.parametrize("value", [0, 1, -1])
def test_equal_scores_go_to_the_lower_row(value: int) -> None:
    items = np.full((500, 6), value, np.float32)
    truth = wp.exact_search(items, np.ones((3, 6), np.float32), k=20)
    assert truth.ids.tolist() == [list(range(20))] * 3


def test_the_number_of_threads_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    items, queries = rng.standard_normal((3000, 50), np.float32), rng.standard_normal((700, 50), np.float32)
    one, two = (wp.exact_search(items, queries, k=10, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.ids, two.ids)
    np.testing.assert_array_equal(one.scores, two.scores)


def test_real_numbers_are_near_those_of_float64() -> None:
    rng = np.random.default_rng(4)
    items, queries = rng.standard_normal((2000, 96), np.float32), rng.standard_normal((50, 96), np.float32)
    truth = wp.exact_search(items, queries, k=10)
    scores = queries.astype(np.float64) @ items.T.astype(np.float64)
    np.testing.assert_allclose(truth.scores, -np.sort(-scores, axis=1)[:, :10], rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(np.take_along_axis(scores, truth.ids, axis=1), truth.scores, rtol=1e-5, atol=1e-4)


def test_progress_is_told_and_may_stop_the_search() -> None:
    items, queries = whole_numbers(2000, 8, seed=5), whole_numbers(2000, 8, seed=6)
    told: list[tuple[int, int]] = []
    wp.exact_search(items, queries, threads=1, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wp.exact_search(items, queries, threads=1, progress=stop)


def test_a_truth_cannot_be_changed_by_accident() -> None:
    truth = wp.exact_search(np.eye(2), np.eye(2), k=1)
    with pytest.raises(AttributeError):
        truth.ids = np.zeros((2, 1))  # type: ignore[misc]
