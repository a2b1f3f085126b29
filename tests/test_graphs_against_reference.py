"""Every builder of the native core against its plain Python reference, edge by edge.

On the exact samples both sides compute the same numbers by different means. On Gaussian data rounding could turn a
near tie, so there the reference's table is filled by the core's own kernels: what is compared is the algorithm.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import Lists, Table
from reference.ipdg import ipdg
from reference.moebius import moebius
from reference.nsw import nsw
from reference.samples import Vectors, gaussian, powers_of_two, small_integers
from reference.schedule import batch_size, entry_first, growing_batches, random_number
from reference.similarity import inner_products, minus_squared_distances, moebius_images, to_unit_length
from reference.united import united

from waypost import _core

KINDS = ("ip-nsw", "ipdg", "moebius", "moebius-printed", "l2-nsw", "cos-nsw", "united")
SAMPLES: dict[str, Callable[[int, int], Vectors]] = {
    "ip-nsw": small_integers,
    "ipdg": partial(small_integers, dimensions=3),  # so that Neighbor Selection turns down many
    "moebius": powers_of_two,
    "moebius-printed": powers_of_two,
    "l2-nsw": small_integers,
    "cos-nsw": powers_of_two,
    "united": powers_of_two,
}


def native_inner_products(vectors: Vectors) -> Table:
    rows = np.arange(len(vectors), dtype=np.int32)
    return [_core.dot_rows(vector, vectors, rows).tolist() for vector in vectors]


def native_distances(vectors: Vectors) -> Table:
    rows = np.arange(len(vectors), dtype=np.int32)
    return [(-_core.squared_distance_rows(vector, vectors, rows)).tolist() for vector in vectors]


def shuffled(count: int, seed: int) -> NDArray[np.int32]:
    return np.random.default_rng(seed).permutation(count).astype(np.int32)


def reference(
    vectors: Vectors, kind: str, degree: int, candidates: int, entry: int, seed: int, batch: int, exact: bool
) -> Lists:
    order = shuffled(len(vectors), seed).tolist()
    products = inner_products if exact else native_inner_products
    distances = minus_squared_distances if exact else native_distances
    if kind == "united":
        parts = (
            reference(vectors, part, degree, candidates, entry, seed, batch, exact) for part in ("ip-nsw", "moebius")
        )
        return united(*parts, degree)
    if kind == "ipdg":
        return ipdg(products(vectors), order, degree, candidates, seed, batch, entry)
    if kind.startswith("moebius"):
        images, has_image = moebius_images(vectors)
        with_zero = np.vstack([images, np.zeros_like(images[:1])])
        return moebius(
            distances(with_zero), order, has_image, degree, candidates, batch, entry, kind == "moebius-printed"
        )
    if kind == "l2-nsw":
        table = distances(vectors)
    else:
        table = products(to_unit_length(vectors) if kind == "cos-nsw" else vectors)
    return nsw(table, entry_first(order, entry), degree, candidates, batch)


def assert_same_graph(
    vectors: Vectors,
    kind: str,
    degree: int,
    candidates: int,
    entry: int = -1,
    seed: int = 0,
    batch: int = 1,
    exact: bool = True,
) -> None:
    order = shuffled(len(vectors), seed)
    native = _core.build_graph(vectors, kind, degree, candidates, order, entry, seed, batch)
    expected = reference(vectors, kind, degree, candidates, entry, seed, batch, exact)
    found = [[row for row in rows if row >= 0] for rows in native.tolist()]
    differing = [row for row, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other]
    first = [(row, found[row], expected[row]) for row in differing[:1]]
    assert not differing, f"{len(differing)} of {len(found)} lists differ, the first (row, native, reference): {first}"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("degree", "candidates"), [(4, 8), (8, 20), (16, 40)])
@pytest.mark.parametrize("batch", [1, 0], ids=["printed", "batched"])
@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_on_exact_data(kind: str, batch: int, degree: int, candidates: int, seed: int) -> None:
    assert_same_graph(SAMPLES[kind](300, seed), kind, degree, candidates, seed=seed, batch=batch)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("batch", [1, 0], ids=["printed", "batched"])
@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_on_gaussian_data(kind: str, batch: int, seed: int) -> None:
    assert_same_graph(gaussian(400, seed), kind, 8, 24, seed=seed, batch=batch, exact=False)


@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_from_a_given_entry(kind: str) -> None:
    vectors = SAMPLES[kind](250, 5)
    for entry in (0, 17, 249):
        assert_same_graph(vectors, kind, 6, 16, entry=entry, seed=1)
        assert_same_graph(vectors, kind, 6, 16, entry=entry, seed=1, batch=0)


@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_when_the_given_entry_is_a_zero_vector(kind: str) -> None:
    vectors = SAMPLES[kind](200, 6)
    vectors[40] = 0
    assert_same_graph(vectors, kind, 6, 16, entry=40)


@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_with_fewer_candidates_than_the_degree(kind: str) -> None:
    assert_same_graph(SAMPLES[kind](200, 7), kind, 16, 8)


@pytest.mark.parametrize("batch", [3, 50])
@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_with_a_largest_batch_of_ones_own(kind: str, batch: int) -> None:
    assert_same_graph(SAMPLES[kind](300, 8), kind, 6, 16, batch=batch)


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_below_the_cap(kind: str, n: int) -> None:
    assert_same_graph(SAMPLES[kind](n, 9), kind, 8, 16)


@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_when_all_items_are_one(kind: str) -> None:
    assert_same_graph(np.full((60, 4), 0.5, np.float32), kind, 5, 12)


@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_when_all_items_are_zero(kind: str) -> None:
    assert_same_graph(np.zeros((40, 4), np.float32), kind, 5, 12)


@pytest.mark.parametrize("entry", [-1, 17])
@pytest.mark.parametrize("kind", KINDS)
def test_same_edges_at_a_cap_of_one(kind: str, entry: int) -> None:
    vectors = SAMPLES[kind](200, 10)
    native = _core.build_graph(vectors, kind, 1, 8, shuffled(200, 0), entry, batch=1)
    expected = reference(vectors, kind, 1, 8, entry, 0, 1, exact=True)
    assert native.tolist() == [(rows or [-1]) for rows in expected]


@pytest.mark.parametrize("kind", KINDS)
def test_without_an_order_rows_go_in_as_they_stand(kind: str) -> None:
    vectors = SAMPLES[kind](150, 11)
    as_they_stand = _core.build_graph(vectors, kind, 6, 16, np.arange(150, dtype=np.int32))
    assert np.array_equal(_core.build_graph(vectors, kind, 6, 16), as_they_stand)


@pytest.mark.parametrize("kind", KINDS)
def test_the_samples_tell_one_graph_from_another(kind: str) -> None:
    """Were the graphs thin, or the same in any order of insertion, the comparisons above would show little."""
    vectors = SAMPLES[kind](300, 0)
    one, other = (_core.build_graph(vectors, kind, 8, 20, shuffled(300, seed)) for seed in (0, 1))
    assert (one >= 0).sum() > 300
    assert (one != other).any(axis=1).sum() > 100


def test_the_schedule_grows_and_covers_every_position_once() -> None:
    sizes = [len(batch) for batch in growing_batches(0, 1000, 0)]
    assert sum(sizes) == 1000
    assert sizes[:-1] == sorted(sizes[:-1])  # the last batch takes what is left
    assert [batch_size(5, 0), batch_size(96, 0), batch_size(10**7, 0), batch_size(10**7, 100)] == [1, 3, 4096, 100]


def test_the_random_numbers_are_splitmix64() -> None:
    """The first three of the stream that Vigna's reference program prints for seed 1234567."""
    assert [random_number(1234567, counter) for counter in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
