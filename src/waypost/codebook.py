"""Kinds of queries: each kind has entries of its own, and may have a bias of its own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats, as_float32, check_finite


@dataclass(frozen=True, eq=False, slots=True)
class Codebook:
    """A query is of the kind whose centroid it has the largest product with; ties go to the lower centroid.

    The products with the centroids are paid from a search's budget, and so are those with the seeds.

    >>> import numpy as np
    >>> len(Codebook(np.eye(2, 3), [[5, 7], [6, -1]]))
    2
    """

    centroids: Floats
    """(c, width of the routing queries) float32."""
    seeds: NDArray[np.int32]
    """(c, s) rows of the items where walks of each kind start, best first, -1 at free places."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "centroids", as_float32(self.centroids, "centroids"))
        object.__setattr__(self, "seeds", _as_seeds(self.seeds))
        if len(self.seeds) != len(self.centroids):
            raise ValueError(
                f"seeds has {len(self.seeds)} rows for {len(self.centroids)} centroids; pass one row of seeds a centroid."
            )

    def __len__(self) -> int:
        return len(self.centroids)

    def check(self, items: int, width: int) -> None:
        """Refuses a codebook of other items or of queries of another width, and one that is not finite."""
        check_finite(self.centroids, "centroids")
        if self.centroids.shape[1] != width:
            raise ValueError(
                f"centroids has {self.centroids.shape[1]} columns but routing queries have {width}; pass the codebook "
                "of this router."
            )
        if self.seeds.max() >= items:
            raise ValueError(f"seeds holds row {self.seeds.max()} of {items} items; pass the codebook of these items.")


def _as_seeds(values: object) -> NDArray[np.int32]:
    seeds = np.asarray(values)
    if seeds.dtype.kind not in "iu" or seeds.ndim != 2 or not seeds.size:
        raise ValueError(
            f"seeds has dtype {seeds.dtype} and shape {seeds.shape}; pass a matrix of rows, some for each centroid."
        )
    if (seeds[:, 0] < 0).any() or (seeds < -1).any() or ((seeds[:, 1:] >= 0) & (seeds[:, :-1] < 0)).any():
        raise ValueError("seeds has a centroid without a seed, or -1 before one; fill each row from its left.")
    return np.ascontiguousarray(seeds, np.int32)
