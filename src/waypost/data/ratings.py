"""Ratings: a users x items matrix with the names of both, and what was done to them on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from waypost.data.archive import damaged, read_arrays, write_arrays
from waypost.data.names import Names, as_names, packed, unpacked
from waypost.errors import UnreadableFileError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

PARTS = ("data", "indices", "indptr", "shape")  # as scipy.sparse.save_npz names them, so that scipy can read ours


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who rated what: `matrix` is users x items, float32; `users` and `items` name its rows and columns, or are None.

    `notes` are sentences that say what was skipped, cleaned or merged, with counts.

    >>> import numpy as np, scipy.sparse
    >>> ratings = Ratings(scipy.sparse.csr_matrix(np.eye(2, dtype=np.float32)), items=["tea", "milk"])
    >>> ratings.items.tolist(), ratings.users
    (['tea', 'milk'], None)
    """

    matrix: csr_matrix
    users: Names | None = None
    items: Names | None = None
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", _as_csr(self.matrix))
        rows, columns = self.matrix.shape
        object.__setattr__(self, "users", as_names(self.users, rows, "users"))
        object.__setattr__(self, "items", as_names(self.items, columns, "items"))
        object.__setattr__(self, "notes", tuple(self.notes))

    def __repr__(self) -> str:
        rows, columns = self.matrix.shape
        return f"Ratings({rows:,} users x {columns:,} items, {self.matrix.nnz:,} ratings)"

    def save(self, path: str | Path) -> None:
        """Write all of it as one `.npz` under exactly this name; scipy.sparse.load_npz reads the matrix from it.

        >>> ratings.save("shop.npz")  # doctest: +SKIP
        """
        matrix = self.matrix
        arrays: dict[str, NDArray[Any]] = {name: np.asarray(getattr(matrix, name)) for name in PARTS}
        arrays["format"] = np.array(b"csr")
        arrays["notes"] = np.array(list(self.notes), np.str_)
        write_arrays(path, arrays | packed("users", self.users) | packed("items", self.items))

    @classmethod
    def load(cls, path: str | Path) -> Ratings:
        """Read what `save` wrote, or a sparse matrix that scipy saved as CSR.

        >>> Ratings.load("shop.npz").matrix  # doctest: +SKIP
        """
        arrays = read_arrays(path)
        if missing := [name for name in PARTS if name not in arrays]:
            raise UnreadableFileError(
                f"{path} lacks arrays named {', '.join(missing)}; pass a file written by Ratings.save or a CSR matrix "
                "written by scipy.sparse.save_npz."
            )
        try:
            notes = tuple(arrays["notes"].tolist()) if "notes" in arrays else ()
            users, items = unpacked("users", arrays), unpacked("items", arrays)
            return cls(_matrix(arrays, str(path)), users, items, notes)
        except UnreadableFileError:
            raise
        except (ValueError, TypeError, IndexError) as error:
            raise damaged(path, error) from None


def _as_csr(matrix: Any) -> csr_matrix:
    if not hasattr(matrix, "tocsr"):
        raise TypeError(f"matrix is of type {type(matrix).__name__}; pass a scipy sparse matrix, users x items.")
    csr = matrix.tocsr()
    return csr if csr.dtype == np.float32 else csr.astype(np.float32)


def _matrix(arrays: dict[str, NDArray[Any]], path: str) -> csr_matrix:
    from waypost.data.extra import needed

    sparse = needed("scipy.sparse", "reading a matrix")
    if (form := arrays.get("format", np.array(b"csr")).item()) not in (b"csr", "csr"):
        raise UnreadableFileError(f"{path} holds a sparse matrix of form {form!r}; save it as CSR (matrix.tocsr()).")
    shape = tuple(arrays["shape"].tolist())
    matrix = sparse.csr_matrix((arrays["data"].astype(np.float32), arrays["indices"], arrays["indptr"]), shape=shape)
    matrix.check_format(full_check=True)  # native code trusts the row numbers
    return matrix
