"""The user's own ids: whole numbers and strings, in and out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.errors import WaypostError
from waypost.ids import IntIds, TextIds, as_ids

ROWS = np.array([[2, 0], [1, -1]])


@pytest.mark.parametrize("ids", [[30, 10, 20], np.array([30, 10, 20], np.uint16), range(30, 0, -10), (30, 20, 10)])
def test_whole_numbers_become_int64(ids: object) -> None:
    own = as_ids(ids, 3)
    assert isinstance(own, IntIds)
    assert own.all().dtype == np.int64
    assert own.all().tolist() == list(ids)


@pytest.mark.parametrize(
    "ids",
    [["c", "a", "é😀"], np.array(["c", "a", "é😀"]), np.array(["c", "a", "é😀"], object), ("c", "a", "é😀")],
)
def test_strings_become_bytes_and_offsets(ids: object) -> None:
    own = as_ids(ids, 3)
    assert isinstance(own, TextIds)
    assert own.offsets.tolist() == [0, 1, 2, 8]
    assert own.all().tolist() == ["c", "a", "é😀"]


def test_a_missing_answer_is_minus_1_among_whole_numbers() -> None:
    assert as_ids([30, 10, 20], 3).of_rows(ROWS).tolist() == [[20, 30], [10, -1]]


def test_a_missing_answer_is_none_among_strings() -> None:
    found = as_ids(["x", "y", "z"], 3).of_rows(ROWS)
    assert found.dtype == object
    assert found.tolist() == [["z", "x"], ["y", None]]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), unique=True, min_size=1))
def test_any_text_comes_back(texts: list[str]) -> None:
    assert as_ids(texts, len(texts)).all().tolist() == texts


@given(st.lists(st.integers(-(2**63), 2**63 - 1).filter(lambda value: value != -1), unique=True, min_size=1))
def test_any_whole_number_comes_back(numbers: list[int]) -> None:
    assert as_ids(numbers, len(numbers)).all().tolist() == numbers


def test_ids_do_not_change_with_the_callers_array() -> None:
    mine = np.array([5, 6])
    own = as_ids(mine, 2)
    mine[0] = 99
    assert own.all().tolist() == [5, 6]


@pytest.mark.parametrize(
    ("ids", "error", "sentence"),
    [
        ([1, 2], ValueError, "ids has 2 entries for 3 items; pass one id an item."),
        ([1, 2, 1], ValueError, "ids holds 1 more than once; pass an id of its own for each item."),
        (["a", "b", "b"], ValueError, "ids holds 'b' more than once; pass an id of its own for each item."),
        ([1, "a", 2], TypeError, "ids must be all whole numbers or all strings; convert them to one of the two."),
        ([1.0, 2.0, 3.0], TypeError, "ids must be all whole numbers or all strings; convert them to one of the two."),
        ([True, False, 2], TypeError, "ids must be all whole numbers or all strings; convert them to one of the two."),
        (np.array([b"a", b"b", b"c"]), TypeError, "ids must be all whole numbers or all strings"),
        ("abc", TypeError, "ids is a single str; pass a list or an array with one id an item."),
        (7, TypeError, "ids is of type int; pass a list or an array with one id an item."),
        (np.zeros((3, 1), int), ValueError, "ids has 2 dimensions; pass a flat list or array with one id an item."),
        ([0, 1, -1], ValueError, "ids holds -1, which stands for a missing answer; pass another number"),
        ([0, 1, 2**63], ValueError, "ids holds a number too large for int64; pass smaller numbers or strings."),
        (np.array([0, 1, 2**63], np.uint64), ValueError, "ids holds a number too large for int64"),
        (["a", "b", "\ud800"], ValueError, r"ids holds '\ud800', which UTF-8 cannot hold; pass valid Unicode."),
    ],
)
def test_ids_that_cannot_stand_are_refused(ids: object, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        as_ids(ids, 3)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    "offsets",
    [[0, -5, 10**18, 3], [10**18, -(10**18), 2, 3], [-9, -8, -7, -6], [-(2**63), 2**63 - 1, -(2**63), 0], [3, 2, 1, 0]],
)
def test_damaged_offsets_never_reach_outside_the_text(offsets: list[int]) -> None:
    own = TextIds(np.frombuffer(b"abc", np.uint8), np.array(offsets))
    assert all(set(text) <= set("abc") for text in own.all())


def test_damaged_text_is_a_clear_error() -> None:
    own = TextIds(np.array([0xFF], np.uint8), np.array([0, 1]))
    with pytest.raises(WaypostError, match="the id of row 0 is damaged; build or copy the index again."):
        own.of_rows(np.array([[0]]))
