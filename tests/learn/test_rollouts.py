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
CONFIG = TrainConfig(budget=40, tau=0.7, gamma=0.8, alpha=0.5, b=3, rerank=(0,))


def sample(seed: int = 0) -> tuple[wp.Graph, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    items, queries = (rng.standard_normal((n, D), dtype=np.float32) for n in (N, QUERIES))
    route = items + 0.3 * rng.standard_normal((N, D), dtype=np.float32)
    return wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair=True), items, queries, route


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


def test_shaping_telescopes_along_a_path() -> None:
    """With gamma 1 and shaping alone, a path that ends well earns alpha times the distance it started from."""
    graph, items, queries, route = sample()
    labels = labelled(graph, items, queries)
    config = replace(CONFIG, gamma=1.0, products=False, baseline="none", budget=N)
    paths = (
        Rollouts(graph, items, graph.entry, config)
        .collect(route, queries, seed=4, labels=labels, targets=labels.targets, paths=True)
        .paths
    )
    reached = np.flatnonzero(paths.reached)
    assert len(reached) > 3
    for path in reached:
        start = labels.hops[labels.targets[path, 0], graph.entry]
        assert paths.rewards[list(steps(paths, path))].sum() == pytest.approx(config.alpha * start, abs=1e-4)


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
