"""One call that chooses everything: graph, entries, codes, router and the settings of the search."""

from waypost.fitting.choose import fit

__all__ = ["fit"]
