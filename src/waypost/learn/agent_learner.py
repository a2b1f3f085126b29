"""What REINFORCE and imitation share: one agent, one gradient of its vectors an update, one backward pass, Adam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from waypost.arguments import Floats
from waypost.learn.agent import Agent
from waypost.learn.apprentice import Apprentice
from waypost.learn.learner import Problem
from waypost.learn.passes import Neighborhood, Pass, WholeGraph
from waypost.router import Router


@dataclass(frozen=True, eq=False)
class Gradient:
    """The loss of one batch, differentiated by what the agent says of vertices and queries."""

    vectors: Floats
    queries: Floats | None
    rows: NDArray[np.int32] | None
    """The vertices that `vectors` has lines for; None: all of them."""
    figures: dict[str, float]


class Collector(Protocol):
    """Walks the graph by the agent's vectors and says how they should change."""

    def __call__(
        self, vectors: Floats, rows: NDArray[np.int64], seed: int, route_queries: Floats | None, met_alone: bool
    ) -> Gradient: ...


class AgentLearner:
    """Has the native core walk by the agent's vectors, and sends the gradient back through the GCN once an update."""

    def __init__(self, problem: Problem, collect: Collector) -> None:
        config = problem.config
        self.problem, self.collect = problem, collect
        self.agent = Agent(
            problem.items,
            problem.graph,
            width=config.width,
            residual=config.residual,
            seed=config.seed,
            device=config.device,
        )
        self.way: Pass = WholeGraph(self.agent)
        if config.neighborhood is not None:
            self.way = Neighborhood(self.agent, problem.graph.neighbors, config.neighborhood)
        self.apprentice = Apprentice(self.agent, config)

    def step(self, step: int) -> dict[str, float]:
        rows, seed = self.problem.draw(step)
        routed = self._routed(rows)
        plain = None if routed is None else np.ascontiguousarray(routed.detach().cpu().numpy())
        gradient = self.collect(self.way.walk_by(), rows, seed, plain, self.way.met_alone)
        vectors, slopes = self.way.differentiable(gradient.rows, gradient.vectors, seed)
        outputs, backwards = [vectors], [slopes]
        if routed is not None and gradient.queries is not None:
            outputs.append(routed)
            backwards.append(torch.from_numpy(gradient.queries).to(routed))
        return gradient.figures | {"gradient": self.apprentice.follow(step, outputs, backwards)}

    def _routed(self, rows: NDArray[np.int64]) -> Tensor | None:
        """The batch's queries times W, where the agent has one."""
        matrix = self.agent.query_matrix
        return None if matrix is None else torch.from_numpy(self.problem.queries[rows]).to(matrix) @ matrix.T

    def routers(self) -> list[Router]:
        vectors, matrix, _ = self.way.refresh()
        assert vectors is not None
        config, entry = self.problem.config, self.problem.entry
        shares = config.blends if self.agent.residual else (1.0,)
        return [Router(blended(self.problem.items, vectors, share), matrix, entry) for share in shares]

    def state(self) -> dict[str, Any]:
        return self.apprentice.state()

    def restore(self, state: dict[str, Any]) -> None:
        self.apprentice.restore(state)
        self.way.refresh()


def blended(items: Floats, vectors: Floats, share: float) -> Floats:
    """The items and a share of what was learned beside them: less routes less far, but ranks more truly.

    >>> blended(np.zeros((1, 2), np.float32), np.ones((1, 2), np.float32), 0.25)
    array([[0.25, 0.25]], dtype=float32)
    """
    return vectors if share == 1 else items + np.float32(share) * (vectors - items)
