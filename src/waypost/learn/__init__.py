"""Learning to route: the agent of the paper's sections 3 and 4. All that needs PyTorch is here, and nothing else is."""

from importlib.util import find_spec

if find_spec("torch") is None:
    raise ImportError("waypost.learn needs torch; run pip install 'waypost[train]'.")

from waypost.learn.approximate_truth import approximate_truth
from waypost.learn.config import TrainConfig
from waypost.learn.extend import extend_router
from waypost.learn.trainer import train_router

__all__ = ["TrainConfig", "approximate_truth", "extend_router", "train_router"]
