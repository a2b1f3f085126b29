"""What a search found query by query, and whether it is surely better than another one on the same queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.comparison import gain_of, shares_found

Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Hits:
    """What a search found, query by query."""

    shares: Shares
    """Of each query's k true answers, the share that is among the k found."""
    first: Shares
    """1 where the first answer is the true first one."""

    @classmethod
    def of(cls, found: ArrayLike, truth: ArrayLike) -> Hits:
        """Of found and true rows, a line a query, the best first.

        >>> Hits.of([[4, 7], [1, 2]], [[7, 9], [1, 2]]).shares.tolist()
        [0.5, 1.0]
        """
        rows, true = np.asarray(found), np.asarray(truth)
        return cls(shares_found(rows, true), (rows[:, 0] == true[:, 0]).astype(np.float64))

    def surely_above(self, other: Hits) -> bool:
        """Whether the mean gain over the other exceeds its standard error, and recall 1@1 is no lower: a gain within
        the noise of the queries asked is as likely a loss on others.

        >>> plain = Hits(np.array([0.5, 0.5, 0.5, 0.5]), np.ones(4))
        >>> Hits(np.array([0.7, 0.4, 0.5, 0.5]), np.ones(4)).surely_above(plain)
        False
        >>> Hits(np.array([0.7, 0.6, 0.5, 0.5]), np.ones(4)).surely_above(plain)
        True
        """
        gain, error = gain_of(self.shares - other.shares)
        several = len(self.shares) > 1  # one query proves nothing
        return bool(several and gain > error and self.first.mean() >= other.first.mean())

    @property
    def recalls(self) -> list[float]:
        """Recall k@k and 1@1."""
        return [float(self.shares.mean()), float(self.first.mean())]
