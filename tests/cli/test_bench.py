"""`waypost bench` as a user runs it, on a small shop."""

import json
from pathlib import Path
from typing import Any

import pytest

TWO = ("--peers", "waypost,exact-blas", "--repeats", 1)


def test_bench_sets_waypost_beside_others(
    shop: Path, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path / "cache"))
    results, page = tmp_path / "against.json", tmp_path / "page.md"
    given = ("--data", shop / "shop.factors.npz", *TWO, "--results", results)
    lines = run("bench", *given).stdout.splitlines()
    cells = [line.split("\t") for line in lines if "\t" in line]
    assert cells[0][:5] == ["set", "target", "library", "recall", "queries/s"]
    assert {(row[0], row[2]) for row in cells[1:]} >= {("shop.factors", "exact-blas")}
    again = run("bench", *given, "--json", "--write", page)  # nothing is measured twice
    document = json.loads(next(line for line in again.stdout.splitlines() if line.startswith("{")))
    assert document == json.loads(results.read_text())
    assert "shop.factors at recall 0.95" in page.read_text()
