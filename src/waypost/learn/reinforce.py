"""REINFORCE: one update of the agent from one batch of paths."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.learn.agent import Agent
from waypost.learn.labels import Labels
from waypost.learn.rollouts import Outcome, Rollouts


def update(
    agent: Agent,
    optimizer: torch.optim.Optimizer,
    rollouts: Rollouts,
    queries: Floats,
    *,
    seed: int,
    labels: Labels | None = None,
    targets: NDArray[np.int32] | None = None,
) -> Outcome:
    """Embeds the graph once, collects the paths natively, and sends their gradient back through the GCN once."""
    embedding = agent()
    vectors, matrix = embedding.vectors, embedding.query_matrix
    if vectors is None:
        raise ValueError("head has no vectors; pass an agent whose head is 'vectors' or 'both'.")
    asked = torch.from_numpy(queries)
    routed = None if matrix is None else asked.to(matrix) @ matrix.T
    outcome = rollouts.collect(
        vectors.detach().cpu().numpy(),
        queries,
        seed=seed,
        route_queries=None if routed is None else np.ascontiguousarray(routed.detach().cpu().numpy()),
        labels=labels,
        targets=targets,
    )
    optimizer.zero_grad(set_to_none=True)
    outputs, gradients = [vectors], [torch.from_numpy(outcome.vectors).to(vectors)]
    if routed is not None:
        outputs.append(routed)
        gradients.append(torch.from_numpy(outcome.queries).to(routed))
    torch.autograd.backward(outputs, gradients)
    optimizer.step()
    return outcome
