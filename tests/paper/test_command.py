"""The command: what it lists, what it refuses in one line, and that a look runs."""

from pathlib import Path

import pytest
from tiny_set import write_set

from waypost.paper import command
from waypost.paper.data_sets import fingerprint, load_set, read_set
from waypost.paper.exhibits import table_2, table_3, table_4, table_5
from waypost.paper.exhibits.registry import EXHIBITS


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert command.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    return captured.err


def test_it_lists_every_table_and_figure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command.main(["list", "--out", str(tmp_path / "none")]) == 0
    listed = capsys.readouterr().out
    assert [name for name in EXHIBITS if f"\n{name} " not in listed] == []
    hours = float(listed.split("\nall ")[1].split(" hours")[0].split()[-1])
    assert 1 < hours <= 6  # the three sets on two cores


def test_a_look_at_one_set_takes_minutes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command.main(["list", "--quick", "--data", "npm_deps", "--out", str(tmp_path / "none")]) == 0
    minutes = int(capsys.readouterr().out.split("\nall ")[1].split(" minutes")[0].split()[-1])
    assert minutes <= 10


def test_an_unknown_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = refusal(capsys, "run", "tabel-3", "--out", str(tmp_path / "new"))
    assert "no table or figure is called 'tabel-3'; did you mean table-3?" in said
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--protocol", "slow"], "--protocol is 'slow'; pass one of fast, same-queries, printed."),
        (["--entries", "middle"], "--entries has 'middle'; pass one or both of random, largest-norm."),
        (["--seeds", "-1"], "--seeds has -1; pass whole numbers of 0 or more."),
        (["--jobs", "-1"], "--jobs is -1; pass 0 or more."),
        (["--data", "nowhere"], "--data is 'nowhere', which is no file and no set at hand; pass a file of ratings, or"),
    ],
)
def test_bad_settings(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, data_folder: Path
) -> None:
    assert words in refusal(capsys, "run", "table-1", "--out", str(tmp_path / "new"), *arguments)


def test_too_few_users(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_set(tmp_path / "few.npz", users=60)
    said = refusal(capsys, "run", "table-3", "--data", str(tmp_path / "few.npz"), "--out", str(tmp_path / "new"))
    assert "has 60 users; the split needs 100 or more, so that a tenth can test." in said


def test_a_set_that_changed_under_its_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data_folder: Path
) -> None:
    path, out = tmp_path / "mine.npz", str(tmp_path / "new")
    write_set(path)
    assert command.main(["run", "table-1", "--data", str(path), "--out", out]) == 0
    capsys.readouterr()
    write_set(path, seed=1)
    assert "has results of another" in refusal(capsys, "run", "table-1", "--data", str(path), "--out", out)


def test_a_table_of_sizes(capsys: pytest.CaptureFixture[str], tmp_path: Path, data_folder: Path) -> None:
    assert command.main(["run", "table-1", "--data", "tiny", "--out", str(tmp_path / "new")]) == 0
    ratings = read_set("tiny")
    counts = f"| tiny | 300 | {ratings.matrix.nnz:,} | 320 | 40 | 40 | 0 |"
    assert counts in (tmp_path / "new" / "table-1.md").read_text()


def test_the_factors_are_made_once(data_folder: Path) -> None:
    load_set("tiny")
    said: list[str] = []
    data = load_set("tiny", say=said.append)
    assert said == []
    assert (len(data.train), len(data.valid), len(data.test)) == (320, 40, 40)
    assert fingerprint(read_set("tiny")).startswith("400x300-")


def test_the_reduced_budget_is_the_papers() -> None:
    assert [table_2.reduced_budget(width) for width in (64, 80, 112, 128)] == [288, 211, 123, 96]


def test_printed_numbers() -> None:
    """Some, by hand from the paper's text."""
    assert table_2.PRINTED["Amazon"] == (0.794, 0.768, 0.850, 0.624, 0.532)
    assert table_3.PRINTED["MovieLens", 256] == (0.6943, 0.6462, 0.5939, 0.3542, 0.6541, 0.1824)
    assert table_3.PRINTED["Echonest", 512][-1] == 0.7844
    assert table_4.PRINTED["Echonest", "1@1"] == (0.868, 0.126, 0.573)
    assert table_5.PRINTED["MovieLens"] == (0.701, 0.757, 0.681)
    by_label = {tuple(one.labels.values()): one.mean for one in EXHIBITS["table-3"].printed}
    assert by_label["Amazon (printed)", "not stated", "ipdg", "128", "agent"] == 0.3624
    assert by_label["Amazon (printed)", "not stated", "ipdg", "128", "unlearned"] == 0.3062
    ours = {one.labels["set"]: one.mean for one in EXHIBITS["table-6"].printed if one.labels["agent"] == "ours"}
    assert ours == {"MovieLens (printed)": 0.757, "Amazon (printed)": 0.850, "Echonest (printed)": 0.951}
