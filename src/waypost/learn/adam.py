"""Adam on a NumPy array: what is learned of beam states is a table of numbers, and needs no PyTorch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats

KEPT = 0.9  # of the mean gradient, at each update
KEPT_SQUARE = 0.999
TINY = 1e-8


class Adam:
    """A table that follows its gradients; `values`, `mean` and `square` are all of its state.

    >>> table = Adam((2,))
    >>> table.step(np.array([1.0, -4.0]), rate=0.5, count=1)
    >>> table.values.round(3).tolist()
    [-0.5, 0.5]
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.values: Floats = np.zeros(shape, np.float32)
        self.mean: Floats = np.zeros(shape, np.float32)
        self.square: Floats = np.zeros(shape, np.float32)

    def step(self, gradient: NDArray[np.floating], rate: float, count: int) -> None:
        """One update, the `count`-th since the start."""
        self.mean += np.float32(1 - KEPT) * (gradient.astype(np.float32) - self.mean)
        self.square += np.float32(1 - KEPT_SQUARE) * (np.square(gradient, dtype=np.float32) - self.square)
        spread = np.sqrt(self.square / np.float32(1 - KEPT_SQUARE**count)) + np.float32(TINY)
        self.values -= np.float32(rate / (1 - KEPT**count)) * self.mean / spread

    def state(self, name: str) -> dict[str, Floats]:
        """Copies of its arrays, by names that begin with `name`."""
        return {f"{name}.{part}": getattr(self, part).copy() for part in ("values", "mean", "square")}

    def restore(self, name: str, state: dict[str, Floats]) -> None:
        """What `state` gave. A table that was narrower then has zeros in the columns that came later."""
        for part in ("values", "mean", "square"):
            stored = np.array(state[f"{name}.{part}"], np.float32)
            if stored.shape[:-1] != self.values.shape[:-1] or stored.shape[-1] > self.values.shape[-1]:
                raise ValueError(f"{name} has shape {stored.shape} where {self.values.shape} is learned.")
            table = np.zeros_like(self.values)
            table[..., : stored.shape[-1]] = stored
            setattr(self, part, table)
