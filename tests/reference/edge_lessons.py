"""What one walk teaches about candidate edges, in plain Python."""

from __future__ import annotations

from reference import Lists
from reference.beam_search import Walk


def edge_lessons(walk: Walk, candidates: Lists, answers: set[int]) -> dict[tuple[int, int], int]:
    """(source, target) of the edges that the walk would have shown something new by, 1 where that was an answer.

    A source counts when the walk first expands it; a target that came by then, or earlier, is not new.
    """
    seen_at = dict(zip(walk.visited, walk.hop, strict=True))
    lessons: dict[tuple[int, int], int] = {}
    for hop, source in enumerate(walk.path):
        if source in walk.path[:hop]:
            continue
        for target in candidates[source]:
            if seen_at.get(target, len(walk.path)) >= hop:
                lessons[source, target] = int(target in answers)
    return lessons
