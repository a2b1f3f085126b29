"""Which edges lead to answers: counted over the walks of training queries, for edges of the graph and others alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.arguments import Floats
from waypost.entry import Rows, affordable
from waypost.graph import Graph
from waypost.teach.answer_core import AnswerCore

DOUBT = 2.0  # walks by which an edge that was tried less often counts as one that led nowhere


@dataclass(frozen=True, eq=False)
class EdgeLessons:
    """Candidate edges, a row a vertex, and what walks taught of each."""

    candidates: Rows
    shown: NDArray[np.int64]
    """Walks that left the edge's source before they had seen its target."""
    hits: NDArray[np.int64]
    """Those of them whose query the target answers."""

    @classmethod
    def none(cls, candidates: Rows) -> "EdgeLessons":
        """Before the first walk.

        >>> EdgeLessons.none(np.array([[1], [0]], np.int32)).chosen(4).tolist()
        [[-1], [-1]]
        """
        return cls(candidates, np.zeros(candidates.shape, np.int64), np.zeros(candidates.shape, np.int64))

    def after(
        self, core: AnswerCore, graph: Graph, entries: Rows, *, answers: int, budget: int, threads: int
    ) -> "EdgeLessons":
        """With the walks of all the core's queries on a graph of its members, by their first `answers`.

        >>> items = np.array([[3.0], [2.0], [1.0]], np.float32)
        >>> core = AnswerCore.of(items, np.ones((5, 1), np.float32), np.tile([0, 1, 2], (5, 1)))
        >>> graph = Graph("by-hand", 1, np.array([[1], [2], [-1]], np.int32), entry=0)
        >>> untaught = EdgeLessons.none(np.array([[1, 2], [2, 0], [-1, -1]], np.int32))
        >>> taught = untaught.after(core, graph, np.array([[0]], np.int32), answers=2, budget=3, threads=1)
        >>> taught.shown.tolist(), taught.hits.tolist()
        ([[5, 5], [5, 0], [0, 0]], [[5, 0], [0, 0], [0, 0]])
        """
        shown, hits = _core.edge_lessons(
            graph.neighbors,
            core.items,
            core.queries,
            affordable(entries, budget),
            np.ascontiguousarray(core.answers[:, :answers]),
            self.candidates,
            budget,
            threads,
            graph.deferred,
            graph.penalty,
        )
        return EdgeLessons(self.candidates, self.shown + shown, self.hits + hits)

    @property
    def worth(self) -> Floats:
        """Of each edge: the share of walks that it would have shown an answer to, with some doubt.

        >>> EdgeLessons(np.array([[1, 2, 3]], np.int32), np.array([[8, 0, 2]]), np.array([[5, 0, 2]])).worth.tolist()
        [[0.5, 0.0, 0.5]]
        """
        return (self.hits / (self.shown + DOUBT)).astype(np.float32)

    def chosen(self, most: int) -> Rows:
        """Of each vertex the `most` worthy edges among those that ever led to an answer; ties keep their order.

        >>> lessons = EdgeLessons(np.array([[1, 2, 3]], np.int32), np.array([[8, 9, 2]]), np.array([[5, 0, 2]]))
        >>> lessons.chosen(2).tolist()
        [[1, 3]]
        """
        order = np.argsort(-self.worth, axis=1, kind="stable")[:, :most]
        useful = np.take_along_axis(self.hits, order, axis=1) > 0
        chosen = np.where(useful, np.take_along_axis(self.candidates, order, axis=1), -1)
        return np.ascontiguousarray(chosen, np.int32)
