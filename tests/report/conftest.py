"""One report that all the tests look at: small, and with names that would break a careless page."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, find_chromium
from missing import missing
from sample_indexes import HOSTILE, NAMES, indexes

from waypost.report import Example, Report, gather, write_report


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    plain, learned, queries = indexes()
    log = tmp_path_factory.mktemp("log") / "train.jsonl"
    steps = [{"step": step, "loss": 3 / step, "found": 1 - 1 / step, "seconds": step} for step in range(1, 41)]
    steps[19]["validation_recall"], steps[39]["validation_recall"] = 0.75, 0.8125
    log.write_text("".join(json.dumps(step) + "\n" for step in steps))
    names = [NAMES[row % 7] if row % 7 < len(NAMES) else f"item {row}" for row in range(len(plain))]
    example = Example(["tea", HOSTILE], ["milk", "sugar"], ["milk", HOSTILE], 600, 64, 1234.0, 5.5)
    return gather(plain, learned, queries, budgets=(32, 64, 128), log=log, names=names, examples=[example] * 5)


@pytest.fixture(scope="session")
def page_file(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(report, path)
    return path


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_chromium()
    if program is None:
        missing("there is no chromium; install it (Debian: apt-get install chromium) to test pages as it shows them")
    with Browser(program, tmp_path_factory.mktemp("profile")) as running:
        yield running
