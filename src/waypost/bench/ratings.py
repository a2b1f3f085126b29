"""The real ratings of the benchmarks, read from the folder that WAYPOST_DATA names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

TRAIN_SHARE = 0.8
TRAIN_PART = "gowalla-train"  # a set of this name is made here, see `read_ratings`


class Missing(Exception):
    """What a section needs and this machine lacks; the report says so in the section's place."""


def read_ratings(name: str, folder: str | None) -> Any:
    """The users x items matrix `name`, every interaction counted as one, as they were for the prototype.

    "gowalla-train" is a random 80% of each user's check-ins. The prototype had factorised the train part of the
    published split, which was made in just that way, and the file at hand holds both parts together.
    """
    if name == TRAIN_PART:
        return _share_of_each_user(read_ratings("gowalla", folder))
    if not folder or not (path := Path(folder, f"{name}.npz")).exists():
        raise Missing(f"the ratings {name}.npz: set WAYPOST_DATA to the folder that holds them")
    try:
        import scipy.sparse  # type: ignore[import-untyped]
    except ImportError as error:
        raise Missing("scipy and implicit: pip install 'waypost[data]'") from error
    ratings = scipy.sparse.csr_matrix(scipy.sparse.load_npz(path))
    ratings.data[:] = 1
    return ratings


def _share_of_each_user(ratings: Any) -> Any:
    """A random 80% of the entries of each row, rounded down, but one at least."""
    import scipy.sparse

    counts = np.diff(ratings.indptr)
    user = np.repeat(np.arange(len(counts)), counts)
    shuffled = np.lexsort((np.random.default_rng(0).random(ratings.nnz), user))  # by user, at random within one
    place = np.arange(ratings.nnz) - np.repeat(ratings.indptr[:-1], counts)
    kept = shuffled[place < np.maximum(1, (TRAIN_SHARE * counts).astype(int))[user]]
    entries = (ratings.data[kept], (user[kept], ratings.indices[kept]))
    return scipy.sparse.csr_matrix(entries, shape=ratings.shape)
