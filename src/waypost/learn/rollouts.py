"""Path collection (Algorithm 1), by the native core: paths to look at, and the policy gradient to learn from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.arguments import Floats
from waypost.graph import Graph
from waypost.learn.config import TrainConfig
from waypost.learn.labels import Labels


@dataclass(frozen=True, eq=False)
class Paths:
    """Collected paths, end to end.

    Path i made the choices path_offsets[i] to path_offsets[i + 1]; choice j was made among the candidates
    choice_offsets[j] to choice_offsets[j + 1] and took candidate `chosen[j]`.
    """

    path_offsets: NDArray[np.int64]
    choice_offsets: NDArray[np.int64]
    candidates: NDArray[np.int32]
    probabilities: Floats
    chosen: NDArray[np.int64]
    rewards: Floats
    baselines: Floats
    returns: Floats
    """G_t: the discounted sum of reward less baseline, or of later rewards in full, from each choice on."""
    reached: NDArray[np.uint8]
    """Whether the path ended because its last target was reached."""

    def __len__(self) -> int:
        return len(self.path_offsets) - 1


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one batch of paths came to."""

    reward: float
    """Mean sum of rewards of a path."""
    reached: float
    """Share of the paths that reached their targets."""
    length: float
    """Mean number of choices of a path."""
    rows: NDArray[np.int32] | None
    """The vertices that `vectors` has a line for, where only those met were asked for; None: all of them."""
    vectors: Floats | None
    """The gradient of the loss with respect to the routing vectors."""
    queries: Floats | None
    """The same for the routing queries, where asked for."""
    paths: Paths | None


@dataclass(frozen=True, eq=False)
class Rollouts:
    """The environment: a graph, its items, an entry and the rules by which paths are collected and rewarded.

    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((50, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=10)
    >>> rollouts = Rollouts(graph, items, 0, TrainConfig(learner="reinforce", budget=30))
    >>> outcome = rollouts.collect(items, items[:5], seed=0, paths=True)
    >>> len(outcome.paths), outcome.vectors.shape
    (5, (50, 8))
    """

    graph: Graph
    items: Floats
    entry: int
    config: TrainConfig

    def collect(
        self,
        vectors: Floats,
        queries: Floats,
        *,
        seed: int,
        route_queries: Floats | None = None,
        labels: Labels | None = None,
        targets: NDArray[np.int32] | None = None,
        paths: bool = False,
        met_alone: bool = False,
    ) -> Outcome:
        """Walks one path a query by the routing `vectors`; `targets` are rows of `labels.hops`, from `Labels.batch`.

        `met_alone` leaves out the vertices that no path met. The loss whose gradient comes back is the mean over the
        paths of minus the sum of G_t log pi(a_t | s_t), or from the frontier, with the expectation as its baseline, of
        minus the sum of the rewards expected of the choices.
        """
        config = self.config
        shaped = labels is not None and targets is not None and config.alpha > 0
        reward, reached, length, rows, by_vector, by_query, arrays = _core.rollout(
            self.graph.neighbors,
            vectors,
            self.items,
            queries if route_queries is None else route_queries,
            queries,
            np.array([[self.entry]], np.int32),
            config.budget,
            config.tau,
            config.gamma,
            config.alpha,
            labels.hops if shaped and labels is not None else None,
            targets if shaped else None,
            products=config.products,
            baseline=config.baseline,
            samples=config.b,
            later_baselines=config.later_baselines,
            seed=seed,
            threads=config.threads,
            paths=paths,
            query_gradient=route_queries is not None,
            met_alone=met_alone,
            frontier=config.choose_from == "frontier",
        )
        return Outcome(reward, reached, length, rows, by_vector, by_query, None if arrays is None else Paths(**arrays))
