"""IPDG, Algorithm 4: two rounds of insertion; Neighbor Selection skips what another neighbour answers for."""

from __future__ import annotations

from reference import Lists, Table
from reference.greedy_search import best_first, greedy_search
from reference.schedule import entry_first, equal_batches, growing_batches, insert, random_number


def select(table: Table, owner: int, rows: list[int], degree: int) -> list[int]:
    """Neighbor Selection: y stays if it is its own best match among those already kept, y.y >= max y.z.

    The print goes on adding once |B| >= M; what it means, and what we do, is to stop there.
    """
    kept: list[int] = []
    for y in best_first(rows, table[owner]):
        if len(kept) < degree and all(table[y][z] <= table[y][y] for z in kept):
            kept.append(y)
    return kept


def ipdg(table: Table, order: list[int], degree: int, candidates: int, seed: int, batch: int, entry: int = -1) -> Lists:
    """Each search starts from a vertex drawn among those in the graph, or from the entry if one is given."""
    n = len(table)
    order = entry_first(order, entry)
    lists: Lists = [[] for _ in table]

    def neighbors_for(position: int, before: int, round_: int) -> list[int]:
        if before == 0:
            return []
        x = order[position]
        drawn = order[random_number(seed, round_ * n + position) % before]
        found = greedy_search(lists, table[x], entry if entry >= 0 else drawn, candidates)
        return select(table, x, [row for row in found if row != x], degree)

    def adopt(x: int, neighbors: list[int]) -> None:
        """Line 8 adds edges and takes none away, so in round 2 the cap leaves room for some of B, the best first."""
        for y in neighbors:
            if len(lists[x]) < degree and y not in lists[x]:
                lists[x] = best_first([*lists[x], y], table[x])

    def link(owner: int, new: int) -> None:
        lists[owner] = select(table, owner, [*lists[owner], new], degree)

    first_round = growing_batches(0, n, batch)
    insert(order, first_round, lambda position, before: neighbors_for(position, before, 0), adopt, link)
    insert(order, equal_batches(n, batch), lambda position, _: neighbors_for(position, n, 1), adopt, link)
    return lists
