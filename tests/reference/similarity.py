"""Similarities as square tables, computed in float64: exact wherever the tests' data is made of small integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reference import Table

Vectors = NDArray[np.float32]


def inner_products(vectors: Vectors) -> Table:
    wide = vectors.astype(np.float64)
    return [[float(wide[a] @ wide[b]) for b in range(len(wide))] for a in range(len(wide))]


def minus_squared_distances(vectors: Vectors) -> Table:
    wide = vectors.astype(np.float64)
    return [[-float(np.square(one - other).sum()) for other in wide] for one in wide]


def to_unit_length(vectors: Vectors) -> Vectors:
    """Each row over its norm; a zero row stays zero."""
    norms = np.sqrt(np.square(vectors.astype(np.float64)).sum(axis=1))
    norms[norms == 0] = 1
    unit: Vectors = vectors / norms.astype(np.float32)[:, None]
    return unit


def moebius_images(vectors: Vectors) -> tuple[Vectors, list[bool]]:
    """y = x * (largest norm / |x|^2), and which rows have one: a vector of (nearly) norm zero has no image.

    The factor "largest norm" is not in the paper. It scales all images alike, which changes no comparison of
    distances, and keeps them clear of overflow and underflow.
    """
    wide = vectors.astype(np.float64)
    norms = np.sqrt(np.square(wide).sum(axis=1))
    largest = norms.max(initial=0.0)
    has_image = norms > 1e-12 * largest
    images = np.zeros_like(wide)
    images[has_image] = wide[has_image] * (largest / np.square(norms[has_image]))[:, None]
    return images.astype(np.float32), [bool(one) for one in has_image]
