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
        self.parameters = dict(self.agent.named_parameters())
        self.optimizer = torch.optim.Adam(self.parameters.values(), lr=config.lr)

    def step(self, step: int) -> dict[str, float]:
        rows, seed = self.problem.draw(step)
        self._set_rate(step)
        routed = self._routed(rows)
        plain = None if routed is None else np.ascontiguousarray(routed.detach().cpu().numpy())
        gradient = self.collect(self.way.walk_by(), rows, seed, plain, self.way.met_alone)
        vectors, slopes = self.way.differentiable(gradient.rows, gradient.vectors, seed)
        self.optimizer.zero_grad(set_to_none=True)
        outputs, backwards = [vectors], [slopes]
        if routed is not None and gradient.queries is not None:
            outputs.append(routed)
            backwards.append(torch.from_numpy(gradient.queries).to(routed))
        torch.autograd.backward(outputs, backwards)
        self.optimizer.step()
        return gradient.figures | {"gradient": self._gradient_norm()}

    def _routed(self, rows: NDArray[np.int64]) -> Tensor | None:
        """The batch's queries times W, where the agent has one."""
        matrix = self.agent.query_matrix
        return None if matrix is None else torch.from_numpy(self.problem.queries[rows]).to(matrix) @ matrix.T

    def _set_rate(self, step: int) -> None:
        """Exponential decay, worked out from the step: a resumed run has nothing to remember."""
        config = self.problem.config
        for group in self.optimizer.param_groups:
            group["lr"] = config.lr * config.lr_decay ** ((step - 1) / config.steps)

    def _gradient_norm(self) -> float:
        squares = [p.grad.square().sum() for p in self.parameters.values() if p.grad is not None]
        return float(torch.stack(squares).sum().sqrt())

    def routers(self) -> list[Router]:
        vectors, matrix, _ = self.way.refresh()
        assert vectors is not None
        config, entry = self.problem.config, self.problem.entry
        forms = [self._blended(vectors, share) for share in (config.blends if self.agent.residual else (1.0,))]
        return [Router(form, matrix, entry) for form in forms]

    def _blended(self, vectors: Floats, share: float) -> Floats:
        """The items and a share of what was learned beside them: less routes less far, but ranks more truly."""
        if share == 1:
            return vectors
        items = self.problem.items
        return items + np.float32(share) * (vectors - items)

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = {
            f"agent.{name}": value.detach().cpu().clone() for name, value in self.parameters.items()
        }
        for name, parameter in self.parameters.items():
            for part, value in self.optimizer.state.get(parameter, {}).items():
                state[f"adam.{part}.{name}"] = float(value) if value.ndim == 0 else value.detach().cpu().clone()
        return state

    def restore(self, state: dict[str, Any]) -> None:
        with torch.no_grad():
            for name, parameter in self.parameters.items():
                parameter.copy_(_as_tensor(state[f"agent.{name}"]))
                moments = {
                    key.split(".", 2)[1]: _as_tensor(value).to(parameter)
                    for key, value in state.items()
                    if key.startswith("adam.") and key.split(".", 2)[2] == name
                }
                if "step" in moments:
                    moments["step"] = moments["step"].cpu()
                self.optimizer.state[parameter] = moments
        self.way.refresh()


def _as_tensor(value: Any) -> Tensor:
    return value.clone() if isinstance(value, Tensor) else torch.tensor(value, dtype=torch.float32)
