"""The answer core: the items that are ever an answer, which are few, numbered anew from 0."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.entry import Rows

CORE_ANSWERS = 20  # of each query, that belong to the core


@dataclass(frozen=True, eq=False)
class AnswerCore:
    """Items that answer, and the queries' answers among them."""

    rows: NDArray[np.int64]
    """The rows of the core's members among all items, rising."""
    items: Floats
    queries: Floats
    answers: Rows
    """(queries, t) members, best first, -1 at free places."""

    @classmethod
    def of(cls, items: Floats, queries: Floats, answers: NDArray[np.int64]) -> "AnswerCore":
        """From the rows of the queries' answers, -1 where there is none.

        >>> items = np.eye(5, dtype=np.float32)
        >>> core = AnswerCore.of(items, items[:2], np.array([[4, 1], [4, -1]]))
        >>> core.rows.tolist(), core.answers.tolist()
        ([1, 4], [[1, 0], [1, -1]])
        """
        answers = answers[:, :CORE_ANSWERS]
        rows = np.unique(answers[answers >= 0])
        members = np.where(answers >= 0, np.searchsorted(rows, answers), -1).astype(np.int32)
        return cls(rows, np.ascontiguousarray(items[rows]), queries, np.ascontiguousarray(members))

    def __len__(self) -> int:
        return len(self.rows)

    def among_all(self, edges: Rows) -> Rows:
        """Edges between members as rows of all items.

        >>> core = AnswerCore.of(np.eye(5, dtype=np.float32), np.eye(5, dtype=np.float32)[:1], np.array([[4, 1]]))
        >>> core.among_all(np.array([[1, -1], [0, -1]], np.int32)).tolist()
        [[4, -1], [1, -1]]
        """
        return np.where(edges >= 0, self.rows[np.maximum(edges, 0)], -1).astype(np.int32)
