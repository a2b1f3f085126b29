"""Items and users that no training saw: the late items join the graph, the stored training gives them their routing."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import waypost as wp
from waypost.bench.finished import Finished, Result, Unfinished
from waypost.bench.learned_matrix import by_budget, triple
from waypost.bench.learned_strong import GRAPHS
from waypost.bench.learned_strong import trial as strong_trial
from waypost.bench.tables import Table
from waypost.bench.trial import BUDGETS, MOST_VALIDATION, Asked, K, Trial, agent, compare, train
from waypost.bench.workbench import Workbench
from waypost.learn import extend_router

LATE = 0.2
SETS = ("polimi2022_tv", "gowalla")
ABOUT = (
    f"A training that sees a random {1 - LATE:.0%} of the items, their graph and the training users. Then the late "
    f"{LATE:.0%} join, the graph of all items is built, and `extend_router` gives them their routing without training. "
    f"Recall {K}@{K} of test users, whom no training saw, over all items, at {' / '.join(map(str, BUDGETS))} inner "
    "products; `all seen`: the same recipe trained on all items. A table has no bias for late items. The agent: "
    "ip-nsw, cap 16, a random entry, 30% truth; the others as under strong baselines, without truth."
)


@dataclass(frozen=True)
class LateTrial:
    """A training that some of the items miss."""

    trial: Trial
    share: float = LATE

    def run(self, bench: Workbench, kept: Finished) -> Result:
        told = self.trial.told() | {"late": self.share}
        return kept.get_or(told, lambda: _measure(bench, self))


def run(bench: Workbench, kept: Finished) -> list[Table]:
    table = Table(
        "Late items, unseen users", ABOUT, ["set", "recipe", "unlearned", "extended", "gain", "gain, all seen"]
    )
    for name in SETS:
        for shown, trial in _recipes(name).items():
            with suppress(Unfinished):
                late, seen = LateTrial(trial).run(bench, kept)["cells"], trial.run(bench, kept)["cells"]
                gains = [by_budget(cells, "learned") - by_budget(cells, "unlearned") for cells in (late, seen)]
                recalls = [triple(by_budget(late, which)) for which in ("unlearned", "learned")]
                table.add(name, shown, *recalls, *(triple(gain, "+") for gain in gains))
    return [table]


def _recipes(name: str) -> dict[str, Trial]:
    assert name in GRAPHS
    return {
        "default, a table": strong_trial(name, "default", 0.0, 1),
        "a bias that the GCN computes": strong_trial(name, "a bias that the GCN computes", 0.0, 1),
        "such a bias, and vectors": strong_trial(name, "such a bias, and vectors", 0.0, 1),
        "the paper's agent": agent(name, "ip-nsw", "random", 0.3),
    }


def _measure(bench: Workbench, late: LateTrial) -> Result:
    trial, vectors = late.trial, bench.vectors(late.trial.name)
    n = len(vectors.items)
    order = np.random.default_rng(0).permutation(n)
    items = np.ascontiguousarray(vectors.items[order])
    early = items[: n - int(late.share * n)]
    graphs = [
        wp.build_graph(some, trial.kind, degree=trial.degree, candidates=trial.candidates) for some in (early, items)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "early.training"
        train(replace(vectors, items=early), graphs[0], trial, checkpoint=path)
        router = extend_router(path, items, graphs[1])
    valid, test = Asked(items, vectors.valid[:MOST_VALIDATION]), Asked(items, vectors.test)
    return {"cells": compare(items, graphs[1], router, valid, test)}
