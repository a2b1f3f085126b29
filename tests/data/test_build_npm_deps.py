"""The script behind the embedded data: it cleans names, merges kinds, and refuses another package."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")

SCRIPT = Path(__file__).parents[2] / "tools" / "build_npm_deps.py"


def archive(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def package(dependents: dict[str, list[str]], development: dict[str, list[str]]) -> bytes:
    inner = {
        f"package/{folder}.tgz": archive({f"{folder}/{n}.json": json.dumps(u).encode() for n, u in lists.items()})
        for folder, lists in (("dependents", dependents), ("devDependents", development))
    }
    return archive(inner)


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("build_npm_deps", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_names_are_cleaned_and_kinds_merged(script: Any) -> None:
    content = package({"b": ["x"], "  a": ["x", "y"], "a": ["x"], "": ["z"]}, {"b": ["x", " y"]})
    named = script.as_named(*script.cleaned(script.edges_of(content)))
    assert named.rows.tolist() == ["x", "y"]
    assert named.columns.tolist() == ["a", "b"]
    assert named.matrix.toarray().tolist() == [[2, 2], [2, 1]]
    assert "Left out 1 dependency" in named.notes[1]
    assert "off 2 names, which 3 dependencies had" in named.notes[2]
    assert "Merged 2 dependencies" in named.notes[3]


def test_another_package_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.tgz").write_bytes(package({"a": ["x"]}, {}))
    command = [sys.executable, str(SCRIPT), str(tmp_path / "other.tgz"), str(tmp_path / "out.xz")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "not that of dependent-packages 2.2.2" in done.stderr
    assert not (tmp_path / "out.xz").exists()
