"""Beam Search, Algorithm 2: expand the best vertex seen and not yet expanded until the budget is spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reference import Lists
from reference.greedy_search import best_first


@dataclass
class Walk:
    """What a search visited, in order; each visit cost one inner product."""

    visited: list[int] = field(default_factory=list)
    hop: list[int] = field(default_factory=list)  # index into path of the vertex it was seen from; -1 for an entry
    path: list[int] = field(default_factory=list)  # the vertices expanded, in order

    def see(self, rows: Sequence[int], hop: int, budget: int) -> None:
        for row in rows:
            if row not in self.visited and len(self.visited) < budget:
                self.visited.append(row)
                self.hop.append(hop)


def beam_search(
    lists: Lists,
    scores: Sequence[float],
    entries: Sequence[int],
    budget: int,
    deferred: Lists | None = None,
    penalty: float = 0.0,
) -> Walk:
    """`scores[v]` is the routing score of v; the answers are the best of `visited`.

    A vertex with deferred edges waits a second time, for these, as if its score were lower by the penalty.
    """
    walk = Walk()
    walk.see(entries, -1, budget)
    while len(walk.visited) < budget:
        waiting = [(-scores[row], 1, row) for row in set(walk.visited) - set(walk.path)]
        if deferred is not None:
            again = (row for row in set(walk.path) if deferred[row] and walk.path.count(row) == 1)
            waiting += [(-(scores[row] - penalty), 2, row) for row in again]
        if not waiting:
            break
        _, visit, row = min(waiting)
        walk.path.append(row)
        walk.see(lists[row] if visit == 1 or deferred is None else deferred[row], len(walk.path) - 1, budget)
    return walk


def answers(walk: Walk, scores: Sequence[float], k: int) -> list[int]:
    return best_first(walk.visited, scores)[:k]
