"""The imitation agent's beam search and its loss, against plain Python, autograd and a hand-made graph."""

import warnings

import needs_torch  # noqa: F401
import numpy as np
import pytest
import torch

import waypost as wp
from waypost import _core
from waypost.learn.labels import Labels

N, D, QUERIES, BUDGET, TAU = 200, 6, 40, 45, 0.7


def sample(k: int = 1) -> tuple[wp.Graph, np.ndarray, np.ndarray, Labels]:
    rng = np.random.default_rng(0)
    items, queries = (rng.standard_normal((n, D), dtype=np.float32) for n in (N, QUERIES))
    graph = wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree")
    truth = wp.exact_search(items, queries, k=k).ids
    truth[::5] = -1
    route = items + 0.3 * rng.standard_normal((N, D), dtype=np.float32)
    return graph, route, queries, Labels.of(graph, truth, graph.entry)


def imitate(
    graph: wp.Graph, route: np.ndarray, queries: np.ndarray, labels: Labels, **options: object
) -> tuple[float, float, float, np.ndarray, np.ndarray, np.ndarray]:
    entry = np.array([[graph.entry]], np.int32)
    options = {"budget": BUDGET, "tau": TAU, "hops": labels.hops, "targets": labels.targets} | options
    return _core.imitate(graph.neighbors, route, queries, entry, **options)


def plain_losses(
    graph: wp.Graph, route: torch.Tensor, queries: torch.Tensor, labels: Labels, query: int
) -> tuple[list[torch.Tensor], bool]:
    """The cross-entropy of each step of one query's beam search, as the module's docstring tells it."""
    scores = route @ queries[query]
    targets = [labels.hops[t] for t in labels.targets[query] if t >= 0]
    met, frontier, losses = [graph.entry], [graph.entry], []
    while targets and frontier:
        hops = np.array([min(int(target[row]) for target in targets) for row in frontier])
        if len(frontier) > 1:
            log_shares = torch.log_softmax(scores[frontier] / TAU, 0)
            losses.append(-torch.logsumexp(log_shares[torch.from_numpy(hops == hops.min())], 0))
        best = min(frontier, key=lambda row: (-scores[row].item(), row))
        frontier.remove(best)
        targets = [target for target in targets if target[best] > 0]
        if len(met) == BUDGET:
            break
        for row in graph.neighbors[best].tolist():
            if row >= 0 and row not in met and len(met) < BUDGET:
                met.append(row)
                frontier.append(row)
    return losses, not targets and bool((labels.targets[query] >= 0).any())


@pytest.mark.parametrize("k", [1, 3])
def test_loss_and_gradient_equal_plain_python_and_autograd(k: int) -> None:
    graph, route, queries, labels = sample(k)
    loss, reached, states, _, by_vector, by_query = imitate(graph, route, queries, labels, query_gradient=True)
    vectors, asked = (torch.from_numpy(part.astype(np.float64)).requires_grad_() for part in (route, queries))
    walks = [plain_losses(graph, vectors, asked, labels, query) for query in range(QUERIES)]
    losses = torch.stack([one for found, _ in walks for one in found])
    losses.mean().backward()
    assert states == pytest.approx(len(losses) / QUERIES)
    assert loss == pytest.approx(losses.mean().item(), rel=1e-4)
    assert reached == pytest.approx(sum(done for _, done in walks) / QUERIES)
    for fused, exact in ((by_vector, vectors.grad), (by_query, asked.grad)):
        np.testing.assert_allclose(fused, exact.numpy(), rtol=1e-4, atol=1e-4 * exact.abs().max().item())


def test_the_vertices_met_alone_are_the_same_numbers() -> None:
    graph, route, queries, labels = sample()
    *_, whole, _ = imitate(graph, route, queries, labels)
    *_, rows, lines, _ = imitate(graph, route, queries, labels, met_alone=True)
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(whole[rows], lines)
    assert not whole[np.setdiff1d(np.arange(N), rows)].any()


def test_threads_do_not_matter() -> None:
    graph, route, queries, labels = sample()
    one, three = (imitate(graph, route, queries, labels, threads=threads) for threads in (1, 3))
    assert one[:3] == three[:3]
    np.testing.assert_array_equal(one[4], three[4])


def test_scores_far_apart_lose_no_precision() -> None:
    graph, route, queries, labels = sample()
    loss, _, _, _, by_vector, _ = imitate(graph, 1000 * route, queries, labels)
    assert np.isfinite(loss)
    assert np.isfinite(by_vector).all()
    assert by_vector.any()


def test_the_gradient_pulls_the_right_vertex_up_and_the_lure_down() -> None:
    """0 leads to the gate 1 and the lure 2; behind the gate is the target 3."""
    graph = wp.Graph("by-hand", 2, np.array([[1, 2], [3, -1], [-1, -1], [-1, -1]], np.int32), entry=0)
    items = np.array([[0.0], [0.0], [1.0], [2.0]], np.float32)
    labels = Labels.of(graph, np.array([[3]]), entry=0)
    loss, reached, states, _, by_vector, _ = imitate(graph, items, np.ones((1, 1), np.float32), labels, tau=1.0)
    # Two choices: gate or lure (the lure wins, though the gate is right), then the gate alone, then the target alone.
    assert (reached, states) == (1.0, 1.0)
    wrong = np.e / (1 + np.e)
    assert loss == pytest.approx(-np.log(1 - wrong), rel=1e-5)
    np.testing.assert_allclose(by_vector[:, 0], [0, -wrong, wrong, 0], rtol=1e-5)


def test_it_learns_from_the_labelled_queries_alone() -> None:
    rng = np.random.default_rng(1)
    spectrum = 0.7 ** np.arange(10)
    items, queries = ((rng.standard_normal((n, 10)) * spectrum).astype(np.float32) for n in (600, 900))
    graph = wp.build_graph(items, "ip-nsw", degree=6, candidates=20, repair="within-degree")
    truth = wp.exact_search(items, queries[:600], k=1).ids
    truth[::2] = -1
    config = wp.TrainConfig(
        learner="imitation", entry="first", steps=60, batch=128, budget=40, rerank=(0, 10), check_every=10, lr=0.003
    )
    router = wp.train_router(items, graph, queries[:600], truth, config)
    exact = wp.exact_search(items, queries[600:], k=10).ids
    before, after = (
        wp.recall(wp.Index(items, graph, one).search(queries[600:], budget=40, entry="first").ids, exact)
        for one in (None, router)
    )
    assert after > before + 0.01


@pytest.mark.parametrize("truth", [None, np.full((50, 1), -1)], ids=["no truth", "no label"])
def test_without_labels_it_says_so(truth: np.ndarray | None) -> None:
    items = np.random.default_rng(0).standard_normal((50, 4), dtype=np.float32)
    graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=10)
    with warnings.catch_warnings(), pytest.raises(ValueError, match="imitation learns from labelled ones alone"):
        wp.train_router(items, graph, items, truth, wp.TrainConfig(learner="imitation"))
