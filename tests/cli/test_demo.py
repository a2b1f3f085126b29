"""The demo in small: its table is true, learned beats unlearned in it, and a second run goes on from the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import waypost as wp
from waypost.data import Factors
from waypost.demo import PROJECTS, DemoSettings, run_demo

pytest.importorskip("matplotlib")

USERS = 8000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def demo(folder: Path, run: Any) -> Any:
    return json.loads(run("demo", folder, "--users", USERS, "--json").stdout)


def rows_of(demo: Any, search: str) -> dict[int, Any]:
    return {row["budget"]: row for row in demo["comparison"]["rows"] if row["search"] == search}


def test_learned_beats_unlearned_in_the_demos_own_table(demo: Any) -> None:
    learned = rows_of(demo, "learned")
    assert list(learned) == list(rows_of(demo, "unlearned")) == [64, 128, 256, 512]
    assert learned[64]["gain"] > 0.02
    assert all(row["cost"] <= budget for budget, row in learned.items())
    assert "more than the unlearned one" in demo["comparison"]["verdicts"][0]


def test_the_table_is_what_the_files_say(demo: Any, folder: Path) -> None:
    index, factors = wp.Index.load(folder / "npm.learned.waypost"), Factors.load(folder / "npm.factors.npz")
    queries = factors.queries("test")
    found = wp.recall(index.search(queries, budget=64).ids, index.exact(queries).ids)
    assert rows_of(demo, "learned")[64]["recall"] == pytest.approx(found)
    assert demo["comparison"]["queries"] == len(queries)


def test_the_examples_are_what_the_searches_find(demo: Any, folder: Path) -> None:
    assert [tuple(example["liked"]) for example in demo["examples"]] == list(PROJECTS)
    index = wp.Index.load(folder / "npm.learned.waypost")
    for example in demo["examples"]:
        ids = index.exact(index.fold_in(example["liked"]), 13).ids[0].tolist()
        assert example["exact"] == [one for one in ids if one not in example["liked"]][:10]
        assert example["exact_cost"] == len(index)
        assert example["routed_cost"] <= 256
        assert min(example["routed_us"], example["exact_us"]) > 0
        assert len(set(example["exact"]) & set(example["routed"])) >= 8


def test_there_is_a_page_with_figures(demo: Any) -> None:
    page = Path(demo["files"]["report"]).read_text(encoding="utf-8")
    assert "jsonwebtoken" in page
    endings = {path.suffix for path in Path(demo["files"]["figures"]).iterdir()}
    assert endings == {".svg", ".png"}


def test_a_second_run_goes_on_and_other_settings_begin_anew(
    demo: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import waypost.data
    import waypost.report

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(waypost.data, "load_dataset", refuse)
    monkeypatch.setattr(waypost.report, "write_figures", lambda *_: None)  # dear, and drawn already
    again = run_demo(folder, DemoSettings(users=USERS))
    assert [row.recall for row in again.comparison.rows] == [row["recall"] for row in demo["comparison"]["rows"]]
    with pytest.raises(AssertionError, match="made again"):
        run_demo(folder, DemoSettings(users=1000))
    assert json.loads((folder / "settings.json").read_text())["users"] == 1000
    assert not (folder / "npm.learned.waypost").exists()
