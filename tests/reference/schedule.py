"""In what order and in what batches vertices are inserted, and the only random numbers a builder draws.

Every vertex of a batch is searched for on the graph as it stood before the batch; then all are linked in, one after
the other. With batches of one this is the printed algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

GROWTH = 32  # a batch holds at most 1/32 of the vertices that are in already
LARGEST_BATCH = 4096  # when the caller names none


def entry_first(order: list[int], entry: int) -> list[int]:
    """The order given, but for the entry, which comes first; -1 leaves the order alone."""
    return [entry] * (entry >= 0) + [row for row in order if row != entry]


def batch_size(inserted: int, batch: int) -> int:
    return max(1, min(batch if batch > 0 else LARGEST_BATCH, inserted // GROWTH))


def growing_batches(first: int, total: int, batch: int) -> Iterator[range]:
    """Positions first..total-1 while the graph grows with them."""
    while first < total:
        after = min(total, first + batch_size(first, batch))
        yield range(first, after)
        first = after


def equal_batches(total: int, batch: int) -> Iterator[range]:
    """Positions 0..total-1 on a graph that holds every vertex already (IPDG's second round)."""
    size = batch_size(total, batch)
    for first in range(0, total, size):
        yield range(first, min(total, first + size))


def insert(
    order: list[int],
    batches: Iterator[range],
    neighbors_for: Callable[[int, int], list[int]],
    adopt: Callable[[int, list[int]], None],
    link: Callable[[int, int], None],
) -> None:
    """Search for a whole batch, then link it in.

    `neighbors_for(position, before)` is B for the vertex at that position, where `before` vertices were in when the
    batch began; `adopt(x, B)` makes these x's neighbours; `link(owner, new)` offers an edge to a capped list.
    """
    for positions in batches:
        found = [neighbors_for(position, positions.start) for position in positions]
        for position, neighbors in zip(positions, found, strict=True):
            x = order[position]
            adopt(x, neighbors)
            for y in neighbors:
                link(y, x)


def random_number(seed: int, counter: int) -> int:
    """The counter-th 64-bit number of splitmix64: the same on every machine and in whatever order it is asked for."""
    mask = 2**64 - 1
    z = (seed + 0x9E3779B97F4A7C15 * (counter + 1)) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)
