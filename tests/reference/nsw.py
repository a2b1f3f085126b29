"""ip-NSW, Algorithm 3, and with another similarity l2-NSW and cos-NSW of the ablation."""

from __future__ import annotations

from reference import Lists, Table
from reference.greedy_search import best_first, greedy_search
from reference.schedule import growing_batches, insert


def nsw(table: Table, order: list[int], degree: int, candidates: int, batch: int) -> Lists:
    """Every search starts at the vertex that went in first, and a list keeps its owner's best."""
    lists: Lists = [[] for _ in table]

    def neighbors_for(position: int, before: int) -> list[int]:
        if before == 0:
            return []
        return greedy_search(lists, table[order[position]], order[0], candidates)[:degree]

    def adopt(x: int, neighbors: list[int]) -> None:
        lists[x] = neighbors

    def link(owner: int, new: int) -> None:
        lists[owner] = best_first([*lists[owner], new], table[owner])[:degree]

    insert(order, growing_batches(0, len(order), batch), neighbors_for, adopt, link)
    return lists
