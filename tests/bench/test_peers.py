"""Every backend that is installed, in a process of its own, does what the comparison asks of it."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import waypost as wp
from waypost.bench.peers import PEERS, Unusable
from waypost.bench.peers.apart import Apart, Lost, Refused
from waypost.bench.peers.peer import needed

N, D, K = 2_000, 64, 10


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Items with log-normal norms around common centres, and queries near the same centres."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((40, D))
    items = centres[rng.integers(40, size=N)] + 0.7 * rng.standard_normal((N, D))
    items *= rng.lognormal(0, 0.4, (N, 1)) / np.linalg.norm(items, axis=1, keepdims=True)
    queries = centres[rng.integers(40, size=3_000)] + 0.7 * rng.standard_normal((3_000, D))
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    place = tmp_path_factory.mktemp("peers")
    arrays = {"items": items, "training": queries[200:], "valid": queries[:100], "test": queries[100:200]}
    arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()}
    for name, array in arrays.items():
        np.save(place / name, array)
    for name in ("valid", "test"):
        np.save(place / f"{name}-truth", wp.exact_search(arrays["items"], arrays[name], k=K).ids)
    return place


def installed(name: str) -> None:
    for module in PEERS[name].modules:
        try:
            if name not in ("scalable-vs", "diskann"):  # they might end this process; theirs is asked below
                needed(module)
        except Unusable as reason:
            pytest.skip(str(reason))


@pytest.fixture(scope="module", params=PEERS)
def name(request: pytest.FixtureRequest) -> str:
    named: str = request.param
    installed(named)
    return named


@pytest.fixture(scope="module")
def peer(name: str, folder: Path) -> Iterator[Apart]:
    with Apart(name, folder) as apart:
        try:
            apart.ask("builds")
        except Lost as lost:
            pytest.skip(str(lost))
        yield apart


@pytest.fixture(scope="module")
def ladder(peer: Apart) -> list[dict[str, object]]:
    how = peer.ask("builds")["builds"][0]
    rungs: list[dict[str, object]] = peer.ask("build", how=how)["ladder"]
    return rungs


def test_the_top_of_the_ladder_finds_nearly_all(peer: Apart, ladder: list[dict[str, object]]) -> None:
    assert peer.ask("recall", setting=ladder[-1], queries="test")["recall"] >= 0.95


def test_more_effort_finds_no_less(peer: Apart, ladder: list[dict[str, object]]) -> None:
    low, high = (peer.ask("recall", setting=rung, queries="valid")["recall"] for rung in (ladder[0], ladder[-1]))
    assert low <= high
    assert peer.ask("recall", setting=ladder[-1], queries="valid")["qps"] > 0


def test_it_is_timed_batched_and_one_by_one(peer: Apart, ladder: list[dict[str, object]]) -> None:
    assert peer.ask("batch", setting=ladder[0], queries="test", seconds=0.0)["qps"] > 0
    took = peer.ask("single", setting=ladder[0], queries="test", calls=5, seconds=1.0)
    assert took["calls"] == 5
    assert 0 < took["p50"] <= took["p99"]


def test_one_query_gets_the_answer_that_it_gets_among_many(peer: Apart, ladder: list[dict[str, object]]) -> None:
    assert peer.ask("alike", setting=ladder[-1], queries="test")["share"] >= 0.99


def test_memory_counts_the_items_at_least(peer: Apart, ladder: list[dict[str, object]]) -> None:
    assert peer.ask("memory")["gib"] >= 4 * N * D / 2**30


def test_one_refused_setting_leaves_it_ready(peer: Apart, ladder: list[dict[str, object]]) -> None:
    with pytest.raises(Refused, match="Error"):
        peer.ask("recall", setting=ladder[0], queries="no such queries")
    assert peer.ask("batch", setting=ladder[0], queries="test", seconds=0.0)["qps"] > 0
