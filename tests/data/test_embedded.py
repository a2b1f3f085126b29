"""The data that ship with waypost: complete, clean, small, and the same as the package they come from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from waypost.data import Ratings, load_dataset
from waypost.data.compact import Named, pack, unpack
from waypost.data.names import texts

sparse = pytest.importorskip("scipy.sparse")


@pytest.fixture(scope="module")
def npm() -> Ratings:
    return load_dataset("npm_deps")


def test_it_is_all_there(npm: Ratings) -> None:
    assert npm.matrix.shape == (290_562, 94_357)
    assert npm.matrix.nnz == 2_333_310
    assert set(np.unique(npm.matrix.data).tolist()) == {1, 2}
    express = npm.items.tolist().index("express")
    assert npm.matrix[:, express].nnz > 10_000


def test_names_are_clean_and_sorted_and_what_was_cleaned_is_said(npm: Ratings) -> None:
    for names in (npm.users.tolist(), npm.items.tolist()):
        assert names == sorted(set(names))
        assert all(name and name == name.strip() for name in names)
    assert any("name is empty" in note for note in npm.notes)
    assert any("36 names" in note for note in npm.notes)


def test_it_is_small_and_carries_its_notice() -> None:
    folder = files("waypost.data")
    assert len(folder.joinpath("npm_deps.xz").read_bytes()) < 3_500_000
    notice = folder.joinpath("npm_deps.NOTICE").read_text(encoding="utf-8")
    assert "dependent-packages" in notice
    assert "Permission is hereby granted" in notice


def test_it_equals_the_collected_data_but_for_what_was_cleaned(npm: Ratings, real_data: Path) -> None:
    """A name keeps its dependencies here when its spaces go; there 45 were lost, and one name is empty."""
    matrix = sparse.load_npz(real_data / "npm_deps.npz").tocoo()
    with np.load(real_data / "npm_deps.ids.npz") as ids:
        users, items = ids["users"], ids["items"]
    named = items[matrix.col] != ""
    assert np.count_nonzero(~named) == 1
    user, item = (np.searchsorted(npm.users.astype(str), users), np.searchsorted(npm.items.astype(str), items))
    entries = (matrix.data[named], (user[matrix.row[named]], item[matrix.col[named]]))
    theirs = sparse.csr_matrix(entries, shape=npm.matrix.shape)
    assert (npm.users[user[matrix.row[named]]] == users[matrix.row[named]]).all()
    assert (npm.items[item[matrix.col[named]]] == items[matrix.col[named]]).all()
    difference = npm.matrix - theirs
    difference.eliminate_zeros()
    assert difference.nnz == 45
    assert (difference.data > 0).all()


def test_any_matrix_comes_out_as_it_went_in() -> None:
    rng = np.random.default_rng(0)
    matrix = sparse.random(60, 300, 0.2, format="csr", random_state=0)
    matrix.data = rng.integers(1, 4, matrix.nnz).astype(np.int8)
    matrix = sparse.vstack([matrix[:7], sparse.csr_matrix((1, 300), dtype=np.int8), matrix[8:]]).tocsr()
    rows, columns = (texts(sorted(f"{kind}ü{number}" for number in range(n))) for kind, n in (("r", 60), ("r", 300)))
    again = unpack(pack(Named(matrix, rows, columns, ("one", "two"))))
    assert (again.matrix != matrix).nnz == 0
    assert again.rows.tolist() == rows.tolist()
    assert again.columns.tolist() == columns.tolist()
    assert again.notes == ("one", "two")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="pass one of npm_deps"):
        load_dataset("netflix")
