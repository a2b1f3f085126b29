"""Vectors at one byte a dimension: a quarter of the memory to walk through."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.arguments import Floats

KINDS_OF_CODES = ("int8",)
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

    @property
    def bytes(self) -> int:
        return self.values.nbytes + self.scales.nbytes

    def check(self, vectors: Floats) -> None:
        if self.values.shape != vectors.shape or self.scales.shape != (len(vectors),):
            raise ValueError("codes have another shape than the vectors that they stand for")


def encode(vectors: Floats, kind: object) -> Codes:
    if kind not in KINDS_OF_CODES:
        raise ValueError(f"codes is {kind!r}; pass None or one of {', '.join(map(repr, KINDS_OF_CODES))}.")
    if vectors.shape[1] > MOST_WIDTH:
        raise ValueError(
            f"the vectors to walk by have {vectors.shape[1]} columns, too many for codes; pass codes=None."
        )
    return Codes(*_core.encode(vectors))
