"""The tiny set, where the command finds it by name, and a folder with all of its cells."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_set import tiny_plan, write_set

from waypost.paper.exhibits.registry import EXHIBITS, chosen
from waypost.paper.runner import run
from waypost.paper.store import Store


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("data")
    write_set(folder / "tiny.npz")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WAYPOST_DATA", str(folder))
        patch.setenv("WAYPOST_CACHE", str(folder / "cache"))
        yield folder


@pytest.fixture(scope="session")
def full_store(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Every cell of every table, by two updates each."""
    import needs_training  # noqa: F401

    store = Store.open(tmp_path_factory.mktemp("results") / "tiny")
    plan = tiny_plan()
    store.know("tiny", {"fingerprint": "made here", "items": 300, "ratings": 7, "train": 200, "valid": 20, "test": 30})
    exhibits = [*chosen(["all"]), EXHIBITS["figure-8"]]
    run([case for exhibit in exhibits for case in exhibit.cases(plan)], store, jobs=1, say=lambda line: None)
    return store
