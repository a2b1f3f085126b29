"""What a run is asked for: which sets, by which protocol, from which entries, with which seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from waypost.paper.cases import Case
from waypost.paper.protocol import ENTRIES, Protocol

SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Plan:
    """The cases that tables are made of.

    >>> from waypost.paper.protocol import PROTOCOLS
    >>> len(Plan(("npm_deps",), PROTOCOLS["fast"]).seeded("npm_deps", "random", "ip-nsw"))
    3
    """

    sets: tuple[str, ...]
    protocol: Protocol
    seeds: tuple[int, ...] = SEEDS
    entries: tuple[str, ...] = ENTRIES

    def seeded(self, data: str, entry: str, graph: str = "ip-nsw", **of: Any) -> tuple[Case, ...]:
        """One case a seed; fields that `Case` does not know change the agent's settings."""
        return tuple(self.case(data, entry, seed, graph, **of) for seed in self.seeds)

    def case(self, data: str, entry: str, seed: int, graph: str = "ip-nsw", **of: Any) -> Case:
        known = {name: of.pop(name) for name in ("learner", "share", "truth", "width") if name in of}
        return Case(self.protocol, data, graph, entry, seed, **known, changes=tuple(sorted(of.items())))

    def one_seed(self) -> Plan:
        """For sweeps."""
        return Plan(self.sets, self.protocol, self.seeds[:1], self.entries)
