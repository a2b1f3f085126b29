"""Answers that the unlearned search finds, in the place of truth that is not known."""

import needs_torch  # noqa: F401
import numpy as np
import pytest
from test_trainer import SMALL, data

import waypost as wp
from waypost.learn.training_input import as_problem

FOUND = wp.TrainConfig.preset("frontier", found=3, budget=40, entry="first")


@pytest.fixture(scope="module")
def shop() -> tuple[np.ndarray, np.ndarray, wp.Graph]:
    items, queries = data()
    return items, queries, wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree")


def test_known_answers_come_first_and_none_is_lost(shop: tuple[np.ndarray, np.ndarray, wp.Graph]) -> None:
    items, queries, graph = shop
    exact = wp.exact_search(items, queries, k=5).ids
    known = np.full_like(exact, -1)
    known[::2] = exact[::2, ::-1]
    problem, _ = as_problem(items, graph, queries, known, FOUND, queries[:9])
    assert problem.truth.shape == (len(queries), 5)
    np.testing.assert_array_equal(problem.truth[::2], known[::2])
    assert (problem.truth[1::2, 3:] == -1).all()
    assert wp.recall(problem.truth[1::2, :3], exact[1::2, :3], m=3, n=3) > 0.9
    alone, _ = as_problem(items, graph, queries, None, FOUND, queries[:9])
    np.testing.assert_array_equal(alone.truth[1::2], problem.truth[1::2, :3])


def test_the_frontier_learns_without_truth(shop: tuple[np.ndarray, np.ndarray, wp.Graph]) -> None:
    items, queries, graph = shop
    config = wp.TrainConfig.preset(
        "frontier", entry="first", budget=40, batch=256, steps=30, check_every=5, rerank=(0, 10)
    )
    router = wp.train_router(items, graph, queries[:1000], None, config)
    asked = queries[1000:]
    truth = wp.exact_search(items, asked, k=10).ids
    plain = wp.Index(items, graph).search(asked, budget=40, entry=router.entry)
    learned = wp.Index(items, graph, router).search(asked, budget=40)
    assert learned.cost.max() <= 40
    assert wp.recall(learned.ids, truth) > wp.recall(plain.ids, truth) + 0.02


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="found is -1"):
        wp.TrainConfig(learner="reinforce", found=-1)
    with pytest.raises(ValueError, match="an agent's learner alone"):
        wp.TrainConfig(found=5)
    with pytest.raises(ValueError, match="choose_from is 'all'; pass one of neighbors, frontier"):
        wp.TrainConfig(learner="reinforce", choose_from="all")
    assert SMALL.choose_from == "neighbors"
