"""Entry rules: where a walk starts. A rule, a row, or rows of the caller's own become an array of rows here."""

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats, as_count, as_seed
from waypost.norms import squared_norms

Block = tuple[str, int]
Start = str | int | Block
"""A rule, a row, or a rule with the number of rows that it is to give."""
Entry = str | int | Block | NDArray[np.integer]
Rows = NDArray[np.int32]

RULES = ("largest-norm", "first", "random")
DEFAULT_RULE = "largest-norm"
MOST_OF_BUDGET = 4  # a block of entries gets one part in so many


def entry_row(entry: Entry, items: Floats, seed: int = 0) -> int:
    """The one row that a rule, or a row itself, stands for; of a block the first."""
    if is_block(entry):
        return int(start_rows(entry, items, seed)[0, 0])
    if isinstance(entry, str):
        return int(_rows_of_rule(entry, 1, items, seed)[0])
    return as_row(entry, len(items))


def start_rows(start: Entry, items: Floats, seed: int = 0) -> Rows:
    """(1, e) rows shared by all queries: what a rule, a row or a block stands for; a block holds at most all rows."""
    if is_block(start):
        rule, count = as_block(start)
        return _rows_of_rule(rule, min(count, len(items)), items, seed)[None]
    return np.array([[entry_row(start, items, seed)]], np.int32)


def entry_rows(entry: Entry, items: Floats, queries: int, seed: int = 0) -> Rows:
    """(1, e) rows shared by all the queries, or (queries, e) rows of each its own."""
    if isinstance(entry, (str, int)) or is_block(entry) or np.ndim(entry) == 0:
        return start_rows(entry, items, seed)
    return _own_rows(np.asarray(entry), len(items), queries)


def affordable(rows: Rows, budget: int) -> Rows:
    """As much of a block as leaves three quarters of the budget to walk on.

    >>> affordable(np.array([[7, 2, 5, 3]], np.int32), 8).tolist()
    [[7, 2]]
    """
    return np.ascontiguousarray(rows[:, : max(budget // MOST_OF_BUDGET, 1)])


def is_block(entry: object) -> TypeGuard[Block]:
    """Whether this is a rule with a count; a list of rows is none."""
    return isinstance(entry, (tuple, list)) and len(entry) > 0 and isinstance(entry[0], str)


def is_drawn(start: Start) -> bool:
    """Whether the seed of a search says which rows these are."""
    return start == "random" or (isinstance(start, tuple) and start[0] == "random")


def as_row(value: object, n: int) -> int:
    row = as_count(value, "entry", least=0)
    if row >= n:
        raise ValueError(f"entry is row {row} but there are only {n} items; pass a row from 0 to {n - 1}.")
    return row


def as_start(start: object) -> Start:
    """The same; what no set of items could turn into rows is refused."""
    if is_block(start):
        return as_block(start)
    if not isinstance(start, str):
        return as_count(start, "entry", least=0)
    _check_rule(start)
    return start


def as_block(start: Block) -> Block:
    if len(start) != 2:
        raise ValueError(f"entry is {start!r}; pass a rule and how many rows it is to give.")
    rule, count = start
    _check_rule(rule)
    return rule, as_count(count, "entry's number of rows")


def _check_rule(rule: str) -> None:
    if rule not in RULES:
        raise ValueError(f"entry is {rule!r}; pass one of {', '.join(RULES)}, or a row.")


def _rows_of_rule(rule: str, count: int, items: Floats, seed: int) -> Rows:
    """The best first; of equal norms the lower row."""
    _check_rule(rule)
    n = len(items)
    if rule == "first":
        return np.arange(count, dtype=np.int32)
    if rule == "random":
        generator = np.random.default_rng(as_seed(seed))
        drawn = generator.integers(n, size=1) if count == 1 else generator.choice(n, count, replace=False)
        return drawn.astype(np.int32)
    norms = squared_norms(items)
    if count == 1:
        return np.array([np.argmax(norms)], np.int32)
    return np.argsort(-norms, kind="stable")[:count].astype(np.int32)


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
