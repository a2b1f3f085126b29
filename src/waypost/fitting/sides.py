"""Queries to validate on and queries to learn from, none in both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from waypost.arguments import Floats
from waypost.tuning import distinct

MOST_VALIDATION = 2_000
ENOUGH_VALIDATION = 500  # before any query is left to learn from
SHARE = 4  # one part in so many validates


class Sides(NamedTuple):
    """The two sides; there may be nothing to learn from."""

    valid: Floats
    train: Floats


def split(queries: Floats, seed: int) -> Sides:
    """Different queries alone: one that stands on both sides would praise a router for what it knew by heart.

    >>> sides = split(np.tile(np.eye(3, dtype=np.float32), (400, 1)), seed=0)
    >>> len(sides.valid), len(sides.train)
    (3, 0)
    """
    different = distinct(queries)
    order = np.random.default_rng(seed).permutation(len(different))
    count = min(max(len(different) // SHARE, ENOUGH_VALIDATION), MOST_VALIDATION, len(different))
    return Sides(different[np.sort(order[:count])], different[np.sort(order[count:])])
