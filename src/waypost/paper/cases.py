"""A case: one training and all that is asked of its agent, of which a cell of results is made."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

from waypost.paper.protocol import (
    BLENDS,
    BUDGETS,
    CANDIDATES,
    DEGREE,
    RERANKS,
    SHARE,
    SPEED_BUDGETS,
    VERSION,
    Protocol,
    Settings,
)


@dataclass(frozen=True)
class Case:
    """What is asked for; two tables that ask for the same share one cell.

    >>> from waypost.paper.protocol import PROTOCOLS
    >>> case = Case(PROTOCOLS["fast"], "npm_deps", "ip-nsw", "random", seed=1)
    >>> case.key == Case(PROTOCOLS["fast"], "npm_deps", "ip-nsw", "random", 1, changes=(("b", 4),)).key
    True
    """

    protocol: Protocol
    data: str
    graph: str
    entry: str
    seed: int
    """Of the graph's order of insertion, of the random entry, of which queries are labelled and of the training."""
    learner: str = "reinforce"
    share: float = SHARE
    truth: str = "exact"
    """Whose answers label the queries: "exact", or "ip-nsw", the unlearned search on that graph."""
    width: int | None = None
    changes: tuple[tuple[str, Any], ...] = ()

    @property
    def config(self) -> Settings:
        """Fields of `TrainConfig`."""
        return self.protocol.agent(self.data, self.graph, self.learner, self.width, dict(self.changes))

    @property
    def budget(self) -> int:
        """Of the training's paths."""
        return int(self.config["budget"])

    @property
    def budgets(self) -> tuple[int, ...]:
        """Of the searches that are measured."""
        timed = SPEED_BUDGETS if self.graph == "moebius" else ()
        # With W in play, the budget pays for the product with it, and this is the only one that is asked for.
        return (self.budget,) if self.width is not None else tuple(sorted({*BUDGETS, *timed}))

    @property
    def settings(self) -> Settings:
        """All that the result depends on, but for the data itself."""
        limits = asdict(self.protocol.limits)
        settings: Settings = {"version": VERSION, "data": self.data, "limits": limits, "seed": self.seed}
        settings |= {"graph": [self.graph, DEGREE, CANDIDATES], "entry": self.entry, "budgets": list(self.budgets)}
        settings |= {"share": self.share, "truth": self.truth if self.share else "none", "agent": self.config}
        settings |= {"reranks": list(RERANKS), "blends": list(BLENDS), "checks": self.protocol.checks}
        return settings

    @property
    def key(self) -> str:
        """Tells this case from all others, on any machine and in any version that measures alike."""
        text = json.dumps(self.settings, sort_keys=True)
        return blake2b(text.encode(), digest_size=6).hexdigest()

    @property
    def name(self) -> str:
        """For people and for the file: what is told at a glance, then the key."""
        parts = [self.graph, self.entry, f"seed{self.seed}", self.learner]
        return "-".join([*parts, self.key])
