"""Vectors at one byte a dimension: a quarter of the memory to walk through."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.arguments import Floats

CODES = ("int8",)
MOST_WIDTH = 65_536  # sums of more products of bytes could leave 32 bits


@dataclass(frozen=True, eq=False, slots=True)
class Codes:
    """Codes of vectors: x is about `scales` times (`values` - 128), with a scale of its own for each vector.

    >>> import numpy as np
    >>> codes = encode(np.array([[127.0, -127.0], [0.5, 0.25]], np.float32), "int8")
    >>> (codes.values - 128.0).tolist(), codes.scales.tolist()[0]
    ([[127.0, -127.0], [127.0, 64.0]], 1.0)
    """

    values: NDArray[np.uint8]
    """(n, d)."""
    scales: Floats
    """(n,)."""

    def __post_init__(self) -> None:
        if len(self.values) != len(self.scales) or not self.values.size:
            raise ValueError("codes and their scales have different lengths, or are empty")

    @property
    def bytes(self) -> int:
        return self.values.nbytes + self.scales.nbytes

    def taken(self, rows: NDArray[np.int64]) -> "Codes":
        return Codes(self.values[rows], self.scales[rows])


def encode(vectors: Floats, kind: object) -> Codes:
    if kind not in CODES:
        raise ValueError(f"codes is {kind!r}; pass None or one of {', '.join(map(repr, CODES))}.")
    if vectors.shape[1] > MOST_WIDTH:
        raise ValueError(f"items have {vectors.shape[1]} columns, too many for codes; leave codes out.")
    return Codes(*_core.encode(vectors))
