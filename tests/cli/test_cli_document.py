"""docs/cli.md is right as it stands: its commands run one after the other, and do what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import waypost as wp

TEXT = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def test_the_walk(tmp_path: Path, ratings_file: Any) -> None:
    pytest.importorskip("matplotlib")
    ratings_file(tmp_path / "ratings.csv")
    script = "\n".join(re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL))
    assert len(script.split("\nwaypost ")) == 6
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "At a budget of 32 the learned search finds" in done.stderr
    assert (tmp_path / "report.html").stat().st_size > 10_000
    index = wp.Index.load(tmp_path / "shop.learned.waypost", mmap=True)
    assert index.search(index.fold_in(["product-3"])).ids.shape == (1, 10)


def test_the_ratings_begin_as_shown(tmp_path: Path, ratings_file: Any) -> None:
    shown = re.search(r"begins like this:\n\n```\n(.*?)```", TEXT, re.DOTALL)
    assert shown is not None
    assert ratings_file(tmp_path / "ratings.csv").read_text().startswith(shown[1])


def test_every_command_is_in_the_table(run: Any) -> None:
    named = set(
        re.findall(r"`((?:data )?[a-z]+)(?= [A-Z\[]|`)", TEXT[TEXT.index("| command") : TEXT.index("Ready vectors")])
    )
    from waypost.cli.main import app

    commands = {command.callback.__name__ for command in app.registered_commands if command.callback}
    assert commands <= named
