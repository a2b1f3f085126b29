"""The other way round: from the caller's ids to rows."""

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.ids import MISSING, IntIds, Longs, OwnIds

Rows = NDArray[np.int32]
Numbering = tuple[Rows, Rows] | tuple[()]

NO_ID = -2  # the row of what is no id at all; MISSING is the row of the mark for a missing answer
MOST_WASTE = 4  # numbers lie close together when they span no more than so many times their count


def rows_by_id(ids: NDArray[Any] | None) -> dict[Any, int] | None:
    """For those who ask for one id after another; None where rows are the ids. Of equal ids the last counts.

    >>> rows_by_id(np.array([12, 10]))
    {12: 0, 10: 1}
    """
    return None if ids is None else {own: row for row, own in enumerate(ids.tolist())}


class Lookup(Protocol):
    """Finds the rows of many ids at once."""

    whole_numbers: bool
    """Whether the ids are numbers, else text."""
    numbering: Numbering
    """Where the ids are the numbers from 0 on, as rows are, in another order: the rows by id, and the ids by row."""

    def rows(self, ids: NDArray[Any]) -> Rows: ...


def lookup_of(ids: OwnIds | None, n: int) -> Lookup:
    """Of an index with ids of its own, or of rows themselves."""
    if ids is None:
        return RowLookup(n)
    if not isinstance(ids, IntIds):
        return TextLookup(ids.all())
    low, high = int(ids.values.min()), int(ids.values.max())
    return TableLookup(ids.values, low, high) if high - low <= MOST_WASTE * n else SortedLookup(ids.values)


class RowLookup:
    """Without ids, a row is its own.

    >>> RowLookup(3).rows(np.array([2, 3, -1])).tolist()
    [2, -2, -1]
    """

    whole_numbers = True
    numbering: Numbering = ()

    def __init__(self, n: int) -> None:
        self.n = n

    def rows(self, ids: NDArray[Any]) -> Rows:
        if not ids.size or (ids.min() >= 0 and ids.max() < self.n):
            return ids.astype(np.int32, copy=False)
        return _marked(ids, np.where((ids >= 0) & (ids < self.n), ids, NO_ID))


class TableLookup:
    """Numbers close together: one look into a table.

    >>> TableLookup(np.array([12, 10]), 10, 12).rows(np.array([10, 11, 12, 99])).tolist()
    [1, -2, 0, -2]
    """

    whole_numbers = True

    def __init__(self, values: Longs, low: int, high: int) -> None:
        self.low, self.high = low, high
        self.table = np.full(high - low + 1, NO_ID, np.int32)
        self.table[values - low] = np.arange(len(values), dtype=np.int32)
        renumbers = low == 0 and high == len(values) - 1 and bool((self.table >= 0).all())
        self.numbering: Numbering = (self.table, values.astype(np.int32)) if renumbers else ()

    def rows(self, ids: NDArray[Any]) -> Rows:
        if ids.size and ids.min() >= max(self.low, 0) and ids.max() <= self.high:  # most often, and many times quicker
            return self.table.take(ids - self.low if self.low else ids)
        inside = (ids >= self.low) & (ids <= self.high)
        return _marked(ids, np.where(inside, self.table[np.where(inside, ids, self.low) - self.low], NO_ID))


class SortedLookup:
    """Numbers far apart: a search among them in order.

    >>> SortedLookup(np.array([10**12, 5])).rows(np.array([5, 6, 10**12])).tolist()
    [1, -2, 0]
    """

    whole_numbers = True
    numbering: Numbering = ()

    def __init__(self, values: Longs) -> None:
        self.order = np.argsort(values, kind="stable")
        self.values = values[self.order]

    def rows(self, ids: NDArray[Any]) -> Rows:
        places = np.minimum(np.searchsorted(self.values, ids), len(self.values) - 1)
        return _marked(ids, np.where(self.values[places] == ids, self.order[places], NO_ID))


class TextLookup:
    """Text: a dictionary, in which None is a missing answer.

    >>> TextLookup(["tea", "milk"]).rows(np.array(["milk", "salt", None], object)).tolist()
    [1, -2, -1]
    """

    whole_numbers = False
    numbering: Numbering = ()

    def __init__(self, texts: Iterable[str]) -> None:
        self.row_of: dict[Any, int] = {text: row for row, text in enumerate(texts)}
        self.row_of[None] = MISSING

    def rows(self, ids: NDArray[Any]) -> Rows:
        found = (self.row_of.get(value, NO_ID) for value in ids.tolist())
        return np.fromiter(found, np.int32, len(ids))


def _marked(ids: NDArray[Any], rows: NDArray[Any]) -> Rows:
    """The mark of a missing answer is not taken for an unknown id."""
    rows[ids == MISSING] = MISSING
    return rows.astype(np.int32)
