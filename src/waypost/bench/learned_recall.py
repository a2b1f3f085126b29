"""Recall of the paper's agent beside the unlearned search, at equal numbers of inner products, on test queries.

`python -m waypost.bench.learned_recall [--sets gowalla ...] [--kinds moebius ...] [--entries random largest-norm]
[--learners reinforce imitation] [--shares 0 0.05 0.3] [--seeds 1 2 3] [--targets 10] [--neighborhood 8000]` prints one
row a training and budget.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.bench.tables import Table
from waypost.bench.workbench import Floats, Vectors, Workbench
from waypost.entry import Start

SETS = ("gowalla", "npm_deps", "polimi2022_tv")
KINDS = ("ip-nsw", "ipdg", "moebius")
BUDGETS = (128, 256, 512)
RERANKS = (0, 16, 32, 64)
K = 10
MOST_TRAINING, MOST_VALIDATION = 30_000, 2_000
UNLEARNED = -1  # in the place of a re-rank: validation prefers the plain search at this budget
# Chosen on validation queries. The router is kept for 256 and 512; at 128 validation may prefer the plain search.
SETTINGS: dict[str, Any] = {"lr": 0.002, "steps": 40, "check_every": 10, "budgets": (256, 512), "rerank": RERANKS}
TAU = {"ip-nsw": 0.15, "ipdg": 0.15, "moebius": 0.05}

ABOUT = (
    f"Recall {K}@{K} / 1@1 on test queries; cap 16; one training a graph and entry, evaluated at each budget. "
    "`truth` is the share of the training queries with a true answer; re-rank: how many of the best visited are scored "
    "exactly, inside the budget, chosen on validation queries, where `plain` is the search without the router."
)


@dataclass(frozen=True)
class Case:
    """One training."""

    name: str
    kind: str
    entry: str
    learner: str
    share: float
    seed: int
    targets: int = 1
    neighborhood: int | None = None

    def config(self, **changes: Any) -> wp.TrainConfig:
        own = {
            "tau": TAU[self.kind],
            "entry": self.entry,
            "learner": self.learner,
            "seed": self.seed,
            "neighborhood": self.neighborhood,
        }
        return wp.TrainConfig(**(SETTINGS | own | changes))


Recalls = NDArray[np.float64]  # 10@10 and 1@1


@dataclass(frozen=True)
class Asked:
    """Queries with their true answers."""

    queries: Floats
    truth: NDArray[np.int64]

    @classmethod
    def of(cls, items: Floats, queries: Floats) -> Asked:
        return cls(queries, wp.exact_search(items, queries, k=K).ids)

    def recalls(self, index: wp.Index, entry: Start, budget: int, rerank: int) -> Recalls:
        found = index.search(self.queries, k=K, budget=budget, entry=entry, rerank=rerank).ids
        return np.array([wp.recall(found, self.truth), wp.recall(found, self.truth, m=1, n=1)])


def labels(vectors: Vectors, queries: Floats, share: float, targets: int) -> NDArray[np.int64] | None:
    """The true best rows of the first `share` of the queries."""
    if not share:
        return None
    truth = np.full((len(queries), targets), -1, np.int64)
    known = int(share * len(queries))
    truth[:known] = wp.exact_search(vectors.items, queries[:known], k=targets).ids
    return truth


def measure(bench: Workbench, case: Case) -> Iterator[list[str]]:
    """Trains once and yields a row a budget."""
    vectors, graph = bench.vectors(case.name), bench.graph(case.name, case.kind)
    train, valid = vectors.train[:MOST_TRAINING], vectors.valid[:MOST_VALIDATION]
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a training that did not help shows in the table
        truth = labels(vectors, train, case.share, case.targets)
        router = wp.train_router(vectors.items, graph, train, truth, case.config(), valid)
    spent = time.perf_counter() - start
    plain, learned = wp.Index(vectors.items, graph), wp.Index(vectors.items, graph, router)
    choosing, asked = Asked.of(vectors.items, valid), Asked.of(vectors.items, vectors.test)
    for budget in BUDGETS:
        before = asked.recalls(plain, router.entry, budget, 0)
        rerank = _choose(choosing, plain, learned, budget)
        after = before if rerank == UNLEARNED else asked.recalls(learned, router.entry, budget, rerank)
        shown = "plain" if rerank == UNLEARNED else str(rerank)
        name = [case.name, case.kind, case.entry, case.learner, f"{case.share:.0%}", str(case.seed)]
        yield [*name, str(budget), _pair(before), _pair(after), shown, _pair(after - before, "+"), f"{spent:.0f}"]


def _choose(asked: Asked, plain: wp.Index, learned: wp.Index, budget: int) -> int:
    """The re-rank of the highest recalls together, if neither of them is below that of the plain search."""
    entry = learned.router.entry
    before = asked.recalls(plain, entry, budget, 0)
    found = {rerank: asked.recalls(learned, entry, budget, rerank) for rerank in RERANKS}
    fitting = [rerank for rerank, recalls in found.items() if (recalls >= before).all()]
    return max(fitting, key=lambda rerank: float(found[rerank].sum()), default=UNLEARNED)


def _pair(recalls: Recalls, sign: str = "") -> str:
    return " / ".join(f"{value:{sign}.3f}" for value in recalls)


def run(bench: Workbench, cases: list[Case], *, aloud: bool = False) -> list[Table]:
    columns = ["set", "kind", "entry", "learner", "truth", "seed", "budget", "unlearned", "learned", "re-rank", "gain"]
    table = Table("Learned recall", ABOUT, [*columns, "s"])
    for case in cases:
        for row in measure(bench, case):
            table.add(*row)
            if aloud:
                print(" | ".join(row), flush=True)
    return [table]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.learned_recall")
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--kinds", nargs="+", default=KINDS)
    parser.add_argument("--entries", nargs="+", default=("random", "largest-norm"))
    parser.add_argument("--learners", nargs="+", default=("reinforce",))
    parser.add_argument("--shares", nargs="+", type=float, default=(0.3,), help="of the queries with a true answer")
    parser.add_argument("--seeds", nargs="+", type=int, default=(1,), help="of the training and of the random entry")
    parser.add_argument("--targets", type=int, default=1, help="true answers that a labelled query is to reach")
    parser.add_argument("--neighborhood", type=int, help="learn from so many of the vertices met an update")
    given = parser.parse_args()
    every = itertools.product(given.sets, given.kinds, given.entries, given.learners, given.shares, given.seeds)
    tables = run(Workbench(), [Case(*case, given.targets, given.neighborhood) for case in every], aloud=True)
    print(f"\n{tables[0].as_text()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
