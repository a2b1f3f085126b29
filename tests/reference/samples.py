"""Small data on which float32 arithmetic is exact, whatever the order of the sums, with ties, duplicates and zeros."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


def with_duplicates_and_zeros(vectors: Vectors, rng: np.random.Generator) -> Vectors:
    """One row in ten repeats another; one in forty is zero."""
    n = len(vectors)
    again = rng.choice(n, n // 10, replace=False)
    vectors[again] = vectors[rng.choice(n, n // 10)]
    vectors[rng.choice(n, n // 40, replace=False)] = 0
    return vectors


def small_integers(n: int, seed: int, dimensions: int = 6) -> Vectors:
    """Entries in -3..3: many vectors share an inner product."""
    rng = np.random.default_rng(seed)
    return with_duplicates_and_zeros(rng.integers(-3, 4, (n, dimensions)).astype(np.float32), rng)


def powers_of_two(n: int, seed: int, dimensions: int = 20) -> Vectors:
    """1, 4 or 16 entries of one power of two: |x|^2 is a power of four, so x/|x| and x/|x|^2 are exact."""
    rng = np.random.default_rng(seed)
    vectors = np.zeros((n, dimensions), np.float32)
    for vector in vectors:
        places = rng.choice(dimensions, rng.choice([1, 4, 16]), replace=False)
        vector[places] = rng.choice([-1, 1], len(places)) * 2.0 ** rng.integers(-2, 3)
    return with_duplicates_and_zeros(vectors, rng)


def gaussian(n: int, seed: int, dimensions: int = 12) -> Vectors:
    """No ties here; norms vary, as those of real factors do."""
    rng = np.random.default_rng(seed)
    directions = rng.standard_normal((n, dimensions))
    return (directions * rng.lognormal(0, 0.5, (n, 1))).astype(np.float32)
