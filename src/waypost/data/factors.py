"""Factors: items and users as vectors, with their names and all that folds a new user in."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.als import AlsNumbers
from waypost.data.archive import damaged, read_arrays, write_arrays
from waypost.data.fold_in import LeastSquares, Liked, as_liked
from waypost.data.names import Names, as_names, packed, unpacked
from waypost.data.user_split import SETS, Split, packed_split, unpacked_split
from waypost.errors import UnreadableFileError
from waypost.id_lookup import rows_by_id

Floats = NDArray[np.float32]
NUMBERS = ("scale", "alpha", "regularization")


@dataclass(frozen=True, eq=False)
class Factors:
    """Items (n x d) and users (m x d), row for row those of the ratings matrix; the users are the queries.

    A user or item without interactions has a vector of zeros. `notes` say what is to be known of the factors.

    >>> Factors(np.ones((5, 2), np.float32), np.ones((3, 2), np.float32)).items.shape
    (5, 2)
    """

    items: Floats
    users: Floats
    item_ids: Names | None = None
    user_ids: Names | None = None
    scale: float | None = None  # what the model's item factors were divided by: their mean norm
    alpha: float | None = None  # the model's confidence in one interaction, and
    regularization: float | None = None  # its penalty; None where the vectors are no ALS model's
    notes: tuple[str, ...] = field(default=())
    split: Split | None = None  # who of the users trains, validates and tests, by `split_queries`

    def __post_init__(self) -> None:
        for name in ("items", "users"):
            if getattr(self, name).ndim != 2:
                raise ValueError(f"{name} has {getattr(self, name).ndim} dimensions; pass a matrix, one vector a row.")
        if self.items.shape[1] != self.users.shape[1]:
            widths = self.users.shape[1], self.items.shape[1]
            raise ValueError(f"users has {widths[0]} columns where items has {widths[1]}; give both the same width.")
        object.__setattr__(self, "item_ids", as_names(self.item_ids, len(self.items), "item_ids"))
        object.__setattr__(self, "user_ids", as_names(self.user_ids, len(self.users), "user_ids"))
        object.__setattr__(self, "notes", tuple(self.notes))

    def __repr__(self) -> str:
        return f"Factors({len(self.items):,} items and {len(self.users):,} users of {self.items.shape[1]} factors)"

    def fold_in(self, liked: Liked, *, weights: Any = None, unknown: str = "raise") -> Floats:
        """Queries for users who were not in training, one row each, from the items that they like.

        `liked` is a list of item ids (rows, if the factors have no ids), a list of such lists, or a sparse matrix of
        users x items. Each item counts as one interaction unless `weights`, of the same form as the lists, says
        otherwise. This is the step that gave the users in training their factors, solved exactly, and brought to unit
        length. An id that is not known is an error, or is left out with unknown="skip".

        >>> import numpy as np
        >>> items = np.eye(3, dtype=np.float32)
        >>> factors = Factors(items, items, item_ids=["tea", "milk", "nails"], scale=1, alpha=10, regularization=0.01)
        >>> query = factors.fold_in(["tea", "milk"])
        >>> (factors.items @ query[0] > 0.5).tolist()
        [True, True, False]
        """
        solver = self._solver
        rows, ratings = as_liked(liked, weights, len(self.items), self._row_of, unknown)
        return solver.queries(rows, ratings)

    def row_of(self, item: Any) -> int:
        """The row of an item id; KeyError if it is not known.

        >>> import numpy as np
        >>> Factors(np.eye(2), np.eye(2), item_ids=["tea", "milk"]).row_of("milk")
        1
        """
        return self._row_of[item] if self._row_of is not None else range(len(self.items))[item]

    def with_ids(self, item_ids: Iterable[Any] | None = None, user_ids: Iterable[Any] | None = None) -> Factors:
        """The same factors with names.

        >>> import numpy as np
        >>> Factors(np.eye(2), np.eye(2)).with_ids(item_ids=[7, 9]).item_ids.tolist()
        [7, 9]
        """
        named: dict[str, Any] = {"item_ids": item_ids, "user_ids": user_ids}
        return replace(self, **{name: ids for name, ids in named.items() if ids is not None})

    def with_split(self, split: Split) -> Factors:
        """The same factors with who of the users trains, validates and tests.

        >>> import numpy as np
        >>> from waypost.data import split_users
        >>> Factors(np.eye(2), np.eye(20, 2)).with_split(split_users(20)).queries("test").shape
        (2, 2)
        """
        return replace(self, split=split)

    def queries(self, part: str) -> Floats:
        """The vectors of the users who "train", "valid" or "test", or of "all" who have one.

        >>> import numpy as np
        >>> Factors(np.eye(2), np.eye(3, 2)).queries("all").tolist()
        [[1.0, 0.0], [0.0, 1.0]]
        """
        if part == "all":
            return np.ascontiguousarray(self.users[self.users.any(axis=1)])
        if part not in SETS:
            raise ValueError(f"part is {part!r}; pass one of {', '.join(SETS)}, all.")
        if self.split is None:
            raise ValueError('these factors do not say who trains and who tests; pass "all", or set a split first.')
        rows = getattr(self.split, part)
        return np.ascontiguousarray(self.users[rows])

    def save(self, path: str | Path) -> None:
        """Write all of it as one `.npz` under exactly this name.

        >>> factors.save("shop.npz")  # doctest: +SKIP
        """
        arrays: dict[str, NDArray[Any]] = {"items": self.items, "users": self.users, "notes": np.array(self.notes, str)}
        for name in NUMBERS:
            if (value := getattr(self, name)) is not None:
                arrays[name] = np.float64(value)  # type: ignore[assignment]
        arrays |= packed("item_ids", self.item_ids) | packed("user_ids", self.user_ids)
        write_arrays(path, arrays | packed_split(self.split))

    @classmethod
    def load(cls, path: str | Path) -> Factors:
        """Read what `save` wrote; a damaged file raises `waypost.UnreadableFileError`.

        >>> Factors.load("shop.npz").users  # doctest: +SKIP
        """
        arrays = read_arrays(path)
        if not {"items", "users"} <= set(arrays):
            raise UnreadableFileError(f"{path} lacks arrays named items and users; pass a file by Factors.save.")
        try:
            return cls(
                items=_vectors(arrays["items"], "items"),
                users=_vectors(arrays["users"], "users"),
                item_ids=unpacked("item_ids", arrays),
                user_ids=unpacked("user_ids", arrays),
                **{name: _number(arrays.get(name), name) for name in NUMBERS},
                notes=tuple(arrays["notes"].tolist()) if "notes" in arrays else (),
                split=unpacked_split(arrays, len(arrays["users"])),
            )
        except (ValueError, TypeError, IndexError) as error:
            raise damaged(path, error) from None

    @property
    def als(self) -> AlsNumbers | None:
        """What an index needs to fold new users in: `wp.Index(..., als=factors.als)`; None for no ALS model's vectors.

        >>> import numpy as np
        >>> Factors(np.eye(2), np.eye(2), scale=1.0, alpha=10.0, regularization=0.01).als.alpha
        10.0
        """
        if self.scale is None or self.alpha is None or self.regularization is None:
            return None
        return AlsNumbers(self.scale, self.alpha, self.regularization)

    @cached_property
    def _row_of(self) -> dict[Any, int] | None:
        rows = rows_by_id(self.item_ids)
        if rows is not None and len(rows) < len(self.items):
            raise ValueError("item_ids holds an id more than once; pass an id of its own for each item.")
        return rows

    @cached_property
    def _solver(self) -> LeastSquares:
        if self.als is None:
            raise ValueError(
                "these factors do not know how an ALS model made them; make them by factorize or from_implicit, or "
                "make the query by your own model."
            )
        return LeastSquares(self.items, *self.als)


def _vectors(array: NDArray[Any], name: str) -> Floats:
    if array.dtype != np.float32 or array.ndim != 2 or not np.isfinite(array).all():
        raise ValueError(f"{name} is no matrix of finite float32")
    return np.ascontiguousarray(array)


def _number(array: NDArray[Any] | None, name: str) -> float | None:
    value = None if array is None else float(array)
    if value is not None and not 0 <= value < math.inf:
        raise ValueError(f"{name} is {value}")
    return value
