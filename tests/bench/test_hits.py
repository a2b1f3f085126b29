"""What a search found query by query, and when it is surely better than another."""

import numpy as np
import pytest

import waypost as wp
from waypost.bench.hits import Hits


def hits(shares: list[float], first: float = 1.0) -> Hits:
    return Hits(np.array(shares), np.full(len(shares), first))


def test_means_are_the_recalls() -> None:
    rng = np.random.default_rng(0)
    found, truth = (np.array([rng.permutation(30)[:10] for _ in range(40)]) for _ in range(2))
    found[:20, 0] = truth[:20, 0]
    found[3, 4:] = -1  # fewer answers were found
    expected = [wp.recall(found, truth), wp.recall(found, truth, m=1, n=1)]
    assert Hits.of(found, truth).recalls == pytest.approx(expected)
    assert expected[1] >= 0.5


def test_a_gain_counts_beyond_its_standard_error() -> None:
    plain = hits([0.5] * 100)
    gains = np.tile([0.3, -0.2], 50)  # mean 0.05, standard error 0.025
    assert hits((0.5 + gains).tolist()).surely_above(plain)
    assert not hits((0.47 + gains).tolist()).surely_above(plain)  # 0.02 is less than the error
    assert not hits([0.5] * 100).surely_above(plain)  # the same answers


def test_gains_are_paired() -> None:
    """Each query gains the same, however much queries differ."""
    easy_and_hard = np.tile([0.1, 0.9], 50)
    assert hits((easy_and_hard + 0.01).tolist()).surely_above(hits(easy_and_hard.tolist()))


def test_a_first_answer_lost_outweighs_any_gain() -> None:
    plain = hits([0.5] * 10)
    lost = Hits(np.ones(10), np.array([1.0] * 9 + [0.0]))
    assert not lost.surely_above(plain)


def test_one_query_proves_nothing() -> None:
    assert not hits([1.0]).surely_above(hits([0.0]))
