"""A bias that the GCN computes, alone or beside vectors: the gradient, what is learned, and items that came later."""

import warnings
from dataclasses import replace
from pathlib import Path

import needs_torch  # noqa: F401
import numpy as np
import pytest
import torch
from grouped_queries import CONFIG, GRAPH, ITEMS, TRAIN, UNSEEN, recalls

import waypost as wp
from waypost.learn import extend_router
from waypost.learn.beam_agent_learner import BeamAgentLearner
from waypost.learn.learner import Problem

HEADS = ("bias", "both")
SETTINGS = replace(CONFIG, steps=40, check_every=20, lr=0.005, blends=(1.0, 0.5), rerank=(0, 16))


def config(head: str) -> wp.TrainConfig:
    return replace(SETTINGS, head=head)


@pytest.fixture(scope="module", params=HEADS)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, wp.Router, Path]:
    path = tmp_path_factory.mktemp("kept") / "shop.training"
    return request.param, wp.train_router(ITEMS, GRAPH, TRAIN, None, config(request.param), checkpoint=path), path


def test_more_true_answers_on_queries_never_seen(trained: tuple[str, wp.Router, Path]) -> None:
    head, router, _ = trained
    assert router.bias is not None
    assert (router.vectors is None) == (head == "bias")
    learned, unlearned = recalls(router), recalls(None)
    assert all(a >= b for a, b in zip(learned, unlearned, strict=True))
    assert np.mean(learned) > np.mean(unlearned) + 0.01


def test_over_the_same_items_the_stored_training_gives_the_same_router(trained: tuple[str, wp.Router, Path]) -> None:
    _, router, path = trained
    again = extend_router(path, ITEMS, GRAPH)
    np.testing.assert_array_equal(again.bias, router.bias)
    np.testing.assert_array_equal(again.codebook.seeds, router.codebook.seeds)
    assert (again.entry, again.manners) == (router.entry, router.manners)


@pytest.mark.parametrize("head", HEADS)
def test_items_that_came_later_get_a_bias_without_training(head: str, tmp_path: Path) -> None:
    early, path = 1200, tmp_path / "shop.training"
    graph = wp.build_graph(ITEMS[:early], "ip-nsw", degree=6, candidates=20, repair="within-degree")
    wp.train_router(ITEMS[:early], graph, TRAIN, None, config(head), checkpoint=path)
    extended = extend_router(path, ITEMS, GRAPH)
    assert np.abs(extended.bias[:, early:]).mean() > 0.1 * np.abs(extended.bias[:, :early]).mean()
    assert np.mean(recalls(extended)) > np.mean(recalls(None)) + 0.01


def test_a_saved_index_searches_as_it_did(trained: tuple[str, wp.Router, Path], tmp_path: Path) -> None:
    index = wp.Index(ITEMS, GRAPH, trained[1])
    index.save(tmp_path / "shop.waypost")
    loaded = wp.Index.load(tmp_path / "shop.waypost")
    for budget in (40, 80, 160):
        ours, theirs = (one.search(UNSEEN, budget=budget) for one in (index, loaded))
        np.testing.assert_array_equal(ours.ids, theirs.ids)
        assert ours.cost.max() <= budget


@pytest.mark.parametrize("head", HEADS)
def test_a_resumed_training_comes_to_the_same_router_whatever_the_threads(head: str, tmp_path: Path) -> None:
    told = replace(config(head), steps=12, check_every=4, lr=0.01)

    def stop(done: int, total: int) -> None:
        if done == 6:
            raise KeyboardInterrupt

    path = tmp_path / "shop.training"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so small a training need not help
        whole = wp.train_router(ITEMS, GRAPH, TRAIN, None, told)
        wp.train_router(ITEMS, GRAPH, TRAIN, None, told, checkpoint=path, progress=stop)
        resumed = wp.train_router(ITEMS, GRAPH, TRAIN, None, replace(told, threads=1), checkpoint=path)
    assert whole.bias is not None
    np.testing.assert_array_equal(whole.bias, resumed.bias)
    assert whole.manners == resumed.manners


def test_vectors_are_pulled_as_autograd_would_pull_them() -> None:
    """The lessons' weights are slopes by scores; by the vectors they are those of the sum of weight times product."""
    learner = BeamAgentLearner(Problem(ITEMS, GRAPH, TRAIN, None, GRAPH.entry, config("both")))
    draw = learner.school.draw(1)
    walks = [learner.school.lessons(draw), learner.school.lessons_by_kind(draw, None, own=False)[0]]
    vectors = torch.tensor(ITEMS, dtype=torch.float64, requires_grad=True)
    queries = torch.tensor(learner.school.queries(draw), dtype=torch.float64)
    for lessons in walks:
        query = np.repeat(np.arange(lessons.queries), np.diff(lessons.offsets))
        scores = (vectors[lessons.rows.astype(np.int64)] * queries[query]).sum(dim=1)
        (scores @ torch.from_numpy(lessons.weights.astype(np.float64)) / lessons.queries).backward()
    np.testing.assert_allclose(learner._by_vector(walks, draw), vectors.grad, rtol=1e-4, atol=1e-7)


def test_settings_that_do_not_go_together_are_named() -> None:
    for changes, sentence in (
        ({"head": "vectors"}, "head is 'vectors'; pass one of table, bias, both"),
        ({"head": "bias", "learner": "reinforce"}, "head is 'bias'; pass it with learner='bias' alone"),
        ({"head": "bias", "neighborhood": 5}, "neighborhood is 5; pass it with an agent's learner alone"),
    ):
        with pytest.raises(ValueError, match=sentence):
            wp.TrainConfig(**changes)


def test_a_start_of_another_head_is_refused(trained: tuple[str, wp.Router, Path]) -> None:
    other = config("both" if trained[0] == "bias" else "bias")
    for told in (CONFIG, other):
        with pytest.raises(ValueError, match="whose weights do not fit this one"):
            wp.train_router(ITEMS, GRAPH, TRAIN, None, told, start=trained[2])
