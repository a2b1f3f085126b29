"""Made-up factors with the norms, the spectrum and the crowding of real ones, in any number.

Ten million items can be made that no ratings file at hand would give, and searching them is as hard as searching real
factors. The numbers below were measured on implicit ALS factors of check-ins at 40,981 places; the parts that say how
items crowd and where queries point were set so that the two agree in the norms of the answers, the nearness of
neighbours and the recall of a search on a graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import MOST_ROWS, as_count, as_seed
from waypost.data.factors import Factors

Floats = NDArray[np.float32]
BLOCK = 65_536  # rows made at once, so that ten million need little more memory than they take themselves

# The logarithm of a norm at so many standard deviations of a normal draw: the right tail is the longer one.
DRAWS = (-4.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
LOG_NORMS = (-1.391, -1.079, -0.759, -0.439, -0.287, -0.136, 0.045, 0.274, 0.551, 0.869, 1.197, 1.552, 1.931, 2.099)

# All items lean one way, and queries do not: the length of the items' mean direction.
LEANING = 0.478
# The variance along the items' principal axes, at so many of 95 steps from the first to the last.
STEPS = (0, 1, 2, 4, 8, 16, 32, 48, 64, 80, 95)
ITEM_VARIANCES = (0.0187, 0.0257, 0.0179, 0.0144, 0.0129, 0.0101, 0.0083, 0.0072, 0.0063, 0.0053, 0.0032)
QUERY_VARIANCES = (0.0008, 0.0120, 0.0095, 0.0130, 0.0146, 0.0101, 0.0097, 0.0093, 0.0097, 0.0108, 0.0153)

ITEMS_A_GROUP = 80  # on average: a larger catalogue has more groups, not more crowded ones
ITEM_SHARES = (0.75, 1.0)  # of an item's variance that its group explains, at least and at most
QUERY_SHARES = (0.45, 0.98)
NORM_SHARE = 0.6  # of the variance of a norm that the popularity of its group explains
CROWDING = 1.4  # how much more often queries point to popular groups: the exponent of the popularity

CENTRES, TURN, ITEMS, QUERIES = range(4)  # what a stream of random numbers is for


def synthetic_factors(n: int, d: int = 96, seed: int = 0, queries: int = 10_000) -> Factors:
    """`n` items of width `d` and so many queries of unit length. The same arguments give the same numbers.

    >>> factors = synthetic_factors(1_000, d=32, queries=50)
    >>> factors.items.shape, factors.users.shape
    ((1000, 32), (50, 32))
    """
    crowd = Crowd.of(n, d, seed)
    items = np.empty((crowd.n, crowd.d), np.float32)
    at = 0
    for block in crowd.blocks():
        items[at : at + len(block)] = block
        at += len(block)
    return Factors(items, crowd.queries(queries), notes=("Made up, in the manner of real factors.",))


@dataclass(frozen=True, eq=False)
class Crowd:
    """What items and queries have in common: groups with their popularity, and the principal axes.

    >>> crowd = Crowd.of(200_000, d=8)
    >>> [len(block) for block in crowd.blocks()]
    [65536, 65536, 65536, 3392]
    """

    n: int
    d: int
    seed: int
    centres: Floats
    popularity: Floats
    axes: Floats

    @classmethod
    def of(cls, n: int, d: int = 96, seed: int = 0) -> Crowd:
        n, d, seed = as_count(n, "n", most=MOST_ROWS), as_count(d, "d"), as_seed(seed)
        rng, groups = np.random.default_rng([seed, CENTRES]), max(1, round(n / ITEMS_A_GROUP))
        centres = rng.standard_normal((groups, d), np.float32)
        popularity = rng.standard_normal(groups, np.float32)
        axes = np.linalg.qr(np.random.default_rng([seed, TURN]).standard_normal((d, d)))[0]
        return cls(n, d, seed, centres, popularity, axes.astype(np.float32))

    def blocks(self) -> Iterator[Floats]:
        """The items, some rows at a time, for whoever stores or codes them as they come."""
        for number, start in enumerate(range(0, self.n, BLOCK)):
            yield self._items(min(BLOCK, self.n - start), np.random.default_rng([self.seed, ITEMS, number]))

    def _items(self, count: int, rng: np.random.Generator) -> Floats:
        groups = rng.integers(len(self.centres), size=count)
        directions = self._around(groups, ITEM_SHARES, rng)
        directions *= _along(ITEM_VARIANCES, self.d, 1 - LEANING**2)
        directions[:, 0] += LEANING
        draws = np.sqrt(NORM_SHARE) * self.popularity[groups]
        draws += np.sqrt(1 - NORM_SHARE) * rng.standard_normal(count, np.float32)
        return self._turned(directions, np.exp(_log_norms(draws)))

    def queries(self, count: int) -> Floats:
        """Vectors of unit length, most of them towards the popular groups."""
        count = as_count(count, "queries")
        rng = np.random.default_rng([self.seed, QUERIES])
        chances = np.exp(CROWDING * self.popularity.astype(np.float64))
        groups = rng.choice(len(self.centres), size=count, p=chances / chances.sum())
        directions = self._around(groups, QUERY_SHARES, rng) * _along(QUERY_VARIANCES, self.d, 1.0)
        return self._turned(directions, np.ones(count))

    def _around(self, groups: NDArray[np.int64], shares: tuple[float, float], rng: np.random.Generator) -> Floats:
        """Points near the centres of their groups, with a variance of one along every axis."""
        own = rng.uniform(*shares, (len(groups), 1)).astype(np.float32)
        points: Floats = rng.standard_normal((len(groups), self.d), np.float32)
        points *= np.sqrt(1 - own)
        points += np.sqrt(own) * self.centres[groups]
        return points

    def _turned(self, directions: Floats, norms: NDArray[np.floating]) -> Floats:
        """Of these norms, and turned, so that no coordinate is a principal axis: real factors' are none either."""
        directions *= (norms / np.linalg.norm(directions, axis=1)).astype(np.float32)[:, None]
        turned: Floats = directions @ self.axes
        return turned


def _along(variances: tuple[float, ...], d: int, total: float) -> Floats:
    """Standard deviations along d axes, from the variances that were measured along 96."""
    steps = np.linspace(0, STEPS[-1], d)
    found = np.exp(np.interp(steps, STEPS, np.log(variances)))
    return np.asarray(np.sqrt(found * total / found.sum()), np.float32)


def _log_norms(draws: Floats) -> NDArray[np.float64]:
    """Beyond the measured ends the curve goes on as it ended: among more items the largest norm is larger."""
    found = np.interp(draws, DRAWS, LOG_NORMS)
    slope = (LOG_NORMS[-1] - LOG_NORMS[-3]) / (DRAWS[-1] - DRAWS[-3])
    return np.asarray(found + slope * np.maximum(draws - DRAWS[-1], 0))
