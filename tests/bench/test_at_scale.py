"""The run at scale, at sizes that a test can wait for."""

import json
from pathlib import Path

import pytest

from waypost.bench import at_scale
from waypost.bench.at_scale import Measured, growth, table_of


def measured(n: int, qps: float, **given: float) -> Measured:
    usual = {"generate": 1.0, "build": 1.0, "peak": 1.0, "qps": qps, "recall": 0.9, "effort": 64} | given
    return Measured(items=n, qps_enough=qps, recall_enough=0.9, products=64.0, **usual)  # type: ignore[arg-type]


def test_each_size_is_measured_once_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    results, page = tmp_path / "scale.json", tmp_path / "benchmarks.md"
    given = ["--sizes", "2000", "4000", "--results", str(results), "--write", str(page)]
    assert at_scale.main(given) == 0
    found = [Measured(**one) for one in json.loads(results.read_text())]
    assert [one.items for one in found] == [2_000, 4_000]
    for one in found:
        assert one.recall > 0.9
        assert one.recall_enough > 0.8
        assert one.products > one.effort
        assert one.peak > 4 * one.items * 96 / 2**30
    monkeypatch.setattr(at_scale, "measure_apart", lambda n: pytest.fail("measured again"))
    assert at_scale.main(given) == 0
    assert "4,000" in capsys.readouterr().out
    assert "figures/scale.svg" in page.read_text()
    assert (tmp_path / "figures" / "scale.png").exists()


def test_growth_compares_with_the_square_of_the_logarithm() -> None:
    assert growth([measured(2**10, 100.0), measured(2**20, 25.0)]) == [(1.0, 1.0)]
    assert growth([measured(2**10, 100.0)]) == []


def test_targets_are_missed_where_they_are_missed() -> None:
    met = [row[-1] for row in table_of([measured(2**10, 100.0), measured(2**20, 30.0), measured(2**21, 1.0)]).rows]
    assert met == ["yes", "yes", "no"]
    assert table_of([measured(2**10, 1.0, peak=21.0)]).rows[0][-1] == "no"
    assert table_of([measured(2**10, 1.0, build=5 * 3600.0)]).rows[0][-1] == "no"


def test_sizes_that_cannot_be_judged_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        at_scale.main(["--sizes", "10"])
    assert "pass 1000 or more" in capsys.readouterr().err
