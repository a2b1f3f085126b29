"""Matrices and whole numbers: what is converted, what is taken as it is, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from waypost.arguments import as_count, as_matrix


def test_a_fitting_matrix_is_taken_as_it_is() -> None:
    matrix = np.ones((3, 2), np.float32)
    assert as_matrix(matrix, "items") is matrix


@pytest.mark.parametrize("dtype", ["f2", "f8", ">f4", "<i2", "i4", "i8", "u1", "u8", "?", "longdouble"])
def test_lossless_dtypes_are_converted(dtype: str) -> None:
    values = np.array([[0, 1], [1, 0], [1, 1]])
    converted = as_matrix(values.astype(dtype), "items")
    assert converted.dtype == np.float32
    assert converted.flags.c_contiguous
    assert converted.tolist() == values.tolist()


@pytest.mark.parametrize(
    "values",
    [
        np.arange(12, dtype=np.float32).reshape(3, 4).T,
        np.asfortranarray(np.arange(12, dtype=np.float32).reshape(4, 3)),
        np.arange(24, dtype=np.float32).reshape(4, 6)[:, ::2],
        np.frombuffer(b"\0" + np.arange(12, dtype=np.float32).tobytes(), np.float32, offset=1).reshape(4, 3),
        [[1, 2, 3]],
        ((0.5, 0.25),),
    ],
    ids=["transposed", "fortran", "strided", "unaligned", "list", "tuple"],
)
def test_any_order_is_made_contiguous(values: object) -> None:
    converted = as_matrix(values, "items")
    assert converted.flags.c_contiguous
    assert converted.flags.aligned
    assert converted.tolist() == np.asarray(values).tolist()


@pytest.mark.parametrize("value", [0.1, 1e300, 2.0**24 + 1, 1e-60])
def test_float64_that_float32_cannot_hold_is_refused_with_the_remedy(value: float) -> None:
    with pytest.raises(TypeError, match=r"items is float64 and would lose precision.*items\.astype\(np\.float32\)"):
        as_matrix(np.array([[value]]), "items")


@pytest.mark.parametrize("value", [2**24 + 1, 2**53 + 1])
def test_whole_numbers_that_float32_cannot_hold_are_refused(value: int) -> None:
    with pytest.raises(TypeError, match="lose precision"):
        as_matrix(np.array([[value]], np.int64), "items")


@given(arrays.arrays(np.float64, (3, 2), elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_float64_comes_through_unchanged_or_not_at_all(values: np.ndarray) -> None:
    try:
        converted = as_matrix(values, "items")
    except TypeError:
        with np.errstate(over="ignore"):
            assert (values.astype(np.float32) != values).any()
    else:
        assert (converted == values).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_first_row_that_is_not_finite_is_named(dtype: type, bad: float) -> None:
    values = np.ones((5, 3), dtype)
    values[3, 1] = values[4, 0] = bad
    with pytest.raises(ValueError, match="queries holds NaN or infinity, first in row 3;"):
        as_matrix(values, "queries")


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        (np.ones(3), ValueError, "has 1 dimensions"),
        (np.ones((1, 1, 1)), ValueError, "has 3 dimensions"),
        (np.float32(1), ValueError, "has 0 dimensions"),
        (np.ones((0, 3)), ValueError, r"is empty \(shape \(0, 3\)\)"),
        (np.ones((3, 0)), ValueError, r"is empty \(shape \(3, 0\)\)"),
        ([["a"]], TypeError, "has dtype <U1"),
        ([[1j]], TypeError, "has dtype complex128"),
        (np.array([[None]]), TypeError, "has dtype object"),
        (np.broadcast_to(np.float32(0), (2**31, 1)), ValueError, "has 2147483648 rows, too many for int32"),
    ],
)
def test_what_is_no_matrix_is_refused(values: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=f"^items {words}.*; pass .*\\.$"):
        as_matrix(values, "items")


@pytest.mark.parametrize("value", [7, np.int8(7), np.uint64(7), np.array(7)])
def test_whole_numbers_of_any_type_are_taken(value: object) -> None:
    count = as_count(value, "k")
    assert type(count) is int
    assert count == 7


@pytest.mark.parametrize(
    ("value", "error", "sentence"),
    [
        (0, ValueError, "k is 0; pass 1 or more."),
        (-3, ValueError, "k is -3; pass 1 or more."),
        (11, ValueError, "k is 11; pass 10 or less."),
        (True, TypeError, "k is a bool; pass a whole number."),
        (2.0, TypeError, "k is of type float; pass a whole number."),
        ("2", TypeError, "k is of type str; pass a whole number."),
        (None, TypeError, "k is of type NoneType; pass a whole number."),
    ],
)
def test_other_numbers_are_refused(value: object, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        as_count(value, "k", most=10)
    assert str(caught.value) == sentence
