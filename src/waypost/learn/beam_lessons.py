"""What the states of the very beam search that is used teach, by the native core: a gradient for each score it met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.arguments import Floats
from waypost.entry import Rows
from waypost.graph import Graph


@dataclass(frozen=True, eq=False)
class Lessons:
    """The lessons of a batch: query i met rows[offsets[i] : offsets[i + 1]]."""

    offsets: NDArray[np.int64]
    rows: Rows
    weights: Floats
    """Of each row met: the gradient of its query's loss with respect to its routing score."""
    loss: float
    """Mean over the states that taught something."""
    found: float
    """Share of the answers that the walks came upon."""

    def by_vertex(self, n: int) -> NDArray[np.float64]:
        """(n,): the gradient of the mean loss of a query with respect to one bias for all queries."""
        return np.bincount(self.rows, self.weights, minlength=n) / self.queries

    def by_kind(self, kinds: NDArray[np.int32], count: int, n: int) -> NDArray[np.float64]:
        """(count, n): the same with respect to a bias for each kind of query."""
        kind = np.repeat(kinds.astype(np.int64), np.diff(self.offsets))
        sums = np.bincount(kind * n + self.rows, self.weights, minlength=count * n)
        return sums.reshape(count, n) / self.queries

    @property
    def queries(self) -> int:
        return len(self.offsets) - 1


def beam_lessons(
    graph: Graph,
    items: Floats,
    queries: Floats,
    answers: Rows,
    entries: Rows,
    *,
    budget: int,
    tau: float,
    noise: float = 0.0,
    lesson: str = "imitation",
    bias: Floats | None = None,
    kinds: NDArray[np.int32] | None = None,
    seed: int = 0,
    threads: int = 0,
) -> Lessons:
    """Walks as `Index.search` does, by items and `bias`, and asks at each state where an unseen answer is one step off.

    The policy is a softmax, at temperature `tau`, over all that was seen and not yet expanded. "imitation" wants it on
    those vertices that have an unseen answer among their neighbours; "reinforcement" wants as many new answers as
    possible from a choice. `noise` scales Gumbel noise on the scores that the walk goes by, to see other states, too.

    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((200, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=20, repair=True)
    >>> answers = wp.exact_search(items, items[:9], k=10).ids.astype(np.int32)
    >>> lessons = beam_lessons(graph, items, items[:9], answers, np.array([[0]], np.int32), budget=60, tau=0.5)
    >>> lessons.queries, len(lessons.rows) == len(lessons.weights)
    (9, True)
    """
    offsets, rows, weights, loss, states, found = _core.beam_lessons(
        graph.neighbors,
        items,
        queries,
        entries,
        answers,
        budget,
        tau,
        noise,
        lesson,
        bias,
        kinds,
        seed,
        threads,
        graph.deferred,
        graph.penalty,
    )
    wanted = int((answers >= 0).sum())
    return Lessons(offsets, rows, weights, loss / max(states, 1), found / max(wanted, 1))
