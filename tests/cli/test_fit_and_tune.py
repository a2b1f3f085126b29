"""`fit` and `tune` write an index whose plain search reaches the recall that was asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import waypost as wp
from waypost.data import Factors


def test_fit(shop: Path, run: Any, tmp_path: Path) -> None:
    out = tmp_path / "fitted.waypost"
    said = json.loads(run("fit", shop / "shop.factors.npz", out, "--target-recall", 0.9, "--json").stdout)
    index, factors = wp.Index.load(out), Factors.load(shop / "shop.factors.npz")
    assert index.settings.pool == said["pool"]
    assert said["tried"] == len(said["trials"]) > 10
    queries = factors.queries("test")
    assert wp.recall(index.search(queries).ids, index.exact(queries).ids) >= 0.85
    assert index.als == factors.als
    assert index.ids is not None


def test_fit_on_plain_vectors(shop: Path, run: Any, tmp_path: Path) -> None:
    factors = Factors.load(shop / "shop.factors.npz")
    np.save(tmp_path / "items.npy", factors.items)
    np.save(tmp_path / "queries.npy", factors.queries("train"))
    out = tmp_path / "fitted.waypost"
    result = run("fit", tmp_path / "items.npy", out, code=2)
    assert "items.npy holds no queries; pass a file of them as --queries." in result.stderr
    run("fit", tmp_path / "items.npy", out, "--queries", tmp_path / "queries.npy", "--no-learned")
    assert wp.Index.load(out).router.bias is None


def test_tune(shop: Path, run: Any, tmp_path: Path) -> None:
    out = tmp_path / "tuned.waypost"
    arguments = ("tune", shop / "shop.waypost", shop / "shop.factors.npz", out, "--part", "all", "--json")
    said = json.loads(run(*arguments, "--target-recall", 0.9).stdout)
    assert said["recall"] >= 0.9
    assert wp.Index.load(out).settings.pool == said["pool"]


def test_a_target_that_is_none(shop: Path, run: Any, tmp_path: Path) -> None:
    given = ("tune", shop / "shop.waypost", shop / "shop.factors.npz", tmp_path / "out.waypost")
    result = run(*given, "--target-recall", 95, code=2)
    assert "target_recall is 95; pass a number above 0 and up to 1." in result.stderr
    assert not (tmp_path / "out.waypost").exists()
