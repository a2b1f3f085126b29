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


def beam_search(lists: Lists, scores: Sequence[float], entries: Sequence[int], budget: int) -> Walk:
    """`scores[v]` is the routing score of v; the answers are the best of `visited`."""
    walk = Walk()
    walk.see(entries, -1, budget)
    while len(walk.visited) < budget:
        waiting = best_first(set(walk.visited) - set(walk.path), scores)
        if not waiting:
            break
        walk.path.append(waiting[0])
        walk.see(lists[waiting[0]], len(walk.path) - 1, budget)
    return walk


def answers(walk: Walk, scores: Sequence[float], k: int) -> list[int]:
    return best_first(walk.visited, scores)[:k]
