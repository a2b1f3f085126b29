"""One training and what it is worth: recall on test queries beside the unlearned search, at equal inner products."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.bench.finished import Finished, Result
from waypost.bench.hits import Hits
from waypost.bench.workbench import Floats, Vectors, Workbench
from waypost.entry import Start

BUDGETS = (128, 256, 512)
RERANKS = (0, 16, 32, 64)
K = 10
MOST_TRAINING, MOST_VALIDATION = 30_000, 2_000
PLAIN = "plain"  # in the place of a re-rank: validation prefers the search without the router
OWN = "own"  # likewise: the manner that the router was trained to be used in
PROTOCOL = 2  # counted up where what is measured changes, so that old results are not taken for new ones

# The paper's agent, as validation queries prefer it.
AGENT: dict[str, Any] = {"lr": 0.002, "steps": 40, "check_every": 10, "budgets": (256, 512), "rerank": RERANKS}
# With little or no truth, as validation queries prefer it: longer, and a choice has the credit of all that comes later.
LITTLE_TRUTH: dict[str, Any] = {"lr": 0.004, "steps": 80, "later_baselines": False}
TAU = {"ip-nsw": 0.15, "ipdg": 0.15, "moebius": 0.05}


@dataclass(frozen=True)
class Trial:
    """A data set, a graph, a share of known answers and a configuration."""

    name: str
    kind: str
    config: wp.TrainConfig
    share: float = 0.0
    """Of the training queries, how many come with true answers."""
    targets: int = 1
    """How many true answers come with a query."""
    degree: int = 16
    candidates: int = 100

    def run(self, bench: Workbench, kept: Finished) -> Result:
        """Seconds of the training, and by budget the recalls of the unlearned and the learned search."""
        return kept.get_or(self.told(), lambda: _measure(bench, self))

    def told(self) -> dict[str, Any]:
        """All that the result depends on."""
        config = {name: value for name, value in self.config.as_dict().items() if name != "threads"}
        own = {name: value for name, value in vars(self).items() if name != "config"}
        return {"protocol": PROTOCOL, **own, "config": config}


def agent(name: str, kind: str, entry: str, share: float, seed: int = 1, **changes: Any) -> Trial:
    """The paper's agent, or with learner="imitation" its rival, in the setting that the paper has."""
    told = {"learner": "reinforce", "tau": TAU[kind], "entry": entry, "seed": seed}
    return Trial(name, kind, wp.TrainConfig(**(AGENT | told | changes)), share)


@dataclass(frozen=True)
class Asked:
    """Queries with their true answers."""

    items: Floats
    queries: Floats
    truth: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "truth", wp.exact_search(self.items, self.queries, k=K).ids)

    def hits(self, index: wp.Index, budget: int, rerank: int | None = None, entry: Start | None = None) -> Hits:
        return Hits.of(index.search(self.queries, k=K, budget=budget, entry=entry, rerank=rerank).ids, self.truth)


def labels(items: Floats, queries: Floats, share: float, targets: int) -> NDArray[np.int64] | None:
    """The true best rows of the first `share` of the queries."""
    if not share:
        return None
    truth = np.full((len(queries), targets), -1, np.int64)
    known = int(share * len(queries))
    truth[:known] = wp.exact_search(items, queries[:known], k=targets).ids
    return truth


def train(vectors: Vectors, graph: wp.Graph, trial: Trial, checkpoint: Path | None = None) -> wp.Router:
    queries, valid = vectors.train[:MOST_TRAINING], vectors.valid[:MOST_VALIDATION]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a training that did not help shows in the table
        truth = labels(vectors.items, queries, trial.share, trial.targets)
        return wp.train_router(vectors.items, graph, queries, truth, trial.config, valid, checkpoint=checkpoint)


def _measure(bench: Workbench, trial: Trial) -> Result:
    vectors = bench.vectors(trial.name)
    graph = bench.graph(trial.name, trial.kind, trial.degree, trial.candidates)
    start = time.perf_counter()
    router = train(vectors, graph, trial)
    seconds = time.perf_counter() - start
    choosing = Asked(vectors.items, vectors.valid[:MOST_VALIDATION])
    asked = Asked(vectors.items, vectors.test)
    return {"seconds": seconds, "cells": compare(vectors.items, graph, router, choosing, asked)}


def compare(items: Floats, graph: wp.Graph, router: wp.Router, choosing: Asked, asked: Asked) -> Result:
    """By budget, the recalls of both searches on the queries asked, how `choosing` has the router used, and its recalls
    on those."""
    plain, learned = wp.Index(items, graph), wp.Index(items, graph, router)
    manners = {OWN: None} if router.routes_exactly else {str(rerank): rerank for rerank in RERANKS}
    cells: Result = {}
    for budget in BUDGETS:
        found = {name: choosing.hits(learned, budget, rerank) for name, rerank in manners.items()}
        choosing_plain = choosing.hits(plain, budget, entry=router.entry)
        manner = preferred(choosing_plain, found)
        before = asked.hits(plain, budget, entry=router.entry)
        after = before if manner == PLAIN else asked.hits(learned, budget, manners[manner])
        chosen = choosing_plain if manner == PLAIN else found[manner]
        cells[str(budget)] = {"unlearned": before.recalls, "learned": after.recalls, "manner": manner}
        cells[str(budget)] |= {"valid": chosen.recalls}
    return cells


def preferred(plain: Hits, learned: Mapping[str, Hits]) -> str:
    """The name of the search of the highest recalls together, among those surely above the plain one.

    >>> plain, better = Hits(np.zeros(4), np.zeros(4)), Hits(np.array([1, 1, 1, 0.5]), np.ones(4))
    >>> preferred(plain, {"16": better}), preferred(better, {"16": plain})
    ('16', 'plain')
    """
    fitting = [name for name, hits in learned.items() if hits.surely_above(plain)]
    return max(fitting, key=lambda name: sum(learned[name].recalls)) if fitting else PLAIN
