"""Inner-product search by learned routing on a proximity graph."""

from typing import TYPE_CHECKING, Any

from waypost.als import AlsNumbers
from waypost.answer import Answer, Trace
from waypost.codebook import Codebook
from waypost.errors import UnreadableFileError, WaypostError
from waypost.evaluate import BudgetPoint, SpeedPoint, as_table, recall, recall_against_budget, recall_against_speed
from waypost.exact import Truth, exact_search
from waypost.graph import KINDS, Graph, build_graph
from waypost.index import Index
from waypost.router import Manner, Router
from waypost.settings import SearchSettings
from waypost.teach import teach_graph
from waypost.tuning import Trial, Tuned, tune

if TYPE_CHECKING:
    from waypost.data import from_implicit
    from waypost.fitting import fit
    from waypost.learn import TrainConfig, train_router

__all__ = [
    "KINDS",
    "AlsNumbers",
    "Answer",
    "BudgetPoint",
    "Codebook",
    "Graph",
    "Index",
    "Manner",
    "Router",
    "SearchSettings",
    "SpeedPoint",
    "Trace",
    "TrainConfig",
    "Trial",
    "Truth",
    "Tuned",
    "UnreadableFileError",
    "WaypostError",
    "__version__",
    "as_table",
    "build_graph",
    "exact_search",
    "fit",
    "from_implicit",
    "recall",
    "recall_against_budget",
    "recall_against_speed",
    "teach_graph",
    "train_router",
    "tune",
]


def __getattr__(name: str) -> Any:
    if name in ("TrainConfig", "train_router"):  # training needs PyTorch, which serving must not load
        from importlib import import_module

        return getattr(import_module("waypost.learn"), name)
    if name == "fit":
        from waypost.fitting import fit

        return fit
    if name == "from_implicit":
        from waypost.data.implicit_model import from_implicit

        return from_implicit
    if name == "__version__":  # looked up only when asked for: reading the metadata takes longer than the import
        from importlib.metadata import version

        return version("waypost")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
