"""A whole side-by-side run, small: it chooses, measures, goes on where it was cut off, and makes its page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from waypost.bench import against
from waypost.bench.held_out import Vectors, of_file
from waypost.bench.peers.contest import run
from waypost.bench.peers.pareto import lines_of
from waypost.bench.peers.record import Record
from waypost.bench.peers.standings import standings, summary, tables
from waypost.data import Factors
from waypost.data.catalog import cache_folder

TWO = ["waypost", "exact-blas"]


@pytest.fixture(scope="module")
def factors() -> Factors:
    rng = np.random.default_rng(0)
    items = rng.standard_normal((600, 16)) * rng.lognormal(0, 0.4, (600, 1))
    users = rng.standard_normal((200, 16)).astype(np.float32)
    users[:20] = users[20:40]  # some repeat others
    return Factors(items.astype(np.float32), users)


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WAYPOST_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def record(factors: Factors, tmp_path_factory: pytest.TempPathFactory) -> Record:
    record = Record(tmp_path_factory.mktemp("against") / "against.json")
    run(Vectors.of("shop", factors), TWO, 2, record, lambda line: None)
    return record


def shop(record: Record) -> dict[str, Any]:
    entry: dict[str, Any] = record.data["sets"]["shop"]
    return entry


def test_queries_that_repeat_training_are_left_out(factors: Factors) -> None:
    vectors = Vectors.of("shop", factors)
    known = {row.tobytes() for row in vectors.training}
    assert not known & {row.tobytes() for row in [*vectors.valid, *vectors.test]}
    assert len(vectors.test) > 0


def test_each_round_adds_a_figure_to_each_point(record: Record) -> None:
    assert shop(record)["rounds"] == 2
    for name in TWO:
        for point in shop(record)["measured"][name]["points"]:
            assert len(point["qps"]) == 2
            assert len(point["p50"]) == len(point["p99"]) == (2 if point["targets"] else 0)


def test_one_of_each_shortlist_is_left(record: Record) -> None:
    for name in TWO:
        chosen = [target for point in shop(record)["measured"][name]["points"] for target in point["targets"]]
        assert sorted(chosen) == sorted(set(chosen))


def test_the_exact_search_reaches_every_target_and_counts_its_products(record: Record) -> None:
    for target in (0.95, 0.99):
        exact = next(one for one in standings(shop(record), target) if one.name == "exact-blas")
        assert exact.point["recall"] == 1.0
        assert exact.point["products"] == 600


def test_a_run_that_was_cut_off_goes_on(record: Record, factors: Factors) -> None:
    before = json.dumps(shop(record)["choices"])
    first = list(shop(record)["measured"]["waypost"]["points"][0]["qps"])
    again = Record(record.path)
    run(Vectors.of("shop", factors), TWO, 3, again, lambda line: None)
    assert json.dumps(shop(again)["choices"]) == before
    assert shop(again)["measured"]["waypost"]["points"][0]["qps"][:2] == first
    assert shop(again)["rounds"] == 3


def test_what_was_fitted_for_a_target_is_kept_for_the_test(record: Record) -> None:
    kept = cache_folder() / "against" / shop(record)["mark"]
    assert {path.name for path in kept.iterdir()} >= {"waypost-0.95", "waypost-0.99", "waypost-0.95.json"}
    for build in shop(record)["measured"]["waypost"]["builds"]:
        stored = json.loads((kept / f"waypost-{build['how']['target_recall']}.json").read_text())
        assert build["seconds"] == stored["seconds"]
        assert build["gib"] >= stored["gib"] > 0


def test_whoever_cannot_take_part_is_named_in_its_place(factors: Factors, tmp_path: Path) -> None:
    record = Record(tmp_path / "against.json")
    run(Vectors.of("shop", factors), ["exact-blas", "lorann"], 1, record, lambda line: None)
    reason = shop(record)["measured"]["lorann"]["left_out"]
    assert "not installed" in reason or "64 dimensions" in reason
    assert any(reason in cell for table in tables(record.data) for row in table.rows for cell in row)


def test_the_summary_sets_waypost_beside_the_best_of_the_others(record: Record) -> None:
    rows = summary(record.data).rows
    assert [row[:2] for row in rows] == [["shop", ">= 0.95"], ["shop", ">= 0.99"]]
    assert all(row[3].startswith("exact-blas") for row in rows)


def test_the_picture_shows_what_no_other_point_beats(record: Record) -> None:
    for line in lines_of(shop(record)).values():
        recalls, speeds = zip(*line, strict=True)
        assert list(recalls) == sorted(recalls)
        assert list(speeds) == sorted(speeds, reverse=True)


def test_the_command_makes_page_picture_and_short_table(
    factors: Factors, record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    factors.save(tmp_path / "shop.npz")
    page, readme = tmp_path / "docs" / "benchmarks.md", tmp_path / "README.md"
    page.parent.mkdir()
    readme.write_text("# shop\n")
    given = ["--data", str(tmp_path / "shop.npz"), "--results", str(record.path), "--peers", *TWO, "--repeats", "0"]
    assert against.main([*given, "--write", str(page), "--readme", str(readme)]) == 0
    assert "figures/peers.svg" in page.read_text()
    assert "<svg" in (page.parent / "figures" / "peers.svg").read_text()
    assert "| shop, 600 | 0.95 |" in readme.read_text()
    assert "shop at recall 0.95" in capsys.readouterr().out
    assert str(tmp_path) not in page.read_text()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--peers", "nobody"], "--peers names 'nobody'; name any of waypost"),
        (["--repeats", "-1"], "--repeats is -1; pass 0 or more"),
        (["--data", "nowhere.npz"], "which is no file; check the name"),
        (["--write", "nowhere/at/all.md"], "which is no folder; make it first"),
    ],
)
def test_what_would_fail_later_is_refused_at_once(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        against.main(given)
    assert stop.value.code == 2
    assert said in capsys.readouterr().err


def test_too_few_users_are_refused(tmp_path: Path) -> None:
    Factors(np.eye(4, dtype=np.float32), np.eye(4, dtype=np.float32)).save(tmp_path / "tiny.npz")
    with pytest.raises(ValueError, match="tiny has no validation query"):
        of_file(tmp_path / "tiny.npz")
