"""Entry rules: where a walk starts. A rule, a row, or rows of the caller's own become an array of rows here."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats, as_count, as_seed
from waypost.norms import squared_norms

Entry = str | int | NDArray[np.integer]
Rows = NDArray[np.int32]

RULES = ("largest-norm", "first", "random")
DEFAULT_RULE = "largest-norm"


def entry_row(entry: Entry, items: Floats, seed: int = 0) -> int:
    """The one row that a rule, or a row itself, stands for."""
    if isinstance(entry, str):
        return _row_of_rule(entry, items, seed)
    return as_row(entry, len(items))


def entry_rows(entry: Entry, items: Floats, queries: int, seed: int = 0) -> Rows:
    """(1, e) rows shared by all the queries, or (queries, e) rows of each its own."""
    if isinstance(entry, (str, int)) or np.ndim(entry) == 0:
        return np.array([[entry_row(entry, items, seed)]], np.int32)
    return _own_rows(np.asarray(entry), len(items), queries)


def as_row(value: object, n: int) -> int:
    row = as_count(value, "entry", least=0)
    if row >= n:
        raise ValueError(f"entry is row {row} but there are only {n} items; pass a row from 0 to {n - 1}.")
    return row


def check_rule(entry: object) -> None:
    """Refuses what no set of items could turn into a row."""
    if not isinstance(entry, str):
        as_count(entry, "entry", least=0)
    elif entry not in RULES:
        raise ValueError(f"entry is {entry!r}; pass one of {', '.join(RULES)}, or a row.")


def _row_of_rule(rule: str, items: Floats, seed: int) -> int:
    check_rule(rule)
    if rule == "first":
        return 0
    if rule == "random":
        return int(np.random.default_rng(as_seed(seed)).integers(len(items)))
    return int(np.argmax(squared_norms(items)))


def _own_rows(rows: NDArray[Any], n: int, queries: int) -> Rows:
    if rows.dtype.kind not in "iu":
        raise TypeError(f"entry has dtype {rows.dtype}; pass whole numbers, the rows to start from.")
    if rows.ndim > 2 or len(rows) not in ((queries,) if rows.ndim == 1 else (1, queries)) or rows.size == 0:
        raise ValueError(
            f"entry has shape {rows.shape} for {queries} queries; pass one row a query, or a matrix of several a query."
        )
    outside = (rows < 0) | (rows >= n)
    if outside.any():
        raise ValueError(f"entry holds row {rows[outside][0]} but there are only {n} items; pass rows 0 to {n - 1}.")
    matrix = rows[:, None] if rows.ndim == 1 else rows
    return np.ascontiguousarray(matrix, np.int32)
