"""An agent with its optimiser: what a training of any of them steps, keeps and goes back to."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from waypost.learn.agent import Agent
from waypost.learn.config import TrainConfig


class Apprentice:
    """Adam on an agent's weights, its rate falling exponentially.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
    >>> agent = Agent(items, wp.build_graph(items, "ip-nsw", degree=4, candidates=10))
    >>> apprentice = Apprentice(agent, TrainConfig(learner="reinforce"))
    >>> apprentice.follow(1, [agent().vectors], [torch.ones(50, 8)]) > 0
    True
    """

    def __init__(self, agent: Agent, config: TrainConfig) -> None:
        self.agent, self.config = agent, config
        self.parameters = dict(agent.named_parameters())
        self.optimizer = torch.optim.Adam(self.parameters.values(), lr=config.lr)

    def follow(self, step: int, outputs: list[Tensor], gradients: list[Tensor]) -> float:
        """One update, the `step`-th, by the loss's gradients at some outputs; returns the length of that at the
        weights."""
        self._set_rate(step)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(outputs, gradients)
        self.optimizer.step()
        squares = [p.grad.square().sum() for p in self.parameters.values() if p.grad is not None]
        return float(torch.stack(squares).sum().sqrt())

    def _set_rate(self, step: int) -> None:
        """Exponential decay, worked out from the step: a resumed run has nothing to remember."""
        config = self.config
        for group in self.optimizer.param_groups:
            group["lr"] = config.lr * config.lr_decay ** ((step - 1) / config.steps)

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = {
            f"agent.{name}": value.detach().cpu().clone() for name, value in self.parameters.items()
        }
        for name, parameter in self.parameters.items():
            for part, value in self.optimizer.state.get(parameter, {}).items():
                state[f"adam.{part}.{name}"] = float(value) if value.ndim == 0 else value.detach().cpu().clone()
        return state

    def restore(self, state: dict[str, Any]) -> None:
        if {name for name in state if name.startswith("agent.")} != {f"agent.{name}" for name in self.parameters}:
            raise ValueError("the state is that of another agent.")
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


def _as_tensor(value: Any) -> Tensor:
    return value.clone() if isinstance(value, Tensor) else torch.tensor(value, dtype=torch.float32)
