"""The three searches side by side: numbers that can be worked out otherwise, and sentences that follow from them."""

import json

import numpy as np
import pytest

import waypost as wp
from waypost.comparison import Comparison, Measured, compare


@pytest.fixture(scope="module")
def plain() -> wp.Index:
    items = np.random.default_rng(0).standard_normal((400, 8), dtype=np.float32)
    ids = [f"item {row}" for row in range(400)]
    return wp.Index(items, wp.build_graph(items, "ip-nsw", degree=4, candidates=10), ids=ids)


def test_the_numbers_are_those_of_the_searches(plain: wp.Index) -> None:
    queries = np.random.default_rng(1).standard_normal((50, 8), dtype=np.float32)
    learned = plain.with_router(wp.Router(bias=np.linspace(0, 2, 400, dtype=np.float32)))
    measured = compare(plain, learned, queries, k=5, budgets=(20, 60))
    assert [(row.search, row.budget) for row in measured.rows] == [
        ("exact", None), ("unlearned", 20), ("learned", 20), ("unlearned", 60), ("learned", 60)
    ]  # fmt: skip
    truth = plain.exact(queries, 5).ids
    for row in measured.rows[1:]:
        index = plain if row.search == "unlearned" else learned
        answer = index.search(queries, 5, row.budget or 0)
        assert row.recall == pytest.approx(wp.recall(answer.ids, truth))
        assert row.cost == answer.cost.mean()
        assert row.batched_qps > 0
        assert row.single_qps > 0
    shares = [
        [
            len(set(a) & set(t)) / 5
            for a, t in zip(index.search(queries, 5, 20).ids.tolist(), truth.tolist(), strict=True)
        ]
        for index in (plain, learned)
    ]
    differences = np.subtract(shares[1], shares[0])
    row = measured.rows[2]
    assert row.gain == pytest.approx(differences.mean())
    assert row.error == pytest.approx(differences.std(ddof=1) / np.sqrt(50))
    json.dumps(measured.as_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("gain", "error", "says"),
    [
        (0.05, 0.01, "finds 0.900 of the answers, 0.050 more than the unlearned one."),
        (0.01, 0.01, "does not beat the unlearned one: it is 0.0100 above it, within what chance explains."),
        (-0.01, 0.01, "does not beat the unlearned one: it is 0.0100 below it, within what chance explains."),
        (-0.05, 0.01, "does not beat the unlearned one: it is 0.0500 below it."),
        (0.0, 0.0, "does not beat the unlearned one."),
    ],
)
def test_a_verdict_is_honest(gain: float, error: float, says: str) -> None:
    row = Measured("learned", 64, 0.9, 64.0, 1.0, 1.0, gain, error)
    assert Comparison(10, 400, 50, (row,)).verdicts == (f"At a budget of 64 the learned search {says}",)
