"""From a ratings matrix to items and queries: implicit-feedback ALS, scaled as the paper scales it (section 6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import as_count, as_seed, as_threads

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class AlsConfig:
    """How to factorise; calling it with nothing gives the settings of all our measurements.

    >>> AlsConfig(factors=32).iterations
    12
    """

    factors: int = 96  # the dimension d of items and queries
    iterations: int = 12  # passes over users and items
    alpha: float = 10.0  # confidence that one interaction adds to a pair
    regularization: float = 0.01  # penalty on the squared norms
    seed: int = 0  # of the random start
    threads: int = 0  # 0 means all cores; the result does not depend on it

    def __post_init__(self) -> None:
        as_count(self.factors, "factors")
        as_count(self.iterations, "iterations")
        as_seed(self.seed)
        as_threads(self.threads)
        for name in ("alpha", "regularization"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)}; pass a finite number of 0 or more.")


@dataclass(frozen=True)
class Factors:
    """Items (n x d) and users (m x d), row for row those of the ratings matrix; the users are the queries.

    >>> Factors(np.ones((5, 2), np.float32), np.ones((3, 2), np.float32)).items.shape
    (5, 2)
    """

    items: Floats
    users: Floats

    def save(self, path: str | Path) -> None:
        """Write both as one `.npz` under exactly this name.

        >>> factors.save("shop.npz")  # doctest: +SKIP
        """
        with open(path, "wb") as file:
            np.savez(file, items=self.items, users=self.users)

    @classmethod
    def load(cls, path: str | Path) -> Factors:
        """Read what `save` wrote.

        >>> Factors.load("shop.npz").users  # doctest: +SKIP
        """
        with np.load(path, allow_pickle=False) as arrays:
            if not {"items", "users"} <= set(arrays.files):
                raise ValueError(f"{path} lacks arrays named items and users; pass a file written by Factors.save.")
            return cls(items=arrays["items"], users=arrays["users"])


def factorize(matrix: csr_matrix, config: AlsConfig | None = None) -> Factors:
    """Factorise a sparse users x items matrix of non-negative ratings or counts.

    Items are divided by their mean norm and users brought to unit length, which leaves each user's best items as they
    were. A user or item without interactions comes out as (nearly) zero.

    >>> factors = factorize(scipy.sparse.load_npz("ratings.npz"), AlsConfig(factors=64))  # doctest: +SKIP
    """
    _require_extra()
    config = config or AlsConfig()
    model = _fit(_checked(matrix), config)
    return Factors(items=_over_mean_norm(model.item_factors), users=_to_unit_length(model.user_factors))


def _require_extra() -> None:
    missing = [name for name in ("implicit", "scipy", "threadpoolctl") if find_spec(name) is None]
    if missing:
        raise ImportError(f"factorize needs {' and '.join(missing)}; run pip install 'waypost[data]'.")


def _checked(matrix: Any) -> csr_matrix:
    import scipy.sparse  # type: ignore[import-untyped]

    if not scipy.sparse.issparse(matrix) or matrix.ndim != 2:
        raise TypeError(f"matrix is of type {type(matrix).__name__}; pass a scipy sparse matrix, users x items.")
    if 0 in matrix.shape:
        raise ValueError(f"matrix is empty (shape {matrix.shape}); pass at least one user and one item.")
    ratings = scipy.sparse.csr_matrix(matrix, dtype=np.float32)
    if not np.isfinite(ratings.data).all() or (ratings.data < 0).any():
        raise ValueError("matrix holds NaN, infinity or negative ratings; drop these or shift them to 0 or more.")
    return ratings


def _fit(ratings: csr_matrix, config: AlsConfig) -> Any:
    from implicit.cpu.als import AlternatingLeastSquares  # type: ignore[import-untyped]
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1, "blas"):  # implicit runs threads of its own; a second pool beneath makes them crawl
        model = AlternatingLeastSquares(
            factors=config.factors,
            iterations=config.iterations,
            alpha=config.alpha,
            regularization=config.regularization,
            random_state=config.seed,
            num_threads=config.threads,
        )
        model.fit(ratings, show_progress=False)
    return model


def _norms(vectors: Floats) -> Floats:
    norms: Floats = np.linalg.norm(vectors, axis=1, keepdims=True)
    return norms


def _over_mean_norm(items: Floats) -> Floats:
    mean = _norms(items).mean()
    return np.ascontiguousarray(items / mean if mean > 0 else items, np.float32)


def _to_unit_length(users: Floats) -> Floats:
    norms = _norms(users)
    return np.ascontiguousarray(users / np.where(norms > 0, norms, 1), np.float32)
