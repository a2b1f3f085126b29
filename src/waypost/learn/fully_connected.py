"""A fully connected layer over all vertices at once, by whichever library multiplies matrices quickest."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

# torch multiplies matrices by MKL, which on AMD leaves half of the processor idle, but convolves by oneDNN, which was
# 2.5 times as quick there. A fully connected layer is a convolution over single pixels, so we call it one: rows are
# seen as the pixels of this many images (torch keeps a convolution of 16 images or fewer from oneDNN).
IMAGES = 32
HAS_ONEDNN: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]


def pad(rows: Tensor) -> Tensor:
    """`rows` with zero rows appended until they can be seen as images.

    >>> pad(torch.ones(33, 2)).shape
    torch.Size([64, 2])
    """
    return functional.pad(rows, (0, 0, 0, -len(rows) % IMAGES))


def as_images(rows: Tensor) -> Tensor:
    """(n, width) rows as (images, width, pixels, 1), without a copy; just as they came where that gains nothing.

    >>> as_images(torch.ones(64, 5)).shape, as_images(torch.ones(63, 5)).shape
    (torch.Size([32, 5, 2, 1]), torch.Size([63, 5]))
    """
    gains = HAS_ONEDNN and rows.device.type == "cpu" and rows.dtype == torch.float32
    if not gains or len(rows) % IMAGES:
        return rows
    return rows.view(IMAGES, len(rows) // IMAGES, 1, rows.shape[1]).permute(0, 3, 1, 2)


def as_rows(images: Tensor) -> Tensor:
    """What `as_images` was given.

    >>> as_rows(as_images(torch.ones(64, 5))).shape
    torch.Size([64, 5])
    """
    return images if images.ndim == 2 else images.permute(0, 2, 3, 1).reshape(-1, images.shape[1])


class FullyConnected(nn.Linear):
    """`nn.Linear` for rows, and the same for what `as_images` made of them.

    >>> layer = fully_connected(5, 3, torch.Generator().manual_seed(0))
    >>> rows = torch.ones(64, 5)
    >>> torch.allclose(as_rows(layer(as_images(rows))), layer(rows), atol=1e-6)
    True
    """

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim == 2:
            return functional.linear(input, self.weight, self.bias)
        return functional.conv2d(input, self.weight[:, :, None, None], self.bias)


def fully_connected(
    inputs: int, outputs: int, generator: torch.Generator, *, bias: bool = True, zero: bool = False
) -> FullyConnected:
    """A layer that starts at zero or, by Glorot's rule, from `generator`; torch's global seed is not touched.

    >>> fully_connected(2, 3, torch.Generator().manual_seed(0)).bias
    Parameter containing:
    tensor([0., 0., 0.], requires_grad=True)
    """
    layer: FullyConnected = nn.utils.skip_init(  # type: ignore[no-untyped-call]
        FullyConnected, inputs, outputs, bias=bias
    )
    if zero:
        nn.init.zeros_(layer.weight)
    else:
        nn.init.xavier_uniform_(layer.weight, generator=generator)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer
