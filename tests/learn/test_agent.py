"""The agent's GCN: the paper's formula, its gradients, and that untrained it changes nothing."""

from __future__ import annotations

import os
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import waypost as wp

if find_spec("torch") is None:
    if os.environ.get("CI") == "true":
        pytest.fail("torch is missing; CI installs the train extra", pytrace=False)
    pytest.skip("torch is missing; pip install 'waypost[train]' to test the agent", allow_module_level=True)

import torch

from waypost.learn.agent import HEADS, Agent
from waypost.learn.fully_connected import as_images, as_rows, fully_connected, pad
from waypost.learn.graph_convolution import Adjacency

D = 6
ITEMS = np.random.default_rng(0).standard_normal((60, D)).astype(np.float32)
Rows = NDArray[np.int32]


def random_neighbors(n: int, degree: int, seed: int) -> Rows:
    """Rows of distinct neighbours, none of them the vertex itself; some rows are short and some empty."""
    rng = np.random.default_rng(seed)
    neighbors = np.full((n, degree), -1, np.int32)
    for row in range(n):
        others = np.delete(np.arange(n), row)
        length = rng.integers(0, min(degree, n - 1) + 1)
        neighbors[row, :length] = rng.choice(others, length, replace=False)
    return neighbors


def graph_of(neighbors: Rows) -> wp.Graph:
    return wp.Graph("by-hand", neighbors.shape[1], neighbors, entry=0)


def an_agent(n: int = 60, seed: int = 0, **options: object) -> Agent:
    return Agent(ITEMS[:n], graph_of(random_neighbors(n, 4, seed=5)), seed=seed, **options)  # type: ignore[arg-type]


def stirred(agent: Agent) -> Agent:
    """The agent with every parameter moved, so that what starts at zero or one shows as well."""
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in agent.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator).to(parameter))
    return agent


def dense_adjacency(neighbors: Rows) -> NDArray[np.float64]:
    with_self = np.eye(len(neighbors))
    for row, ends in enumerate(neighbors):
        with_self[row, ends[ends >= 0]] += 1
    scale = np.diag(with_self.sum(axis=1) ** -0.5)
    return scale @ with_self @ scale


def elu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def embedded_densely(agent: Agent, items: NDArray[np.float32], neighbors: Rows) -> dict[str, NDArray[np.float64]]:
    """The figure of the paper's section 3.2 written out with dense matrices."""
    state = {name: values.double().numpy() for name, values in agent.state_dict().items()}
    adjacency, features = dense_adjacency(neighbors), items.astype(np.float64)

    def connected(name: str, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return x @ state[f"{name}.weight"].T + state[f"{name}.bias"]

    for block in range(3):
        convolved = adjacency @ features @ state[f"blocks.{block}.convolution.weight"].T
        summed = features + connected(f"blocks.{block}.connected", elu(convolved))
        centred = summed - summed.mean(axis=1, keepdims=True)
        normal = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
        scale, shift = (state[f"blocks.{block}.normalization.{part}"] for part in ("weight", "bias"))
        features = normal * scale + shift
    hidden = elu(connected("hidden", features))
    embedded = {}
    if agent.head != "bias":
        embedded["vectors"] = connected("to_vectors", hidden) + (items if agent.residual else 0)
    if agent.head != "vectors":
        embedded["bias"] = connected("to_bias", hidden)[:, 0]
    return embedded


@pytest.mark.parametrize(
    "options",
    [{}, {"residual": False}, {"width": 4}, {"width": 9, "head": "both"}, {"head": "bias"}, {"head": "both"}],
    ids=str,
)
def test_equals_the_paper_written_out_densely(options: dict[str, object]) -> None:
    agent = stirred(an_agent(**options))
    embedded = agent.embed()
    expected = embedded_densely(agent, ITEMS, random_neighbors(60, 4, seed=5))
    assert {name for name in ("vectors", "bias") if getattr(embedded, name) is not None} == set(expected)
    for name, values in expected.items():
        np.testing.assert_allclose(getattr(embedded, name), values, rtol=1e-4, atol=1e-4)
        assert getattr(embedded, name).dtype == np.float32


def test_propagation_equals_pytorch_geometrics() -> None:
    geometric = pytest.importorskip("torch_geometric.nn", reason="pip install torch_geometric to compare with it")
    neighbors = random_neighbors(60, 4, seed=5)
    sources, places = np.nonzero(neighbors >= 0)
    # Messages flow there from the first row to the second; here from a neighbour to the vertex that lists it.
    edges = torch.from_numpy(np.stack([neighbors[sources, places].astype(np.int64), sources]))
    block = stirred(an_agent()).blocks[0]
    layer = geometric.GCNConv(D, D, bias=False)
    layer.lin.weight = block.convolution.weight
    ours, theirs = (torch.from_numpy(ITEMS).requires_grad_() for _ in range(2))
    convolved = block.convolution(Adjacency.of(neighbors).propagate(ours))
    torch.testing.assert_close(convolved, layer(theirs, edges), rtol=1e-5, atol=1e-5)
    upstream = torch.randn(60, D, generator=torch.Generator().manual_seed(0))
    convolved.backward(upstream)
    layer(theirs, edges).backward(upstream)
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("head", "width"), [("vectors", 3), ("vectors", 2), ("bias", 3), ("both", 3), ("both", 2)])
def test_gradients_equal_finite_differences(head: str, width: int) -> None:
    graph = graph_of(random_neighbors(7, 3, seed=2))
    agent = stirred(Agent(ITEMS[:7, :3], graph, head=head, width=width)).double()
    names, parameters = zip(*agent.named_parameters(), strict=True)

    def embedded(*values: torch.Tensor) -> tuple[torch.Tensor, ...]:
        parts = torch.func.functional_call(agent, dict(zip(names, values, strict=True)))
        return tuple(part for part in parts if part is not None)

    assert torch.autograd.gradcheck(embedded, parameters)


def test_propagations_gradient_is_that_of_the_dense_product() -> None:
    adjacency = Adjacency.of(random_neighbors(9, 3, seed=3)).double()
    features = torch.from_numpy(ITEMS[:9].astype(np.float64)).requires_grad_()
    assert torch.autograd.gradcheck(adjacency.propagate, (features,))


@pytest.mark.parametrize("head", HEADS)
def test_untrained_it_is_the_unlearned_search(head: str) -> None:
    vectors, query_matrix, bias = an_agent(head=head).embed()
    assert query_matrix is None
    assert (vectors is None) == (head == "bias")
    assert (bias is None) == (head == "vectors")
    if vectors is not None:
        np.testing.assert_array_equal(vectors, ITEMS)
    if bias is not None:
        np.testing.assert_array_equal(bias, np.zeros(60, np.float32))


def test_the_plain_form_starts_elsewhere_and_a_step_moves_the_default() -> None:
    plain = an_agent(residual=False).embed().vectors
    assert plain is not None
    assert not np.allclose(plain, ITEMS, atol=0.1)
    agent = an_agent()
    vectors = agent().vectors
    assert vectors is not None
    vectors.square().sum().backward()
    torch.optim.SGD(agent.parameters(), lr=1e-3).step()
    moved = agent.embed().vectors
    assert moved is not None
    assert not np.array_equal(moved, ITEMS)


def test_another_width_has_a_learned_query_matrix() -> None:
    vectors, query_matrix, _ = an_agent(width=4).embed()
    assert vectors is not None
    assert query_matrix is not None
    assert (vectors.shape, query_matrix.shape) == ((60, 4), (4, D))
    assert "query_matrix" in dict(an_agent(width=4).named_parameters())
    wp.Index(ITEMS, graph_of(random_neighbors(60, 4, seed=5)), wp.Router(vectors, query_matrix)).search(ITEMS, k=1)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 40), seed=st.integers(0, 1000), head=st.sampled_from(HEADS))
