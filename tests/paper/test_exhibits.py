"""Every table and figure runs on a tiny set and comes out in its shape."""

import csv
from pathlib import Path

import pytest
from tiny_set import tiny_plan

from waypost.paper import command
from waypost.paper.exhibits.registry import EXHIBITS
from waypost.paper.numbers import Measured
from waypost.paper.page import as_markdown, grid, write
from waypost.paper.reproduction import page
from waypost.paper.store import Store

ROWS = {  # of ours: by hand, for one set, one entry
    "figure-1": 2,
    "figure-3": 3,
    "table-1": 1,
    "table-2": 6,  # three orders of answers of two agents
    "figure-4": 11,  # lines
    "figure-5": 7,  # methods
    "table-3": 9,
    "figure-6": 15,
    "figure-7": 3,
    "figure-8": 25,
    "table-4": 8,
    "table-5": 4,
    "table-6": 7,
}
COLUMNS = {"table-2": 5, "table-3": 5, "table-4": 3, "table-5": 3, "table-6": 3, "figure-5": 6, "figure-7": 6}


@pytest.mark.parametrize("name", ROWS)
def test_it_comes_out_whole(name: str, full_store: Store) -> None:
    exhibit, plan = EXHIBITS[name], tiny_plan()
    found = exhibit.measured(plan, full_store)
    assert [one.labels for one in found if len(one.values) != 1 and one.labels.get("what") != "repeats left out"] == []
    heading, *rows = grid(found, exhibit.across)
    assert len(rows) == ROWS[name]
    if name in COLUMNS:
        assert len(heading) - len(found[0].labels) + 1 == COLUMNS[name]
    write(exhibit, plan, full_store)
    forms = ["csv", "json", "md", "html", *(["svg", "png"] if exhibit.draw else [])]
    assert [form for form in forms if not (full_store.folder / f"{name}.{form}").stat().st_size] == []


def test_recalls_are_recalls(full_store: Store) -> None:
    for name in ("table-2", "table-3", "table-4", "table-5", "table-6", "figure-5", "figure-7", "figure-8"):
        values = [value for one in EXHIBITS[name].measured(tiny_plan(), full_store) for value in one.values]
        assert values
        assert all(0 <= value <= 1 for value in values)


def test_tables_share_their_trainings() -> None:
    plan = tiny_plan()
    keys = {name: {case.key for case in EXHIBITS[name].cases(plan)} for name in EXHIBITS}
    assert keys["table-5"] & keys["table-3"] & keys["figure-5"] & keys["table-6"] & keys["figure-7"] & keys["table-2"]
    assert len(keys["table-5"] & keys["table-4"]) == 1  # approximate truth on ip-NSW
    assert keys["figure-4"] <= keys["table-2"] | keys["figure-5"]
    assert keys["figure-6"] <= keys["table-3"]


def test_a_cell_that_is_not_there_leaves_a_dash(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "empty")
    exhibit = EXHIBITS["table-5"]
    text = as_markdown(exhibit, exhibit.measured(tiny_plan(), store))
    assert "| tiny | random | unlearned | - | - | - |" in text


def test_the_csv_has_ours_and_the_printed(full_store: Store) -> None:
    write(EXHIBITS["table-6"], tiny_plan(), full_store)
    with open(full_store.folder / "table-6.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    printed = [row for row in rows if row["set"] == "Echonest (printed)" and row["agent"] == "no baseline"]
    assert [row["mean"] for row in printed] == ["0.167"]
    ours = [row for row in rows if row["set"] == "tiny"]
    assert {row["seeds wanted"] for row in ours} == {"1"}


def test_the_page_of_reproduction_has_every_claim_and_counts_cells(full_store: Store, tmp_path: Path) -> None:
    text = page(tiny_plan(), full_store, tmp_path / "page.md")
    assert "Not measured yet" not in text
    assert "53 of 53 cells are there (53 of seed 1)." in text
    text = page(tiny_plan(1, 2), full_store, tmp_path / "page.md")
    assert "The others are still to be run." in text
    assert "(1 of 2)" in text


def test_the_report_needs_no_data(full_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAYPOST_DATA")
    monkeypatch.setattr(command, "chosen", lambda names: [EXHIBITS["table-6"]])  # drawing all takes seconds
    (full_store.folder / "table-6.csv").unlink(missing_ok=True)
    command.write_report(tiny_plan(), str(full_store.folder), str(tmp_path / "page.md"), say=lambda line: None)
    assert "## Claims" in (tmp_path / "page.md").read_text()
    assert (full_store.folder / "table-6.csv").exists()


def test_a_mean_has_its_spread() -> None:
    assert str(Measured({}, (0.2, 0.4, 0.6), 3)) == "0.400 ± 0.200"
