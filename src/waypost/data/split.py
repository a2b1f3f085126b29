"""Who trains, who validates, who tests: the paper's random 80/10/10 of the users (section 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import as_count, as_seed


@dataclass(frozen=True)
class Split:
    """Three sets of user rows that share none and leave none out."""

    train: NDArray[np.int64]
    valid: NDArray[np.int64]
    test: NDArray[np.int64]


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
