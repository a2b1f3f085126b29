"""Figure 3: the three reward cases, walked on a small graph.

The paper draws that by the inner product alone paths are long or miss the target, that by the shaping alone a wrong
step is not made good again, and that both together find the target by a short path.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

import waypost as wp
from waypost.arguments import Floats
from waypost.learn.learner import Problem
from waypost.learn.learners import learner_of
from waypost.paper.charts import panels
from waypost.paper.exhibit import Exhibit
from waypost.paper.numbers import Measured
from waypost.paper.plan import Plan
from waypost.paper.store import Store

ITEMS, D, DEGREE, QUERIES, BUDGET, STEPS = 80, 8, 4, 300, 60, 60
CASES: dict[str, dict[str, Any]] = {
    "inner product alone": {"alpha": 0.0},
    "shaping alone": {"products": False},
    "both": {},
}


class SmallGraph:
    """Items that lie nearly in a plane, so that they can be drawn, a graph over them, and walks from one corner."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        breadth = np.array([1.0, 1.0, *[0.15] * (D - 2)], np.float32)
        self.items = rng.standard_normal((ITEMS, D), dtype=np.float32) * breadth
        queries = rng.standard_normal((2 * QUERIES, D), dtype=np.float32) * breadth
        queries /= np.linalg.norm(queries, axis=1, keepdims=True)
        self.train, self.test = queries[:QUERIES], queries[QUERIES:]
        self.graph = wp.build_graph(self.items, "ip-nsw", degree=DEGREE, candidates=20, seed=0, repair=True, threads=1)
        self.entry = int(np.argmin((self.items**2).sum(axis=1)))  # the shortest item: far from every answer
        self.truth = wp.exact_search(self.items, self.test, k=1).ids[:, 0]

    def agent(self, changes: dict[str, Any]) -> wp.Router:
        """Trained on labelled queries, plainly, by one of the three rewards."""
        settings = {"budget": BUDGET, "batch": 256, "steps": STEPS, "lr": 0.01, "tau": 0.15, "residual": False}
        config = wp.TrainConfig(learner="reinforce", **{"alpha": 0.7, "seed": 1, **settings, **changes})
        truth = wp.exact_search(self.items, self.train, k=1).ids
        learner = learner_of(Problem(self.items, self.graph, self.train, truth, self.entry, config))
        for step in range(1, STEPS + 1):
            learner.step(step)
        return learner.routers()[0]

    def walk(self, router: wp.Router, at: int) -> list[int]:
        """The path of a test query (Algorithm 1), always to the candidate that the agent likes best."""
        scores = router.route(self.items) @ self.test[at]
        path, visited = [self.entry], {self.entry}
        while path[-1] != self.truth[at]:
            ahead = [int(row) for row in self.graph.neighbors[path[-1]] if row >= 0 and int(row) not in visited]
            if not ahead:
                break
            visited.update(ahead)
            path.append(max(ahead, key=lambda row: float(scores[row])))
        return path


@lru_cache(maxsize=1)
def walked() -> tuple[SmallGraph, dict[str, list[list[int]]]]:
    """The path of every test query by each of the three agents."""
    small = SmallGraph()
    routers = {name: small.agent(changes) for name, changes in CASES.items()}
    paths = {name: [small.walk(router, at) for at in range(len(small.test))] for name, router in routers.items()}
    return small, paths


def rows(plan: Plan, store: Store) -> list[Measured]:
    small, paths = walked()
    found = []
    for name, walks in paths.items():
        reached = [walk for walk, target in zip(walks, small.truth, strict=True) if walk[-1] == target]
        steps = float(np.mean([len(walk) - 1 for walk in reached])) if reached else float("nan")
        found.append(Measured({"reward": name, "what": "target reached"}, (len(reached) / len(walks),), 1))
        found.append(Measured({"reward": name, "what": "steps to it"}, (steps,), 1))
    return found


def draw(plan: Plan, store: Store) -> Any:
    """A query on which the three differ: both rewards reach the target, not at once; one alone misses it."""
    small, paths = walked()

    def shows(at: int) -> tuple[bool, int, int]:
        reached = {name: walks[at][-1] == small.truth[at] for name, walks in paths.items()}
        steps = len(paths["both"][at]) - 1
        missing = reached["both"] * (2 - reached["shaping alone"] - reached["inner product alone"])
        return bool(missing and steps > 1), missing, -steps

    at = max(range(len(small.test)), key=shows)
    figure, axes = panels(list(CASES))
    for name, axis in axes.items():
        axis.plot(*_edges(small), color="0.85", linewidth=0.5, zorder=1)
        walk = paths[name][at]
        axis.plot(*small.items[walk, :2].T, "k--o", markersize=4, zorder=2)
        for row, color in ((small.entry, "tab:blue"), (small.truth[at], "tab:red")):
            axis.plot(*small.items[row, :2], "o", color=color, markersize=9, zorder=3)
    return figure


def _edges(small: SmallGraph) -> Floats:
    """All edges as one broken line."""
    rows, places = np.nonzero(small.graph.neighbors >= 0)
    ends = np.stack([small.items[rows, :2], small.items[small.graph.neighbors[rows, places], :2]], axis=1)
    gaps = np.full((len(rows), 1, 2), np.nan, np.float32)
    return np.ascontiguousarray(np.concatenate([ends, gaps], axis=1).reshape(-1, 2).T)


EXHIBIT = Exhibit(
    name="figure-3",
    title="Figure 3: the three rewards on a small graph",
    claim="By the product alone paths are long or miss; by shaping alone a wrong step stays wrong; both do well.",
    across="what",
    rows=rows,
    draw=draw,
    note=f"{ITEMS} items that lie nearly in a plane, a graph of cap {DEGREE}, three agents trained on {QUERIES} "
    f"labelled queries, walked greedily on {QUERIES} others; drawn from the shortest item (blue) to an answer (red).",
)
