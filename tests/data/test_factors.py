"""Factors know their names and how they were made, so that a user who was not in training is folded in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import waypost as wp
from waypost.data import AlsConfig, Factors, Ratings, factorize, from_implicit, split_users

sparse = pytest.importorskip("scipy.sparse")
pytest.importorskip("implicit")

USERS, ITEMS = 120, 60
CONFIG = AlsConfig(factors=8, iterations=4, alpha=7.0, regularization=0.05, threads=1)


def matrix_with_gaps() -> Any:
    """User 7 and item 5 have no interactions."""
    rng = np.random.default_rng(0)
    dense = rng.integers(1, 5, (USERS, ITEMS)) * (rng.random((USERS, ITEMS)) < 0.15)
    dense[7] = dense[:, 5] = 0
    return sparse.csr_matrix(dense.astype(np.float32))


@pytest.fixture(scope="module")
def model() -> Any:
    from implicit.cpu.als import AlternatingLeastSquares
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        model = AlternatingLeastSquares(
            factors=8, iterations=4, alpha=7.0, regularization=0.05, random_state=0, num_threads=1
        )
        model.fit(matrix_with_gaps(), show_progress=False)
        yield model


@pytest.fixture(scope="module")
def factors() -> Factors:
    names = [f"u{user}" for user in range(USERS)]
    return factorize(Ratings(matrix_with_gaps(), names, [f"i{item}" for item in range(ITEMS)], ("read.",)), CONFIG)


def test_a_taken_over_model_is_the_same_as_our_own(model: Any, factors: Factors) -> None:
    taken = wp.from_implicit(model, item_ids=factors.item_ids)
    assert wp.from_implicit is from_implicit
    assert np.array_equal(taken.items, factors.items)
    assert np.array_equal(taken.users, factors.users)
    assert (taken.scale, taken.alpha, taken.regularization) == (factors.scale, 7.0, 0.05)
    assert taken.item_ids.tolist() == factors.item_ids.tolist()


def test_names_and_notes_come_along(factors: Factors) -> None:
    assert factors.item_ids.tolist()[:2] == ["i0", "i1"]
    assert factors.user_ids.tolist()[:2] == ["u0", "u1"]
    assert factors.notes[0] == "read."


def test_what_has_no_interactions_is_zero_and_counted(factors: Factors) -> None:
    assert not factors.items[5].any()
    assert not factors.users[7].any()
    with_factor = np.delete(factors.items, 5, axis=0)
    assert np.linalg.norm(with_factor, axis=1).mean() == pytest.approx(1, abs=1e-5)
    assert "1 items have no interactions" in factors.notes[1]
    assert "1 users have no interactions" in factors.notes[2]


def test_folding_in_equals_the_models_own_recalculation(model: Any, factors: Factors) -> None:
    matrix = matrix_with_gaps()
    expected = model.recalculate_user(np.arange(USERS), matrix)
    expected /= np.maximum(np.linalg.norm(expected, axis=1, keepdims=True), 1e-30)
    assert np.abs(factors.fold_in(matrix) - expected).max() < 2e-6
    assert np.abs(from_implicit(model).fold_in(matrix) - expected).max() < 2e-6


def test_lists_and_matrices_fold_in_alike(factors: Factors) -> None:
    matrix = matrix_with_gaps()[[3, 20]]
    lists = [[f"i{item}" for item in row.indices] for row in matrix]
    weights = [row.data.tolist() for row in matrix]
    expected = factors.fold_in(matrix)
    assert np.allclose(factors.fold_in(lists, weights=weights), expected, atol=1e-6)
    assert np.allclose(factors.fold_in(lists[0], weights=weights[0]), expected[:1], atol=1e-6)
    assert np.linalg.norm(expected, axis=1) == pytest.approx(1)
    ones = (matrix > 0).astype(np.float32)
    assert np.allclose(factors.fold_in(lists), factors.fold_in(ones), atol=1e-6)


def test_rows_stand_for_items_without_ids(factors: Factors) -> None:
    unnamed = Factors(factors.items, factors.users, scale=factors.scale, alpha=7.0, regularization=0.05)
    assert np.allclose(unnamed.fold_in(np.array([3, 4])), factors.fold_in(["i3", "i4"]), atol=1e-6)


def test_a_user_in_training_is_found_again(factors: Factors) -> None:
    again = factors.fold_in(matrix_with_gaps())
    known = np.arange(USERS) != 7
    assert (again * factors.users).sum(axis=1)[known].min() > 0.97  # training stopped short of the exact solution


@pytest.mark.parametrize(
    ("liked", "settings", "why"),
    [
        (["nails"], {}, "'nails', which is no known item"),
        ([], {}, "at least one item"),
        (["nails"], {"unknown": "skip"}, "at least one item"),
        (["i1"], {"unknown": "ask"}, "unknown is 'ask'"),
        (["i1"], {"weights": [1, 2]}, "weights does not have the form"),
        (["i1"], {"weights": [float("nan")]}, "weights holds NaN"),
        (sparse.csr_matrix((1, 3)), {}, "3 columns where there are 60"),
    ],
)
def test_what_cannot_be_folded_in_is_said(factors: Factors, liked: Any, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        factors.fold_in(liked, **settings)


def test_wrong_types_are_said(factors: Factors) -> None:
    with pytest.raises(TypeError, match="single string"):
        factors.fold_in("i1")
    with pytest.raises(TypeError, match="mixes"):
        factors.fold_in(["i1", ["i2"]])


def test_unknown_items_may_be_skipped(factors: Factors) -> None:
    some = factors.fold_in(["i1", "nails"], unknown="skip")
    assert np.array_equal(some, factors.fold_in(["i1"]))


def test_vectors_of_no_als_model_do_not_fold_in(factors: Factors) -> None:
    with pytest.raises(ValueError, match="factorize or from_implicit"):
        Factors(factors.items, factors.users).fold_in([1])


def test_a_model_that_is_not_trained_is_refused() -> None:
    from implicit.bpr import BayesianPersonalizedRanking

    model = BayesianPersonalizedRanking(factors=4, random_state=0, num_threads=1)
    with pytest.raises(ValueError, match="trained model"):
        from_implicit(model)
    model.fit(matrix_with_gaps(), show_progress=False)
    taken = from_implicit(model)
    assert taken.items.shape[0] == ITEMS
    with pytest.raises(ValueError, match="ALS"):
        taken.fold_in([1])


def test_all_of_it_is_stored(factors: Factors, tmp_path: Path) -> None:
    factors.save(tmp_path / "f.npz")
    loaded = Factors.load(tmp_path / "f.npz")
    for name in ("items", "users", "item_ids", "user_ids"):
        assert np.array_equal(getattr(loaded, name), getattr(factors, name))
    for name in ("scale", "alpha", "regularization", "notes"):
        assert getattr(loaded, name) == getattr(factors, name)
    assert np.array_equal(loaded.fold_in(["i3"]), factors.fold_in(["i3"]))


def test_factors_of_an_older_version_load(factors: Factors, tmp_path: Path) -> None:
    np.savez(tmp_path / "old.npz", items=factors.items, users=factors.users)
    loaded = Factors.load(tmp_path / "old.npz")
    assert np.array_equal(loaded.items, factors.items)
    assert loaded.item_ids is None


def test_damaged_factors_are_refused_in_one_line(factors: Factors, tmp_path: Path) -> None:
    factors.save(tmp_path / "f.npz")
    whole = (tmp_path / "f.npz").read_bytes()
    for cut in (0, 3, len(whole) // 3, len(whole) - 2):
        (tmp_path / "bad.npz").write_bytes(whole[:cut])
        with pytest.raises(wp.UnreadableFileError, match=r"bad\.npz") as refused:
            Factors.load(tmp_path / "bad.npz")
        assert "\n" not in str(refused.value)
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 60).tolist():
        changed = bytearray(whole)
        changed[place] ^= 0xFF
        (tmp_path / "bad.npz").write_bytes(changed)
        try:
            loaded = Factors.load(tmp_path / "bad.npz")
        except wp.UnreadableFileError:
            continue
        assert np.array_equal(loaded.items, factors.items)  # the byte was one that nothing depends on


@pytest.mark.parametrize(
    "arrays",
    [
        {"items": np.ones((2, 3), np.float32), "users": np.ones((2, 4), np.float32)},
        {"items": np.ones(3, np.float32), "users": np.ones((2, 3), np.float32)},
        {"items": np.full((2, 3), np.nan, np.float32), "users": np.ones((2, 3), np.float32)},
        {"items": np.ones((2, 3), np.float32), "users": np.ones((2, 3), np.float32), "item_ids": np.arange(5)},
        {"items": np.ones((2, 3), np.float32), "users": np.ones((2, 3), np.float32), "scale": np.float64(-1)},
    ],
)
def test_arrays_that_do_not_fit_are_refused(arrays: dict[str, Any], tmp_path: Path) -> None:
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(wp.UnreadableFileError, match=r"bad\.npz"):
        Factors.load(tmp_path / "bad.npz")


def test_factors_of_different_width_are_refused() -> None:
    with pytest.raises(ValueError, match="users has 3 columns where items has 2"):
        Factors(np.ones((2, 2), np.float32), np.ones((2, 3), np.float32))
    with pytest.raises(ValueError, match="item_ids has 1 entries"):
        Factors(np.ones((2, 2), np.float32), np.ones((2, 2), np.float32), item_ids=["a"])


def test_an_id_of_two_items_is_refused_when_looked_up() -> None:
    vectors = np.eye(2, dtype=np.float32)
    factors = Factors(vectors, vectors, item_ids=["a", "a"], scale=1.0, alpha=1.0, regularization=0.1)
    with pytest.raises(ValueError, match="more than once"):
        factors.fold_in(["a"])


def test_serving_a_new_user_needs_numpy_alone(factors: Factors, tmp_path: Path) -> None:
    factors.save(tmp_path / "f.npz")
    program = (
        "import sys\n"
        "from waypost.data import Factors\n"
        f"print(Factors.load({str(tmp_path / 'f.npz')!r}).fold_in(['i1']).shape)\n"
        "assert not {'scipy', 'implicit', 'pyarrow', 'torch'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "(1, 8)\n"


def test_progress_counts_iterations() -> None:
    seen: list[tuple[int, int]] = []
    factorize(matrix_with_gaps(), CONFIG, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_factors_keep_who_trains_and_who_tests(tmp_path: Path) -> None:
    users = np.arange(40, dtype=np.float32).reshape(20, 2) + 1
    split = split_users(20, seed=3)
    factors = Factors(np.eye(2, dtype=np.float32), users).with_split(split)
    factors.save(tmp_path / "f.npz")
    loaded = Factors.load(tmp_path / "f.npz")
    assert loaded.split is not None
    assert loaded.split.notes == split.notes
    for part in ("train", "valid", "test"):
        np.testing.assert_array_equal(loaded.queries(part), users[getattr(split, part)])
    assert len(loaded.queries("all")) == 20
    with pytest.raises(ValueError, match="part is 'tests'; pass one of train, valid, test, all"):
        loaded.queries("tests")
    with pytest.raises(ValueError, match="do not say who trains"):
        Factors(users, users).queries("test")


def test_a_split_of_other_users_is_refused(tmp_path: Path) -> None:
    users = np.ones((5, 2), np.float32)
    Factors(users, users, split=split_users(20)).save(tmp_path / "f.npz")
    with pytest.raises(wp.UnreadableFileError, match="is no list of rows of 5 users"):
        Factors.load(tmp_path / "f.npz")
