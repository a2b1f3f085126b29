"""Who trains, who validates, who tests: the paper's random 80/10/10 of the users (section 6)."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from waypost.arguments import as_count, as_seed
from waypost.data.factors import Factors
from waypost.data.ratings import Ratings
from waypost.data.user_split import Rows, Split

__all__ = ["Split", "split_queries", "split_users"]


def split_users(users: int, seed: int = 0, valid: float = 0.1, test: float = 0.1) -> Split:
    """Split rows 0..users-1 at random; the same seed gives the same split.

    Each share is rounded down, and what rounding leaves goes to training.

    >>> split = split_users(100, seed=7)
    >>> len(split.train), len(split.valid), len(split.test)
    (80, 10, 10)
    """
    users = as_count(users, "users")
    if not (valid >= 0 and test >= 0 and valid + test <= 1):
        raise ValueError(f"valid and test are {valid} and {test}; pass two shares of 0 or more that sum to at most 1.")
    shuffled = np.random.default_rng(as_seed(seed)).permutation(users)
    tested, validated = int(users * test), int(users * valid)
    test_rows, valid_rows, train_rows = np.split(shuffled, [tested, tested + validated])
    return Split(train=train_rows, valid=valid_rows, test=test_rows)


def split_queries(
    queries: Ratings | Factors | Any,
    seed: int = 0,
    *,
    valid: float = 0.1,
    test: float = 0.1,
    keep_repeats: bool = False,
) -> Split:
    """Split users as `split_users` does, without those whose query is no test of anything.

    Users without interactions are never handed out. Validation and test users whose query equals a training query are
    counted, and left out unless `keep_repeats`: they flatter whatever learned from it. `queries` are ratings (or a
    sparse matrix), where equal means the same items with the same ratings, or factors (or a matrix of vectors), where
    it means the same vector.

    >>> import scipy.sparse
    >>> everyone_alike = scipy.sparse.csr_matrix([[1, 0], [1, 0]] * 10)
    >>> split = split_queries(everyone_alike)
    >>> len(split.test), split.repeats_test, split.notes[-1]
    (0, 2, '2 of 2 test queries (100.0%) repeat one of training: they are left out.')
    """
    marks = _marks(queries)
    split = split_users(len(marks), seed, valid, test)
    train = _present(split.train, marks)
    seen = {marks[row] for row in train.tolist()}
    valid_rows, test_rows = _present(split.valid, marks), _present(split.test, marks)
    new_valid, new_test = (_unseen(rows, marks, seen) for rows in (valid_rows, test_rows))
    repeats = len(valid_rows) - len(new_valid), len(test_rows) - len(new_test)
    return Split(
        train,
        valid_rows if keep_repeats else new_valid,
        test_rows if keep_repeats else new_test,
        *repeats,
        *((0, 0) if keep_repeats else repeats),
        empty=marks.count(None),
    )


def _present(rows: Rows, marks: list[bytes | None]) -> Rows:
    return np.array([row for row in rows.tolist() if marks[row] is not None], np.int64)


def _unseen(rows: Rows, marks: list[bytes | None], seen: set[bytes | None]) -> Rows:
    return np.array([row for row in rows.tolist() if marks[row] not in seen], np.int64)


def _marks(queries: Any) -> list[bytes | None]:
    """For each query something that only an equal one shares; None for one that is empty."""
    if isinstance(queries, Ratings):
        queries = queries.matrix
    if isinstance(queries, Factors):
        queries = queries.users
    if hasattr(queries, "tocsr"):
        return _marks_of_rows(queries.tocsr())
    return [_mark(row.tobytes()) if row.any() else None for row in np.ascontiguousarray(queries)]


def _marks_of_rows(matrix: Any) -> list[bytes | None]:
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    spans = zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True)
    indices, data = matrix.indices, matrix.data
    return [_mark(indices[a:b].tobytes() + data[a:b].tobytes()) if b > a else None for a, b in spans]


def _mark(raw: bytes) -> bytes:
    return blake2b(raw, digest_size=16).digest()
