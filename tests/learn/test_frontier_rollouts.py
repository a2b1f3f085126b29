"""Paths that choose from the whole frontier, against plain Python and autograd."""

from dataclasses import replace

import needs_torch  # noqa: F401
import numpy as np
import pytest
import torch
from test_rollouts import CONFIG, N, autograd_loss, candidates, labelled, sample, steps

import waypost as wp
from waypost.learn.labels import Labels
from waypost.learn.rollouts import Outcome, Paths, Rollouts

FRONTIER = replace(CONFIG, choose_from="frontier")


def collected(config: wp.TrainConfig, k: int = 3, seed: int = 1) -> tuple[Outcome, Labels]:
    graph, items, queries, route = sample()
    labels = labelled(graph, items, queries, k)
    rollouts = Rollouts(graph, items, graph.entry, config)
    found = rollouts.collect(route, queries, seed=seed, labels=labels, targets=labels.targets, paths=True)
    return found, labels


def rewards_of(paths: Paths, labels: Labels, config: wp.TrainConfig) -> list[list[np.ndarray]]:
    """Of every candidate of every choice of every path, by plain Python, which also checks who is a candidate."""
    graph, items, queries, _ = sample()
    found = []
    for path in range(len(paths)):
        state, spent, frontier, seen = graph.entry, 1, [], {graph.entry}
        targets = [labels.hops[t] for t in labels.targets[path] if t >= 0]
        targets = [hops for hops in targets if hops[state] > 0]
        of_path = []
        for choice in steps(paths, path):
            fresh = [row for row in graph.neighbors[state].tolist() if row >= 0 and row not in seen]
            fresh = fresh[: config.budget - spent]
            spent, seen, frontier = spent + len(fresh), seen | set(fresh), frontier + fresh
            rows = paths.candidates[candidates(paths, choice)].tolist()
            assert sorted(rows) == sorted(frontier)
            rewards = (items[rows] - items[state]) @ queries[path] * config.products
            if targets:
                here = min(int(hops[state]) for hops in targets)
                far = np.array([min(int(hops[row]) for hops in targets) for row in rows])
                ends = (spent == config.budget) | ((far == 0) & (len(targets) == 1))
                rewards = rewards - config.alpha * (np.where(ends, 0, config.gamma * far) - here)
            of_path.append(rewards)
            state = int(paths.candidates[paths.chosen[choice]])
            frontier.remove(state)
            targets = [hops for hops in targets if hops[state] > 0]
        assert bool(paths.reached[path]) == (not targets and (labels.targets[path] >= 0).any())
        assert paths.reached[path] or spent == config.budget or not frontier
        found.append(of_path)
    return found


@pytest.mark.parametrize("products", [True, False])
def test_all_that_was_seen_is_a_candidate_and_is_rewarded(products: bool) -> None:
    config = replace(FRONTIER, products=products, baseline="expectation")
    outcome, labels = collected(config)
    paths = outcome.paths
    _, _, queries, route = sample()
    for path, of_path in enumerate(rewards_of(paths, labels, config)):
        for choice, rewards in zip(steps(paths, path), of_path, strict=True):
            where = candidates(paths, choice)
            chances = torch.softmax(torch.from_numpy(route[paths.candidates[where]] @ queries[path] / config.tau), 0)
            np.testing.assert_allclose(paths.probabilities[where], chances.numpy(), rtol=1e-3, atol=1e-7)
            taken = paths.chosen[choice] - paths.choice_offsets[choice]
            assert paths.rewards[choice] == pytest.approx(rewards[taken], abs=1e-4)
            assert paths.baselines[choice] == pytest.approx(float(rewards @ chances.numpy()), abs=1e-3)
    assert outcome.reached == pytest.approx(paths.reached.mean())
    assert 0 < outcome.reached < 1


def test_the_fused_gradient_equals_autograd_on_the_same_paths() -> None:
    outcome, _ = collected(FRONTIER)
    _, _, queries, route = sample()
    vectors = torch.from_numpy(route.astype(np.float64)).requires_grad_()
    autograd_loss(outcome.paths, vectors, torch.from_numpy(queries.astype(np.float64)), FRONTIER.tau).backward()
    scale = vectors.grad.abs().max().item()
    np.testing.assert_allclose(outcome.vectors, vectors.grad.numpy(), rtol=1e-4, atol=1e-4 * scale)


def test_the_expectation_credits_every_candidate() -> None:
    """The gradient is that of the rewards expected in the states of the path."""
    config = replace(FRONTIER, baseline="expectation")
    outcome, labels = collected(config)
    _, _, queries, route = sample()
    vectors = torch.from_numpy(route.astype(np.float64)).requires_grad_()
    loss = torch.zeros((), dtype=torch.float64)
    for path, of_path in enumerate(rewards_of(outcome.paths, labels, config)):
        query = torch.from_numpy(queries[path].astype(np.float64))
        for choice, rewards in zip(steps(outcome.paths, path), of_path, strict=True):
            rows = torch.from_numpy(outcome.paths.candidates[candidates(outcome.paths, choice)].astype(np.int64))
            chances = torch.softmax(vectors[rows] @ query / config.tau, 0)
            loss = loss - chances @ torch.from_numpy(rewards.astype(np.float64))
    (loss / len(queries)).backward()
    scale = vectors.grad.abs().max().item()
    np.testing.assert_allclose(outcome.vectors, vectors.grad.numpy(), rtol=1e-3, atol=1e-4 * scale)


def test_a_path_goes_on_where_neighbors_would_end_it() -> None:
    """0 leads to 1 and 2; 1 is a dead end, and 2 leads to the target."""
    graph = wp.Graph("fork", 2, np.array([[1, 2], [-1, -1], [3, -1], [-1, -1]], np.int32), entry=0)
    items, query = np.array([[0], [9], [-9], [0]], np.float32), np.ones((1, 1), np.float32)
    labels = Labels.of(graph, np.array([[3]]), entry=0)
    for choose_from, rows in (("neighbors", [1]), ("frontier", [1, 2, 3])):
        config = wp.TrainConfig(learner="reinforce", budget=4, tau=0.1, choose_from=choose_from)
        found = Rollouts(graph, items, 0, config).collect(
            items, query, seed=0, labels=labels, targets=labels.targets, paths=True
        )
        assert found.paths.candidates[found.paths.chosen].tolist() == rows
        assert found.reached == (choose_from == "frontier")


def test_the_seed_decides_and_threads_do_not() -> None:
    graph, items, queries, route = sample()
    runs = {
        (seed, threads): Rollouts(graph, items, graph.entry, replace(FRONTIER, threads=threads))
        .collect(route, queries, seed=seed)
        .vectors
        for seed, threads in ((1, 1), (1, 3), (2, 1))
    }
    np.testing.assert_array_equal(runs[1, 1], runs[1, 3])
    assert not np.array_equal(runs[1, 1], runs[2, 1])
    assert len(runs[1, 1]) == N
