"""Pickling and copying."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import waypost as wp

ITEMS = np.random.default_rng(0).standard_normal((200, 6)).astype(np.float32)
GRAPH = wp.build_graph(ITEMS, "moebius", degree=6, repair=True)
INDEXES = {
    "plain": wp.Index(ITEMS, GRAPH),
    "routed": wp.Index(ITEMS, GRAPH, wp.Router(ITEMS[:, :4], np.eye(4, 6), entry="first")),
    "numbered": wp.Index(ITEMS, GRAPH, ids=range(1000, 1200)),
    "named": wp.Index(ITEMS, GRAPH, ids=[f"item {row}" for row in range(200)]),
}


def through_pickle(index: wp.Index) -> wp.Index:
    return pickle.loads(pickle.dumps(index))


@pytest.mark.parametrize("way", [through_pickle, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("name", INDEXES)
def test_a_copy_answers_the_same(name: str, way: Callable[[wp.Index], wp.Index]) -> None:
    index = INDEXES[name]
    one, other = index.search(ITEMS, budget=50), way(index).search(ITEMS, budget=50)
    for part, same in zip(one[:3], other[:3], strict=True):
        np.testing.assert_array_equal(part, same)


def test_a_copy_shares_the_arrays_and_a_deep_copy_does_not() -> None:
    index = INDEXES["plain"]
    assert copy.copy(index).items is index.items
    assert not np.shares_memory(copy.deepcopy(index).items, index.items)


def test_a_mapped_index_can_be_pickled_and_outlives_its_file(tmp_path: Path) -> None:
    INDEXES["named"].save(tmp_path / "index")
    mapped = wp.Index.load(tmp_path / "index", mmap=True)
    again = through_pickle(mapped)
    (tmp_path / "index").unlink()
    assert again.search(ITEMS).ids.tolist() == mapped.search(ITEMS).ids.tolist()
    assert again.ids.tolist() == INDEXES["named"].ids.tolist()


@pytest.mark.parametrize(
    "part", [GRAPH, wp.Router(entry=3), wp.exact_search(ITEMS, ITEMS), INDEXES["plain"].search(ITEMS)]
)
def test_the_small_parts_can_be_pickled(part: object) -> None:
    assert type(pickle.loads(pickle.dumps(part))) is type(part)
