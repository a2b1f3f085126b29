"""Orders of insertion: the graph depends on who comes first."""

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.norms import squared_norms

ORDERS = ("random", "rows", "rising-norm", "falling-norm")


def insertion_order(order: object, items: Floats, seed: int) -> NDArray[np.int32]:
    """All rows in the order that a rule names; rows of equal norm keep their order."""
    if not isinstance(order, str) or order not in ORDERS:
        raise ValueError(f"order is {order!r}; pass one of {', '.join(ORDERS)}.")
    if order == "rows":
        return np.arange(len(items), dtype=np.int32)
    if order == "random":
        return np.random.default_rng(seed).permutation(len(items)).astype(np.int32)
    norms = squared_norms(items)
    return np.argsort(norms if order == "rising-norm" else -norms, kind="stable").astype(np.int32)
