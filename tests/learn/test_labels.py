"""Targets and potentials."""

import needs_torch  # noqa: F401
import numpy as np

import waypost as wp
from waypost.learn.labels import FARTHEST, Labels

# 0 -> 1 -> 2 -> 3, 4 -> 0, and 5 alone
CHAIN = wp.Graph("by-hand", 1, np.array([[1], [2], [3], [-1], [0], [-1]], np.int32), entry=0)


def test_hops_are_edges_to_the_target() -> None:
    labels = Labels.of(CHAIN, np.array([[3], [1]]), entry=0)
    by_query = labels.hops[labels.targets[:, 0]]
    assert by_query[0].tolist()[:5] == [3, 2, 1, 0, 4]
    assert by_query[1].tolist()[:2] == [1, 0]


def test_where_no_path_leads_from_counts_as_one_edge_farther_than_the_farthest() -> None:
    labels = Labels.of(CHAIN, np.array([[1]]), entry=0)
    assert labels.hops[0].tolist() == [1, 0, 3, 3, 2, 3]


def test_a_target_out_of_reach_is_none_and_is_counted() -> None:
    labels = Labels.of(CHAIN, np.array([[5], [2], [-1], [4]]), entry=0)
    assert (labels.targets >= 0).ravel().tolist() == [False, True, False, False]
    assert (labels.labelled, labels.unreachable) == (1, 2)


def test_several_targets_a_query() -> None:
    labels = Labels.of(CHAIN, np.array([[1, 5, 3], [5, -1, -1]]), entry=0)
    assert (labels.targets[0] >= 0).tolist() == [True, False, True]
    assert (labels.labelled, labels.unreachable) == (1, 1)


def test_no_truth_at_all() -> None:
    labels = Labels.of(CHAIN, np.full((3, 1), -1), entry=0)
    assert labels.labelled == labels.unreachable == 0


def test_a_path_longer_than_a_byte_counts() -> None:
    n = 400
    line = np.append(np.arange(1, n), -1).astype(np.int32)[:, None]
    labels = Labels.of(wp.Graph("line", 1, line, entry=0), np.array([[n - 1]]), entry=0)
    assert labels.hops[0, 0] == FARTHEST
    assert labels.hops[0, n - 1 - 100] == 100
