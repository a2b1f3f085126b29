"""Greedy Search, Algorithm 5: widen a set of candidates by whole neighbourhoods until it stands still."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reference import Lists


def best_first(rows: Iterable[int], scores: Sequence[float]) -> list[int]:
    """Distinct rows by falling score; of equals, the lower row first."""
    return sorted(set(rows), key=lambda row: (-scores[row], row))


def greedy_search(lists: Lists, scores: Sequence[float], start: int, size: int) -> list[int]:
    """The best `size` vertices that the search meets, best first; `scores[v]` is s(q, v).

    A vertex that was dropped from the set stays checked, so it never comes back.
    """
    checked = {start}
    kept = [start]
    while True:
        new = {v for u in kept for v in lists[u]} - checked
        checked |= new
        kept = best_first([*kept, *new], scores)[:size]
        if not new & set(kept):
            return kept
