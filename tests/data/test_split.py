"""Users are split at random, completely and repeatably."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from waypost.data import Factors, load_dataset
from waypost.data.split import split_queries, split_users


@pytest.mark.parametrize("users", [1, 2, 9, 10, 11, 1234])
def test_every_user_is_in_exactly_one_part(users: int) -> None:
    split = split_users(users, seed=3)
    together = np.concatenate([split.train, split.valid, split.test])
    assert sorted(together.tolist()) == list(range(users))
    assert len(split.valid) == len(split.test) == users // 10


def test_the_seed_decides() -> None:
    one, same, other = split_users(500, seed=1), split_users(500, seed=1), split_users(500, seed=2)
    assert one.test.tolist() == same.test.tolist()
    assert one.train.tolist() == same.train.tolist()
    assert one.test.tolist() != other.test.tolist()


def test_the_parts_are_drawn_at_random() -> None:
    split = split_users(2000, seed=0)
    assert 800 < split.test.mean() < 1200
    assert split.test.tolist() != sorted(split.test.tolist())


def test_shares_of_ones_own() -> None:
    split = split_users(10, valid=0.0, test=0.5)
    assert (len(split.train), len(split.valid), len(split.test)) == (5, 0, 5)


@pytest.mark.parametrize(
    ("settings", "named"),
    [({"users": 0}, "users"), ({"users": 5, "test": -0.1}, "test"), ({"users": 5, "valid": 0.8, "test": 0.3}, "valid")],
)
def test_bad_input_names_the_argument(settings: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        split_users(**settings)  # type: ignore[arg-type]


SEED = 5  # with which the empty user falls to training


def repeated_half() -> Any:
    """A hundred users alike, a hundred each on their own, and one without interactions."""
    sparse = pytest.importorskip("scipy.sparse")
    own = sparse.eye(100, format="csr") * 2
    alike = sparse.csr_matrix(np.tile(np.arange(100) == 3, (100, 1)).astype(float))
    return sparse.vstack([own, alike, sparse.csr_matrix((1, 100))]).tocsr()


def test_queries_that_repeat_a_training_query_are_left_out_and_counted() -> None:
    whole, split = split_users(201, seed=SEED), split_queries(repeated_half(), seed=SEED)
    assert split.train.tolist() == [row for row in whole.train.tolist() if row != 200]
    assert split.test.tolist() == [row for row in whole.test.tolist() if row < 100]
    assert split.valid.tolist() == [row for row in whole.valid.tolist() if row < 100]
    assert split.repeats_test == split.dropped_test == sum(100 <= row < 200 for row in whole.test.tolist()) > 0
    assert split.empty == 1
    assert "1 users without interactions" in split.notes[0]
    assert f"{split.repeats_test} of 20 test queries" in split.notes[-1]


def test_repeats_are_kept_when_asked_for_and_counted_all_the_same() -> None:
    split = split_queries(repeated_half(), seed=SEED, keep_repeats=True)
    left = split_queries(repeated_half(), seed=SEED)
    assert len(split.test) == 20
    assert (split.repeats_test, split.dropped_test) == (left.repeats_test, 0)
    assert "they are kept" in split.notes[-1]


def test_the_rating_is_part_of_a_query() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    split = split_queries(sparse.csr_matrix(np.arange(1, 101)[:, None]))
    assert split.repeats_test == split.repeats_valid == 0
    assert len(split.test) == 10


def test_vectors_are_compared_as_they_are() -> None:
    vectors = np.repeat(np.eye(5, dtype=np.float32), 40, axis=0)
    vectors[3] = 0
    split = split_queries(vectors, seed=1)
    assert len(split.test) == len(split.valid) == 0
    assert split.empty == 1
    assert split_queries(Factors(vectors, vectors), seed=1).empty == 1


def test_the_share_on_real_ratings() -> None:
    pytest.importorskip("scipy")
    split = split_queries(load_dataset("npm_deps"))
    share = split.repeats_test / (split.repeats_test + len(split.test))
    assert share == pytest.approx(0.318, abs=0.005)
