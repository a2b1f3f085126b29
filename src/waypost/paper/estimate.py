"""How long the missing cells will take: by a rule of thumb at first, by the finished ones as soon as there are some."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from waypost.paper.cases import Case
from waypost.paper.store import Store

ITEMS = 60_000
"""Taken for a set that was not looked at yet."""
A_VERTEX, A_QUERY = 1.0e-5, 2.5e-5
"""Seconds on one core: of one update for each vertex that the GCN embeds, and for each path of 256 products."""
BESIDE_TRAINING = 12.0


def rough(case: Case, items: int) -> float:
    """Seconds of a cell on one core.

    >>> from waypost.paper.protocol import PROTOCOLS
    >>> round(rough(Case(PROTOCOLS["fast"], "npm_deps", "ip-nsw", "random", 1), 60_000))
    54
    """
    updates: float = case.config["steps"] * (A_VERTEX * items + A_QUERY * case.protocol.batch * case.budget / 256)
    return updates + BESIDE_TRAINING


def items_of(case: Case, store: Store | None) -> int:
    known = None if store is None else store.sizes(case.data)
    return min(ITEMS if known is None else int(known["items"]), case.protocol.limits.items or 10**9)


def total(cases: Sequence[Case], store: Store | None, jobs: int) -> float:
    """Seconds for all of them on so many cores, by the rule of thumb."""
    return sum(rough(case, items_of(case, store)) for case in cases) / jobs


class Clock:
    """Tells how long is left, by how this run has fared against the rule of thumb."""

    def __init__(self, store: Store, cases: Sequence[Case], jobs: int) -> None:
        self.left = {case.key: rough(case, items_of(case, store)) for case in cases}
        self.jobs, self.expected, self.start = jobs, 0.0, time.perf_counter()
        self.recent: list[float] = []

    def tick(self, case: Case) -> None:
        """A cell is finished."""
        self.expected += self.left.pop(case.key)
        spent = (time.perf_counter() - self.start) * self.jobs
        self.recent = [*self.recent[-9:], spent / self.expected]

    def outlook(self) -> str:
        """A few words on what is left."""
        if not self.left:
            return "nothing is left to do"
        pace = statistics.median(self.recent) if self.recent else 1.0
        return f"{len(self.left)} to do, about {spoken(pace * sum(self.left.values()) / self.jobs)}"


def spoken(seconds: float) -> str:
    """A time as one says it.

    >>> spoken(40), spoken(600), spoken(20_000)
    ('1 minute', '10 minutes', '5.6 hours')
    """
    minutes = max(round(seconds / 60), 1)
    if minutes >= 100:
        return f"{seconds / 3600:.1f} hours"
    return f"{minutes} minute{'s' if minutes > 1 else ''}"
