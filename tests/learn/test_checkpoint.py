"""Checkpoints: a kill at any point, and what comes back; other trainings' files are refused."""

import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import needs_torch  # noqa: F401
import numpy as np
import pytest

import waypost as wp
from waypost.learn.checkpoint import Checkpoint, Standing, read_checkpoint
from waypost.learn.config import TrainConfig

CONFIG = TrainConfig(
    learner="reinforce", entry="first", steps=12, batch=48, budget=30, rerank=(0, 10), check_every=3, lr=0.01
)

PROGRAM = """
import os, signal, sys, warnings
sys.path[:0] = [sys.argv[1], os.path.dirname(sys.argv[1])]
from test_checkpoint import train
die_at = int(sys.argv[3])
def watch(figures):
    if figures["step"] == die_at:
        os.kill(os.getpid(), signal.SIGKILL)
train(checkpoint=sys.argv[2], watch=watch)
"""


def problem() -> tuple[np.ndarray, wp.Graph, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    spectrum = 0.7 ** np.arange(8)
    items, queries = ((rng.standard_normal((n, 8)) * spectrum).astype(np.float32) for n in (300, 400))
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15, repair="within-degree")
    return items, graph, queries, wp.exact_search(items, queries, k=1).ids


def train(config: TrainConfig = CONFIG, **options: object) -> wp.Router:
    items, graph, queries, truth = problem()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return wp.train_router(items, graph, queries, truth, config, **options)


def same(one: wp.Router, other: wp.Router) -> bool:
    if one.vectors is None or other.vectors is None:
        return one.vectors is other.vectors
    return bool(np.array_equal(one.vectors, other.vectors)) and one.manners == other.manners


@pytest.mark.parametrize("die_at", [2, 7, 9])
def test_a_killed_training_resumes_to_the_router_of_one_never_stopped(tmp_path: Path, die_at: int) -> None:
    path = tmp_path / "killed.training"
    here = os.fspath(Path(__file__).parent)
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", PROGRAM, here, os.fspath(path), str(die_at)], env=paths, check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.exists() == (die_at > 3)
    first: list[float] = []
    resumed = train(checkpoint=path, watch=lambda figures: first.append(figures["step"]))
    assert first[0] == (die_at - 1) // 3 * 3 + 1
    uninterrupted = train()
    assert not uninterrupted.is_identity
    assert same(resumed, uninterrupted)


def test_an_ended_training_comes_back_without_another_update(tmp_path: Path) -> None:
    path, steps = tmp_path / "done.training", []
    first = train(checkpoint=path)
    again = train(checkpoint=path, watch=lambda figures: steps.append(figures["step"]))
    assert same(first, again)
    assert not steps


def test_early_stop_survives_a_resume(tmp_path: Path) -> None:
    path, steps = tmp_path / "early.training", []
    config = replace(CONFIG, lr=1e-9, lr_decay=1.0, patience=2)
    train(config, checkpoint=path, watch=lambda figures: steps.append(figures["step"]))
    assert steps[-1] == 6
    train(config, checkpoint=path, watch=lambda figures: steps.append(figures["step"]))
    assert steps[-1] == 6


def test_the_resumed_log_has_each_update_once(tmp_path: Path) -> None:
    def interrupt(figures: dict[str, float]) -> None:
        if figures["step"] == 8:
            raise KeyboardInterrupt

    files = {"checkpoint": tmp_path / "shop.training", "log": tmp_path / "shop.jsonl"}
    train(watch=interrupt, **files)
    train(**files)
    lines = [json.loads(line) for line in files["log"].read_text().splitlines()]
    assert [line["step"] for line in lines] == list(range(1, 13))


CHANGES: dict[str, tuple[Callable[[], dict[str, object]], str]] = {
    "config": (lambda: {"config": replace(CONFIG, lr=0.02)}, "has lr=0.01 where config has 0.02"),
    "graph": (lambda: {"kind": "moebius"}, "is a training with another graph"),
    "queries": (lambda: {"queries": problem()[2][:399], "truth": problem()[3][:399]}, "with another queries"),
    "truth": (lambda: {"truth": None}, "is a training with another truth"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_checkpoint_of_another_training_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "other.training"
    train(checkpoint=path)
    before = path.read_bytes()
    items, graph, queries, truth = problem()
    made, message = CHANGES[change]
    given = {"queries": queries, "truth": truth, "config": CONFIG} | made()
    if kind := given.pop("kind", None):
        graph = wp.build_graph(items, str(kind), degree=5, candidates=15)
    with pytest.raises(ValueError, match=message):
        wp.train_router(items, graph, checkpoint=path, **given)
    assert path.read_bytes() == before


def test_threads_may_change_between_runs(tmp_path: Path) -> None:
    train(checkpoint=tmp_path / "a.training")
    train(replace(CONFIG, threads=1), checkpoint=tmp_path / "a.training")


def test_another_version_and_a_damaged_file_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new.training"
    monkeypatch.setattr("waypost.learn.checkpoint.VERSION", 2)
    Checkpoint(path, CONFIG).save(Standing(), {})
    monkeypatch.undo()
    with pytest.raises(wp.UnreadableFileError, match="has format version 2 and this waypost reads 1"):
        read_checkpoint(path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(wp.UnreadableFileError, match="cannot be read: .*; remove it to begin anew"):
        read_checkpoint(path)
    index = wp.Index(np.eye(2), wp.build_graph(np.eye(2), "ip-nsw", degree=1))
    index.save(path)
    with pytest.raises(wp.UnreadableFileError, match="it is no checkpoint of a training"):
        read_checkpoint(path)


def test_a_state_comes_back_as_it_was(tmp_path: Path) -> None:
    state = {"weights": np.float32([[1, 2]]), "count": 3, "rate": 0.1, "name": "x", "on": True, "rows": np.arange(4)}
    best = {"weights": np.float32([[5, 6]])}
    kept = Checkpoint(tmp_path / "s.training", CONFIG, {"items": "00"})
    assert kept.load() is None
    kept.save(Standing(4, 1, 0.1 + 0.2, 1, best), state)
    stored = kept.load()
    assert stored is not None
    assert stored.config == CONFIG
    assert set(stored.state) == set(state)
    assert all(np.array_equal(stored.state[name], value) for name, value in state.items())
    assert stored.standing.recall == 0.1 + 0.2
    np.testing.assert_array_equal(stored.standing.best["weights"], best["weights"])
    with pytest.raises(TypeError, match="no checkpoint can hold"):
        kept.save(Standing(), {"odd": np.zeros(3, np.complex64)})


def test_a_folder_that_is_not_there_is_named_before_training(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="whose folder does not exist; make it first"):
        train(checkpoint=tmp_path / "nowhere" / "a.training")


def test_a_disk_that_fails_is_no_reason_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("waypost.learn.checkpoint.write_file", full)
    items, graph, queries, truth = problem()
    with pytest.warns(UserWarning, match="checkpoint could not be written .*No space left"):
        router = wp.train_router(items, graph, queries, truth, CONFIG, checkpoint=tmp_path / "a.training")
    assert same(router, train())
