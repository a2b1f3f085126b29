"""From a case to the content of its cell."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path

import waypost as wp
from waypost.paper.cases import Case
from waypost.paper.data_sets import DataSet, Limits, load_set
from waypost.paper.evaluation import Asked, Learned, speed
from waypost.paper.protocol import Settings
from waypost.paper.training import Trained, build, entry_of, train


@lru_cache(maxsize=1)
def _data(name: str, limits: Limits, threads: int) -> DataSet:
    return load_set(name, limits, threads, say=lambda line: None)


@lru_cache(maxsize=2)
def _graph(name: str, limits: Limits, kind: str, seed: int, threads: int) -> wp.Graph:
    return build(_data(name, limits, threads), kind, seed, threads)


def measure(case: Case, threads: int, folder: Path | None = None) -> Settings:
    """Trains, asks the test queries, and returns the cell; a long training is kept in `folder` on the way."""
    limits = case.protocol.limits
    data = _data(case.data, limits, threads)
    start = time.perf_counter()
    graph = _graph(case.data, limits, case.graph, case.seed, threads)
    entry = entry_of(case, data)
    plain = wp.Index(data.items, graph)
    valid, test = Asked(data.valid, data.valid_truth, entry, threads), Asked(data.test, data.test_truth, entry, threads)
    trained = train(case, data, graph, entry, threads, folder)
    learned = Learned.of(data.items, graph, trained.router, bool(case.config["residual"]))
    recalls = {str(budget): learned.measure(plain, valid, test, budget) for budget in case.budgets}
    found: Settings = {"recall": recalls, "reachable": graph.reachable_answers(data.test_truth, entry)}
    found |= _course(trained)
    if case.graph == "moebius":
        found["speed"] = speed(plain, learned, test, recalls)
    return _rounded(found) | {"seconds": round(time.perf_counter() - start, 1), "threads": threads}


def _course(trained: Trained) -> Settings:
    return {"estimate": trained.estimate, "exact": trained.exact, "unreachable": trained.unreachable}


def _rounded(value: object) -> Settings:
    """To five places: enough for every table, and the files stay small."""

    def of(one: object) -> object:
        if isinstance(one, dict):
            return {name: of(part) for name, part in one.items()}
        if isinstance(one, list):
            return [of(part) for part in one]
        return round(one, 5) if isinstance(one, float) else one

    rounded = of(value)
    assert isinstance(rounded, dict)
    return rounded
