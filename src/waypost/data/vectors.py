"""Ready vectors and ids from the files that others write: .npy, .npz, .fbin, .fvecs and relatives, Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import as_matrix
from waypost.data.archive import read_arrays
from waypost.data.extra import needed
from waypost.data.names import Names, as_names, plain, unpacked
from waypost.data.parquet import opened_parquet
from waypost.errors import UnreadableFileError

Floats = NDArray[np.float32]

# n and d as two int32, then all numbers; and d as an int32 before each vector.
WHOLE: dict[str, np.dtype[Any]] = {
    ".fbin": np.dtype("<f4"),
    ".i8bin": np.dtype("i1"),
    ".u8bin": np.dtype("u1"),
    ".ibin": np.dtype("<i4"),
}
EACH: dict[str, np.dtype[Any]] = {".fvecs": np.dtype("<f4"), ".ivecs": np.dtype("<i4"), ".bvecs": np.dtype("u1")}
OTHERS = (".npy", ".npz", ".parquet", ".pq")


def read_vectors(path: str | Path, *, column: str | None = None, key: str | None = None) -> Floats:
    """A float32 matrix, one vector a row, from a file of any of these forms; its name's ending tells which.

    `key` names the array of an `.npz` and `column` the list column of a Parquet file, where there are several.

    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "items.npy")
    ...     np.save(path, np.eye(2, 3))
    ...     read_vectors(path)
    array([[1., 0., 0.],
           [0., 1., 0.]], dtype=float32)
    """
    path = Path(path)
    values = _values(path, column, key)
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{path} holds {values.dtype}; pass a file of numbers.")
    with np.errstate(over="ignore"):
        narrow = values.astype(np.float32, copy=False)
    return as_matrix(np.ascontiguousarray(narrow), str(path))


def read_ids(path: str | Path, *, column: str | None = None, key: str | None = None) -> Names:
    """Ids, one a row: a column of Parquet or CSV, an array of `.npy` or `.npz`, or the lines of a text file.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "ids.txt")
    ...     _ = path.write_text("tea\\nmilk\\n")
    ...     read_ids(path).tolist()
    ['tea', 'milk']
    """
    path = Path(path)
    if path.suffix in (".parquet", ".pq"):
        values = _column(path, column, "id column").to_pylist()
        return _named(path, values)
    if path.suffix in (".npy", ".npz"):
        arrays = {"": _npy(path)} if path.suffix == ".npy" else read_arrays(path)
        if key and (names := unpacked(key, arrays)) is not None:
            return names
        return plain(_chosen(path, arrays, key, 1))
    return _named(path, _lines(path))


def _named(path: Path, values: list[Any]) -> Names:
    try:
        names = as_names(values, len(values), "ids")
    except TypeError as error:
        raise ValueError(f"{path}: {error}") from None
    assert names is not None
    return names


def _lines(path: Path) -> list[str]:
    raw = path.read_bytes()
    try:
        lines = raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}, line {raw[: error.start].count(10) + 1}: it is not UTF-8; convert it.") from None
    if not lines:
        raise ValueError(f"{path} is empty; pass a file with one id a line.")
    return lines


def _values(path: Path, column: str | None, key: str | None) -> NDArray[Any]:
    suffix = path.suffix.lower()
    if suffix == ".npy":
        return _npy(path)
    if suffix == ".npz":
        return _chosen(path, read_arrays(path), key, 2)
    if suffix in (".parquet", ".pq"):
        return _lists(path, _column(path, column, "list column"))
    if suffix in WHOLE:
        return _whole(path, WHOLE[suffix])
    if suffix in EACH:
        return _each(path, EACH[suffix])
    raise ValueError(f"{path} has no known ending; pass a file that ends in {', '.join((*OTHERS, *WHOLE, *EACH))}.")


def _npy(path: Path) -> NDArray[Any]:
    try:
        loaded = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise UnreadableFileError(f"{path} is damaged or no .npy file ({error}); make or copy it again.") from None
    if not isinstance(loaded, np.ndarray):
        raise UnreadableFileError(f"{path} holds several arrays; give it the ending .npz.")
    return loaded


def _chosen(path: Path, arrays: dict[str, NDArray[Any]], key: str | None, dimensions: int) -> NDArray[Any]:
    if key is None:
        fitting = [name for name, array in arrays.items() if array.ndim == dimensions]
        if len(fitting) != 1:
            raise ValueError(f"{path} holds {len(fitting)} such arrays; pass key= one of {', '.join(arrays)}.")
        key = fitting[0]
    if key not in arrays:
        raise ValueError(f"{path} has no array {key!r}; pass key= one of {', '.join(arrays)}.")
    return arrays[key]


def _whole(path: Path, dtype: np.dtype[Any]) -> NDArray[Any]:
    size = path.stat().st_size
    head = np.fromfile(path, "<u4", 2).tolist()
    if len(head) < 2 or size != 8 + head[0] * head[1] * dtype.itemsize:
        told = f"tells of {head[0]} x {head[1]}" if len(head) == 2 else "has no room for two numbers"
        raise UnreadableFileError(f"{path} has {size} bytes where its header {told}; make or copy it again.")
    return np.fromfile(path, dtype, offset=8).reshape(head)


def _each(path: Path, dtype: np.dtype[Any]) -> NDArray[Any]:
    raw = np.fromfile(path, np.uint8)
    width = int(raw[:4].view("<i4")[0]) if len(raw) >= 4 else 0
    stride = 4 + width * dtype.itemsize
    if width < 1 or len(raw) % stride:
        raise UnreadableFileError(f"{path} is no {path.suffix} file, or cut off; make or copy it again.")
    rows = raw.reshape(-1, stride)
    if not (rows[:, :4] == rows[0, :4]).all():
        row = int(np.argmin((rows[:, :4] == rows[0, :4]).all(axis=1)))
        raise ValueError(f"{path}: vector {row} is not {width} wide as the first is; give all the same width.")
    return rows[:, 4:].copy().view(dtype)


def _column(path: Path, column: str | None, what: str) -> Any:
    arrow = needed("pyarrow", "reading Parquet")
    with opened_parquet(path) as file:
        named = file.schema_arrow.names
        if column is None:
            lists = [field.name for field in file.schema_arrow if _is_list(field.type) == (what == "list column")]
            if len(lists) != 1:
                raise ValueError(f"{path} has {len(lists)} columns that could be the {what}; pass column=, of {named}.")
            column = lists[0]
        if column not in named:
            raise ValueError(f"{path} has no column {column!r}; pass column= one of {', '.join(named)}.")
        try:
            return file.read([column])[column]
        except (arrow.ArrowInvalid, OSError) as error:
            raise UnreadableFileError(f"{path} is damaged ({error}); make or copy it again.") from None


def list_columns(path: Path) -> list[str]:
    with opened_parquet(path) as file:
        return [field.name for field in file.schema_arrow if _is_list(field.type)]


def _is_list(kind: Any) -> bool:
    types = needed("pyarrow", "reading Parquet").types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _lists(path: Path, column: Any) -> NDArray[Any]:
    compute = needed("pyarrow.compute", "reading Parquet")
    if not _is_list(column.type):
        raise ValueError(f"{path}: the column holds {column.type}; pass column= one that holds lists of numbers.")
    widths = compute.fill_null(compute.list_value_length(column), -1).to_numpy()
    if not len(widths):
        raise ValueError(f"{path} is empty; pass a file with vectors.")
    if (widths != widths[0]).any():
        row = int(np.argmax(widths != widths[0]))
        raise ValueError(f"{path}: row {row + 1} is not {widths[0]} wide as the first is; give all the same width.")
    flat = compute.list_flatten(column)
    if flat.null_count:
        raise ValueError(f"{path}: a vector holds a missing number; repair or leave out such rows.")
    return np.asarray(flat.to_numpy()).reshape(len(widths), -1)
