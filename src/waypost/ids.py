"""The user's own ids. Text is kept as UTF-8 bytes and offsets, so that a mapped file is not decoded on load."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.errors import WaypostError

Longs = NDArray[np.int64]

MISSING = -1  # the row, and the whole-number id, of an answer that was not found
FEW = 100  # answers for which looking for repeats costs more than it saves


@dataclass(frozen=True, eq=False, slots=True)
class IntIds:
    """Whole numbers, by row."""

    values: Longs

    def __len__(self) -> int:
        return len(self.values)

    def of_rows(self, rows: Longs) -> NDArray[Any]:
        found = self.values.take(rows)  # a missing row, -1, reads the last id here and is mended below
        # Missing answers stand at the end of a row; of a single row one number tells, which is the quicker question.
        if (rows.item(-1) if len(rows) == 1 else rows[:, -1].min()) < 0:
            found[rows < 0] = MISSING
        return found

    def all(self) -> NDArray[Any]:
        return self.values


@dataclass(frozen=True, eq=False, slots=True)
class TextIds:
    """Strings, by row: row r is the UTF-8 bytes from offsets[r] up to offsets[r + 1]."""

    data: NDArray[np.uint8]
    offsets: Longs

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of_rows(self, rows: Longs) -> NDArray[Any]:
        if rows.size <= FEW:
            return _array_of_objects([self._text(row) for row in rows.ravel().tolist()]).reshape(rows.shape)
        # Few items are ever an answer, so each is decoded once.
        distinct, places = np.unique(rows, return_inverse=True)
        texts = _array_of_objects([self._text(row) for row in distinct.tolist()])
        return texts[places].reshape(rows.shape)

    def all(self) -> NDArray[Any]:
        return self.of_rows(np.arange(len(self)))

    def _text(self, row: int) -> str | None:
        if row < 0:
            return None
        # Slices of numpy stay inside the array whatever the offsets are: a mapped file is not checked for damage.
        start, end = max(self.offsets.item(row), 0), max(self.offsets.item(row + 1), 0)
        try:
            return self.data[start:end].tobytes().decode()
        except UnicodeDecodeError:
            raise WaypostError(f"the id of row {row} is damaged; build or copy the index again.") from None


OwnIds = IntIds | TextIds


def as_ids(ids: Iterable[Any], n: int) -> OwnIds:
    """Checks the ids of `n` items: one each, all whole numbers or all strings, none twice."""
    values = _as_array(ids)
    if len(values) != n:
        raise ValueError(f"ids has {len(values)} entries for {n} items; pass one id an item.")
    if values.dtype.kind in "iu":
        return _int_ids(values)
    listed = values.tolist()
    if all(isinstance(value, str) for value in listed):
        return _text_ids(listed)
    if all(_is_whole(value) for value in listed):
        return _int_ids(values)
    raise TypeError("ids must be all whole numbers or all strings; convert them to one of the two.")


def _as_array(ids: Iterable[Any]) -> NDArray[Any]:
    if isinstance(ids, (str, bytes)):
        raise TypeError(f"ids is a single {type(ids).__name__}; pass a list or an array with one id an item.")
    # A list goes through objects: numpy would turn [1, "a"] into strings without a word.
    values = np.asarray(ids) if hasattr(ids, "__array__") else _array_of_objects(ids)
    if values.ndim != 1:
        raise ValueError(f"ids has {values.ndim} dimensions; pass a flat list or array with one id an item.")
    return values


def _array_of_objects(ids: Iterable[Any]) -> NDArray[Any]:
    try:
        listed = list(ids)
    except TypeError:
        raise TypeError(f"ids is of type {type(ids).__name__}; pass a list or an array with one id an item.") from None
    values = np.empty(len(listed), object)
    values[:] = listed
    return values


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _int_ids(values: NDArray[Any]) -> IntIds:
    try:
        numbers = values.astype(np.int64)
    except OverflowError:
        raise ValueError("ids holds a number too large for int64; pass smaller numbers or strings.") from None
    if values.dtype == np.uint64 and (numbers < 0).any():
        raise ValueError("ids holds a number too large for int64; pass smaller numbers or strings.")
    if (numbers == MISSING).any():
        raise ValueError(f"ids holds {MISSING}, which stands for a missing answer; pass another number for that item.")
    ordered = np.sort(numbers)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(repeated):
        raise _repeated(int(repeated[0]))
    return IntIds(numbers)


def _text_ids(texts: list[str]) -> TextIds:
    if len(set(texts)) < len(texts):
        raise _repeated(_first_repeated(texts))
    try:
        encoded = [text.encode() for text in texts]
    except UnicodeEncodeError as error:
        raise ValueError(f"ids holds {error.object!r}, which UTF-8 cannot hold; pass valid Unicode.") from None
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    return TextIds(np.frombuffer(b"".join(encoded), np.uint8), offsets)


def _first_repeated(texts: list[str]) -> str:
    seen: set[str] = set()
    return next(text for text in texts if text in seen or seen.add(text))  # type: ignore[func-returns-value]


def _repeated(value: object) -> ValueError:
    return ValueError(f"ids holds {value!r} more than once; pass an id of its own for each item.")
