"""The data sets inside the package, by name."""

from __future__ import annotations

from collections.abc import Callable

from waypost.data.npm_deps import load_npm_deps
from waypost.data.ratings import Ratings

EMBEDDED: dict[str, Callable[[], Ratings]] = {"npm_deps": load_npm_deps}


def load_dataset(name: str = "npm_deps") -> Ratings:
    """The ratings that ship inside the package: no network and no file of your own is needed.

    "npm_deps" is the graph of npm packages: its users are packages and its items those they depend on, rated 2 for a
    dependency and 1 for one of development only.

    >>> ratings = load_dataset("npm_deps")
    >>> ratings.matrix.shape[0] > 290_000, "express" in ratings.items
    (True, True)
    """
    if name not in EMBEDDED:
        raise ValueError(f"no data set {name!r} ships with waypost; pass one of {', '.join(EMBEDDED)}.")
    return EMBEDDED[name]()
