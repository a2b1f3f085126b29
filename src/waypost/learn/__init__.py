"""Learning to route. What needs PyTorch is imported when it is asked for: a bias is learned without."""

from typing import Any

from waypost.learn.approximate_truth import approximate_truth
from waypost.learn.config import TrainConfig
from waypost.learn.trainer import train_router

__all__ = ["TrainConfig", "approximate_truth", "extend_router", "train_router"]


def __getattr__(name: str) -> Any:
    if name == "extend_router":
        from waypost.learn.extend import extend_router

        return extend_router
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
