"""What a file is, told without reading all of it where that can be helped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from waypost.data.archive import read_arrays
from waypost.data.factors import Factors
from waypost.data.ratings import PARTS, Ratings
from waypost.data.reading import read_ratings
from waypost.data.user_split import SETS
from waypost.data.vectors import EACH, WHOLE, list_columns, read_vectors

Description = dict[str, Any]


def describe(path: str | Path, **reading: Any) -> Description:
    """What `path` is (its "kind": ratings, factors, vectors or arrays) and its counts, ready for JSON.

    `reading` is for files of ratings and goes to `read_ratings`.

    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "items.npy")
    ...     np.save(path, np.eye(2, 3, dtype=np.float32))
    ...     about = describe(path)
    >>> about["kind"], about["rows"], about["width"]
    ('vectors', 2, 3)
    """
    path = Path(path)
    size = path.stat().st_size
    return {"file": str(path), "bytes": size, **_content(path, reading)}


def _content(path: Path, reading: Description) -> Description:
    suffix = path.suffix.lower()
    if suffix == ".npz":
        return _of_arrays(path)
    if suffix == ".npy" or suffix in WHOLE or suffix in EACH or (suffix in (".parquet", ".pq") and list_columns(path)):
        return _of_vectors(path)
    options: Description = {"min_user": 1, "min_item": 1} | reading
    return _of_ratings(read_ratings(path, **options))


def _of_arrays(path: Path) -> Description:
    arrays = read_arrays(path)
    if set(PARTS) <= set(arrays):
        return _of_ratings(Ratings.load(path))
    if {"items", "users"} <= set(arrays):
        return _of_factors(Factors.load(path))
    return {"kind": "arrays", "arrays": {name: [str(array.dtype), *array.shape] for name, array in arrays.items()}}


def _of_ratings(ratings: Ratings) -> Description:
    matrix = ratings.matrix
    by_user, by_item = np.diff(matrix.indptr), np.bincount(matrix.indices, minlength=matrix.shape[1])
    return {
        "kind": "ratings",
        "users": matrix.shape[0],
        "items": matrix.shape[1],
        "ratings": int(matrix.nnz),
        "least": float(matrix.data.min(initial=np.inf)) if matrix.nnz else None,
        "greatest": float(matrix.data.max(initial=-np.inf)) if matrix.nnz else None,
        "ratings_a_user": float(np.median(by_user)) if len(by_user) else 0.0,
        "ratings_an_item": float(np.median(by_item)) if len(by_item) else 0.0,
        "named": {"users": ratings.users is not None, "items": ratings.items is not None},
        "notes": list(ratings.notes),
    }


def _of_factors(factors: Factors) -> Description:
    return {
        "kind": "factors",
        "items": len(factors.items),
        "users": len(factors.users),
        "width": factors.items.shape[1],
        "named": {"users": factors.user_ids is not None, "items": factors.item_ids is not None},
        "folds_in": factors.als is not None,
        "split": None if factors.split is None else {name: len(getattr(factors.split, name)) for name in SETS},
        "notes": list(factors.notes),
    }


def _of_vectors(path: Path) -> Description:
    vectors = read_vectors(path)
    norms = np.linalg.norm(vectors, axis=1)
    return {
        "kind": "vectors",
        "rows": len(vectors),
        "width": vectors.shape[1],
        "norms": {"least": float(norms.min()), "mean": float(norms.mean()), "greatest": float(norms.max())},
    }
