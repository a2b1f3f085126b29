"""What a call's queries may not be answered with, and what alone they may be: from the caller's forms to rows."""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.id_lookup import NO_ID, Lookup, Rows
from waypost.ids import Longs

Lists = tuple[Longs, Rows]  # offsets, one more than there are queries, and the rows of all of them end to end


def as_filter(exclude: object, allow: object, queries: int, items: int, lookup: Lookup) -> _core.Filter | None:
    """The native filter of a call; None when nothing is filtered.

    >>> from waypost.id_lookup import RowLookup
    >>> as_filter(None, None, 2, 5, RowLookup(5)) is None
    True
    """
    if exclude is None and allow is None:
        return None
    allowed = None if allow is None else np.unique(_known(_flat_ids(allow, "allow"), "allow", lookup))
    if exclude is None:
        return _core.Filter(items, allowed=allowed)
    if _is_sparse(exclude):
        return _sparse_filter(exclude, queries, items, allowed, lookup)
    if not hasattr(exclude, "__array__"):
        exclude = _as_list(exclude, "exclude")  # an iterator can be gone through once
    lists = _lists_in(exclude)
    if lists is None:
        return _core.Filter(items, barred=_known(_flat_ids(exclude, "exclude"), "exclude", lookup), allowed=allowed)
    if len(lists) != queries:
        raise ValueError(
            f"exclude has {len(lists)} lists for {queries} queries; pass one a query, or one flat list for all of them."
        )
    offsets, rows = _joined(lists, lookup)
    return _core.Filter(items, offsets, rows, allowed=allowed)


def read_again(values: object) -> bool:
    """Whether what a filter is made of can be read a second time.

    >>> read_again([3, 5]), read_again(iter([3, 5]))
    (True, False)
    """
    return values is None or hasattr(values, "__len__") or hasattr(values, "indptr")


def _is_sparse(values: object) -> bool:
    return hasattr(values, "indptr") or hasattr(values, "tocsr")


def _sparse_filter(matrix: Any, queries: int, items: int, allowed: Rows | None, lookup: Lookup) -> _core.Filter:
    """Every stored entry is excluded, whatever its value. A column is an id where the ids are the numbers of the items,
    as they are after a reordering, and else a row."""
    shape = tuple(getattr(matrix, "shape", ()))
    if shape and shape != (queries, items):
        raise ValueError(
            f"exclude has shape {shape} for {queries} queries and {items} items; pass a row a query and a column an "
            "item."
        )
    if hasattr(matrix, "tocsr"):
        matrix = matrix.tocsr()
    try:
        offsets = np.ascontiguousarray(matrix.indptr, np.int64)
        if len(offsets) != queries + 1:
            raise ValueError
        columns = _as_int32(np.asarray(matrix.indices))
        return _core.Filter(items, offsets, columns, None, allowed, *lookup.numbering)
    except (AttributeError, TypeError, ValueError):
        raise ValueError(
            "exclude is no sound sparse matrix; pass a scipy CSR matrix whose indptr rises from 0 to the number of its "
            f"indices, which are columns from 0 to {items - 1}."
        ) from None


def _as_int32(rows: NDArray[Any]) -> Rows:
    if rows.dtype.kind not in "iu":
        raise TypeError
    if rows.dtype.itemsize > 4 and rows.size and (rows.min() < 0 or rows.max() > np.iinfo(np.int32).max):
        raise ValueError
    return np.ascontiguousarray(rows, np.int32)


def _lists_in(exclude: Any) -> Sequence[Any] | NDArray[Any] | None:
    """The lists of the queries; None where there is one flat list for all of them."""
    if isinstance(exclude, np.ndarray) and exclude.dtype != object:
        if exclude.ndim > 2:
            raise ValueError(f"exclude has {exclude.ndim} dimensions; pass a list of ids a query.")
        return exclude if exclude.ndim == 2 else None
    if hasattr(exclude, "__array__") and not isinstance(exclude, np.ndarray):
        return _lists_in(np.asarray(exclude))
    listed = list(exclude)
    several = [_is_list(value) for value in listed]
    if any(several) and not all(several):
        raise TypeError("exclude mixes ids and lists of ids; pass a list a query, or one flat list for all of them.")
    return listed if any(several) else None


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple, set, frozenset, range)) or getattr(value, "ndim", 0) > 0


