"""A backend that crashes, is silent or is not there is named, and does no harm."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from waypost.bench.peers import PEERS, apart
from waypost.bench.peers.apart import Apart, Lost

ANSWER_ONCE_THEN = """
import json, os, signal, sys, time
for at, line in enumerate(sys.stdin):
    if at: {then}
    print(json.dumps({{"threads": os.environ["OMP_NUM_THREADS"]}}), flush=True)
"""


@pytest.fixture
def standing_in(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a short program in the place of a worker."""
    real = apart.subprocess.Popen

    def start(then: str) -> Apart:
        def program(command: Sequence[str], **options: Any) -> Any:
            return real([command[0], "-c", ANSWER_ONCE_THEN.format(then=then)], **options)

        monkeypatch.setattr(apart.subprocess, "Popen", program)
        return Apart("some", Path())

    return start


def test_a_crash_is_named(standing_in: Any) -> None:
    with standing_in("os.kill(os.getpid(), signal.SIGILL)") as peer:
        assert peer.ask("build") == {"threads": "1"}
        with pytest.raises(Lost, match="ended by SIGILL"):
            peer.ask("recall")
        with pytest.raises(Lost, match="ended by SIGILL"):
            peer.ask("recall")


def test_an_exit_is_named(standing_in: Any) -> None:
    with standing_in("sys.exit(3)") as peer:
        peer.ask("build")
        with pytest.raises(Lost, match="ended with 3"):
            peer.ask("recall")


def test_silence_ends_at_the_timeout(standing_in: Any) -> None:
    with standing_in("time.sleep(60)") as peer:
        peer.ask("build")
        with pytest.raises(Lost, match="no answer to recall within 0 s"):
            peer.ask("recall", timeout=0.1)


def test_what_is_not_installed_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hnswlib.py").write_text("raise ImportError('no such library')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("items", "training"):
        np.save(folder / name, np.eye(10, dtype=np.float32))
    with Apart("hnswlib", folder) as peer, pytest.raises(Lost, match=r"hnswlib is not installed; run pip install 'way"):
        peer.ask("builds")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not hold a process to a core")
def test_a_worker_is_held_to_one_core(tmp_path: Path) -> None:
    for name in ("items", "training"):
        np.save(tmp_path / name, np.eye(10, dtype=np.float32))
    with Apart("exact-blas", tmp_path) as peer:
        peer.ask("builds")
        assert len(os.sched_getaffinity(peer._process.pid)) == 1


def test_every_backend_names_itself_and_some_way_to_be_built() -> None:
    for name, peer in PEERS.items():
        assert name == peer.name
        assert peer.builds(1_000, 96)
