"""The protocol, in one place: how an agent is trained and how it is asked, for all tables and figures alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from waypost.paper.data_sets import Limits

VERSION = 1
"""Of what a finished cell means; raised when the protocol changes, so that old results are not mixed with new ones."""

BUDGETS = (128, 256, 512)
SPEED_BUDGETS = (64, 128, 256, 512, 1024)
BUDGET = 256
SHARE = 0.3
DEGREE, CANDIDATES = 16, 100
RERANKS = (16, 32, 64)
BLENDS = (1.0, 0.5, 0.25)
ENTRIES = ("random", "largest-norm")
GRAPHS = ("ip-nsw", "ipdg", "moebius")
ESTIMATING = 100
"""Queries that the zigzag lines of the paper's convergence figure are drawn from."""

Settings = dict[str, Any]
WHOLE = Limits(valid=5_000)

PRINTED_AGENTS: dict[str, Settings] = {
    "movielens": {"gamma": 0.9, "alpha": 0.7, "tau": 0.15, "b": 4},
    "amazon": {"gamma": 0.9, "alpha": 1.0, "tau": 0.5, "b": 4},
    "echonest": {"gamma": 0.9, "alpha": 2.7, "tau": 1.0, "b": 4},
}
AGENT_OF = {
    "movielens-25m": "movielens",
    "amazon-movies-tv": "amazon",
    "amazon-movies-tv-reviews": "amazon",
    "echonest": "echonest",
}
"""Sets of other names train with the printed settings of MovieLens."""


@dataclass(frozen=True)
class Protocol:
    """How much is trained and on how much data."""

    name: str
    about: str
    steps: int
    batch: int
    lr: float
    residual: bool
    """Whether the agent starts as the unlearned search (ours) or plainly, from random weights (printed)."""
    plain_lr: float | None = None
    """The rate of an agent that starts plainly, where it is another."""
    steps_on: tuple[tuple[str, int], ...] = ()
    """Updates by kind of graph, where they are others."""
    tau: tuple[tuple[str, float], ...] = ()
    """Temperatures by kind of graph, in the place of the printed one."""
    limits: Limits = WHOLE
    checks: int = 12
    """Exact validations in the course of a training; the printed one has one every 5,000 of 60,000 batches."""
    estimates: int = 20
    """Quick looks on a few validation queries; each embeds the whole graph once more."""

    @property
    def queries(self) -> int:
        """How many training queries an agent sees, where its graph has no number of its own.

        >>> PROTOCOLS["printed"].queries
        1800000
        """
        return self.steps * self.batch

    def agent(self, data: str, graph: str, learner: str, width: int | None, changes: Settings) -> Settings:
        """The settings of a training, as fields of `waypost.TrainConfig`; only those that its learner looks at."""
        printed = PRINTED_AGENTS[AGENT_OF.get(data, "movielens")]
        if graph in dict(self.tau):
            printed = printed | {"tau": dict(self.tau)[graph]}
        steps = dict(self.steps_on).get(graph, self.steps)
        settings: Settings = {"learner": learner, "budget": BUDGET, "steps": steps, "batch": self.batch}
        settings |= {"lr": self.lr, "lr_decay": 0.1, "baseline": "samples", "later_baselines": True, "products": True}
        settings |= printed | {"width": width, "residual": self.residual} | changes
        if width is not None or not settings["residual"]:
            settings |= {"residual": False, "lr": self.plain_lr or self.lr}
        if learner == "imitation":
            for name in ("gamma", "alpha", "b", "baseline", "later_baselines", "products"):
                del settings[name]
        return settings


PROTOCOLS = {
    one.name: one
    for one in (
        Protocol(
            "fast",
            "60 updates of 4,096 queries (on Moebius 180) by an agent that starts as the unlearned search; "
            "validation is flat by then, or nearly so",
            steps=60,
            batch=4096,
            lr=0.002,
            residual=True,
            plain_lr=0.01,
            steps_on=(("moebius", 180),),
            tau=(("moebius", 0.05),),
        ),
        Protocol(
            "same-queries",
            "440 updates of 4,096 queries by the plain agent: as printed, in fewer, larger batches at a larger rate",
            steps=440,
            batch=4096,
            lr=0.01,
            residual=False,
        ),
        Protocol(
            "printed",
            "60,000 updates of 30 queries by the plain agent, Adam at 0.001 falling exponentially",
            steps=60_000,
            batch=30,
            lr=0.001,
            residual=False,
            estimates=600,
        ),
    )
}


def quick(protocol: Protocol) -> Protocol:
    """A look: a few thousand items and queries, few updates; its numbers mean nothing beyond that all of it runs.

    >>> quick(PROTOCOLS["fast"]).queries
    10240
    """
    few = Limits(items=6_000, train=6_000, valid=500, test=1_000)
    return replace(
        protocol,
        name=f"{protocol.name}-quick",
        about="a look: 6,000 items, 10 updates of 1,024 queries",
        steps=10,
        steps_on=(),
        batch=1024,
        limits=few,
        checks=5,
    )
