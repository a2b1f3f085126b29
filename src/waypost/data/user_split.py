"""Who trains, validates and tests, as arrays that a file of factors can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
SETS = ("train", "valid", "test")
COUNTS = ("repeats_valid", "repeats_test", "dropped_valid", "dropped_test", "empty")


@dataclass(frozen=True)
class Split:
    """Three sets of user rows that share none; unless users were left out, together they are all.

    `repeats_valid` and `repeats_test` count queries that equal a training query, `dropped_valid` and `dropped_test`
    those of them that were left out, and `empty` the users without interactions, who are never handed out.

    >>> Split(np.arange(8), np.array([8]), np.array([9])).test
    array([9])
    """

    train: Rows
    valid: Rows
    test: Rows
    repeats_valid: int = 0
    repeats_test: int = 0
    dropped_valid: int = 0
    dropped_test: int = 0
    empty: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What was counted and left out, in sentences; none if nothing was."""
        notes = [f"Left out {self.empty:,} users without interactions."] if self.empty else []
        for name in ("valid", "test"):
            repeats, dropped = getattr(self, f"repeats_{name}"), getattr(self, f"dropped_{name}")
            if repeats:
                of = len(getattr(self, name)) + dropped
                fate = "they are left out" if dropped else "they are kept"
                notes.append(
                    f"{repeats:,} of {of:,} {name} queries ({repeats / of:.1%}) repeat one of training: {fate}."
                )
        return tuple(notes)


def packed_split(split: Split | None) -> dict[str, NDArray[Any]]:
    """The arrays to store, none for None.

    >>> sorted(packed_split(Split(np.arange(8), np.array([8]), np.array([9]))))
    ['split.counts', 'split.test', 'split.train', 'split.valid']
    """
    if split is None:
        return {}
    rows: dict[str, NDArray[Any]] = {f"split.{name}": getattr(split, name) for name in SETS}
    return rows | {"split.counts": np.array([getattr(split, name) for name in COUNTS], np.int64)}


def unpacked_split(arrays: Mapping[str, NDArray[Any]], users: int) -> Split | None:
    """What `packed_split` was given, for that many users; ValueError where the arrays are none of ours.

    >>> unpacked_split(packed_split(Split(np.arange(8), np.array([8]), np.array([9]))), users=10).train
    array([0, 1, 2, 3, 4, 5, 6, 7])
    """
    if "split.counts" not in arrays:
        return None
    rows = [arrays.get(f"split.{name}", np.zeros(0)) for name in SETS]
    for name, values in zip(SETS, rows, strict=True):
        if (
            values.ndim != 1
            or values.dtype != np.int64
            or (values.size and not 0 <= values.min() <= values.max() < users)
        ):
            raise ValueError(f"split.{name} is no list of rows of {users} users")
    train, valid, test = rows
    return Split(train, valid, test, **dict(zip(COUNTS, arrays["split.counts"].tolist(), strict=True)))
