"""From a ratings matrix to items and queries: implicit-feedback ALS, scaled as the paper scales it (section 6)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from waypost.arguments import as_count, as_seed, as_threads
from waypost.data.factors import Factors
from waypost.data.ratings import Ratings
from waypost.data.scaling import normalized

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

Progress = Callable[[int, int], None]

__all__ = ["AlsConfig", "Factors", "factorize"]


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


def factorize(
    ratings: Ratings | csr_matrix, config: AlsConfig | None = None, *, progress: Progress | None = None
) -> Factors:
    """Factorise ratings, or a sparse users x items matrix of non-negative ratings or counts.

    Items are divided by their mean norm and users brought to unit length, which leaves each user's best items as they
    were. A user or item without interactions comes out as zero and is counted in `.notes`. `progress` is called with
    the iterations that are done and how many there are.

    >>> import scipy.sparse
    >>> factors = factorize(scipy.sparse.eye(6, format="csr"), AlsConfig(factors=4, iterations=2))
    >>> factors.items.shape, factors.users.shape
    ((6, 4), (6, 4))
    """
    _require_extra()
    config = config or AlsConfig()
    names = ratings if isinstance(ratings, Ratings) else None
    model = _fit(_checked(names.matrix if names else ratings), config, progress)
    return normalized(
        model.item_factors,
        model.user_factors,
        alpha=config.alpha,
        regularization=config.regularization,
        item_ids=names.items if names else None,
        user_ids=names.users if names else None,
        notes=names.notes if names else (),
    )


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


def _fit(ratings: csr_matrix, config: AlsConfig, progress: Progress | None) -> Any:
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
        model.fit(ratings, show_progress=False, callback=_reporting(progress, config.iterations))
    if not (np.isfinite(model.item_factors).all() and np.isfinite(model.user_factors).all()):
        raise ValueError("the factors came out as NaN or infinity; pass a larger regularization or a smaller alpha.")
    return model


def _reporting(progress: Progress | None, iterations: int) -> Callable[[int, float, Any], None] | None:
    if progress is None:
        return None
    return lambda done, seconds, loss: progress(done + 1, iterations)
