"""Graph convolution: the paper's equation (4) on a directed proximity graph, and the block around it."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from waypost.learn.fully_connected import as_images, as_rows, fully_connected

INT32_PLACES = 2**31 - 1


class SparseRows(nn.Module):
    """A sparse matrix in CSR form whose arrays follow the module to another device or precision."""

    offsets: Tensor
    columns: Tensor
    weights: Tensor

    def __init__(self, offsets: Tensor, columns: Tensor, weights: Tensor, width: int) -> None:
        super().__init__()
        self.width = width
        for name, values in (("offsets", offsets), ("columns", columns), ("weights", weights)):
            self.register_buffer(name, values, persistent=False)

    def times(self, dense: Tensor) -> Tensor:
        """This matrix times a dense one; each row is summed in one order, so threads do not change the result."""
        if dense.device.type != "cpu":
            return torch.sparse_csr_tensor(self.offsets, self.columns, self.weights, self._shape()) @ dense
        # The same product, up to 7 times as quick as torch's CSR kernel on one thread: its "bags" are our rows.
        return functional.embedding_bag(
            self.columns,
            dense,
            self.offsets,
            mode="sum",
            per_sample_weights=self.weights,
            include_last_offset=True,
        )

    def _shape(self) -> tuple[int, int]:
        return len(self.offsets) - 1, self.width


class Adjacency(nn.Module):
    """D^-1/2 (A + I) D^-1/2, with its transpose kept for the way back: autograd would transpose at every step.

    The paper's D_ii is the sum of row i of A + I. Its graphs are directed, so columns sum to something else; we take
    the formula at its word and scale by the row sums, out-degree and one, on both sides. Each row then mixes a vertex
    with those that a walk can go on to, and the result is not symmetric.
    """

    def __init__(self, forward: SparseRows, transposed: SparseRows) -> None:
        super().__init__()
        self.rows = forward
        self.transposed = transposed

    @classmethod
    def of(cls, neighbors: NDArray[np.int32], rows: int | None = None) -> Adjacency:
        """The adjacency of (n, degree) neighbours; -1, and any other number that is no row, is no edge.

        `rows` above n appends vertices without an edge.

        >>> import numpy as np
        >>> pair = Adjacency.of(np.array([[1], [-1]], np.int32))
        >>> pair.rows.times(torch.eye(2))
        tensor([[0.5000, 0.7071],
                [0.0000, 1.0000]])
        """
        n = len(neighbors)
        ends = np.concatenate([np.arange(n, dtype=np.int64)[:, None], neighbors], axis=1)
        is_edge = (ends >= 0) & (ends < n)
        alone = np.arange(n, n if rows is None else rows)
        degrees = np.concatenate([is_edge.sum(axis=1), np.ones_like(alone)])
        targets = np.concatenate([ends[is_edge], alone])
        sources = np.repeat(np.arange(len(degrees)), degrees)
        scale = 1 / np.sqrt(degrees)
        # One sort of (target, source) pairs packed into a number each transposes quicker than an argsort.
        pairs = np.sort(targets << 32 | sources)
        back_targets, back_sources = pairs >> 32, pairs & (2**32 - 1)
        return cls(
            sparse_rows(degrees, targets, scale[sources] * scale[targets], len(degrees)),
            sparse_rows(np.bincount(targets), back_sources, scale[back_sources] * scale[back_targets], len(degrees)),
        )

    def propagate(self, features: Tensor) -> Tensor:
        """This matrix times `features`, with a gradient."""
        mixed: Tensor = _Propagate.apply(features, self)  # type: ignore[no-untyped-call]
        return mixed


class _Propagate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor, adjacency: Adjacency) -> Tensor:
        ctx.adjacency = adjacency
        return adjacency.rows.times(features)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return ctx.adjacency.transposed.times(gradients[0].contiguous()), None


class GraphConvolutionBlock(nn.Module):
    """Convolution without a bias, ELU, a fully connected layer; the residual around it, layer normalisation at the end.

    >>> import numpy as np
    >>> block = GraphConvolutionBlock(4, torch.Generator().manual_seed(0))
    >>> adjacency = Adjacency.of(np.array([[1], [0], [-1]], np.int32))
    >>> features = torch.eye(3, 4)
    >>> block(features, adjacency.propagate(features)).shape
    torch.Size([3, 4])
    """

    def __init__(self, width: int, generator: torch.Generator) -> None:
        super().__init__()
        self.convolution = fully_connected(width, width, generator, bias=False)
        self.connected = fully_connected(width, width, generator)
        self.normalization = nn.LayerNorm(width)

    def forward(self, features: Tensor, mixed: Tensor) -> Tensor:
        """`mixed` is the adjacency times `features`: a caller can keep that product where `features` never change."""
        # In place where autograd does not need what is overwritten: fresh memory costs as much as the arithmetic.
        hidden = functional.elu_(self.convolution(as_images(mixed)))
        summed = self.connected(hidden).add_(as_images(features))
        normalized: Tensor = self.normalization(as_rows(summed))
        return normalized


def sparse_rows(
    lengths: NDArray[np.int64], columns: NDArray[np.int64], weights: NDArray[np.float64], width: int
) -> SparseRows:
    """A sparse matrix of `width` columns, its entries row by row, from the number of entries in each row.

    >>> sparse_rows(np.array([1, 0, 1]), np.array([1, 0]), np.array([2.0, 3.0]), 2).times(torch.eye(2)).tolist()
    [[0.0, 2.0], [0.0, 0.0], [3.0, 0.0]]
    """
    whole = np.int32 if len(columns) <= INT32_PLACES else np.int64
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return SparseRows(
        torch.from_numpy(offsets.astype(whole)),
        torch.from_numpy(columns.astype(whole)),
        torch.from_numpy(weights.astype(np.float32)),
        width,
    )
