"""What is made of a finished training: new items, fresh queries, and truth that nobody had to compute."""

import warnings
from dataclasses import replace
from pathlib import Path

import needs_torch  # noqa: F401
import numpy as np
import pytest

import waypost as wp
from waypost.learn import approximate_truth, extend_router

CONFIG = wp.TrainConfig(
    learner="reinforce", entry="first", steps=30, batch=128, budget=40, rerank=(0, 10), check_every=5, lr=0.003
)


def data(n: int = 700, queries: int = 1200) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    spectrum = 0.7 ** np.arange(10)
    items = (rng.standard_normal((n, 10)) * spectrum * rng.lognormal(0, 0.5, (n, 1))).astype(np.float32)
    asked = (rng.standard_normal((queries, 10)) * spectrum).astype(np.float32)
    return items / np.linalg.norm(items, axis=1).mean(), asked / np.linalg.norm(asked, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, wp.Router, wp.Graph]:
    items, queries = data()
    graph = wp.build_graph(items[:600], "ip-nsw", degree=6, candidates=20, repair="within-degree")
    path = tmp_path_factory.mktemp("kept") / "shop.training"
    truth = wp.exact_search(items[:600], queries[:800], k=1).ids
    return path, wp.train_router(items[:600], graph, queries[:800], truth, CONFIG, checkpoint=path), graph


def test_over_the_same_items_it_is_the_router_that_training_gave(trained: tuple[Path, wp.Router, wp.Graph]) -> None:
    path, router, graph = trained
    again = extend_router(path, data()[0][:600], graph)
    np.testing.assert_array_equal(again.vectors, router.vectors)
    assert (again.entry, again.manners) == (router.entry, router.manners)


def test_items_that_came_later_are_found_as_well(trained: tuple[Path, wp.Router, wp.Graph]) -> None:
    items, queries = data()
    graph = wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree")
    unseen, truth = queries[800:], wp.exact_search(items, queries[800:], k=10).ids
    router = extend_router(trained[0], items, graph)
    assert router.vectors is not None
    assert len(router.vectors) == 700
    before, after = (
        wp.Index(items, graph, one).search(unseen, budget=40, entry=router.entry) for one in (None, router)
    )
    assert wp.recall(after.ids, truth) > wp.recall(before.ids, truth)
    assert (after.ids >= 600).any()


def test_fine_tuning_begins_where_the_stored_training_was_best(trained: tuple[Path, wp.Router, wp.Graph]) -> None:
    path, router, graph = trained
    items, queries = data()
    told = {"items": items[:600], "graph": graph, "queries": queries[400:], "valid": queries[:400]}
    config = replace(CONFIG, steps=1, lr=1e-9)
    fresh = wp.train_router(**told, config=config, start=path)
    np.testing.assert_allclose(fresh.vectors, router.vectors, atol=1e-4)


def test_a_start_that_does_not_fit_is_refused(trained: tuple[Path, wp.Router, wp.Graph]) -> None:
    items, queries = data()
    with pytest.raises(ValueError, match="whose weights do not fit this one; pass one of the same learner"):
        wp.train_router(items[:600], trained[2], queries, None, replace(CONFIG, width=4), start=trained[0])
    with pytest.raises(FileNotFoundError):
        wp.train_router(items[:600], trained[2], queries, None, CONFIG, start="nowhere.training")


def test_items_that_were_not_appended_are_refused(trained: tuple[Path, wp.Router, wp.Graph]) -> None:
    items, _ = data()
    with pytest.raises(ValueError, match="graph has 600 rows for 700 items"):
        extend_router(trained[0], items, trained[2])
    with pytest.raises(ValueError, match="items has 9 columns, unlike those of checkpoint"):
        extend_router(trained[0], items[:600, :9], trained[2])


def test_truth_found_by_the_unlearned_search_teaches_as_well() -> None:
    items, queries = data()
    graph = wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree")
    found = approximate_truth(items, graph, queries, budget=640)
    assert wp.recall(found, wp.exact_search(items, queries, k=1).ids, 1, 1) > 0.95
    by_name = wp.train_router(items, graph, queries, "unlearned", CONFIG)
    by_rows = wp.train_router(items, graph, queries, found, CONFIG)
    assert not by_name.is_identity
    np.testing.assert_array_equal(by_name.vectors, by_rows.vectors)
    with warnings.catch_warnings(), pytest.raises(ValueError, match="truth is 'exact'; pass rows, 'unlearned' or None"):
        wp.train_router(items, graph, queries, "exact", CONFIG)
