"""Names of users or items as plain arrays, so that a file holds them without pickles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Names = NDArray[Any]  # int64, or Python strings in an array of objects


def as_names(values: Iterable[Any] | None, count: int, what: str) -> Names | None:
    """`values` as an array of whole numbers or of strings, one for each of `count` rows."""
    if values is None:
        return None
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if len(listed) != count:
        raise ValueError(f"{what} has {len(listed)} entries where there are {count}; pass one name each.")
    if listed and all(type(value) is int for value in listed):
        return np.array(listed, np.int64)
    if not all(isinstance(value, str) for value in listed):
        raise TypeError(f"{what} must be all whole numbers or all strings; convert them to one of the two.")
    return texts(listed)


def texts(listed: list[str]) -> Names:
    names = np.empty(len(listed), object)
    names[:] = listed
    return names


def packed(prefix: str, names: Names | None) -> dict[str, NDArray[Any]]:
    """The arrays to store for `names`, none for None; strings become UTF-8 bytes and the ends of each."""
    if names is None:
        return {}
    if names.dtype == np.int64:
        return {prefix: names}
    encoded = [name.encode("utf-8", "surrogatepass") for name in names.tolist()]
    ends = np.cumsum([len(name) for name in encoded], dtype=np.int64)
    return {f"{prefix}.utf8": np.frombuffer(b"".join(encoded), np.uint8), f"{prefix}.ends": ends}


def unpacked(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> Names | None:
    """What `packed` was given; raises ValueError where the arrays do not fit each other."""
    if prefix in arrays:
        return plain(arrays[prefix])
    if f"{prefix}.utf8" not in arrays or f"{prefix}.ends" not in arrays:
        return None
    raw, ends = arrays[f"{prefix}.utf8"].tobytes(), arrays[f"{prefix}.ends"].tolist()
    starts = [0, *ends[:-1]] if ends else []
    if any(start > end for start, end in zip(starts, ends, strict=True)) or (ends and ends[-1] != len(raw)):
        raise ValueError(f"the names {prefix} do not fit their ends")
    return texts([raw[start:end].decode("utf-8", "surrogatepass") for start, end in zip(starts, ends, strict=True)])


def plain(array: NDArray[Any]) -> Names:
    """Names that others stored as an array of numbers or of fixed-width strings."""
    if array.ndim != 1 or array.dtype.kind not in "iuU":
        raise ValueError(f"names of dtype {array.dtype} and shape {array.shape} are neither numbers nor strings")
    return texts(array.tolist()) if array.dtype.kind == "U" else array.astype(np.int64)
