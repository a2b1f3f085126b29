"""A model trained by the library implicit, taken over as factors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from waypost.arguments import as_matrix
from waypost.data.factors import Factors
from waypost.data.scaling import normalized


def from_implicit(
    model: Any, *, item_ids: Iterable[Any] | None = None, user_ids: Iterable[Any] | None = None
) -> Factors:
    """The factors of a trained model of the library implicit, scaled as the paper scales them (section 6).

    Any of its models that has user and item factors will do, from a graphics card, too. Those of
    AlternatingLeastSquares can fold in new users.

    >>> from implicit.als import AlternatingLeastSquares
    >>> import scipy.sparse
    >>> model = AlternatingLeastSquares(factors=4, random_state=0)
    >>> model.fit(scipy.sparse.eye(6, format="csr"), show_progress=False)
    >>> from_implicit(model, item_ids="abcdef").fold_in(["b", "c"]).shape
    (1, 4)
    """
    found = [_array(model, name) for name in ("item_factors", "user_factors")]
    als = hasattr(model, "alpha") and hasattr(model, "regularization") and hasattr(model, "recalculate_user")
    return normalized(
        *found,
        alpha=float(model.alpha) if als else None,
        regularization=float(model.regularization) if als else None,
        item_ids=item_ids,
        user_ids=user_ids,
    )


def _array(model: Any, name: str) -> Any:
    factors = getattr(model, name, None)
    if factors is None:
        raise ValueError(f"model has no {name}; pass a trained model with item and user factors.")
    factors = factors.to_numpy() if hasattr(factors, "to_numpy") else factors  # one on a graphics card
    return as_matrix(np.asarray(factors, np.float32), f"model.{name}")
