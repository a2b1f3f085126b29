"""ALS finds the groups that made the data, and its factors come out scaled, repeatable and storable."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from waypost.data.factorize import AlsConfig, Factors, factorize

sparse = pytest.importorskip("scipy.sparse")

SMALL = AlsConfig(factors=8, iterations=8, threads=1)
GROUPS, USERS, ITEMS = 4, 200, 80


def ratings(seed: int = 0) -> Any:
    """Users and items fall into four groups; a user rates half of the items of its own group and no others."""
    rng = np.random.default_rng(seed)
    same_group = np.arange(USERS)[:, None] % GROUPS == np.arange(ITEMS)[None, :] % GROUPS
    return sparse.csr_matrix((same_group & (rng.random((USERS, ITEMS)) < 0.5)).astype(np.int8))


@pytest.fixture(scope="module")
def factors() -> Factors:
    pytest.importorskip("implicit")
    return factorize(ratings(), SMALL)


def test_items_have_mean_norm_one_and_users_unit_length(factors: Factors) -> None:
    assert factors.items.shape == (ITEMS, 8)
    assert factors.users.shape == (USERS, 8)
    assert factors.items.dtype == factors.users.dtype == np.float32
    assert np.linalg.norm(factors.items, axis=1).mean() == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(factors.users, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_users_best_items_are_of_its_group(factors: Factors) -> None:
    best = np.argsort(-factors.users @ factors.items.T, axis=1)[:, :10]
    assert (best % GROUPS == np.arange(USERS)[:, None] % GROUPS).mean() > 0.99


def test_same_seed_same_factors_on_any_number_of_threads(factors: Factors) -> None:
    again = factorize(ratings(), AlsConfig(factors=8, iterations=8, threads=2))
    other = factorize(ratings(), AlsConfig(factors=8, iterations=8, threads=1, seed=1))
    assert np.array_equal(factors.items, again.items)
    assert np.array_equal(factors.users, again.users)
    assert not np.allclose(factors.items, other.items)


def test_the_matrix_is_left_as_it_was() -> None:
    pytest.importorskip("implicit")
    matrix = ratings().astype(np.float32)
    before = matrix.copy()
    factorize(matrix, SMALL)
    assert (matrix != before).nnz == 0


def test_saved_factors_load_the_same(factors: Factors, tmp_path: Path) -> None:
    path = tmp_path / "without_an_ending"
    factors.save(path)
    loaded = Factors.load(path)
    assert np.array_equal(loaded.items, factors.items)
    assert np.array_equal(loaded.users, factors.users)


def test_a_file_without_factors_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", something=np.ones(3))
    with pytest.raises(ValueError, match=r"Factors\.save"):
        Factors.load(tmp_path / "other.npz")


def test_the_extra_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "implicit", None)
    with pytest.raises(ImportError, match=r"waypost\[data\]"):
        factorize(ratings(), SMALL)


def test_a_dense_matrix_is_refused() -> None:
    with pytest.raises(TypeError, match="matrix"):
        factorize(np.ones((3, 3)), SMALL)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_ratings_out_of_range_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="matrix"):
        factorize(sparse.csr_matrix(np.array([[1.0, value]])), SMALL)


def test_an_empty_matrix_is_refused() -> None:
    with pytest.raises(ValueError, match="matrix"):
        factorize(sparse.csr_matrix((0, 5)), SMALL)


@pytest.mark.parametrize(
    "settings", [{"factors": 0}, {"iterations": 0}, {"alpha": -1.0}, {"regularization": float("nan")}]
)
def test_settings_out_of_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        AlsConfig(**settings)  # type: ignore[arg-type]
