"""Learning from the vertices met alone: the same numbers where nothing is left out, and the same mean where much is."""

from collections.abc import Iterator
from contextlib import contextmanager

import needs_torch  # noqa: F401
import numpy as np
import pytest
import torch

import waypost as wp
from waypost.learn.agent import Agent
from waypost.learn.passes import Neighborhood

N, D = 150, 6


def moved(width: int | None = None, residual: bool | None = None) -> tuple[Agent, wp.Graph]:
    """An agent whose every weight has left its start."""
    items = np.random.default_rng(0).standard_normal((N, D), dtype=np.float32)
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15)
    agent, generator = Agent(items, graph, width=width, residual=residual), torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in agent.parameters():
            parameter.add_(0.2 * torch.randn(parameter.shape, generator=generator))
    return agent, graph


@pytest.mark.parametrize("options", [{}, {"width": 4}, {"residual": False}], ids=str)
def test_all_vertices_at_once_are_the_whole_graph(options: dict[str, object]) -> None:
    agent, graph = moved(**options)
    vectors = agent().vectors
    slopes = torch.randn(vectors.shape, generator=torch.Generator().manual_seed(2))
    weights = [weight for name, weight in agent.named_parameters() if name != "query_matrix"]
    expected = torch.autograd.grad(vectors, weights, slopes)
    near = Neighborhood(agent, graph.neighbors, N)
    near.refresh()
    found = near._embed(np.arange(N))
    torch.testing.assert_close(found, vectors, rtol=1e-4, atol=1e-4)
    gradients = torch.autograd.grad(found, weights, slopes)
    for ours, theirs in zip(gradients, expected, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-3)


def test_some_vertices_have_the_vectors_of_the_whole_graph_while_the_weights_rest() -> None:
    agent, graph = moved()
    near, rows = Neighborhood(agent, graph.neighbors, 20), np.array([3, 17, 40, 111])
    near.refresh()
    torch.testing.assert_close(near._embed(rows), agent().vectors[rows], rtol=1e-4, atol=1e-4)


def test_what_an_update_works_out_is_walked_by_in_the_next() -> None:
    agent, graph = moved()
    near, rows = Neighborhood(agent, graph.neighbors, 20), np.array([3, 17, 40, 111], np.int32)
    before = near.walk_by().copy()
    with torch.no_grad():
        agent.to_vectors.weight.mul_(2)
    near.differentiable(rows, np.ones((4, D), np.float32), seed=0)
    others = np.setdiff1d(np.arange(N), rows)
    assert (near.walk_by()[rows] != before[rows]).any()
    np.testing.assert_array_equal(near.walk_by()[others], before[others])


def test_what_is_drawn_has_the_whole_gradient_as_its_mean() -> None:
    agent, graph = moved()
    rng = np.random.default_rng(4)
    slopes = (rng.standard_normal((60, D)) * rng.lognormal(0, 1, (60, 1))).astype(np.float32)
    near, total, counts = Neighborhood(agent, graph.neighbors, 15), np.zeros((60, D)), []
    for seed in range(6000):
        drawn, weights = near._draw(slopes, seed)
        total[drawn] += slopes[drawn] * weights[:, None]
        counts.append(len(drawn))
    assert np.mean(counts) <= 15.5
    np.testing.assert_allclose(total / 6000, slopes, atol=0.2 * np.abs(slopes).max())
    assert np.abs(total / 6000 - slopes).mean() < 0.03


@contextmanager
def most_vertices_embedded() -> Iterator[list[int]]:
    seen: list[int] = []
    embed = Neighborhood._embed

    def counting(self: Neighborhood, rows: np.ndarray) -> torch.Tensor:
        seen.append(len(rows))
        return embed(self, rows)

    Neighborhood._embed = counting
    try:
        yield seen
    finally:
        Neighborhood._embed = embed


def test_it_learns_from_a_fraction_of_the_graph() -> None:
    rng = np.random.default_rng(0)
    spectrum = 0.7 ** np.arange(10)
    items, queries = ((rng.standard_normal((n, 10)) * spectrum).astype(np.float32) for n in (1500, 1500))
    graph = wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree")
    truth = wp.exact_search(items, queries, k=1).ids
    config = wp.TrainConfig(
        learner="reinforce", entry="first", steps=40, batch=128, budget=40, check_every=5, lr=0.003, neighborhood=200
    )
    with most_vertices_embedded() as seen:
        router = wp.train_router(items, graph, queries[:1000], truth[:1000], config)
    assert max(seen) < 300
    exact = wp.exact_search(items, queries[1000:], k=10).ids
    before, after = (
        wp.recall(wp.Index(items, graph, one).search(queries[1000:], budget=40, entry="first").ids, exact)
        for one in (None, router)
    )
    assert after > before + 0.01
