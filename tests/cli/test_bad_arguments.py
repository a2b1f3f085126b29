"""Bad input is one clear line on stderr and the exit code 2; nothing half-written is left, nothing else is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

COLUMNS = ("--user", "customer", "--item", "product")


def refused(run: Any, *given: Any) -> str:
    result = run(*given, code=2)
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("waypost: ")
    return lines[0]


RATINGS: dict[str, tuple[bytes, tuple[str, ...], str]] = {
    "a missing column": (b"who,what\nu1,i1\n", (), "line 1: no column is known as the user; pass --user one of"),
    "a column that is not there": (b"who,what\nu1,i1\n", ("--user", "whom", "--item", "what"), "no column 'whom'"),
    "a bad line": (
        b"user,item,rating\nu1,i1,4\nu1,i2,x\nu2,i2,3\n",
        ("--strict",),
        "line 3: the rating 'x' is no number",
    ),
    "a negative value": (b"user,item,rating\nu1,i1,4\nu1,i2,-1\n", ("--strict",), "line 3"),
    "not a number": (b"user,item,rating\nu1,i1,4\nu1,i2,nan\n", ("--strict",), "line 3"),
    "mixed encodings": ("user,item\nu1,Käse\n".encode() + b"u1,K\xe4se\n", ("--strict",), "line 3"),
    "an empty file": (b"", (), "empty"),
    "nothing but bad lines": (b"user,item,rating\nu1,i1,x\n", (), "no rating that can be used"),
    "ids that are not numbers": (
        b"userId,movieId,rating,timestamp\n1,2,3.0,0\none,2,3.0,0\n",
        ("--strict",),
        "line 3",
    ),
}


@pytest.mark.parametrize("name", RATINGS)
def test_ratings(run: Any, tmp_path: Path, name: str) -> None:
    content, options, words = RATINGS[name]
    path, out = tmp_path / "ratings.csv", tmp_path / "out.npz"
    path.write_bytes(content)
    out.write_bytes(b"of yesterday")
    line = refused(run, "factorize", path, out, *options)
    assert words in line
    assert "ratings.csv" in line
    assert out.read_bytes() == b"of yesterday"
    assert sorted(tmp_path.iterdir()) == [out, path]


def test_skipped_lines_are_counted_and_shown(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(
        "user,item,rating\n" + "".join(f"u{i},i{i % 7},4\nu{i},j{i % 5},2\n" for i in range(40)) + "u1,i3,x\n"
    )
    result = run("factorize", path, tmp_path / "out.npz", "--factors", 4)
    assert "note: Skipped 1 of 81 lines. line 82: the rating 'x' is no number." in result.stderr


Given = Callable[[Path, Path], tuple[Any, ...]]
CALLS: dict[str, tuple[Given, str]] = {
    "no such file": (lambda shop, out: ("build", shop / "none.npz", out), "none.npz is no file"),
    "a folder": (lambda shop, out: ("build", shop, out), "is a folder"),
    "no such data set": (lambda shop, out: ("factorize", "movielens", out), "nor a data set: npm_deps, movielens-25m"),
    "not fetched yet": (lambda shop, out: ("factorize", "echonest", out), "run waypost data fetch echonest"),
    "nowhere to write": (
        lambda shop, out: ("build", shop / "shop.factors.npz", out / "deep" / "x.waypost"),
        "folder that does not exist",
    ),
    "an unknown kind": (
        lambda shop, out: ("build", shop / "shop.factors.npz", out, "--kind", "mobius"),
        "did you mean 'moebius'",
    ),
    "no index": (lambda shop, out: ("search", shop / "ratings.csv", "--like", "a"), "cannot be read"),
    "queries of another width": (
        lambda shop, out: ("search", shop / "shop.waypost", shop / "wide.npy"),
        "queries has 5 columns where the index has 16",
    ),
    "training queries of another width": (
        lambda shop, out: ("train", shop / "shop.waypost", shop / "wide.npy", out),
        "queries has 5 columns",
    ),
    "an unknown name": (
        lambda shop, out: ("search", shop / "shop.waypost", "--like", "product-3,prodct-4"),
        "names 'prodct-4', which is no item of this index; did you mean product-4",
    ),
    "a name like no other": (
        lambda shop, out: ("search", shop / "shop.waypost", "--like", "zzz"),
        "check the spelling",
    ),
    "no name at all": (lambda shop, out: ("search", shop / "shop.waypost", "--like", " , "), "names no item"),
    "nothing to search for": (lambda shop, out: ("search", shop / "shop.waypost"), "a file of queries or --like"),
    "too many answers": (
        lambda shop, out: ("search", shop / "shop.waypost", shop / "shop.factors.npz", "-k", 10_000),
        "k is 10000",
    ),
    "an unknown part": (
        lambda shop, out: ("search", shop / "shop.waypost", shop / "shop.factors.npz", "--part", "tests"),
        "part is 'tests'",
    ),
    "budgets in words": (
        lambda shop, out: ("evaluate", shop / "shop.waypost", shop / "shop.factors.npz", "--budgets", "many"),
        "--budgets",
    ),
    "an unknown library": (
        lambda shop, out: ("bench", "--data", shop / "shop.factors.npz", "--peers", "waypost,nobody"),
        "--peers names 'nobody'",
    ),
    "nothing to measure on": (lambda shop, out: ("bench", "--data", shop / "nowhere.npz"), "is no file"),
    "an unknown setting": (
        lambda shop, out: ("train", shop / "shop.waypost", shop / "shop.factors.npz", out, "--set", "speed=9"),
        "--set names 'speed'",
    ),
    "a setting out of range": (
        lambda shop, out: ("train", shop / "shop.waypost", shop / "shop.factors.npz", out, "--set", "tau=-1"),
        "tau is -1",
    ),
    "an unknown preset": (
        lambda shop, out: ("train", shop / "shop.waypost", shop / "shop.factors.npz", out, "--preset", "x"),
        "preset is 'x'",
    ),
    "an unknown option": (lambda shop, out: ("build", "--knd", "x"), "No such option"),
    "an unknown command": (lambda shop, out: ("serch",), "Did you mean 'search'"),
    "no number": (lambda shop, out: ("build", "a", "b", "--degree", "x"), "Invalid value for '--degree'"),
    "an unknown data set": (lambda shop, out: ("data", "fetch", "netflix"), "no data set is called 'netflix'"),
    "a set that is here": (lambda shop, out: ("data", "fetch", "npm_deps"), "ships with waypost"),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(shop: Path, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path / "cache"))
    if not (shop / "wide.npy").exists():
        np.save(shop / "wide.npy", np.ones((40, 5), np.float32))
    given, words = CALLS[name]
    assert words in refused(run, *given(shop, tmp_path / "out.waypost"))
    assert list(tmp_path.iterdir()) == []


def test_a_cache_folder_without_rights(run: Any, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    line = refused(run, "data", "fetch", "movielens-25m", "--folder", tmp_path / "cache")
    assert "pass another folder, or set WAYPOST_CACHE" in line


def test_factors_of_different_width(run: Any, tmp_path: Path) -> None:
    np.savez(tmp_path / "f.npz", items=np.ones((4, 3), np.float32), users=np.ones((4, 2), np.float32))
    line = refused(run, "build", tmp_path / "f.npz", tmp_path / "x.waypost")
    assert "users has 2 columns where items has 3" in line


def test_a_damaged_index(shop: Path, run: Any, tmp_path: Path) -> None:
    whole = (shop / "shop.waypost").read_bytes()
    (tmp_path / "cut.waypost").write_bytes(whole[: len(whole) // 2])
    assert "cut.waypost cannot be read" in refused(run, "info", tmp_path / "cut.waypost")
