"""The paper's scaling (section 6): items are divided by their mean norm, users brought to unit length."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.data.factors import Factors

Floats = NDArray[np.float32]


def normalized(
    items: Floats,
    users: Floats,
    *,
    alpha: float | None,
    regularization: float | None,
    item_ids: Iterable[Any] | None = None,
    user_ids: Iterable[Any] | None = None,
    notes: tuple[str, ...] = (),
) -> Factors:
    """Scaled factors; items of norm zero have no part in the mean, and zero users stay zero."""
    item_norms, user_norms = _norms(items), _norms(users)
    with_factor = item_norms > 0
    scale = float(item_norms[with_factor].mean()) if with_factor.any() else 1.0
    return Factors(
        items=np.ascontiguousarray(items / np.float32(scale), np.float32),
        users=np.ascontiguousarray(users / np.where(user_norms > 0, user_norms, 1), np.float32),
        item_ids=item_ids,  # type: ignore[arg-type]
        user_ids=user_ids,  # type: ignore[arg-type]
        scale=scale,
        alpha=alpha,
        regularization=regularization,
        notes=(*notes, *_notes(int((~with_factor).sum()), int((user_norms == 0).sum()))),
    )


def _notes(items: int, users: int) -> list[str]:
    notes = []
    if items:
        notes.append(f"{items:,} items have no interactions and so no factor: they are zero, and no query finds them.")
    if users:
        notes.append(f"{users:,} users have no interactions: their queries are zero, and no split hands them out.")
    return notes


def _norms(vectors: Floats) -> Floats:
    norms: Floats = np.linalg.norm(vectors, axis=1, keepdims=True)
    return norms
