"""How searches are compared: the same graph, entry, test queries and number of inner products for all of them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

import waypost as wp
from waypost.paper.protocol import BLENDS, RERANKS

Floats = NDArray[np.float32]
Recalls = dict[str, float]
Forms = dict[str, Recalls]

UNLEARNED = "unlearned"
"""The search by the items themselves."""
AGENT = "agent"
"""The search by the learned vectors, its answers in their order."""
RERANKED = "re-ranked"
"""The best visited are scored exactly and put in that order, inside the budget."""
UNCOUNTED = "uncounted"
"""All visited are scored exactly, and those products are not counted: what the print may mean by "the top k of V"."""
TIMED_QUERIES, TIMED_ROUNDS = 2_000, 5


@dataclass(frozen=True, eq=False)
class Asked:
    """Queries with their true answers, and where walks begin."""

    queries: Floats
    truth: NDArray[np.int64]
    entry: int
    threads: int = 0

    def recalls(self, index: wp.Index, budget: int, rerank: int = 0) -> Recalls:
        """Recall 1@1 and 10@10; `rerank` products are part of the budget."""
        found = index.search(
            self.queries, k=10, budget=budget, rerank=rerank, entry=self.entry, threads=self.threads
        ).ids
        return {"1@1": wp.recall(found, self.truth, m=1, n=1), "10@10": wp.recall(found, self.truth)}


@dataclass(frozen=True, eq=False)
class Learned:
    """The searches by a trained agent: one a share of what it learned that is added to the items; first, all of it."""

    indexes: dict[float, wp.Index]

    @classmethod
    def of(cls, items: Floats, graph: wp.Graph, router: wp.Router, residual: bool) -> Learned:
        learned, blends = router.route(items), BLENDS if residual else (1.0,)

        def blended(share: float) -> wp.Router:
            vectors = learned if share == 1 else items + np.float32(share) * (learned - items)
            return wp.Router(vectors, router.query_matrix, router.entry)

        return cls({share: wp.Index(items, graph, blended(share)) for share in blends})

    def choose(self, asked: Asked, budget: int) -> tuple[float, int]:
        """The share and the re-rank that validation prefers at a budget, 1@1 and 10@10 together."""

        def found(choice: tuple[float, int]) -> float:
            return sum(asked.recalls(self.indexes[choice[0]], budget, choice[1]).values())

        fitting = [rerank for rerank in RERANKS if rerank < budget // 2] or [10]
        return max(product(self.indexes, fitting), key=found)

    def measure(self, plain: wp.Index, valid: Asked, test: Asked, budget: int) -> Forms:
        """Recall on the test queries at one budget, in every form."""
        share, rerank = self.choose(valid, budget)
        whole = self.indexes[1.0]
        return {
            UNLEARNED: test.recalls(plain, budget),
            AGENT: test.recalls(whole, budget),
            RERANKED: test.recalls(self.indexes[share], budget, rerank) | {"share": share, "rerank": rerank},
            UNCOUNTED: test.recalls(whole, 2 * budget, budget),
        }


def speed(plain: wp.Index, learned: Learned, test: Asked, measured: dict[str, Forms]) -> dict[str, Recalls]:
    """Queries a second of one core's time at each budget, in the manners that were measured."""
    some, found = test.queries[:TIMED_QUERIES], {}
    for budget, forms in measured.items():
        chosen = forms[RERANKED]
        search = partial(wp.Index.search, queries=some, k=10, budget=int(budget), entry=test.entry, threads=1)
        contestants = {
            UNLEARNED: partial(search, plain),
            AGENT: partial(search, learned.indexes[1.0], rerank=0),
            RERANKED: partial(search, learned.indexes[chosen["share"]], rerank=int(chosen["rerank"])),
        }
        best = dict.fromkeys(contestants, math.inf)
        for _ in range(TIMED_ROUNDS):  # by turns, so that a slow spell of the machine hits every side
            for name, work in contestants.items():
                best[name] = min(best[name], _core_seconds(work))
        found[budget] = {name: float(round(len(some) / seconds)) for name, seconds in best.items()}
    return found


def _core_seconds(work: Callable[[], object]) -> float:
    """Of the processor, not of the clock: what else the machine does counts less."""
    start = time.process_time()
    work()
    return time.process_time() - start
