"""Finished cells stay, whatever happens; other results are refused."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_set import tiny_plan

from waypost.errors import UnreadableFileError
from waypost.paper import runner
from waypost.paper.cases import Case
from waypost.paper.protocol import PROTOCOLS
from waypost.paper.store import Store

CASE = Case(PROTOCOLS["fast"], "tiny", "ip-nsw", "random", seed=1)

KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from tiny_set import tiny_plan
from waypost.paper import runner
from waypost.paper.store import Store

def measure(case, threads, folder):
    if case.seed == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return {{"seconds": 1.0, "seed": case.seed}}

runner.measure = measure
runner.run(tiny_plan(1, 2, 3, 4).seeded("tiny", "random"), Store.open({folder!r}), jobs=1)
"""


def test_a_killed_run_goes_on_from_its_last_finished_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "results"
    program = KILLED.format(tests=str(Path(__file__).parent), folder=str(folder))
    killed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(list(folder.glob("cells/tiny/*.json"))) == 2

    made = []

    def measure(case: Case, threads: int, folder: Path) -> dict[str, float]:
        made.append(case.seed)
        return {"seconds": 1.0, "seed": case.seed}

    monkeypatch.setattr(runner, "measure", measure)
    cases, store = tiny_plan(1, 2, 3, 4).seeded("tiny", "random"), Store.open(folder)
    runner.run(cases, store, jobs=1, say=lambda line: None)
    assert made == [3, 4]
    assert [(store.get(case) or {})["seed"] for case in cases] == [1, 2, 3, 4]
    runner.run(cases, store, jobs=1, say=lambda line: None)
    assert made == [3, 4]


def test_a_training_that_diverges_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(case: Case, threads: int, folder: Path) -> dict[str, float]:
        if case.seed == 2:
            raise FloatingPointError("its training is not finite at update 7.")
        return {"seconds": 1.0}

    monkeypatch.setattr(runner, "measure", measure)
    cases, store, said = tiny_plan(1, 2, 3).seeded("tiny", "random"), Store.open(tmp_path / "results"), list[str]()
    runner.run(cases, store, jobs=1, say=said.append)
    assert [store.get(case) is not None for case in cases] == [True, False, True]
    assert [line for line in said if "is left out: its training is not finite at update 7." in line]


def test_a_first_seed_of_everything_comes_first() -> None:
    plan = tiny_plan(1, 2)
    order = runner.distinct([*plan.seeded("b", "random"), *plan.seeded("a", "random"), *plan.seeded("b", "random")])
    assert [(case.seed, case.data) for case in order] == [(1, "b"), (1, "a"), (2, "b"), (2, "a")]


def test_a_key_depends_on_all_that_matters() -> None:
    others = [
        replace(CASE, data="other"),
        replace(CASE, graph="ipdg"),
        replace(CASE, entry="largest-norm"),
        replace(CASE, seed=2),
        replace(CASE, learner="imitation"),
        replace(CASE, share=0.05),
        replace(CASE, truth="ip-nsw"),
        replace(CASE, width=64),
        replace(CASE, changes=(("alpha", 3.0),)),
        replace(CASE, protocol=PROTOCOLS["printed"]),
    ]
    assert len({case.key for case in [CASE, *others]}) == 11
    assert replace(CASE, changes=(("alpha", 0.7),)).key == CASE.key  # what the protocol says anyway


def test_keys_stay_what_they_are() -> None:
    """Committed results are found by them: where this fails, raise VERSION and run anew."""
    assert CASE.key == "a9f0ce7a5799"


def test_another_version_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path / "old")
    mark = tmp_path / "old" / "results.json"
    mark.write_text(json.dumps(json.loads(mark.read_text()) | {"version": 0}))
    with pytest.raises(ValueError, match="has results of protocol version 0, and this waypost makes version 1; name a"):
        Store.open(tmp_path / "old")


def test_another_set_of_the_same_name_is_refused(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "results")
    store.know("shop", {"fingerprint": "one"})
    store.know("shop", {"fingerprint": "one"})
    with pytest.raises(ValueError, match="has results of another shop"):
        store.know("shop", {"fingerprint": "two"})


def test_a_damaged_cell_is_named(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "results")
    store.put(CASE, {"seconds": 1.0})
    store.path(CASE).write_text('{"result": ')
    with pytest.raises(UnreadableFileError, match=r"seed1.*\.json is damaged; remove it, and it will be made again"):
        store.get(CASE)


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="holds other files and no results.json; name a new folder"):
        Store.open(tmp_path)
    with pytest.raises(ValueError, match="is a file; name a folder"):
        Store.open(tmp_path / "thesis.txt")
    with pytest.raises(ValueError, match="holds no results; run a table into it first"):
        Store.open(tmp_path / "nothing", create=False)
