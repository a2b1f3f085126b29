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
        (("largest-norm", 3), [[1, 2, 3]]),
        (["largest-norm", 1], [[1]]),
        (("largest-norm", 9), [[1, 2, 3, 0]]),
        (("first", 2), [[0, 1]]),
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
        (("biggest", 3), ValueError, "entry is 'biggest'; pass one of largest-norm"),
        (("first", 0), ValueError, "entry's number of rows is 0; pass 1 or more."),
        (("first", 1.5), TypeError, "entry's number of rows is of type float; pass a whole number."),
        (("first",), ValueError, r"entry is \('first',\); pass a rule and how many rows it is to give."),
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


def test_a_random_block_is_drawn_without_repeats_by_the_seed() -> None:
    items = np.ones((50, 1), np.float32)
    drawn = [entry_rows(("random", 20), items, queries=4, seed=seed) for seed in range(5)]
    assert [rows.shape for rows in drawn] == [(1, 20)] * 5
    assert all(len(set(rows[0].tolist())) == 20 for rows in drawn)
    assert drawn[0].tolist() != drawn[1].tolist()
    np.testing.assert_array_equal(drawn[1], entry_rows(("random", 20), items, queries=9, seed=1))


MANY = np.random.default_rng(0).standard_normal((300, 6)).astype(np.float32)
LONGEST = np.argsort(-np.linalg.norm(MANY.astype(np.float64), axis=1), kind="stable")


def visited(index: wp.Index, budget: int, **options: object) -> list[int]:
    return index.search(MANY[:1], k=1, budget=budget, trace=True, **options).trace[0].rows.tolist()


def starting_by_search() -> wp.Index:
    return wp.Index(MANY, wp.build_graph(MANY, "ip-nsw", degree=6, repair=True))


def starting_by_router() -> wp.Index:
    return wp.Index(MANY, wp.build_graph(MANY, "ip-nsw", degree=6, repair=True), wp.Router(entry=("largest-norm", 40)))


def starting_by_graph() -> wp.Index:
    return wp.Index(MANY, wp.build_graph(MANY, "ip-nsw", degree=6, repair=True, entry=("largest-norm", 40)))


@pytest.mark.parametrize("make", [starting_by_search, starting_by_router, starting_by_graph])
def test_a_block_of_entries_is_paid_for_and_takes_at_most_a_quarter_of_the_budget(make) -> None:
    index = make()
    options = {"entry": ("largest-norm", 40)} if make is starting_by_search else {}
    for budget, entries in ((200, 40), (160, 40), (159, 39), (20, 5), (3, 1), (1, 1)):
        rows = visited(index, budget, **options)
        assert rows[:entries] == LONGEST[:entries].tolist()
        assert len(rows) == len(set(rows)) == budget
        answer = index.search(MANY[:5], k=1, budget=budget, **options)
        assert answer.cost.tolist() == [budget] * 5
        assert index.search(MANY[:1], k=1, budget=budget, trace=True, **options).ids[0, 0] == answer.ids[0, 0]


def test_a_block_leaves_room_for_what_is_scored_again() -> None:
    index = wp.Index(MANY, wp.build_graph(MANY, "ip-nsw"), wp.Router(vectors=MANY[:, :4], query_matrix=np.eye(4, 6)))
    answer = index.search(MANY[:3], k=2, budget=60, rerank=50, entry=("first", 30))
    assert answer.cost.tolist() == [10 + 10] * 3


def test_a_graph_keeps_its_block() -> None:
    graph = wp.build_graph(ITEMS, "ip-nsw", degree=2, entry=("largest-norm", 3))
    assert (graph.entry, graph.block, graph.start) == (1, ("largest-norm", 3), ("largest-norm", 3))
    assert wp.Index(ITEMS, graph).router.entry == ("largest-norm", 3)
    assert wp.build_graph(ITEMS, "ip-nsw", degree=2).start == 1
