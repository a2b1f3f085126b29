"""Norms of the items, in float64 so that large ones do not overflow."""

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats

BLOCK = 8192


def squared_norms(items: Floats) -> NDArray[np.float64]:
    norms = np.empty(len(items), np.float64)
    for start in range(0, len(items), BLOCK):  # block by block, so that no second copy of the items is held
        block = items[start : start + BLOCK].astype(np.float64)
        np.einsum("nd,nd->n", block, block, out=norms[start : start + BLOCK])
    return norms
