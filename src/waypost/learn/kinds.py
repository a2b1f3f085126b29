"""Kinds of queries, learned from the training queries: a codebook whose seeds are good entries for each kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.codebook import Codebook
from waypost.graph import Graph

ROUNDS = 12
MOST_SAMPLED = 20_000
MOST_CANDIDATES = 400  # the most frequent answers of a kind, of which its seeds are chosen


def learn_codebook(
    queries: Floats, answers: NDArray[np.int64], graph: Graph, *, kinds: int, seeds: int, seed: int
) -> Codebook:
    """`kinds` centroids of the queries, by k-means on their directions, and up to `seeds` rows for each.

    >>> rng = np.random.default_rng(0)
    >>> queries = rng.standard_normal((40, 4), dtype=np.float32)
    >>> graph = Graph("by-hand", 1, np.array([[1], [2], [0]], np.int32), entry=0)
    >>> learn_codebook(queries, np.zeros((40, 1), np.int64), graph, kinds=2, seeds=1, seed=0).seeds.tolist()
    [[0], [0]]
    """
    centroids = _centroids(queries, min(kinds, len(queries)), np.random.default_rng(seed))
    kind = kinds_of(queries, centroids)
    rows = [_seeds(answers[kind == number], graph, seeds) for number in range(len(centroids))]
    return Codebook(centroids, np.array(rows, np.int32))


def kinds_of(queries: Floats, centroids: Floats) -> NDArray[np.int32]:
    """The kind of each query: its centroid of the largest product."""
    kinds: NDArray[np.int32] = np.argmax(queries @ centroids.T, axis=1).astype(np.int32)
    return kinds


def _centroids(queries: Floats, count: int, generator: np.random.Generator) -> Floats:
    sampled = queries[generator.permutation(len(queries))[:MOST_SAMPLED]]
    norms = np.linalg.norm(sampled, axis=1, keepdims=True)
    directions: Floats = np.ascontiguousarray(sampled / np.where(norms > 0, norms, 1), np.float32)
    centroids = directions[:count].copy()
    for _ in range(ROUNDS):
        kind = kinds_of(directions, centroids)
        for number in range(count):
            members = directions[kind == number]
            mean = members.sum(axis=0) if len(members) else centroids[number]
            length = np.linalg.norm(mean)
            centroids[number] = mean / length if length > 0 else centroids[number]
    return centroids


def _seeds(answers: NDArray[np.int64], graph: Graph, most: int) -> list[int]:
    """Greedily those that, with their neighbours, hold most of the answers not held yet; -1 at free places."""
    rows, counts = np.unique(answers[answers >= 0], return_counts=True)
    if not len(rows):
        return [graph.entry] + [-1] * (most - 1)
    wanted = np.zeros(len(graph))
    wanted[rows] = counts
    candidates = rows[np.argsort(-counts, kind="stable")[:MOST_CANDIDATES]]
    shown = np.concatenate([candidates[:, None], graph.neighbors[candidates]], axis=1)
    is_row = shown >= 0
    chosen: list[int] = []
    for _ in range(min(most, len(candidates))):
        gains = (wanted[np.maximum(shown, 0)] * is_row).sum(axis=1)
        best = int(np.argmax(gains))
        if gains[best] <= 0:
            break
        chosen.append(int(candidates[best]))
        wanted[shown[best][is_row[best]]] = 0
    return chosen + [-1] * (most - len(chosen))
