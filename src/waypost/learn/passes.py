"""Two ways through the GCN for an update: the whole graph, or the vertices that the walks met."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from waypost.arguments import Floats
from waypost.learn.agent import Agent, EmbeddedArrays, as_array


class Pass(Protocol):
    """What an update walks by, and what it sends its gradient through."""

    met_alone: bool
    """Whether the gradient is wanted by the vertices met alone."""

    def walk_by(self) -> Floats:
        """The vectors that the walks of the update go by."""

    def differentiable(self, rows: NDArray[np.int32] | None, slopes: Floats, seed: int) -> tuple[Tensor, Tensor]:
        """Vectors to send a gradient back from, and that gradient."""

    def refresh(self) -> EmbeddedArrays:
        """The whole graph embedded by the present weights."""


class WholeGraph:
    """Every vertex, every update: exact, and its cost follows the graph."""

    met_alone = False

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.vectors: Tensor | None = None

    def walk_by(self) -> Floats:
        self.vectors = self.agent().vectors
        assert self.vectors is not None
        return self.vectors.detach().cpu().numpy()

    def differentiable(self, rows: NDArray[np.int32] | None, slopes: Floats, seed: int) -> tuple[Tensor, Tensor]:
        assert self.vectors is not None
        return self.vectors, torch.from_numpy(slopes).to(self.vectors)

    def refresh(self) -> EmbeddedArrays:
        return self.agent.embed()


class Neighborhood:
    """Some of the vertices met: cost follows the batch.

    Their neighbours outside keep the features they had when last looked at, as in GNNAutoScale; `refresh` looks at all
    of them. Which vertices an update learns from is drawn by the length of their gradients, and what is drawn counts by
    one over its chance, so that the mean is the whole gradient.
    """

    met_alone = True

    def __init__(self, agent: Agent, neighbors: NDArray[np.int32], most: int) -> None:
        self.agent, self.neighbors, self.most = agent, neighbors, most
        self.scale = 1 / np.sqrt(1 + (neighbors >= 0).sum(axis=1)).astype(np.float32)
        self.place = np.full(len(neighbors), -1, np.int64)  # of a vertex among those of the update
        self.features: list[Tensor] = []
        self.vectors: Floats | None = None

    def refresh(self) -> EmbeddedArrays:
        with torch.no_grad():
            features, embedding = self.agent.layers()
        self.features = features[:-1]
        assert embedding.vectors is not None
        self.vectors = embedding.vectors.cpu().numpy()
        arrays = EmbeddedArrays(*(None if part is None else as_array(part) for part in embedding))
        return arrays

    def walk_by(self) -> Floats:
        if self.vectors is None:
            self.refresh()
        assert self.vectors is not None
        return self.vectors

    def differentiable(self, rows: NDArray[np.int32] | None, slopes: Floats, seed: int) -> tuple[Tensor, Tensor]:
        assert rows is not None
        drawn, weights = self._draw(slopes, seed)
        vectors = self._embed(rows[drawn].astype(np.int64))
        return vectors, torch.from_numpy(slopes[drawn] * weights[:, None]).to(vectors)

    def _draw(self, slopes: Floats, seed: int) -> tuple[NDArray[np.int64], Floats]:
        """Places in `slopes`, and one over the chance of each."""
        lengths = np.sqrt(np.einsum("ij,ij->i", slopes, slopes, dtype=np.float64))
        chances = np.minimum(1.0, lengths * (self.most / max(float(lengths.sum()), 1e-300)))
        drawn = np.flatnonzero(np.random.default_rng(seed).random(len(chances)) < chances)
        return drawn, (1 / chances[drawn]).astype(np.float32)

    def _embed(self, rows: NDArray[np.int64]) -> Tensor:
        """The vectors of some rows; what is worked out on the way is kept for the updates to come."""
        agent, device = self.agent, self.agent.items.device
        ends = np.concatenate([rows[:, None], self.neighbors[rows]], axis=1)
        weights = np.where(ends >= 0, self.scale[rows][:, None] * self.scale[ends], 0).astype(np.float32)
        self.place[rows] = np.arange(len(rows))
        inside = np.where(ends >= 0, self.place[ends], -1)
        self.place[rows] = -1
        whole, near = _Mix(ends, weights, device), _Mix(inside, weights, device)
        at = torch.from_numpy(rows).to(device)
        items = agent.items[at]
        features = agent.blocks[0](items, agent.mixed_items[at])
        for block, kept in zip(list(agent.blocks)[1:], self.features, strict=True):
            kept[at] = features.detach()
            # The value is that of the features kept; the gradient goes through the vertices of this update alone.
            mixed = whole(kept) + near(features - features.detach())
            features = block(features, mixed)
        vectors = agent.read_out(features, items).vectors
        assert vectors is not None
        assert self.vectors is not None
        self.vectors[rows] = vectors.detach().cpu().numpy()
        return vectors


class _Mix:
    """Some rows of the adjacency: `ends` are columns, of which negative ones are none."""

    def __init__(self, ends: NDArray[np.int64], weights: Floats, device: torch.device) -> None:
        self.ends = torch.from_numpy(np.maximum(ends, 0)).to(device)
        self.weights = torch.from_numpy(np.where(ends >= 0, weights, 0)).to(device)

    def __call__(self, features: Tensor) -> Tensor:
        return functional.embedding_bag(self.ends, features, mode="sum", per_sample_weights=self.weights)
