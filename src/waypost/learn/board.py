"""Event files for TensorBoard."""

from __future__ import annotations

import os
from typing import Any


class Board:
    """Writes each figure as a curve of its own into a folder that `tensorboard --logdir` shows."""

    def __init__(self, folder: str | os.PathLike[str], first: int) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise ImportError("tensorboard= needs the package; run pip install 'waypost[tensorboard]'.") from None
        # What a killed run wrote beyond its checkpoint is hidden, for it is done again.
        self._writer: Any = SummaryWriter(os.fspath(folder), purge_step=first)

    def write(self, step: int, figures: dict[str, float]) -> None:
        for name, value in figures.items():
            self._writer.add_scalar(name, value, step)

    def close(self) -> None:
        self._writer.close()
