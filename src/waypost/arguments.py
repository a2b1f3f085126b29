"""Checks of what callers pass in: matrices and whole numbers. Each refusal is one sentence that names the remedy."""

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost import _core

Floats = NDArray[np.float32]

MOST_ROWS = 2**31 - 2  # a row is an int32 in every graph, and so is the count of them and one more
MOST_SEED = 2**63 - 1
MOST_THREADS = 4096


def as_matrix(values: ArrayLike, name: str) -> Floats:
    """`values` as a float32, C-contiguous, finite matrix; the very same object when it is one already."""
    matrix = as_float32(values, name)
    check_finite(matrix, name)
    return matrix


def as_float32(values: ArrayLike, name: str) -> Floats:
    """`values` as a float32, C-contiguous matrix, its numbers not looked at when they are float32 already."""
    matrix = _as_array(values, name)
    _check_shape(matrix, name)
    return _converted(matrix, name)


def check_finite(matrix: Floats, name: str) -> None:
    if not _core.all_finite(matrix):
        row = int(np.argmin(np.isfinite(matrix).all(axis=1)))
        raise ValueError(f"{name} holds NaN or infinity, first in row {row}; remove or repair such rows.")


def check_width(matrix: Floats, name: str, width: int, other: str) -> None:
    if matrix.shape[1] != width:
        raise ValueError(f"{name} has {matrix.shape[1]} columns where {other} has {width}; give both the same width.")


def as_count(value: object, name: str, *, least: int = 1, most: int | None = None) -> int:
    """`value` as a Python int of at least `least` and at most `most`."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is a bool; pass a whole number.")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is of type {type(value).__name__}; pass a whole number.") from None
    if number < least:
        raise ValueError(f"{name} is {number}; pass {least} or more.")
    if most is not None and number > most:
        raise ValueError(f"{name} is {number}; pass {most} or less.")
    return number


def as_seed(value: object) -> int:
    return as_count(value, "seed", least=0, most=MOST_SEED)


def as_threads(value: object) -> int:
    return as_count(value, "threads", least=0, most=MOST_THREADS)


def check_k(value: object, n: int) -> int:
    k = as_count(value, "k")
    if k > n:
        raise ValueError(f"k is {k} but there are only {n} items; pass k={n} or less.")
    return k


def check_progress(progress: object) -> None:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is of type {type(progress).__name__}; pass a function of (done, total), or None.")


def _as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths; pass a matrix, one vector a row.") from None


def _check_shape(matrix: NDArray[np.generic], name: str) -> None:
    if matrix.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {matrix.dtype}; pass a dense matrix of numbers, best of float32.")
    if matrix.ndim != 2:
        hint = f", such as {name}[None, :]" if matrix.ndim == 1 else ""
        raise ValueError(f"{name} has {matrix.ndim} dimensions; pass a matrix, one vector a row{hint}.")
    if matrix.size == 0:
        raise ValueError(f"{name} is empty (shape {matrix.shape}); pass at least one row and one column.")
    if len(matrix) > MOST_ROWS:
        raise ValueError(f"{name} has {len(matrix)} rows, too many for int32 row numbers; pass {MOST_ROWS} or fewer.")


def _converted(matrix: NDArray[np.generic], name: str) -> Floats:
    """Converts only where that loses nothing: silently rounded factors would be searched as other factors."""
    with np.errstate(over="ignore", invalid="ignore"):
        converted: Floats = np.require(matrix, np.float32, ["C_CONTIGUOUS", "ALIGNED"])
        lossless = matrix.dtype.kind == "b" or np.can_cast(matrix.dtype, np.float32)
        if not lossless and not _same_values(matrix, converted):
            raise TypeError(
                f"{name} is {matrix.dtype} and would lose precision as float32; pass {name}.astype(np.float32)."
            )
    return converted


def _same_values(matrix: NDArray[np.generic], converted: Floats) -> bool:
    back = converted.astype(matrix.dtype)
    return bool(np.array_equal(back, matrix, equal_nan=matrix.dtype.kind == "f"))
