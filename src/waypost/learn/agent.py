"""The agent (section 3.2 of the paper): a GCN that embeds the vertices, and what turns a query into a routing query."""

from __future__ import annotations

from typing import NamedTuple

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn
from torch.nn import functional

from waypost.arguments import Floats, as_count, as_matrix, as_seed
from waypost.graph import Graph
from waypost.learn.fully_connected import as_images, as_rows, fully_connected, pad
from waypost.learn.graph_convolution import Adjacency, GraphConvolutionBlock

BLOCKS = 3
HEADS = ("vectors", "bias", "both")


class Embedding(NamedTuple):
    """What the GCN says of the graph, as tensors that gradients flow back from."""

    vectors: Tensor | None
    """(n, d'), E_v in the paper; None stands for the items themselves."""
    query_matrix: Tensor | None
    """(d', d), W in the paper; None stands for the identity."""
    bias: Tensor | None
    """(n,), added to each vertex's routing score, s times; None where the head has none."""


class EmbeddedArrays(NamedTuple):
    """An `Embedding` as NumPy arrays: what a router is made of."""

    vectors: Floats | None
    query_matrix: Floats | None
    bias: Floats | None


class Agent(nn.Module):
    """The paper's agent over one graph: three graph convolution blocks, then two fully connected layers.

    - `width`: d', the width of the routing vectors; by default that of the items, d. Queries stay as they are then, and
      are multiplied by a learned matrix otherwise.
    - `head`: what is learned of each vertex: its "vectors", a "bias" alone on top of the item vectors, or "both".
    - `residual`: E_v = X + GCN(X) with the last layer starting at zero, so that the untrained agent is the unlearned
      search; by default wherever d' = d. False is the paper's plain E_v = GCN(X).
    - `seed`: of the starting weights; torch's global seed has no part in them.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
    >>> agent = Agent(items, wp.build_graph(items, kind="ip-nsw", degree=4, candidates=10))
    >>> bool((agent.embed().vectors == items).all())
    True
    """

    items: Tensor
    mixed_items: Tensor

    def __init__(
        self,
        items: ArrayLike,
        graph: Graph,
        *,
        width: int | None = None,
        head: str = "vectors",
        residual: bool | None = None,
        seed: int = 0,
        device: str | torch.device = "cpu",
    ) -> None:
        super().__init__()
        matrix, place = as_matrix(items, "items"), _as_device(device)
        _check_graph(graph, len(matrix))
        d = matrix.shape[1]
        self.width = d if width is None else as_count(width, "width")
        self.head = _known_head(head, self.width, d)
        self.residual = _as_residual(residual, head, self.width, d)
        self.n = len(matrix)
        padded = pad(torch.tensor(matrix))
        self.adjacency = Adjacency.of(graph.neighbors, rows=len(padded))
        self.register_buffer("items", padded, persistent=False)
        # The items never change, so neither does their first product with the adjacency.
        self.register_buffer("mixed_items", self.adjacency.rows.times(self.items), persistent=False)
        self._add_layers(d, torch.Generator().manual_seed(as_seed(seed)))
        self.to(place)

    def _add_layers(self, d: int, generator: torch.Generator) -> None:
        self.blocks = nn.ModuleList(GraphConvolutionBlock(d, generator) for _ in range(BLOCKS))
        self.hidden = fully_connected(d, d, generator)
        self.to_vectors = self.to_bias = None
        if self.head != "bias":
            self.to_vectors = fully_connected(d, self.width, generator, zero=self.residual)
        if self.head != "vectors":
            self.to_bias = fully_connected(d, 1, generator, zero=True)
        self.query_matrix = None
        if self.width != d:
            self.query_matrix = nn.Parameter(nn.init.orthogonal_(torch.empty(self.width, d), generator=generator))

    def forward(self) -> Embedding:
        """The whole graph through the GCN.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
        >>> agent = Agent(items, wp.build_graph(items, kind="ip-nsw", degree=4, candidates=10), head="bias")
        >>> agent().bias.shape
        torch.Size([50])
        """
        return self.layers()[1]

    def embedding(self, items: Tensor, mixed_items: Tensor, adjacency: Adjacency) -> Embedding:
        """`items` through the GCN along any adjacency; `mixed_items` is that adjacency times `items`.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
        >>> agent = Agent(items, wp.build_graph(items, kind="ip-nsw", degree=4, candidates=10))
        >>> first, alone = torch.from_numpy(items[:3]), Adjacency.of(np.full((3, 1), -1, np.int32))
        >>> agent.embedding(first, alone.propagate(first), alone).vectors.shape
        torch.Size([3, 8])
        """
        return self.read_out(self._features(items, mixed_items, adjacency)[-1], items)

    def layers(self) -> tuple[list[Tensor], Embedding]:
        """What each block makes of the whole graph, and the embedding that comes of the last.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
        >>> agent = Agent(items, wp.build_graph(items, kind="ip-nsw", degree=4, candidates=10))
        >>> [features.shape for features in agent.layers()[0]] == 3 * [(50, 8)]
        True
        """
        features = self._features(self.items, self.mixed_items, self.adjacency)
        vectors, query_matrix, bias = self.read_out(features[-1], self.items)
        return [layer[: self.n] for layer in features], Embedding(
            None if vectors is None else vectors[: self.n], query_matrix, None if bias is None else bias[: self.n]
        )

    def _features(self, items: Tensor, mixed_items: Tensor, adjacency: Adjacency) -> list[Tensor]:
        features: list[Tensor] = []
        for place, block in enumerate(self.blocks):
            before = features[-1] if place else items
            features.append(block(before, adjacency.propagate(before) if place else mixed_items))
        return features

    def read_out(self, features: Tensor, items: Tensor) -> Embedding:
        """The two fully connected layers, on what the last block made of `items`.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
        >>> agent = Agent(items, wp.build_graph(items, kind="ip-nsw", degree=4, candidates=10))
        >>> agent.read_out(torch.ones(3, 8), torch.zeros(3, 8)).vectors.abs().sum().item()
        0.0
        """
        hidden, vectors, bias = functional.elu_(self.hidden(as_images(features))), None, None
        if self.to_vectors is not None:
            vectors = self.to_vectors(hidden)
            vectors = as_rows(vectors.add_(as_images(items)) if self.residual else vectors)
        if self.to_bias is not None:
            bias = self.to_bias(as_rows(hidden))[:, 0]
        return Embedding(vectors, self.query_matrix, bias)

    def embed(self) -> EmbeddedArrays:
        """The same as arrays, without gradients: for a `waypost.Router`.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
        >>> graph = wp.build_graph(items, kind="ip-nsw", degree=4, candidates=10)
        >>> vectors, query_matrix, bias = Agent(items, graph, width=5).embed()
        >>> wp.Router(vectors, query_matrix).query_matrix.shape
        (5, 8)
        """
        with torch.no_grad():
            return EmbeddedArrays(*(None if part is None else as_array(part) for part in self()))

    def on(self, items: ArrayLike, graph: Graph) -> Agent:
        """A copy of this agent over other items of the same width: those that came later need no training.

        >>> import numpy as np
        >>> import waypost as wp
        >>> items = np.random.default_rng(0).standard_normal((60, 8), dtype=np.float32)
        >>> graphs = [wp.build_graph(items[:n], kind="ip-nsw", degree=4, candidates=10) for n in (50, 60)]
        >>> Agent(items[:50], graphs[0]).on(items, graphs[1]).embed().vectors.shape
        (60, 8)
        """
        matrix, d = as_matrix(items, "items"), self.items.shape[1]
        if matrix.shape[1] != d:
            raise ValueError(f"items has {matrix.shape[1]} columns but the agent learned on {d}; pass items of {d}.")
        place = self.items.device
        other = Agent(matrix, graph, width=self.width, head=self.head, residual=self.residual, device=place)
        other.load_state_dict(self.state_dict())
        return other


