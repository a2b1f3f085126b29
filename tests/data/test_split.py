"""Users are split at random, completely and repeatably."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.data.split import split_users


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
