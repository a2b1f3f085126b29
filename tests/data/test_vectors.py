"""Ready vectors and ids from the files that others write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from waypost import UnreadableFileError
from waypost.data import read_ids, read_vectors

VECTORS = np.array([[1.5, 2, 3], [4, 5, 6]], np.float32)


def head(rows: int, width: int) -> bytes:
    return np.array([rows, width], "<i4").tobytes()


def each(vectors: np.ndarray[Any, Any]) -> bytes:
    return b"".join(np.array([len(vector)], "<i4").tobytes() + vector.tobytes() for vector in vectors)


def save(path: Path, kind: str) -> Path:
    if kind == ".npy":
        np.save(path, VECTORS.astype(np.float64))
    elif kind == ".npz":
        np.savez(path, items=VECTORS, count=np.array(2))
    elif kind == ".fbin":
        path.write_bytes(head(2, 3) + VECTORS.tobytes())
    elif kind == ".fvecs":
        path.write_bytes(each(VECTORS))
    return path


@pytest.mark.parametrize("kind", [".npy", ".npz", ".fbin", ".fvecs"])
def test_vectors_of_floats(tmp_path: Path, kind: str) -> None:
    read = read_vectors(save(tmp_path / f"items{kind}", kind))
    assert read.dtype == np.float32
    assert read.tolist() == VECTORS.tolist()


@pytest.mark.parametrize(("kind", "dtype"), [(".i8bin", "i1"), (".u8bin", "u1"), (".ibin", "<i4")])
def test_vectors_of_whole_numbers(tmp_path: Path, kind: str, dtype: str) -> None:
    numbers = np.array([[1, 2, 3], [4, 5, 120]], dtype)
    (tmp_path / f"a{kind}").write_bytes(head(2, 3) + numbers.tobytes())
    assert read_vectors(tmp_path / f"a{kind}").tolist() == numbers.tolist()


@pytest.mark.parametrize(("kind", "dtype"), [(".ivecs", "<i4"), (".bvecs", "u1")])
def test_each_vector_with_its_width(tmp_path: Path, kind: str, dtype: str) -> None:
    numbers = np.array([[1, 2, 3], [4, 5, 120]], dtype)
    (tmp_path / f"a{kind}").write_bytes(each(numbers))
    assert read_vectors(tmp_path / f"a{kind}").tolist() == numbers.tolist()


@pytest.mark.parametrize("fixed", [False, True])
def test_a_list_column_of_parquet(tmp_path: Path, fixed: bool) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    kind = arrow.list_(arrow.float32(), 3) if fixed else arrow.list_(arrow.float64())
    columns = {"id": ["a", "b"], "v": arrow.array(VECTORS.tolist(), kind)}
    parquet.write_table(arrow.table(columns), tmp_path / "a.parquet")
    assert read_vectors(tmp_path / "a.parquet").tolist() == VECTORS.tolist()
    assert read_ids(tmp_path / "a.parquet").tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="no column 'w'; pass column= one of id, v"):
        read_vectors(tmp_path / "a.parquet", column="w")
    with pytest.raises(ValueError, match="holds lists of numbers"):
        read_vectors(tmp_path / "a.parquet", column="id")


def test_lists_of_different_width_are_refused(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(arrow.table({"v": [[1.0, 2.0], [1.0, 2.0, 3.0]]}), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="row 2 is not 2 wide"):
        read_vectors(tmp_path / "a.parquet")
    parquet.write_table(arrow.table({"v": [[1.0, 2.0], None]}), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="row 2 is not 2 wide"):
        read_vectors(tmp_path / "a.parquet")
    (tmp_path / "a.fvecs").write_bytes(each(np.ones((2, 2), np.float32)) + each(np.ones((1, 5), np.float32)))
    with pytest.raises(ValueError, match="vector 2 is not 2 wide"):
        read_vectors(tmp_path / "a.fvecs")


def test_one_of_several_arrays_is_chosen_by_key(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", items=VECTORS, users=2 * VECTORS)
    assert read_vectors(tmp_path / "a.npz", key="users")[0, 0] == 3
    with pytest.raises(ValueError, match="pass key= one of items, users"):
        read_vectors(tmp_path / "a.npz")
    with pytest.raises(ValueError, match="no array 'other'"):
        read_vectors(tmp_path / "a.npz", key="other")


@pytest.mark.parametrize("kind", [".npy", ".npz", ".fbin", ".fvecs"])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, kind: str) -> None:
    path = save(tmp_path / f"items{kind}", kind)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(UnreadableFileError, match=str(path)):
        read_vectors(path)


@pytest.mark.parametrize("kind", [".npy", ".npz", ".fbin", ".fvecs", ".parquet"])
def test_an_empty_file_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / f"a{kind}").write_bytes(b"")
    with pytest.raises(UnreadableFileError, match=f"a{kind}"):
        read_vectors(tmp_path / f"a{kind}")


def test_pickles_are_not_run(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{}], object), allow_pickle=True)
    with pytest.raises(UnreadableFileError, match="pickle"):
        read_vectors(tmp_path / "a.npy")


def test_vectors_that_cannot_be_searched_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[1, np.nan]]))
    with pytest.raises(ValueError, match="NaN or infinity, first in row 0"):
        read_vectors(tmp_path / "a.npy")
    np.save(tmp_path / "a.npy", np.array([["x"]]))
    with pytest.raises(ValueError, match="pass a file of numbers"):
        read_vectors(tmp_path / "a.npy")
    with pytest.raises(ValueError, match="no known ending"):
        read_vectors(tmp_path / "a.docx")
    with pytest.raises(FileNotFoundError):
        read_vectors(tmp_path / "none.npy")


def test_ids_of_every_kind(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("\ufefftea\r\nmilk\n".encode())
    assert read_ids(tmp_path / "a.txt").tolist() == ["tea", "milk"]
    np.save(tmp_path / "a.npy", np.array([7, 5], np.int32))
    assert read_ids(tmp_path / "a.npy").tolist() == [7, 5]
    np.savez(tmp_path / "a.npz", users=np.array(["u"]), items=np.array(["a", "b"]))
    assert read_ids(tmp_path / "a.npz", key="items").tolist() == ["a", "b"]
    (tmp_path / "bad.txt").write_bytes(b"a\nb\xff\n")
    with pytest.raises(ValueError, match=r"bad\.txt, line 2: it is not UTF-8"):
        read_ids(tmp_path / "bad.txt")