def _joined(lists: Sequence[Any] | NDArray[Any], lookup: Lookup) -> Lists:
    if isinstance(lists, np.ndarray):  # all of one length
        offsets, ids = np.arange(len(lists) + 1) * lists.shape[1], lists.ravel()
    else:
        parts = [_flat_ids(one, "exclude") for one in lists]
        offsets, ids = np.array([0, *accumulate(map(len, parts))]), _end_to_end(parts)
    rows, lowest = _rows(ids, "exclude", lookup)
    if lowest < 0:
        missing = rows < 0
        before = np.concatenate([[0], np.cumsum(missing)])
        return offsets - before[offsets], rows[~missing]
    return offsets, rows


def _end_to_end(parts: list[NDArray[Any]]) -> NDArray[Any]:
    parts = [part for part in parts if part.size]
    if not parts:
        return np.empty(0, np.int64)
    dtypes = {part.dtype for part in parts}
    if len(dtypes) == 1:
        return np.concatenate(parts)
    return _as_array(list(chain.from_iterable(part.tolist() for part in parts)))


def _flat_ids(values: Any, name: str) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        flat = values
    elif _is_sparse(values):
        raise TypeError(f"{name} is a sparse matrix; pass one flat list of ids for all queries.")
    else:
        flat = _as_array(_as_list(values, name))
    if flat.ndim != 1:
        raise ValueError(f"{name} has {flat.ndim} dimensions; pass one flat list of ids for all queries.")
    return flat


def _as_list(values: Any, name: str) -> list[Any]:
    if isinstance(values, (str, bytes, dict)):
        raise TypeError(f"{name} is of type {type(values).__name__}; pass ids in a list, an array or a sparse matrix.")
    try:
        return list(values)
    except TypeError:
        raise TypeError(
            f"{name} is of type {type(values).__name__}; pass ids in a list, an array or a sparse matrix."
        ) from None


def _as_array(values: list[Any]) -> NDArray[Any]:
    """Objects unless all are whole numbers: numpy would turn [1, "a"] into text without a word."""
    if all(type(value) is int for value in values):
        try:
            return np.array(values, np.int64)
        except OverflowError:
            pass
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _known(ids: NDArray[Any], name: str, lookup: Lookup) -> Rows:
    rows, lowest = _rows(ids, name, lookup)
    return rows[rows >= 0] if lowest < 0 else rows


def _rows(ids: NDArray[Any], name: str, lookup: Lookup) -> tuple[Rows, int]:
    """The rows of ids, MISSING for a missing answer's mark, and the lowest of them; refuses what is no id of the
    index."""
    if not ids.size:
        return np.empty(0, np.int32), 0
    if lookup.whole_numbers:
        ids = _as_numbers(ids, name)
    rows = lookup.rows(ids)
    lowest = int(rows.min())
    if lowest == NO_ID:  # there is no lower one
        value = ids[np.argmax(rows == NO_ID) :][:1].tolist()[0]
        raise ValueError(f"{name} holds {value!r}, which is no id of the index; leave it out.")
    return np.ascontiguousarray(rows, np.int32), lowest


def _as_numbers(ids: NDArray[Any], name: str) -> NDArray[Any]:
    if ids.dtype == object and all(isinstance(i, (int, np.integer)) and not isinstance(i, bool) for i in ids.tolist()):
        try:
            return ids.astype(np.int64)
        except OverflowError:
            raise ValueError(
                f"{name} holds a number beyond int64, which is no id of the index; leave it out."
            ) from None
    if ids.dtype.kind not in "iu":
        kind = "text or other objects" if ids.dtype.kind in "OUS" else str(ids.dtype)
        raise TypeError(f"{name} holds {kind} where the index has whole numbers for ids; pass whole numbers.")
    if ids.dtype.itemsize == 8 and ids.dtype.kind == "u" and ids.size and ids.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name} holds a number beyond int64, which is no id of the index; leave it out.")
    return ids if ids.dtype.itemsize <= 4 and ids.dtype.kind == "i" else ids.astype(np.int64)
