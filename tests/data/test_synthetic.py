"""Made-up factors have the norms, the spectrum and the crowding of the real ones that they were measured on."""

import numpy as np
import pytest

import waypost as wp
from waypost.bench.workbench import Floats, Workbench
from waypost.data import Factors, synthetic_factors
from waypost.data import synthetic as module

N = 40_981  # as many as the real ones


@pytest.fixture(scope="module")
def made() -> Factors:
    return synthetic_factors(N, queries=2_000)


def log_norms(items: Floats) -> np.ndarray:
    return np.log(np.linalg.norm(items, axis=1))


def effective_rank(vectors: Floats) -> float:
    variances = np.linalg.eigvalsh(vectors.T.astype(np.float64) @ vectors / len(vectors))
    return float(variances.sum() ** 2 / np.square(variances).sum())


def of_answers(items: Floats, queries: Floats) -> dict[str, float]:
    """Where the true answers are: how high in the order of norms, how many different ones, how far apart in score."""
    truth = wp.exact_search(items, queries[:1000], k=10)
    place = np.empty(len(items))
    place[np.argsort(-np.linalg.norm(items, axis=1))] = np.arange(len(items)) / len(items)
    return {
        "median place": float(np.median(place[truth.ids])),
        "share of different answers": len(np.unique(truth.ids)) / truth.ids.size,
        "first over tenth": float(np.median(truth.scores[:, 0] / truth.scores[:, -1])),
    }


def test_norms_have_the_measured_quantiles(made: Factors) -> None:
    chances = [0.0228, 0.1587, 0.5, 0.8413, 0.9772, 0.99865]
    found = np.quantile(log_norms(made.items), chances)
    np.testing.assert_allclose(found, [-0.759, -0.439, -0.136, 0.274, 0.869, 1.552], atol=0.12)


def test_the_spectrum_is_the_measured_one(made: Factors) -> None:
    directions = made.items / np.linalg.norm(made.items, axis=1, keepdims=True)
    assert np.linalg.norm(directions.mean(axis=0)) == pytest.approx(0.478, abs=0.03)
    assert effective_rank(directions) == pytest.approx(14.7, abs=3)
    assert effective_rank(made.users) == pytest.approx(81.7, abs=20)
    np.testing.assert_allclose(np.linalg.norm(made.users, axis=1), 1, atol=1e-5)


def test_answers_are_few_and_long_as_among_real_factors(made: Factors) -> None:
    found = of_answers(made.items, made.users)  # of the real ones: 0.006, 0.14, 1.54
    assert 0.002 <= found["median place"] <= 0.02
    assert 0.08 <= found["share of different answers"] <= 0.3
    assert 1.3 <= found["first over tenth"] <= 2.2


def test_real_factors_pass_the_same_measures(real_data: object) -> None:
    vectors = Workbench().vectors("gowalla")
    found = of_answers(vectors.items, vectors.test)
    assert 0.002 <= found["median place"] <= 0.02
    assert 0.08 <= found["share of different answers"] <= 0.3
    assert 1.3 <= found["first over tenth"] <= 2.2


def test_a_search_finds_them_about_as_hard_as_real_ones(made: Factors) -> None:
    index = wp.Index(made.items, wp.build_graph(made.items, kind="moebius", degree=16, candidates=100))
    queries = made.users[:1000]
    found = index.search(queries, budget=512, entry="largest-norm")
    recall = wp.recall(found.ids, index.exact(queries).ids)
    assert 0.85 <= recall <= 0.99  # real ones: 0.985


def test_the_same_seed_gives_the_same_numbers_and_another_does_not() -> None:
    first, again, other = (synthetic_factors(500, 24, seed, 50) for seed in (3, 3, 4))
    assert np.array_equal(first.items, again.items)
    assert np.array_equal(first.users, again.users)
    assert not np.array_equal(first.items, other.items)


def test_blocks_are_the_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 128)
    crowd = module.Crowd.of(300, 12, seed=1)
    blocks = list(crowd.blocks())
    assert [len(block) for block in blocks] == [128, 128, 44]
    assert np.array_equal(np.vstack(blocks), synthetic_factors(300, 12, seed=1).items)


@pytest.mark.parametrize(("n", "d"), [(1, 1), (1, 5), (79, 2), (1_000, 97), (200, 384)])
def test_any_shape(n: int, d: int) -> None:
    factors = synthetic_factors(n, d, queries=7)
    assert factors.items.shape == (n, d)
    assert factors.users.shape == (7, d)
    assert np.isfinite(factors.items).all()
    assert (np.linalg.norm(factors.items, axis=1) > 0).all()


def test_more_items_have_a_longer_longest_norm() -> None:
    few, many = (log_norms(synthetic_factors(n, d=8).items).max() for n in (2_000, 200_000))
    assert many > few


@pytest.mark.parametrize(
    ("given", "said"),
    [({"n": 0}, "n is 0; pass 1"), ({"n": 5, "d": 0}, "d is 0; pass 1"), ({"n": 5, "queries": 0}, "queries is 0")],
)
def test_odd_arguments_are_refused(given: dict[str, int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        synthetic_factors(**given)