def as_array(values: Tensor) -> Floats:
    """A copy, on the CPU and without a gradient.

    >>> as_array(torch.ones(2, requires_grad=True))
    array([1., 1.], dtype=float32)
    """
    array: Floats = values.detach().to("cpu", torch.float32, copy=True).numpy()
    return array


def _check_graph(graph: object, n: int) -> None:
    if not isinstance(graph, Graph):
        raise TypeError(f"graph is of type {type(graph).__name__}; pass a waypost.Graph.")
    if len(graph) != n:
        raise ValueError(f"graph has {len(graph)} rows for {n} items; pass the graph of these items.")


def _known_head(head: object, width: int, d: int) -> str:
    if not isinstance(head, str) or head not in HEADS:
        raise ValueError(f"head is {head!r}; pass one of {', '.join(HEADS)}.")
    if head == "bias" and width != d:
        raise ValueError(f"width is {width}, but head 'bias' routes by the items of width {d}; leave width out.")
    return head


def _as_residual(residual: bool | None, head: str, width: int, d: int) -> bool:
    if residual is None:
        return width == d
    if not isinstance(residual, bool):
        raise TypeError(f"residual is of type {type(residual).__name__}; pass True, False or None.")
    if residual and width != d:
        raise ValueError(
            f"residual adds items of width {d} to vectors of width {width}; pass width={d} or no residual."
        )
    if not residual and head == "bias":
        raise ValueError("residual is False, but head 'bias' always builds on the items; leave residual out.")
    return residual


def _as_device(device: str | torch.device) -> torch.device:
    try:
        place = torch.device(device)
        torch.empty(1, device=place)
    except (RuntimeError, AssertionError, TypeError):  # AssertionError: torch was built without CUDA
        raise ValueError(
            f"device is {device!r}, which torch cannot use here; pass 'cpu' or a device it finds."
        ) from None
    return place
