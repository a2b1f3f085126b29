"""The benchmark of what is learned: results are kept, verdicts follow from them, late items join as told."""

from pathlib import Path

import numpy as np
import pytest

import waypost as wp
from waypost.bench import learned
from waypost.bench.finished import Finished, Unfinished
from waypost.bench.hits import Hits
from waypost.bench.learned_labels import _told, against_imitation
from waypost.bench.learned_late import LateTrial
from waypost.bench.learned_matrix import _row, finished
from waypost.bench.tables import Table
from waypost.bench.trial import Asked, Trial, compare, preferred
from waypost.bench.workbench import Vectors, Workbench


def cells(before: float, after: float) -> dict[str, object]:
    one = {"unlearned": [before, before], "learned": [after, after], "manner": "own"}
    return {str(budget): one for budget in (128, 256, 512)}


def bench() -> Workbench:
    rng = np.random.default_rng(0)
    spectrum = 0.8 ** np.arange(12)
    items, others, test = ((rng.standard_normal((n, 12)) * spectrum).astype(np.float32) for n in (900, 900, 200))
    return Workbench(_vectors={"made-up": Vectors(items, test, others, 200)})


def trial(**changes: object) -> Trial:
    config = wp.TrainConfig(budget=128, budgets=(128,), steps=10, check_every=5, batch=64, kinds=4, **changes)
    return Trial("made-up", "ip-nsw", config, degree=6, candidates=30)


def test_a_finished_training_is_not_run_again_unless_asked_for(tmp_path: Path) -> None:
    made = bench()
    first = trial().run(made, Finished(tmp_path))
    assert trial().run(Workbench(), Finished(tmp_path)) == first  # it has no data to train on
    assert len(list(tmp_path.iterdir())) == 1
    again = trial().run(made, Finished(tmp_path, anew=True))
    assert again["cells"] == first["cells"]
    assert again["seconds"] != first["seconds"]
    assert trial(seed=1).told() != trial().told()
    assert trial(threads=1).told() == trial().told()


def test_recall_is_that_of_the_search_at_equal_products(tmp_path: Path) -> None:
    made = bench()
    found = trial().run(made, Finished(tmp_path))["cells"]
    vectors, graph = made.vectors("made-up"), made.graph("made-up", "ip-nsw", 6, 30)
    truth = wp.exact_search(vectors.items, vectors.test, k=10).ids
    for budget in (128, 256, 512):
        plain = wp.Index(vectors.items, graph).search(vectors.test, k=10, budget=budget)
        assert found[str(budget)]["unlearned"][0] == pytest.approx(wp.recall(plain.ids, truth))
        assert plain.cost.max() <= budget


def test_the_learned_search_is_used_where_its_gain_is_sure() -> None:
    plain, rng = Hits(np.full(400, 0.5), np.full(400, 0.5)), np.random.default_rng(0)
    noise = rng.choice([-0.5, 0.5], 400)
    noise -= noise.mean()
    within, beyond = (Hits(0.5 + gain + noise, plain.first) for gain in (0.02, 0.05))  # the standard error is 0.025
    best_unsure = Hits(within.shares, np.ones(400))
    assert preferred(plain, {"16": within, "0": best_unsure}) == "plain"
    assert preferred(plain, {"16": beyond, "0": best_unsure}) == "16"
    assert preferred(plain, {"16": Hits(beyond.shares, plain.first - 0.01)}) == "plain"


@pytest.mark.parametrize("exact", [True, False])
def test_a_router_that_does_no_better_is_not_used(exact: bool) -> None:
    """Be it one that routes exactly, in its own manner, or one that needs a re-rank."""
    vectors = bench().vectors("made-up")
    graph = wp.build_graph(vectors.items, "ip-nsw", degree=6, candidates=30)
    noise = np.random.default_rng(1).standard_normal(vectors.items.shape, dtype=np.float32)
    router = wp.Router(bias=3 * noise[:, 0]) if exact else wp.Router(noise)
    found = compare(
        vectors.items, graph, router, *(Asked(vectors.items, some) for some in (vectors.valid, vectors.test))
    )
    for cell in found.values():
        assert cell["manner"] == "plain"
        assert cell["learned"] == cell["unlearned"]


def test_late_items_join_after_the_training(tmp_path: Path) -> None:
    found = LateTrial(trial()).run(bench(), Finished(tmp_path))["cells"]
    assert set(found) == {"128", "256", "512"}
    assert all(0.1 < found[budget]["learned"][0] <= 1 for budget in found)


@pytest.mark.parametrize(
    ("gains", "entry", "least", "verdict"),
    [
        ([0.1], "random", 0.1, "yes"),
        ([0.09], "random", 0.1, "no"),
        ([0.3, -0.01], "random", 0.1, "no"),
        ([-0.001], "largest-norm", 0.0, "yes"),
        ([-0.001], "random", 0.0, "no"),
        ([-0.01], "largest-norm", 0.0, "no"),
    ],
)
def test_a_target_is_met_or_not(gains: list[float], entry: str, least: float, verdict: str) -> None:
    row = _row([cells(0.5, 0.5 + gain + 1e-9) for gain in gains], 0, entry, least)
    assert row[-1] == verdict


def test_a_count_of_sets_says_what_is_still_open() -> None:
    done, lost, open_ = ["yes", "yes"], ["yes", "no"], ["yes", "-"]
    assert _told({"a": done, "b": done, "c": lost}) == "above on 2 of 3 sets; target met: yes"
    assert _told({"a": done, "b": lost, "c": lost}).endswith("target met: no")
    assert _told({"a": done, "b": lost, "c": open_}).endswith("target met: not all measured yet")


def test_what_is_not_finished_is_left_out(tmp_path: Path) -> None:
    kept = Finished(tmp_path, kept_alone=True)
    with pytest.raises(Unfinished):
        trial().run(bench(), kept)
    assert finished(bench(), kept, [trial()]) == []
    assert against_imitation(bench(), kept)[0].rows[0][2:] == ["-"] * 6


def test_sections_that_do_not_exist_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["speed"], ["--anew", "speed"], ["--write", "nowhere/at/all.md"]):
        with pytest.raises(SystemExit):
            learned.main(arguments)
    assert "section is 'speed'; name any of strong," in capsys.readouterr().err


def test_a_part_of_the_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path))
    table = Table("Made up", "About.", ["a"], [["1"]])
    monkeypatch.setattr(learned, "SECTIONS", {"strong": lambda bench, kept: [kept.table("made up", lambda: table)]})
    learned.main(["--write", str(tmp_path / "page.md")])
    page = (tmp_path / "page.md").read_text()
    assert "<!-- begin learned -->" in page
    assert "## Made up" in page
    assert str(tmp_path) not in page
