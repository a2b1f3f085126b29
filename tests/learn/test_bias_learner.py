"""The learned bias: more true answers at the same cost, exact scores, kinds of queries, labels or none."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from grouped_queries import ASKED, CONFIG, GRAPH, ITEMS, TRAIN, UNSEEN, recalls

import waypost as wp
from waypost.learn import extend_router
from waypost.learn.bias_learner import BiasLearner
from waypost.learn.kinds import kinds_of, learn_codebook
from waypost.learn.learner import Problem
from waypost.learn.school import known_first


@pytest.fixture(scope="module")
def router() -> wp.Router:
    return wp.train_router(ITEMS, GRAPH, TRAIN, None, CONFIG)


def test_more_true_answers_on_queries_never_seen_and_without_labels(router: wp.Router) -> None:
    learned, unlearned = recalls(router), recalls(None)
    assert all(a > b for a, b in zip(learned, unlearned, strict=True))
    assert np.mean(learned) > np.mean(unlearned) + 0.02


def test_scores_are_exact_and_costs_within_the_budget(router: wp.Router) -> None:
    index = wp.Index(ITEMS, GRAPH, router)
    for budget in (7, 40, 80, 81, 3000):
        answer = index.search(UNSEEN, budget=budget)
        assert answer.cost.max() <= budget
        found = answer.ids >= 0
        exact = np.einsum("qkd,qd->qk", ITEMS[np.maximum(answer.ids, 0)], UNSEEN)
        np.testing.assert_allclose(answer.scores[found], exact[found], rtol=1e-5, atol=1e-5)
        assert (answer.scores[:, 1:] <= answer.scores[:, :-1]).all()


def test_labels_lead_to_about_the_same(router: wp.Router) -> None:
    truth = wp.exact_search(ITEMS, TRAIN, k=10).ids
    truth[np.random.default_rng(0).random(len(TRAIN)) > 0.3] = -1
    labelled = recalls(wp.train_router(ITEMS, GRAPH, TRAIN, truth, CONFIG))
    np.testing.assert_allclose(labelled, recalls(router), atol=0.02)


def test_reinforcement_without_labels_learns_as_much(router: wp.Router) -> None:
    config = wp.TrainConfig(budget=80, steps=60, batch=256, check_every=30, lesson="reinforcement")
    learned = wp.train_router(ITEMS, GRAPH, TRAIN, None, config)
    np.testing.assert_allclose(recalls(learned), recalls(router), atol=0.02)


def test_one_seed_gives_one_router_whatever_the_threads(router: wp.Router) -> None:
    again = wp.train_router(ITEMS, GRAPH, TRAIN, None, replace(CONFIG, threads=1))
    np.testing.assert_array_equal(router.bias, again.bias)
    np.testing.assert_array_equal(router.codebook.seeds, again.codebook.seeds)
    assert router.manners == again.manners
    other = wp.train_router(ITEMS, GRAPH, TRAIN, None, replace(CONFIG, seed=1))
    assert not np.array_equal(router.bias, other.bias)


def test_a_saved_index_searches_as_it_did(router: wp.Router, tmp_path: Path) -> None:
    index = wp.Index(ITEMS, GRAPH, router)
    index.save(tmp_path / "shop.waypost")
    for mmap in (False, True):
        loaded = wp.Index.load(tmp_path / "shop.waypost", mmap=mmap)
        assert loaded.router.manners == router.manners
        for budget in (40, 80, 160):
            ours, theirs = (one.search(UNSEEN, budget=budget) for one in (index, loaded))
            np.testing.assert_array_equal(ours.ids, theirs.ids)
            np.testing.assert_array_equal(ours.scores, theirs.scores)


def test_a_resumed_training_comes_to_the_same_router(router: wp.Router, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 41:
            raise KeyboardInterrupt

    path = tmp_path / "shop.training"
    wp.train_router(ITEMS, GRAPH, TRAIN, None, CONFIG, checkpoint=path, progress=stop)
    resumed = wp.train_router(ITEMS, GRAPH, TRAIN, None, CONFIG, checkpoint=path)
    np.testing.assert_array_equal(router.bias, resumed.bias)
    assert router.manners == resumed.manners


def test_nothing_to_gain_gives_the_identity() -> None:
    config = wp.TrainConfig(budget=6000, budgets=(6000,), steps=2, batch=16)
    with pytest.warns(UserWarning, match="the router is the identity"):
        assert wp.train_router(ITEMS, GRAPH, TRAIN[:50], None, config).is_identity


def test_a_training_goes_on_with_the_kinds_of_the_one_that_it_starts_from(router: wp.Router, tmp_path: Path) -> None:
    path = tmp_path / "shop.training"
    wp.train_router(ITEMS, GRAPH, TRAIN, None, CONFIG, checkpoint=path)
    fresh = ASKED[1000:2000]
    tuned = wp.train_router(ITEMS, GRAPH, fresh, None, replace(CONFIG, steps=1, lr=1e-9), UNSEEN, start=path)
    np.testing.assert_array_equal(tuned.codebook.seeds, router.codebook.seeds)
    np.testing.assert_allclose(tuned.bias, router.bias, atol=1e-6)
    assert np.mean(recalls(tuned)) > np.mean(recalls(None)) + 0.02


def test_items_that_came_later_have_no_bias_and_are_found(tmp_path: Path) -> None:
    early, path = 1300, tmp_path / "shop.training"
    graph = wp.build_graph(ITEMS[:early], "ip-nsw", degree=6, candidates=20, repair="within-degree")
    learned = wp.train_router(ITEMS[:early], graph, TRAIN, None, CONFIG, checkpoint=path)
    extended = extend_router(path, ITEMS, GRAPH)
    np.testing.assert_array_equal(extended.bias[:, :early], learned.bias)
    assert not extended.bias[:, early:].any()
    assert extended.manners == learned.manners
    assert np.mean(recalls(extended)) > np.mean(recalls(None))
    tuned = wp.train_router(ITEMS, GRAPH, TRAIN, None, CONFIG, start=path)
    assert np.mean(recalls(tuned)) > np.mean(recalls(None)) + 0.02
    with pytest.raises(ValueError, match="pass the items it was trained on and those that came later"):
        extend_router(
            path, ITEMS[:900], wp.build_graph(ITEMS[:900], "ip-nsw", degree=6, candidates=20, repair="within-degree")
        )


def test_without_kinds_there_is_no_codebook() -> None:
    config = wp.TrainConfig(budget=80, steps=20, batch=128, kinds=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learned = wp.train_router(ITEMS, GRAPH, TRAIN, None, config)
    assert learned.codebook is None
    assert learned.bias is not None
    assert learned.bias.shape == (1, len(ITEMS))


def test_kinds_that_would_eat_the_budget_are_not_learned() -> None:
    config = wp.TrainConfig(budget=20, budgets=(10, 20), steps=2, batch=16, kinds=8)
    learner = BiasLearner(Problem(ITEMS, GRAPH, TRAIN, None, 0, config))
    assert learner.codebook is None
    learner.step(1)


def test_a_bias_where_few_answers_exist() -> None:
    """Fewer items than answers asked for, items that score zero, queries that repeat."""
    items = np.zeros((5, 3), np.float32)
    items[0, 0] = 1
    graph = wp.build_graph(items, "ip-nsw", degree=2, candidates=3, repair="within-degree")
    config = wp.TrainConfig(budget=4, steps=3, batch=8, k=10)
    with pytest.warns(UserWarning, match="the router is the identity"):
        wp.train_router(items, graph, np.ones((20, 3), np.float32), None, config)


def test_seeds_hold_the_most_answers_of_their_kind() -> None:
    graph = wp.Graph(
        "by-hand", 2, np.array([[1, 2], [-1, -1], [-1, -1], [4, -1], [-1, -1], [-1, -1]], np.int32), entry=5
    )
    queries = np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1]], np.float32)
    answers = np.array([[0, 1, 2], [0, 2, 3], [5, -1, -1], [5, -1, -1]])
    codebook = learn_codebook(queries, answers, graph, kinds=2, seeds=3, seed=0)
    by_kind = codebook.seeds[kinds_of(queries, codebook.centroids)]
    assert by_kind[0].tolist() == [0, 3, -1]
    assert by_kind[2].tolist() == [5, -1, -1]


def test_known_answers_come_first_and_none_twice() -> None:
    known = np.array([[4, -1], [-1, -1], [2, 9]])
    found = np.array([[1, 4, 3], [5, 6, -1], [9, 2, 7]])
    assert known_first(known, found).tolist() == [[4, 1, 3], [5, 6, -1], [2, 9, 7]]


def test_a_bias_is_learned_from_a_block_of_entries() -> None:
    rng = np.random.default_rng(3)
    items, queries = (rng.standard_normal((n, 6), dtype=np.float32) for n in (300, 200))
    graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=10, entry=("largest-norm", 12))
    config = wp.TrainConfig(steps=30, batch=64, budget=48, kinds=0)
    router = wp.train_router(items, graph, queries, wp.exact_search(items, queries, k=10).ids, config)
    assert router.entry == ("largest-norm", 12)
    trace = wp.Index(items, graph, router).search(queries[:1], k=1, budget=48, trace=True).trace[0]
    norms = np.linalg.norm(items.astype(np.float64), axis=1)
    assert trace.rows[:12].tolist() == np.argsort(-norms, kind="stable")[:12].tolist()
    named = wp.train_router(items, graph, queries, config=wp.TrainConfig(steps=3, entry=17, kinds=0, budget=40))
    assert named.entry == 17


@pytest.mark.parametrize(
    "settings", [{"entry": ("random", 3)}, {"entry": ("first", 3), "learner": "reinforce"}, {"entry": "biggest"}]
)
def test_entries_that_no_training_can_start_from_are_refused(settings: dict) -> None:
    with pytest.raises(ValueError, match=r"entry is .*pass"):
        wp.TrainConfig(**settings)
