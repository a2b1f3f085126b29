"""What every backend of the comparison offers: a few ways to build it, a ladder of efforts, and two ways to ask it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ids = NDArray[Any]
Setting = Mapping[str, Any]

INSTALL = "pip install 'waypost[bench]'"

# Efforts of a graph search: how many candidates it keeps.
EFFORTS = (10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 192, 256, 384, 512, 768, 1024)
RERANKS = (20, 40, 60, 100, 150, 250, 400, 800)


class Unusable(Exception):
    """Why a backend cannot take part: it is not installed, or the items are not for it."""


class Peer(ABC):
    """One backend, on one thread. Validation queries choose among its `builds` and the rungs of its `ladder`."""

    name: ClassVar[str]
    modules: ClassVar[Sequence[str]] = ()
    """The modules it needs, by the names under which they are imported."""
    install: ClassVar[str] = INSTALL
    """The command that brings them."""

    @classmethod
    def builds(cls, n: int, d: int) -> Sequence[Setting]:
        """The ways of building it that are worth a try for n items of width d."""
        return [{}]

    @abstractmethod
    def build(self, items: Floats, training: Floats, **how: Any) -> None:
        """Takes up the items; `training` are queries to learn from, for those who can."""

    @abstractmethod
    def ladder(self) -> Sequence[Setting]:
        """Settings of the search, from little effort to much. Asked for once the items were taken up."""

    @abstractmethod
    def use(self, **setting: Any) -> None:
        """Searches from now on go by one rung of the ladder."""

    @abstractmethod
    def search(self, queries: Floats, k: int) -> Ids:
        """The rows of the best k, for each of many queries."""

    def search_one(self, query: Floats, k: int) -> Ids:
        """The rows of the best k for one query, given as a vector: the shortest call that the library has."""
        ids: Ids = self.search(query[None], k)[0]
        return ids

    def products(self, queries: Floats, k: int) -> float | None:
        """Inner products a query, on average, where the library counts them."""
        return None


class Kept(Peer):
    """A backend whose building chooses much and takes long: what choosing on validation queries built is stored, and
    measured as it is."""

    @abstractmethod
    def save(self, path: Path) -> None: ...

    @abstractmethod
    def load(self, path: Path) -> None: ...


def needed(module: str, install: str = INSTALL) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise Unusable(f"{module.partition('.')[0]} is not installed; run {install}") from error


def by_falling_norm(items: Floats) -> NDArray[np.int64]:
    return np.argsort(-np.linalg.norm(items, axis=1), kind="stable")
