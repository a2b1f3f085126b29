"""What validation chooses among builds and rungs, and what a record keeps of it."""

import json
from pathlib import Path

from waypost.bench.peers.choosing import MARGIN, Tried, fastest, frontier, points, shortlist
from waypost.bench.peers.record import Record

SMALL, LARGE = {"degree": 8}, {"degree": 32}


def rungs(build: dict[str, int], *pairs: tuple[float, float]) -> list[Tried]:
    return [Tried(build, {"ef": at}, recall, qps) for at, (recall, qps) in enumerate(pairs)]


def test_the_fastest_that_reaches_the_target_by_the_margin() -> None:
    tried = rungs(SMALL, (0.95 + MARGIN / 2, 90.0), (0.96, 50.0), (0.97, 60.0), (0.99, 10.0))
    assert fastest(tried, 0.95) == tried[2]
    assert fastest(tried, 0.9999) is None


def test_perfect_recall_can_be_a_target() -> None:
    assert fastest(rungs(SMALL, (1.0, 5.0)), 1.0) is not None


def test_the_frontier_rises_in_recall_and_falls_in_speed() -> None:
    line = frontier(rungs(SMALL, (0.9, 5.0), (0.8, 4.0), (0.7, 9.0), (0.9, 6.0), (0.99, 1.0)))
    assert [(one.recall, one.qps) for one in line] == [(0.7, 9.0), (0.9, 6.0), (0.99, 1.0)]


def test_one_build_serves_all_targets_where_it_is_nearly_the_fastest_for_each() -> None:
    tried = [*rungs(SMALL, (0.96, 100.0), (0.995, 48.0)), *rungs(LARGE, (0.96, 70.0), (0.995, 50.0))]
    assert all(point.build == SMALL for point in points(tried))


def test_each_target_has_a_build_of_its_own_where_one_would_lose() -> None:
    tried = [*rungs(SMALL, (0.96, 100.0), (0.995, 20.0)), *rungs(LARGE, (0.96, 70.0), (0.995, 50.0))]
    chosen = {target: point.build for point in points(tried) for target in point.targets}
    assert chosen == {0.95: SMALL, 0.99: LARGE}


def test_what_comes_near_the_fastest_is_on_the_shortlist() -> None:
    tried = rungs(SMALL, (0.96, 100.0), (0.97, 80.0), (0.96, 30.0), (0.9, 300.0))
    assert [one.qps for one in shortlist(tried, 0.95)] == [100.0, 80.0]
    assert {point.setting["ef"] for point in points(tried, [0.95]) if point.targets} == {0, 1}


def test_a_backend_that_reaches_no_target_is_measured_all_the_same() -> None:
    found = points([*rungs(SMALL, (0.5, 9.0), (0.8, 3.0)), *rungs(LARGE, (0.7, 5.0))])
    assert found
    assert all(point.build == SMALL and not point.targets for point in found)
    assert points([]) == []


def test_a_rung_is_measured_once_though_it_serves_twice() -> None:
    found = points(rungs(SMALL, (1.0, 7.0)))
    assert [(point.setting, point.targets) for point in found] == [({"ef": 0}, [0.95, 0.99])]


def test_a_record_of_other_items_is_not_taken_over(tmp_path: Path) -> None:
    record = Record(tmp_path / "against.json")
    record.of("shop", "one")["choices"]["hnswlib"] = {"left_out": "not installed"}
    record.write()
    assert json.loads((tmp_path / "against.json").read_text())["sets"]["shop"]["mark"] == "one"
    assert Record(tmp_path / "against.json").of("shop", "one")["choices"]
    assert not Record(tmp_path / "against.json").of("shop", "another")["choices"]
