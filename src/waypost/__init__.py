"""Inner-product search by learned routing on a proximity graph."""

from waypost.answer import Answer, Trace
from waypost.errors import UnreadableFileError, WaypostError
from waypost.evaluate import BudgetPoint, SpeedPoint, as_table, recall, recall_against_budget, recall_against_speed
from waypost.exact import Truth, exact_search
from waypost.graph import KINDS, Graph, build_graph
from waypost.index import Index
from waypost.router import Router

__all__ = [
    "KINDS",
    "Answer",
    "BudgetPoint",
    "Graph",
    "Index",
    "Router",
    "SpeedPoint",
    "Trace",
    "Truth",
    "UnreadableFileError",
    "WaypostError",
    "__version__",
    "as_table",
    "build_graph",
    "exact_search",
    "recall",
    "recall_against_budget",
    "recall_against_speed",
]


def __getattr__(name: str) -> str:
    if name == "__version__":  # looked up only when asked for: reading the metadata takes longer than the import
        from importlib.metadata import version

        return version("waypost")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
