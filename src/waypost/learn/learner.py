"""What the trainer trains: a problem goes in, and something that learns from it step by step comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.entry import Block, Start
from waypost.graph import Graph
from waypost.learn.config import TrainConfig
from waypost.router import Router


@dataclass(frozen=True, eq=False)
class Problem:
    """What there is to learn: everything a learner is made from, checked."""

    items: Floats
    graph: Graph
    queries: Floats
    """The training queries; those that validate are the trainer's."""
    truth: NDArray[np.int64] | None
    """(queries, t) true rows, a row of -1 where none is known; None: no truth at all."""
    entry: int
    """The row that every path and every search starts from, unless a block of them is named."""
    config: TrainConfig
    block: Block | None = None
    """The rule and number of the rows that searches start from in the place of `entry`."""

    @property
    def start(self) -> Start:
        """Where routers start."""
        return self.entry if self.block is None else self.block

    def draw(self, step: int) -> tuple[NDArray[np.int64], int]:
        """The rows of one update's queries and a seed for what it samples, by (seed, step) alone: so a resumed run
        needs no generator's state.

        >>> import waypost as wp
        >>> items = np.eye(4, dtype=np.float32)
        >>> graph = wp.build_graph(items, "ip-nsw", degree=2)
        >>> problem = Problem(items, graph, items, None, 0, TrainConfig(learner="reinforce", batch=3))
        >>> problem.draw(7)[0].shape, problem.draw(7)[1] == problem.draw(7)[1]
        ((3,), True)
        """
        generator = np.random.default_rng((self.config.seed, step))
        rows = generator.integers(0, len(self.queries), self.config.batch)
        return rows, int(generator.integers(2**63))


class Learner(Protocol):
    """Learns by updates. Whatever is random in one comes from `Problem.draw`."""

    def step(self, step: int) -> dict[str, float]:
        """One update, counted from 1; returns figures for the log. One that is not finite ends the training."""

    def routers(self) -> list[Router]:
        """What has been learned so far, in the forms that validation chooses among; the same number of them each time,
        and a function of `state` alone. How each is used at each budget, its manners, validation finds out."""

    def state(self) -> dict[str, Any]:
        """Everything that a resumed run needs: named arrays, tensors and numbers. Later steps do not change it."""

    def restore(self, state: dict[str, Any]) -> None:
        """Goes back to a `state`, whose tensors may have become arrays."""
