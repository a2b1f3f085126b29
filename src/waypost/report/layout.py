"""Where vertices are drawn: in a disc whose centre is the query, better items nearer to it, like items side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats

Doubles = NDArray[np.float64]
ROUNDS = 60  # of pushing apart what overlaps
STRETCH = 0.5  # how far angles are spread evenly: 0 leaves them as they are, 1 keeps their order alone


def disc(vectors: Floats, query: Floats, scores: Floats, inner: int) -> Doubles:
    """(n, 2) places in a disc of radius 1; the best `inner` by score lie in its middle, the others around them.

    An item's distance from the centre is the root of its rank by score, so that every ring has room for its items. Its
    direction is that of the two main components of the item vectors, each of unit length, less their part along the
    query: what lies in one direction is alike in what the score does not say.

    >>> rng = np.random.default_rng(0)
    >>> items, query = rng.standard_normal((30, 8), dtype=np.float32), rng.standard_normal(8, dtype=np.float32)
    >>> places = disc(items, query, items @ query, inner=5)
    >>> distances = np.hypot(*places.T)
    >>> bool(distances.max() <= 1), set(np.argsort(distances)[:5]) == set(np.argsort(-(items @ query))[:5])
    (True, True)
    """
    n = len(vectors)
    ranks = np.empty(n)
    ranks[np.lexsort((np.arange(n), -scores))] = np.arange(n)
    radii = np.sqrt((ranks + 0.5) / n)
    angles = _spread(_directions(vectors.astype(np.float64), query.astype(np.float64)))
    places = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)
    edge = np.sqrt(min(inner, n) / n)
    return _apart(places, np.where(ranks < inner, 0.0, edge), np.where(ranks < inner, edge, 1.0))


def _directions(vectors: Doubles, query: Doubles) -> Doubles:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    rest = vectors / np.where(lengths > 0, lengths, 1)
    along = query / max(float(np.linalg.norm(query)), 1e-12)
    rest -= np.outer(rest @ along, along)
    rest -= rest.mean(axis=0)
    axes = np.linalg.svd(rest, full_matrices=False)[2][:2]
    axes *= np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]  # which way round is arbitrary
    parts = rest @ axes.T
    return np.arctan2(parts[:, 1], parts[:, 0]) if parts.shape[1] == 2 else np.zeros(len(parts))


def _spread(angles: Doubles) -> Doubles:
    """Some way towards even gaps, in the order in which they are."""
    even = np.empty(len(angles))
    even[np.argsort(angles, kind="stable")] = np.linspace(-np.pi, np.pi, len(angles), endpoint=False)
    spread: Doubles = (1 - STRETCH) * angles + STRETCH * even
    return spread


def _apart(places: Doubles, least: Doubles, most: Doubles) -> Doubles:
    """Pushes apart what lies too close, each within its own ring."""
    n = len(places)
    room = 1.25 / np.sqrt(n)  # the discs of all then take about 40% of the whole
    margin = min(room / 4, float((most - least).min()) / 4)
    for _ in range(ROUNDS):
        gaps = places[:, None] - places[None]
        distances = np.hypot(gaps[..., 0], gaps[..., 1])
        np.fill_diagonal(distances, np.inf)
        push = np.clip(room - distances, 0, None) / 2
        directions = gaps / np.maximum(distances, 1e-9)[..., None]
        places = places + (0.5 * push[..., None] * directions).sum(axis=1)
        radii = np.maximum(np.hypot(places[:, 0], places[:, 1]), 1e-9)
        places *= (np.clip(radii, least + np.where(least > 0, margin, 0), most - margin) / radii)[:, None]
    return places