def test_renumbering_the_vertices_renumbers_the_embedding(n: int, seed: int, head: str) -> None:
    neighbors = random_neighbors(n, 3, seed)
    order = np.random.default_rng(seed).permutation(n)
    new_row = np.argsort(order)
    moved = neighbors[order]
    moved = np.where(moved >= 0, new_row[moved], -1).astype(np.int32)
    one = stirred(Agent(ITEMS[:n], graph_of(neighbors), head=head)).embed()
    other = stirred(Agent(ITEMS[:n][order], graph_of(moved), head=head)).embed()
    for part, same in ((one.vectors, other.vectors), (one.bias, other.bias)):
        if part is not None and same is not None:
            np.testing.assert_allclose(same, part[order], rtol=1e-4, atol=1e-4)


def test_a_seed_decides_the_start_and_torchs_own_seed_does_not() -> None:
    states = []
    for global_seed in (1, 2):
        torch.manual_seed(global_seed)
        before = torch.get_rng_state()
        states.append(an_agent(seed=3, width=4, head="both").state_dict())
        assert torch.equal(torch.get_rng_state(), before)
    other = an_agent(seed=4, width=4, head="both").state_dict()
    assert all(torch.equal(values, states[1][name]) for name, values in states[0].items())
    assert not torch.equal(other["blocks.0.convolution.weight"], states[0]["blocks.0.convolution.weight"])
    assert not torch.equal(other["query_matrix"], states[0]["query_matrix"])


def test_the_state_is_the_parameters_alone_and_restores_the_agent() -> None:
    agent, fresh = stirred(an_agent(width=4, head="both")), an_agent(seed=9, width=4, head="both")
    assert set(agent.state_dict()) == set(dict(agent.named_parameters()))
    fresh.load_state_dict(agent.state_dict())
    for part, same in zip(agent.embed(), fresh.embed(), strict=True):
        np.testing.assert_array_equal(part, same)


def gradients(agent: Agent, upstream: torch.Tensor, threads: int) -> list[torch.Tensor]:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(threads)
        agent.zero_grad()
        vectors = agent().vectors
        assert vectors is not None
        vectors.backward(upstream)
    finally:
        torch.set_num_threads(before)
    return [vectors.detach(), *(p.grad for p in agent.parameters() if p.grad is not None)]


def test_a_second_run_gives_the_same_bits_and_other_threads_the_same_numbers() -> None:
    n, rng = 5000, np.random.default_rng(0)
    items, neighbors = rng.standard_normal((n, 16)), rng.integers(0, n, (n, 4))
    agent = stirred(Agent(items.astype(np.float32), graph_of(neighbors.astype(np.int32)), residual=False))
    upstream = torch.from_numpy(rng.standard_normal((n, 16)).astype(np.float32))
    one, again, two = (gradients(agent, upstream, threads) for threads in (1, 1, 2))
    for first, same, near in zip(one, again, two, strict=True):
        assert torch.equal(first, same)
        torch.testing.assert_close(first, near, rtol=1e-4, atol=1e-4 * float(first.abs().max()))


def test_the_products_with_the_adjacency_do_not_depend_on_threads() -> None:
    features = torch.randn(3000, 16, generator=torch.Generator().manual_seed(0))
    adjacency, before, mixed = Adjacency.of(random_neighbors(3000, 4, seed=1)), torch.get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            mixed.append((adjacency.rows.times(features), adjacency.transposed.times(features)))
    finally:
        torch.set_num_threads(before)
    assert all(
        torch.equal(one, other) for other_pair in mixed[1:] for one, other in zip(mixed[0], other_pair, strict=True)
    )


@pytest.mark.parametrize("n", [63, 64, 65])
def test_images_of_rows_give_what_rows_give(n: int) -> None:
    layer = fully_connected(D, 4, torch.Generator().manual_seed(0))
    rows = torch.randn(n, D, generator=torch.Generator().manual_seed(1), requires_grad=True)
    expected = torch.autograd.grad(layer(rows).square().sum(), [rows, *layer.parameters()])
    padded = pad(rows)
    seen = as_rows(layer(as_images(padded)))[:n]
    torch.testing.assert_close(seen, layer(rows), rtol=1e-5, atol=1e-5)
    for ours, plain in zip(
        torch.autograd.grad(seen.square().sum(), [rows, *layer.parameters()]), expected, strict=True
    ):
        torch.testing.assert_close(ours, plain, rtol=1e-4, atol=1e-4)
    assert torch.equal(as_rows(as_images(padded)), padded)


