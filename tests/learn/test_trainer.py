"""train_router: it learns where greed fails, never makes things worse, and repeats itself."""

import json
import sys
import warnings
from pathlib import Path

import needs_torch  # noqa: F401
import numpy as np
import pytest

import waypost as wp
from waypost.learn.agent_learner import AgentLearner

SMALL = wp.TrainConfig(
    learner="reinforce", entry="first", steps=30, batch=256, budget=40, rerank=(0, 10), check_every=5, lr=0.003
)


def data(n: int = 800, d: int = 12, queries: int = 1500, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Some directions matter more than others, as in factors of real ratings."""
    rng = np.random.default_rng(seed)
    spectrum = 0.7 ** np.arange(d)
    items = (rng.standard_normal((n, d)) * spectrum * rng.lognormal(0, 0.5, (n, 1))).astype(np.float32)
    asked = (rng.standard_normal((queries, d)) * spectrum).astype(np.float32)
    return items / np.linalg.norm(items, axis=1).mean(), asked / np.linalg.norm(asked, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def trained() -> tuple[wp.Router, wp.Graph, np.ndarray, np.ndarray]:
    items, queries = data()
    graph = wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree")
    truth = wp.exact_search(items, queries[:1000], k=1).ids
    return wp.train_router(items, graph, queries[:1000], truth, SMALL), graph, items, queries[1000:]


def two_islands() -> tuple[np.ndarray, wp.Graph, np.ndarray]:
    """The answer of every query is a long vertex behind a short one; a dead end of middling vertices looks better.

    0 is the entry. It links to the gate 1, which scores nothing, and to the lure 2, which scores a little. Behind the
    lure come three more like it and then nothing; behind the gate is the answer.
    """
    rng = np.random.default_rng(0)
    items = rng.standard_normal((7, 12), dtype=np.float32)  # what tells items apart is not what queries ask for
    items[:, 0] = [0, 0, 0.4, 0.5, 0.5, 0.5, 3]
    links = [[1, 2], [6, -1], [3, 4], [5, -1], [5, -1], [-1, -1], [-1, -1]]
    queries = 0.02 * rng.standard_normal((400, 12), dtype=np.float32)
    queries[:, 0] = rng.uniform(0.8, 1.2, 400)
    return items, wp.Graph("two islands", 2, np.array(links, np.int32), entry=0), queries


def test_a_trap_for_greed_is_learned_from_reward_alone() -> None:
    """With later rewards in full: behind the gate there is no choice, where the printed sum is always zero."""
    items, graph, queries = two_islands()
    budget = 4  # the entry, its two neighbours, and one more: enough through the gate alone
    config = wp.TrainConfig(
        learner="reinforce",
        steps=60,
        batch=128,
        budget=budget,
        entry="first",
        tau=0.5,
        later_baselines=False,
        gamma=1.0,
        lr=0.01,
        rerank=(0,),
        check_every=5,
        k=1,
    )
    truth = wp.exact_search(items, queries, k=1).ids
    assert (truth == 6).all()
    unlearned = wp.Index(items, graph).search(queries, k=1, budget=budget, entry="first")
    assert wp.recall(unlearned.ids, truth, 1, 1) == 0
    router = wp.train_router(items, graph, queries, None, config)
    learned = wp.Index(items, graph, router).search(queries, k=1, budget=budget)
    assert wp.recall(learned.ids, truth, 1, 1) > 0.95


def test_more_true_answers_at_the_same_cost_on_queries_never_seen(
    trained: tuple[wp.Router, wp.Graph, np.ndarray, np.ndarray],
) -> None:
    router, graph, items, unseen = trained
    truth = wp.exact_search(items, unseen, k=10).ids
    before = wp.Index(items, graph).search(unseen, budget=SMALL.budget, entry=router.entry)
    after = wp.Index(items, graph, router).search(unseen, budget=SMALL.budget)
    assert after.cost.max() <= SMALL.budget
    assert wp.recall(after.ids, truth) > wp.recall(before.ids, truth) + 0.02


def test_the_router_saves_and_loads_with_its_manners(
    trained: tuple[wp.Router, wp.Graph, np.ndarray, np.ndarray], tmp_path: Path
) -> None:
    router, graph, items, unseen = trained
    index = wp.Index(items, graph, router)
    index.save(tmp_path / "routed.waypost")
    loaded = wp.Index.load(tmp_path / "routed.waypost")
    assert loaded.router.manners == router.manners
    np.testing.assert_array_equal(loaded.search(unseen, budget=40).ids, index.search(unseen, budget=40).ids)


def test_one_seed_gives_one_router_whatever_the_threads() -> None:
    items, queries = data(300, 8, 400)
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15, repair="within-degree")
    truth = wp.exact_search(items, queries, k=1).ids
    routers = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for threads in (1, 2):
            config = wp.TrainConfig(
                learner="reinforce", steps=6, batch=64, budget=30, rerank=(0, 10), check_every=2, threads=threads
            )
            routers.append(wp.train_router(items, graph, queries, truth, config))
    assert routers[0].is_identity == routers[1].is_identity
    if not routers[0].is_identity:
        np.testing.assert_array_equal(routers[0].vectors, routers[1].vectors)


def test_training_that_does_not_help_says_so_and_gives_the_identity() -> None:
    items, queries = data(60, 6, 100)
    graph = wp.build_graph(items, "ip-nsw", degree=8, candidates=20, repair="within-degree")
    config = wp.TrainConfig(
        learner="reinforce", steps=2, batch=16, budget=60, rerank=(0,)
    )  # a budget of n: nothing is left to gain
    with pytest.warns(UserWarning, match="the router is the identity"):
        assert wp.train_router(items, graph, queries, None, config).is_identity


def test_the_log_has_one_line_an_update(tmp_path: Path) -> None:
    items, queries = data(100, 6, 100)
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15)
    seen: list[tuple[int, int]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = wp.TrainConfig(learner="reinforce", steps=4, batch=16, budget=30, rerank=(0,), check_every=2)
        wp.train_router(
            items,
            graph,
            queries,
            None,
            config,
            log=tmp_path / "log.jsonl",
            progress=lambda done, total: seen.append((done, total)),
        )
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [1, 2, 3, 4]
    assert ["validation_recall" in line for line in lines] == [False, True, False, True]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_ctrl_c_returns_the_best_so_far() -> None:
    items, queries = data(300, 8, 400)
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15)

    def interrupt(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = wp.TrainConfig(learner="reinforce", steps=10**6, batch=64, budget=30, rerank=(0,), check_every=5)
        assert isinstance(wp.train_router(items, graph, queries, None, config, progress=interrupt), wp.Router)


BAD = {
    "truth of other queries": ({"truth": np.zeros((3, 1), int)}, ValueError, "truth has shape"),
    "truth out of range": ({"truth": np.full((100, 1), 60)}, ValueError, "truth holds rows outside"),
    "truth of floats": ({"truth": np.zeros((100, 1))}, TypeError, "truth has dtype"),
    "nothing labelled, shaping alone": (
        {"truth": np.full((100, 1), -1), "config": wp.TrainConfig.preset("shaping-only")},
        ValueError,
        "truth labels no query",
    ),
    "queries of another width": ({"queries": np.ones((5, 3), np.float32)}, ValueError, "queries"),
    "valid of another width": ({"valid": np.ones((5, 3), np.float32)}, ValueError, "valid"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str) -> None:
    changes, error, message = BAD[case]
    items, queries = data(60, 6, 100)
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15)
    with pytest.raises(error, match=message):
        wp.train_router(items, graph, **({"queries": queries} | changes))


def test_a_graph_of_other_items_is_refused() -> None:
    items, queries = data(60, 6, 100)
    graph = wp.build_graph(items[:50], "ip-nsw", degree=5, candidates=15)
    with pytest.raises(ValueError, match="pass the graph of these items"):
        wp.train_router(items, graph, queries)


def test_presets_are_the_papers() -> None:
    for name, (alpha, tau) in {"movielens": (0.7, 0.15), "amazon": (1.0, 0.5), "echonest": (2.7, 1.0)}.items():
        preset = wp.TrainConfig.preset(name)
        assert (preset.gamma, preset.alpha, preset.tau, preset.b) == (0.9, alpha, tau, 4)
        assert (preset.batch, preset.steps, preset.lr, preset.residual) == (30, 60_000, 0.001, False)
    with pytest.raises(ValueError, match="preset is 'netflix'; pass one of"):
        wp.TrainConfig.preset("netflix")


@pytest.mark.parametrize(("name", "value"), [("steps", 0), ("tau", 0.0), ("gamma", 1.5), ("alpha", -1.0), ("b", 0)])
def test_settings_out_of_range_are_named(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name} is"):
        wp.TrainConfig(**{name: value})


@pytest.mark.parametrize("name", ["reward", "gradient"])
def test_a_figure_that_is_not_finite_ends_the_training_and_keeps_the_best(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    items, queries = data()
    graph, steps = wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree"), []
    truth = wp.exact_search(items, queries, k=1).ids
    step = AgentLearner.step
    monkeypatch.setattr(
        AgentLearner, "step", lambda self, at: step(self, at) | ({name: float("nan")} if at == 18 else {})
    )
    with pytest.warns(UserWarning, match=f"training stopped at update 18, where the {name} is nan; the router is the"):
        router = wp.train_router(items, graph, queries, truth, SMALL, watch=lambda figures: steps.append(figures))
    assert len(steps) == 17
    assert not router.is_identity


@pytest.mark.filterwarnings("ignore:training did not raise")
def test_vectors_that_are_not_finite_end_the_training_without_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    items, queries = data(60, 6, 100)
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15)
    config = wp.TrainConfig(learner="reinforce", steps=20, batch=16, budget=30, rerank=(0,), check_every=1)
    broken = wp.Router(np.full_like(items, np.nan))
    monkeypatch.setattr(AgentLearner, "routers", lambda _: [broken])
    with pytest.warns(UserWarning, match="stopped where the router's vectors are not finite; the router is the best"):
        router = wp.train_router(items, graph, queries, None, config)
    assert router.is_identity


@pytest.mark.filterwarnings("ignore")
def test_tensorboard_gets_a_curve_a_figure(tmp_path: Path) -> None:
    accumulators = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator", reason="pip install tensorboard to read its files"
    )
    items, queries = data(100, 6, 100)
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15)
    config = wp.TrainConfig(learner="reinforce", steps=3, batch=16, budget=30, check_every=2)
    wp.train_router(items, graph, queries, None, config, tensorboard=tmp_path)
    events = accumulators.EventAccumulator(str(tmp_path)).Reload()
    assert [event.step for event in events.Scalars("reward")] == [1, 2, 3]
    assert [event.step for event in events.Scalars("validation_recall")] == [2, 3]


def test_without_tensorboard_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    items, queries = data(60, 6, 100)
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15)
    with pytest.raises(ImportError, match=r"pip install 'waypost\[tensorboard\]'"):
        wp.train_router(items, graph, queries, tensorboard=tmp_path)
