"""The step of ALS that gives a user a factor, for users who were not in training; it needs NumPy alone.

A user's factor is the x that minimises, over all items i, c_i (p_i - x.y_i)^2 + lambda |x|^2, where p_i is 1 for the
items of this user and else 0, and the confidence c_i is alpha times the rating for those and else 1 (Hu, Koren and
Volinsky 2008, as the library implicit has it). So x = (Y'Y + sum (c_i - 1) y_i y_i' + lambda I)^-1 sum c_i y_i.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Liked = Iterable[Any]
BLOCK = 1 << 14  # items at a time


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """Solves for users by items that were divided by `scale`."""

    items: Floats
    scale: float
    alpha: float
    regularization: float

    @cached_property
    def _gram(self) -> Doubles:
        """Y'Y of the model's own items, in double precision; block by block, so that no copy of all items is made."""
        width = self.items.shape[1]
        gram = np.zeros((width, width))
        for start in range(0, len(self.items), BLOCK):
            block = self.items[start : start + BLOCK].astype(np.float64)
            gram += block.T @ block
        return np.multiply(gram, self.scale**2, dtype=np.float64)

    def queries(self, rows: list[NDArray[np.int64]], ratings: list[Doubles]) -> Floats:
        """One unit vector for each list of item rows; zeros where no item of the list has a factor."""
        solved = np.zeros((len(rows), self.items.shape[1]))
        for place, (liked, rating) in enumerate(zip(rows, ratings, strict=True)):
            if len(liked):
                solved[place] = self._solve(liked, rating * self.alpha)
        norms = np.linalg.norm(solved, axis=1, keepdims=True)
        return np.ascontiguousarray(solved / np.where(norms > 0, norms, 1), np.float32)

    def _solve(self, liked: NDArray[np.int64], confidence: Doubles) -> Doubles:
        factors = self.items[liked].astype(np.float64) * self.scale
        left = self._gram + (factors.T * (confidence - 1)) @ factors
        left[np.diag_indices_from(left)] += self.regularization
        right = factors.T @ confidence
        try:
            return np.asarray(np.linalg.solve(left, right), np.float64)
        except np.linalg.LinAlgError:  # fewer items than factors and no penalty
            return np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], np.float64)


def as_liked(
    liked: Liked, weights: Any, items: int, row_of: Mapping[Any, int] | None, unknown: str
) -> tuple[list[NDArray[np.int64]], list[Doubles]]:
    """The rows and ratings of each user, checked; an item named twice counts twice."""
    if unknown not in ("raise", "skip"):
        raise ValueError(f'unknown is {unknown!r}; pass "raise" or "skip".')
    if hasattr(liked, "tocsr"):
        return _of_matrix(liked.tocsr(), items)
    users = _lists(liked)
    rated = _lists(weights) if weights is not None else [[1.0] * len(user) for user in users]
    if [len(user) for user in users] != [len(user) for user in rated]:
        raise ValueError("weights does not have the form of liked; pass one weight for each liked item.")
    rows, ratings = [], []
    for place, (user, own) in enumerate(zip(users, rated, strict=True)):
        found = [(_row(item, items, row_of, unknown), weight) for item, weight in zip(user, own, strict=True)]
        known = [pair for pair in found if pair[0] >= 0]
        if not known:
            raise ValueError(f"liked names no known item for user {place}; name at least one item.")
        merged: dict[int, float] = {}
        for row, weight in known:
            merged[row] = merged.get(row, 0.0) + weight
        rows.append(np.array(list(merged), np.int64))
        ratings.append(_checked(np.array(list(merged.values()), np.float64)))
    return rows, ratings


def _of_matrix(matrix: Any, items: int) -> tuple[list[NDArray[np.int64]], list[Doubles]]:
    if matrix.shape[1] != items:
        raise ValueError(f"liked has {matrix.shape[1]} columns where there are {items} items; give both as many.")
    matrix.sum_duplicates()
    data = _checked(matrix.data.astype(np.float64))
    spans = list(zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True))
    return [matrix.indices[a:b].astype(np.int64) for a, b in spans], [data[a:b] for a, b in spans]


def _lists(liked: Any) -> list[Sequence[Any]]:
    if isinstance(liked, (str, bytes)):
        raise TypeError("liked is a single string; pass a list of items.")
    listed = list(liked)
    nested = [not isinstance(one, (str, bytes)) and isinstance(one, Iterable) for one in listed]
    if any(nested) and not all(nested):
        raise TypeError("liked mixes items and lists of items; pass one list of items, or a list of such lists.")
    return [list(one) for one in listed] if any(nested) else [listed]


def _row(item: Any, items: int, row_of: Mapping[Any, int] | None, unknown: str) -> int:
    item = item.item() if isinstance(item, np.generic) else item
    if row_of is not None:
        row = row_of.get(item, -1)
    else:
        row = item if isinstance(item, int) and not isinstance(item, bool) and 0 <= item < items else -1
    if row < 0 and unknown == "raise":
        what = "no known item" if row_of is not None else f"no row of {items} items"
        raise ValueError(f'liked holds {item!r}, which is {what}; leave it out, or pass unknown="skip".')
    return row


def _checked(ratings: Doubles) -> Doubles:
    if not np.isfinite(ratings).all() or (ratings < 0).any():
        raise ValueError("weights holds NaN, infinity or negative numbers; pass finite numbers of 0 or more.")
    return ratings