def test_padding_anywhere_and_numbers_that_are_no_row_are_no_edges() -> None:
    tight = Adjacency.of(np.array([[1, 2], [0, -1], [-1, -1]], np.int32))
    loose = Adjacency.of(np.array([[-1, 1, 3, 2], [-7, 0, -1, 99], [-1, -1, -1, 2**31 - 1]], np.int32))
    for one, other in ((tight.rows, loose.rows), (tight.transposed, loose.transposed)):
        assert torch.equal(one.times(torch.eye(3)), other.times(torch.eye(3)))
    np.testing.assert_allclose(
        tight.rows.times(torch.eye(3)),
        [[1 / 3, 1 / 6**0.5, 1 / 3**0.5], [1 / 6**0.5, 1 / 2, 0], [0, 0, 1]],
        rtol=1e-6,
    )
    assert torch.equal(tight.rows.times(torch.eye(3)).T, tight.transposed.times(torch.eye(3)))


def test_an_isolated_vertex_is_as_it_would_be_alone() -> None:
    neighbors = random_neighbors(20, 3, seed=1)
    neighbors[neighbors == 7] = -1
    neighbors[7] = -1
    alone = Agent(ITEMS[7:8], graph_of(np.array([[-1]], np.int32)))
    in_company, by_itself = stirred(Agent(ITEMS[:20], graph_of(neighbors))).embed(), stirred(alone).embed()
    assert in_company.vectors is not None
    assert by_itself.vectors is not None
    assert by_itself.vectors.shape == (1, D)
    np.testing.assert_allclose(in_company.vectors[7], by_itself.vectors[0], rtol=1e-5, atol=1e-5)


def test_new_items_are_embedded_by_the_same_parameters() -> None:
    agent = stirred(an_agent(n=40, head="both"))
    graph = graph_of(random_neighbors(60, 4, seed=8))
    grown = agent.on(ITEMS, graph)
    for part, same in zip(grown.embed(), stirred(Agent(ITEMS, graph, head="both")).embed(), strict=True):
        np.testing.assert_array_equal(part, same)
    with pytest.raises(ValueError, match="items has 5 columns but the agent learned on 6"):
        agent.on(ITEMS[:, :5], graph)


def test_the_embedding_does_not_change_when_the_callers_items_do() -> None:
    items = ITEMS.copy()
    agent = Agent(items, graph_of(random_neighbors(60, 4, seed=5)))
    items[:] = 0
    np.testing.assert_array_equal(agent.embed().vectors, ITEMS)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"head": "vector"}, "head is 'vector'; pass one of vectors, bias, both."),
        ({"width": 0}, "width is 0; pass 1 or more."),
        ({"head": "bias", "width": 3}, "width is 3, but head 'bias' routes by the items of width 6; leave width out."),
        ({"residual": True, "width": 3}, "residual adds items of width 6 to vectors of width 3; pass width=6"),
        ({"residual": False, "head": "bias"}, "residual is False, but head 'bias' always builds on the items"),
        ({"device": "abacus"}, "device is 'abacus', which torch cannot use here; pass 'cpu'"),
    ],
    ids=str,
)
def test_bad_options_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        an_agent(**options)


def test_a_graph_of_other_items_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^graph has 5 rows for 60 items; pass the graph of these items\.$"):
        Agent(ITEMS, graph_of(random_neighbors(5, 2, seed=0)))
    with pytest.raises(TypeError, match=r"^graph is of type ndarray; pass a waypost\.Graph\.$"):
        Agent(ITEMS, random_neighbors(60, 2, seed=0))  # type: ignore[arg-type]
