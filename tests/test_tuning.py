"""Tuning: the cheapest settings for a wanted recall, and what is said where it cannot be had."""

import warnings

import numpy as np
import pytest

import waypost as wp
from waypost.tuning import PROMISE, Examiner, distinct, pools, smallest

N, D = 3_000, 16
RNG = np.random.default_rng(0)
ITEMS = (RNG.standard_normal((N, D)) * RNG.lognormal(0, 0.4, (N, 1))).astype(np.float32)
QUERIES = RNG.standard_normal((3_000, D)).astype(np.float32)
VALID, UNSEEN = QUERIES[:1_500], QUERIES[1_500:]
INDEX = wp.Index(ITEMS, wp.build_graph(ITEMS, "united", degree=12, repair=True))
TRUTH = wp.exact_search(ITEMS, UNSEEN, k=10).ids


@pytest.mark.parametrize("codes", [None, "int8"])
@pytest.mark.parametrize("target", [0.8, 0.95, 0.99])
def test_the_promise_holds_on_unseen_queries(target: float, codes: str | None) -> None:
    index = wp.Index(ITEMS, INDEX.graph, codes=codes)
    tuned = wp.tune(index, VALID, target)
    assert tuned.chosen.recall >= target
    assert wp.recall(tuned.index.search(UNSEEN).ids, TRUTH) >= target - PROMISE
    assert tuned.index.settings.pool == tuned.chosen.pool


def test_more_recall_costs_more() -> None:
    costs = [wp.tune(INDEX, VALID, target).chosen.cost for target in (0.7, 0.9, 0.99)]
    assert costs == sorted(costs)
    assert costs[0] < costs[2]


def test_a_smaller_pool_would_not_do() -> None:
    tuned = wp.tune(INDEX, VALID, 0.95)
    sizes = pools(10, N)
    below = sizes[sizes.index(tuned.chosen.pool) - 1]
    trial = Examiner(ITEMS, VALID, 10, 0).trial(INDEX, "below", below)
    assert not trial.meets(0.95)


def test_all_trials_are_shown_as_they_come() -> None:
    seen: list[wp.Trial] = []
    tuned = wp.tune(INDEX, VALID, 0.95, watch=seen.append)
    assert tuple(seen) == tuned.trials
    assert wp.as_table(seen).count("\n") == len(seen)
    assert all("recall" in str(trial) for trial in seen)


def test_own_ids_stay() -> None:
    index = wp.Index(ITEMS, INDEX.graph, ids=np.arange(N) + 70_000)
    assert wp.tune(index, VALID, 0.9).index.search(UNSEEN[:5]).ids.min() >= 70_000


def test_same_choice_on_any_number_of_threads() -> None:
    assert (
        wp.tune(INDEX, VALID, 0.95, threads=1).index.settings == wp.tune(INDEX, VALID, 0.95, threads=2).index.settings
    )


def test_a_target_out_of_reach_gives_the_best_and_says_so() -> None:
    lonely = wp.Graph("by-hand", 1, np.full((N, 1), -1, np.int32), entry=0, block=("largest-norm", 100))
    index = wp.Index(ITEMS, lonely)
    with pytest.warns(UserWarning, match=r"^a recall of 0.95 was not reached: the best found has 0\.\d+ on 1500 valid"):
        tuned = wp.tune(index, VALID, 0.95)
    assert tuned.chosen.recall == max(trial.recall for trial in tuned.trials)


def test_too_few_queries_are_told_with_what_would_be_enough() -> None:
    with pytest.warns(UserWarning, match=r"^20 different validation queries tell the recall of .* would be enough for"):
        tuned = wp.tune(INDEX, np.tile(VALID[:20], (100, 1)), 0.9)
    assert tuned.chosen.needed(20) > 20


def test_a_time_within_reach_is_kept_to() -> None:
    slow = wp.tune(INDEX, VALID, 1 - 1e-9).chosen.microseconds
    assert slow is not None
    with pytest.warns(UserWarning, match=r"was not reached within"):
        tuned = wp.tune(INDEX, VALID, 1.0, max_time_us=slow / 8)
    assert tuned.chosen.microseconds is not None
    assert tuned.chosen.microseconds <= slow / 8
    assert tuned.chosen.recall < 1


def test_a_time_out_of_reach_is_told() -> None:
    with pytest.warns(UserWarning, match=r"^no search keeps to 0.001 microseconds: the quickest takes .*; raise max_t"):
        wp.tune(INDEX, VALID, 0.95, max_time_us=0.001)


def test_constant_and_zero_queries() -> None:
    for queries in (np.zeros((50, D), np.float32), np.ones((50, D), np.float32)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tuned = wp.tune(INDEX, queries, 0.95)
        assert tuned.chosen.recall >= 0.95


def test_equal_scores_are_equally_good() -> None:
    items = np.repeat(ITEMS[:100], 20, axis=0)
    index = wp.Index(items, wp.build_graph(items, "ip-nsw", degree=24, candidates=60, repair=True))
    assert wp.tune(index, VALID, 0.9).chosen.recall >= 0.9


def test_repeated_queries_count_once() -> None:
    repeated = np.concatenate([VALID[:3], VALID[1:2], -np.zeros((1, D), np.float32), np.zeros((1, D), np.float32)])
    assert distinct(repeated).tolist() == [*VALID[:3].tolist(), [0.0] * D]


@pytest.mark.parametrize("least", range(1, 12))
def test_the_smallest_good_size(least: int) -> None:
    asked: list[int] = []
    found = smallest(list(range(1, 11)), lambda size: asked.append(size) or size >= least)
    assert found == (least if least <= 10 else None)
    assert len(asked) == len(set(asked))


BAD = {
    "no number": (
        {"target_recall": "high"},
        TypeError,
        "target_recall is of type str; pass a number above 0 and up to 1.",
    ),
    "zero": ({"target_recall": 0}, ValueError, "target_recall is 0; pass a number above 0 and up to 1."),
    "per cent": ({"target_recall": 95}, ValueError, "target_recall is 95; pass a number above 0 and up to 1."),
    "NaN": ({"target_recall": float("nan")}, ValueError, "target_recall is nan; pass a number above 0 and up to 1."),
    "a time of 0": ({"max_time_us": 0}, ValueError, "max_time_us is 0; pass a finite number above 0, or None."),
    "a time of text": ({"max_time_us": "5"}, TypeError, "max_time_us is of type str; pass a number above 0, or None."),
    "no function": ({"watch": 5}, TypeError, "watch is of type int; pass a function of a waypost.Trial, or None."),
    "too large a k": ({"k": N + 1}, ValueError, "k is 3001 but there are only 3000 items; pass k=3000 or less."),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments(case: str) -> None:
    options, error, sentence = BAD[case]
    with pytest.raises(error) as caught:
        wp.tune(INDEX, VALID, **options)
    assert str(caught.value) == sentence


def test_queries_of_another_width() -> None:
    with pytest.raises(ValueError, match="^queries has 15 columns where the index has 16; give both the same width.$"):
        wp.tune(INDEX, VALID[:, :-1])
