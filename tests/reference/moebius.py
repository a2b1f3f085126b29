"""Moebius, Algorithm 6: a graph of the images x / |x|^2 under distance, with a zero vector to walk through."""

from __future__ import annotations

from reference import Lists, Table
from reference.greedy_search import best_first, greedy_search
from reference.schedule import entry_first, growing_batches, insert


def select(table: Table, owner: int, rows: list[int], degree: int, silent: int) -> list[int]:
    """Neighbor Selection: y stays if its owner is no farther from it than any neighbour already kept.

    The print's loop runs while |B| <= M and so keeps M + 1; we keep M. `silent` crowds out nothing.
    """
    kept: list[int] = []
    for y in best_first(rows, table[owner]):
        if len(kept) < degree and all(table[y][z] <= table[owner][y] for z in kept if z != silent):
            kept.append(y)
    return kept


def moebius(
    table: Table,
    order: list[int],
    has_image: list[bool],
    degree: int,
    candidates: int,
    batch: int,
    entry: int = -1,
    printed: bool = False,
) -> Lists:
    """`table` holds s = -|a - b|^2 of the images and, as its last row and column, of the zero vector y_0.

    A vertex without an image gets no edges and is never inserted. As printed, y_0 crowds out edges between items
    before it is removed; otherwise it does not.
    """
    zero = len(table) - 1
    order = [zero] + [row for row in entry_first(order, entry) if has_image[row]]
    silent = -1 if printed else zero
    start = entry if entry >= 0 and has_image[entry] else zero
    lists: Lists = [[] for _ in table]
    first = order[:degree]
    for owner in first:
        lists[owner] = best_first([row for row in first if row != owner], table[owner])

    def neighbors_for(position: int, before: int) -> list[int]:
        x = order[position]
        found = greedy_search(lists, table[x], zero if x == start else start, candidates)
        return select(table, x, found, degree, silent)

    def adopt(x: int, neighbors: list[int]) -> None:
        lists[x] = neighbors

    def link(owner: int, new: int) -> None:
        lists[owner] = select(table, owner, [*lists[owner], new], degree, silent)

    insert(order, growing_batches(len(first), len(order), batch), neighbors_for, adopt, link)
    return [[row for row in lists[owner] if row != zero] for owner in range(zero)]
