"""Entry rules become rows."""

import numpy as np
import pytest

import waypost as wp
from waypost.entry import entry_row, entry_rows

ITEMS = np.array([[1, 0], [0, 3], [-3, 0], [0, 2]], np.float32)


def test_largest_norm_is_the_lower_of_equal_rows() -> None:
    assert entry_row("largest-norm", ITEMS) == 1


def test_largest_norm_over_many_blocks() -> None:
    items = np.ones((30_001, 3), np.float32)
    items[[20_000, 30_000]] = 2
    assert entry_row("largest-norm", items) == 20_000


def test_largest_norm_of_numbers_whose_squares_are_beyond_float32() -> None:
    assert entry_row("largest-norm", np.array([[1e25], [3e25], [2e25]], np.float32)) == 1


def test_largest_norm_of_equal_rows_is_the_first_whatever_the_width() -> None:
    for d in range(1, 40):
        row = np.random.default_rng(d).standard_normal((1, d)).astype(np.float32)
        assert entry_row("largest-norm", np.repeat(row, 20_000, axis=0)) == 0


def test_first_is_row_0() -> None:
    assert entry_row("first", ITEMS) == 0


def test_random_is_drawn_by_the_seed_and_is_one_row_for_all_queries() -> None:
    items = np.ones((1000, 1), np.float32)
    drawn = [entry_row("random", items, seed) for seed in range(20)]
    assert drawn == [entry_row("random", items, seed) for seed in range(20)]
    assert len(set(drawn)) > 10
    assert entry_rows("random", items, queries=7, seed=3).tolist() == [[drawn[3]]]


@pytest.mark.parametrize(
    ("entry", "rows"),
    [
        (2, [[2]]),
        (np.int64(2), [[2]]),
        (np.array(2), [[2]]),
        ([0, 1, 3], [[0], [1], [3]]),
        (np.array([[0, 1], [1, 2], [2, 3]]), [[0, 1], [1, 2], [2, 3]]),
        (np.array([[3, 0, 1]], np.uint8), [[3, 0, 1]]),
    ],
)
def test_rows_of_the_callers_own(entry: object, rows: list[list[int]]) -> None:
    found = entry_rows(entry, ITEMS, queries=3)
    assert found.dtype == np.int32
    assert found.flags.c_contiguous
    assert found.tolist() == rows


@pytest.mark.parametrize(
    ("entry", "error", "words"),
    [
        ("biggest", ValueError, "entry is 'biggest'; pass one of largest-norm, first, random, or a row."),
        (4, ValueError, "entry is row 4 but there are only 4 items; pass a row from 0 to 3."),
        (-1, ValueError, "entry is -1; pass 0 or more."),
        (1.0, TypeError, "entry is of type float; pass a whole number."),
        ([0, 1], ValueError, r"entry has shape \(2,\) for 3 queries; pass one row a query"),
        (np.zeros((2, 2), int), ValueError, r"entry has shape \(2, 2\) for 3 queries"),
        (np.zeros((3, 0), int), ValueError, r"entry has shape \(3, 0\) for 3 queries"),
        (np.zeros((3, 1, 1), int), ValueError, r"entry has shape \(3, 1, 1\) for 3 queries"),
        ([0, 1, 4], ValueError, "entry holds row 4 but there are only 4 items; pass rows 0 to 3."),
        ([0, -1, 2], ValueError, "entry holds row -1 but there are only 4 items; pass rows 0 to 3."),
        ([0.0, 1.0, 2.0], TypeError, "entry has dtype float64; pass whole numbers, the rows to start from."),
    ],
)
def test_what_names_no_row_is_refused(entry: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        entry_rows(entry, ITEMS, queries=3)


def test_a_graph_keeps_the_row_of_its_rule() -> None:
    assert wp.build_graph(ITEMS, "ip-nsw", degree=2).entry == 1
    assert wp.build_graph(ITEMS, "ip-nsw", degree=2, entry="first").entry == 0
    assert wp.build_graph(ITEMS, "ip-nsw", degree=2, entry=3).entry == 3
    random = wp.build_graph(ITEMS, "ip-nsw", degree=2, entry="random", seed=5)
    assert random.entry == entry_row("random", ITEMS, 5)
