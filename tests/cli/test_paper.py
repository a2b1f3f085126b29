"""`waypost paper`: a shop's own ratings, listed, run and reported; what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")


def test_the_list_counts_cells_for_machines(run: Any, tmp_path: Path) -> None:
    found = json.loads(run("paper", "list", "--data", "npm_deps", "--out", tmp_path / "none", "--json").stdout)
    by_name = {row["name"]: row for row in found}
    assert by_name["table-3"]["cells"] == 18  # three graphs, two entries, three seeds
    assert by_name["all"]["cells"] < sum(row["cells"] for row in found[:-1])
    assert not (tmp_path / "none").exists()


def test_a_table_and_the_page_from_a_file(
    run: Any, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path / "cache"))
    data, out = tmp_path / "shop.csv", tmp_path / "results"
    data.write_text((shop / "ratings.csv").read_text().replace("customer,product", "user,item"))
    done = run("paper", "run", "table-1", "figure-1", "--data", data, "--out", out, "--json")
    assert json.loads(done.stdout)["pages"] == [str(out / "table-1.md"), str(out / "figure-1.md")]
    assert "| 480 |" in (out / "table-1.md").read_text()
    assert (out / "figure-1.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("run", "table-9"), "no table or figure is called 'table-9'"),
        (("run", "all", "--seeds", "one"), "--seeds is 'one'; pass whole numbers with commas between them, as 1,2,3."),
        (("run", "all", "--protocol", "best"), "--protocol is 'best'; pass one of fast, same-queries, printed."),
        (("report", "page.md", "--out", "nowhere"), "--out nowhere holds no results; run a table into it first."),
    ],
)
def test_bad_input_is_one_line(given: tuple[str, ...], words: str, run: Any) -> None:
    result = run("paper", *given, code=2)
    assert result.stderr.count("\n") == 1
    assert words in result.stderr
