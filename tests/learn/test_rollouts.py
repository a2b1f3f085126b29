"""Path collection and its gradient, against plain Python, autograd and hand-made graphs."""

from dataclasses import replace

import needs_torch  # noqa: F401
import numpy as np
import pytest
import torch

import waypost as wp
from waypost.learn import TrainConfig
from waypost.learn.labels import Labels
from waypost.learn.rollouts import Paths, Rollouts

N, D, QUERIES = 200, 6, 50
CONFIG = TrainConfig(learner="reinforce", budget=40, tau=0.7, gamma=0.8, alpha=0.5, b=3, rerank=(0,))


def sample(seed: int = 0) -> tuple[wp.Graph, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    items, queries = (rng.standard_normal((n, D), dtype=np.float32) for n in (N, QUERIES))
    route = items + 0.3 * rng.standard_normal((N, D), dtype=np.float32)
    return wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree"), items, queries, route


def labelled(graph: wp.Graph, items: np.ndarray, queries: np.ndarray, k: int = 1) -> Labels:
    truth = wp.exact_search(items, queries, k=k).ids
    truth[::3] = -1
    return Labels.of(graph, truth, graph.entry)


def steps(paths: Paths, path: int) -> range:
    return range(paths.path_offsets[path], paths.path_offsets[path + 1])


def candidates(paths: Paths, choice: int) -> slice:
    return slice(paths.choice_offsets[choice], paths.choice_offsets[choice + 1])


def test_paths_follow_algorithm_1() -> None:
    graph, items, queries, route = sample()
    paths = Rollouts(graph, items, graph.entry, CONFIG).collect(route, queries, seed=1, paths=True).paths
    for path in range(len(paths)):
        state, visited, spent = graph.entry, {graph.entry}, 1
        for choice in steps(paths, path):
            found = paths.candidates[candidates(paths, choice)].tolist()
            unvisited = [row for row in graph.neighbors[state].tolist() if row >= 0 and row not in visited]
            assert found == unvisited[: CONFIG.budget - spent]
            scores = route[found] @ queries[path] / CONFIG.tau
            expected = np.exp(scores - scores.max())
            np.testing.assert_allclose(
                paths.probabilities[candidates(paths, choice)], expected / expected.sum(), rtol=1e-4
            )
            visited |= set(found)
            spent += len(found)
            state = int(paths.candidates[paths.chosen[choice]])
            assert state in found
        assert spent <= CONFIG.budget
        left = [row for row in graph.neighbors[state].tolist() if row >= 0 and row not in visited]
        assert spent == CONFIG.budget or not left


@pytest.mark.parametrize("k", [1, 4])
def test_rewards_are_the_three_cases_of_the_paper(k: int) -> None:
    graph, items, queries, route = sample()
    labels = labelled(graph, items, queries, k)
    outcome = Rollouts(graph, items, graph.entry, CONFIG).collect(
        route, queries, seed=2, labels=labels, targets=labels.targets, paths=True
    )
    paths, cases = outcome.paths, {"a": 0, "b": 0, "c": 0}
    for path in range(len(paths)):
        state, spent = graph.entry, 1
        open_targets = [labels.hops[t] for t in labels.targets[path] if t >= 0]
        open_targets = [hops for hops in open_targets if hops[state] > 0]
        for choice in steps(paths, path):
            spent += len(paths.candidates[candidates(paths, choice)])
            to = int(paths.candidates[paths.chosen[choice]])
            reward = float(items[to] @ queries[path] - items[state] @ queries[path])
            if open_targets:
                here, there = (min(int(hops[row]) for hops in open_targets) for row in (state, to))
                ends = spent == CONFIG.budget or (len(open_targets) == 1 and there == 0)
                reward += CONFIG.alpha * here if ends else -CONFIG.alpha * (CONFIG.gamma * there - here)
                cases["b" if ends else "c"] += 1
                open_targets = [hops for hops in open_targets if hops[to] > 0]
            else:
                cases["a"] += 1
            assert paths.rewards[choice] == pytest.approx(reward, abs=1e-4)
            state = to
        if paths.reached[path]:
            assert not open_targets
    assert all(cases.values()), cases


def test_returns_are_discounted_sums_of_reward_less_baseline() -> None:
    graph, items, queries, route = sample()
    paths = Rollouts(graph, items, graph.entry, CONFIG).collect(route, queries, seed=3, paths=True).paths
    for path in range(len(paths)):
        rest = 0.0
        for choice in reversed(steps(paths, path)):
            rest = paths.rewards[choice] - paths.baselines[choice] + CONFIG.gamma * rest
            assert paths.returns[choice] == pytest.approx(rest, abs=1e-4)


@pytest.mark.parametrize("gamma", [1.0, 0.8])
def test_shaping_telescopes_along_a_path(gamma: float) -> None:
    """With shaping alone, the discounted rewards of a path come to alpha times the distance it started from."""
    graph, items, queries, route = sample()
    labels = labelled(graph, items, queries)
    config = replace(CONFIG, gamma=gamma, products=False, baseline="none", budget=N)
    paths = (
        Rollouts(graph, items, graph.entry, config)
        .collect(route, queries, seed=4, labels=labels, targets=labels.targets, paths=True)
        .paths
    )
    reached = np.flatnonzero(paths.reached)
    assert len(reached) > 3
    for path in reached:
        start = labels.hops[labels.targets[path, 0], graph.entry]
        rewards = paths.rewards[list(steps(paths, path))]
        assert (gamma ** np.arange(len(rewards)) @ rewards) == pytest.approx(config.alpha * start, abs=1e-4)


def test_the_three_cases_worked_out_by_hand() -> None:
    """0 -> 1 -> 2 -> 3, each one's products 1, 2, 4, 8; gamma 0.5, alpha 10."""
    graph = wp.Graph("line", 1, np.array([[1], [2], [3], [-1]], np.int32), entry=0)
    items, query = np.array([[1], [2], [4], [8]], np.float32), np.ones((1, 1), np.float32)
    config = TrainConfig(learner="reinforce", budget=4, gamma=0.5, alpha=10.0, baseline="none", rerank=(0,))

    def rewards(target: int, **changes: object) -> list[float]:
        labels = Labels.of(graph, np.array([[target]]), entry=0)
        rollouts = Rollouts(graph, items, 0, replace(config, **changes))
        found = rollouts.collect(items, query, seed=0, labels=labels, targets=labels.targets, paths=True)
        return found.paths.rewards.tolist()

    # (a) No target: the gain in product alone, to the end.
    assert rewards(-1) == [1, 2, 4]
    # (c), (c), (b): gain - 10 (0.5 L' - L) with L = 3, 2, 1, and at the end gain + 10 L.
    assert rewards(3) == [1 - 10 * (0.5 * 2 - 3), 2 - 10 * (0.5 * 1 - 2), 4 + 10 * 1]
    # The target is reached at 2: there the path ends.
    assert rewards(2) == [1 - 10 * (0.5 * 1 - 2), 2 + 10 * 1]
    # The budget ends the path at 2, one edge short of the target: L counts as 0 there.
    assert rewards(3, budget=3) == [1 - 10 * (0.5 * 2 - 3), 2 + 10 * 2]
    # Shaping alone, and no shaping.
    assert rewards(3, products=False) == [20, 15, 10]
    assert rewards(3, alpha=0.0) == [1, 2, 4]


def forked() -> tuple[wp.Graph, np.ndarray, np.ndarray]:
    """0 leads to 1 and 2, each of these to two more: four paths of two choices."""
    links = [[1, 2], [3, 4], [5, 6], *[[-1, -1]] * 4]
    items = np.random.default_rng(3).standard_normal((7, 3), dtype=np.float32)
    return wp.Graph("forks", 2, np.array(links, np.int32), entry=0), items, np.float32([[0.5, -1, 0.7]])


def test_no_baseline_biases_the_gradient() -> None:
    """The mean over many paths is the gradient of the expected reward, worked out over all the paths."""
    graph, items, query = forked()
    config = TrainConfig(learner="reinforce", budget=7, tau=0.8, gamma=1.0, b=2, later_baselines=False, rerank=(0,))
    vectors = torch.from_numpy(items.astype(np.float64)).requires_grad_()
    scores, products = vectors @ torch.from_numpy(query[0].astype(np.float64)) / config.tau, items @ query[0]
    first, expected = torch.softmax(scores[[1, 2]], 0), torch.zeros((), dtype=torch.float64)
    for place, gate in enumerate((1, 2)):
        ends = graph.neighbors[gate].tolist()
        second = torch.softmax(scores[ends], 0)
        gains = [float(products[end] - products[0]) for end in ends]
        expected = expected + first[place] * (second @ torch.tensor(gains, dtype=torch.float64))
    (-expected).backward()
    many = np.repeat(query, 60_000, axis=0)
    for baseline in ("none", "samples", "expectation"):
        found = Rollouts(graph, items, 0, replace(config, baseline=baseline)).collect(items, many, seed=9)
        np.testing.assert_allclose(found.vectors, vectors.grad.numpy(), atol=0.015)


@pytest.mark.parametrize("name", ["shaping-only", "no-baseline", "no-shaping"])
def test_the_ablations_leave_out_what_they_say(name: str) -> None:
    graph, items, queries, route = sample()
    labels = labelled(graph, items, queries)
    config = TrainConfig.preset(name, budget=40, tau=0.7)
    paths = (
        Rollouts(graph, items, graph.entry, config)
        .collect(route, queries, seed=2, labels=labels, targets=labels.targets, paths=True)
        .paths
    )
    unlabelled = [choice for path in range(0, QUERIES, 3) for choice in steps(paths, path)]
    assert (paths.rewards[unlabelled] == 0).all() == (name == "shaping-only")
    assert (paths.baselines == 0).all() == (name == "no-baseline")
    assert paths.reached.any() == (name != "no-shaping")


def test_the_sampled_baseline_estimates_the_expected_one() -> None:
    graph, items, queries, route = sample()
    repeated = np.repeat(queries[:1], 4000, axis=0)
    means = {}
    for baseline in ("samples", "expectation"):
        config = replace(CONFIG, baseline=baseline)
        paths = Rollouts(graph, items, graph.entry, config).collect(route, repeated, seed=5, paths=True).paths
        means[baseline] = paths.baselines[paths.path_offsets[:-1]]  # that of the first choice, the same state for all
    assert np.ptp(means["expectation"]) < 1e-5
    error = means["samples"].std() / np.sqrt(len(repeated))
    assert abs(means["samples"].mean() - means["expectation"][0]) < 5 * error


def autograd_loss(paths: Paths, route: torch.Tensor, queries: torch.Tensor, tau: float) -> torch.Tensor:
    total = torch.zeros((), dtype=torch.float64)
    for path in range(len(paths)):
        for choice in steps(paths, path):
            where = candidates(paths, choice)
            scores = route[torch.from_numpy(paths.candidates[where].astype(np.int64))] @ queries[path] / tau
            taken = int(paths.chosen[choice] - paths.choice_offsets[choice])
            total = total - float(paths.returns[choice]) * torch.log_softmax(scores, 0)[taken]
    return total / len(paths)


def test_the_fused_gradient_equals_autograd_on_the_same_paths() -> None:
    graph, items, queries, route = sample()
    labels = labelled(graph, items, queries)
    outcome = Rollouts(graph, items, graph.entry, CONFIG).collect(
        route, queries, seed=6, route_queries=queries, labels=labels, targets=labels.targets, paths=True
    )
    vectors = torch.from_numpy(route.astype(np.float64)).requires_grad_()
    asked = torch.from_numpy(queries.astype(np.float64)).requires_grad_()
    autograd_loss(outcome.paths, vectors, asked, CONFIG.tau).backward()
    for fused, exact in ((outcome.vectors, vectors.grad), (outcome.queries, asked.grad)):
        scale = exact.abs().max().item()
        np.testing.assert_allclose(fused, exact.numpy(), rtol=1e-4, atol=1e-4 * scale)


def test_the_fused_gradient_equals_finite_differences() -> None:
    graph, items, queries, route = sample()
    outcome = Rollouts(graph, items, graph.entry, CONFIG).collect(route, queries, seed=7, paths=True)
    asked = torch.from_numpy(queries.astype(np.float64))
    row = int(np.abs(outcome.vectors).max(axis=1).argmax())
    for column in range(D):
        losses = []
        for change in (-1e-4, 1e-4):
            moved = route.astype(np.float64)
            moved[row, column] += change
            losses.append(autograd_loss(outcome.paths, torch.from_numpy(moved), asked, CONFIG.tau).item())
        slope = (losses[1] - losses[0]) / 2e-4
        assert outcome.vectors[row, column] == pytest.approx(slope, rel=1e-3, abs=1e-5)


def test_the_vertices_met_alone_are_the_same_numbers() -> None:
    graph, items, queries, route = sample()
    rollouts = Rollouts(graph, items, graph.entry, CONFIG)
    whole, met = (rollouts.collect(route, queries, seed=6, met_alone=alone) for alone in (False, True))
    assert (np.diff(met.rows) > 0).all()
    np.testing.assert_array_equal(whole.vectors[met.rows], met.vectors)
    assert not whole.vectors[np.setdiff1d(np.arange(N), met.rows)].any()


def test_the_seed_decides_and_threads_do_not() -> None:
    graph, items, queries, route = sample()
    runs = {
        (seed, threads): Rollouts(graph, items, graph.entry, replace(CONFIG, threads=threads))
        .collect(route, queries, seed=seed)
        .vectors
        for seed, threads in ((1, 1), (1, 3), (2, 1))
    }
    np.testing.assert_array_equal(runs[1, 1], runs[1, 3])
    assert not np.array_equal(runs[1, 1], runs[2, 1])
