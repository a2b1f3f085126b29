"""What lies outside the answer core: it stays as it was, connected in itself, and a few gates lead there."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.arguments import Floats
from waypost.entry import Rows
from waypost.graph import Graph, repairing_edges
from waypost.norms import squared_norms
from waypost.teach.edge_lists import closed

GATES = 8  # items outside the core that its members lead to, so that hardly a product is spent on going astray
CANDIDATES = 50


@dataclass(frozen=True, eq=False)
class Outskirts:
    """The items that never answer."""

    rows: NDArray[np.int64]
    deferred: Rows
    """(items, e) their deferred edges, with which each reaches every other without help of the core."""
    gates: Rows
    """(core, 1) for each member of the core the gate of its largest product; -1 where there is none."""

    @classmethod
    def of(cls, items: Floats, graph: Graph, core: NDArray[np.int64]) -> "Outskirts":
        """Those of a graph, and the edges that keep them together.

        >>> graph = Graph("by-hand", 1, np.array([[1], [2], [3], [0]], np.int32), entry=0)
        >>> outskirts = Outskirts.of(np.array([[5], [4], [3], [2]], np.float32), graph, np.array([0, 2]))
        >>> outskirts.rows.tolist(), outskirts.gates.tolist(), outskirts.deferred.tolist()
        ([1, 3], [[1], [1]], [[-1, -1], [3, 0], [-1, -1], [1, -1]])
        """
        rows = np.setdiff1d(np.arange(len(items)), core)
        if not len(rows):
            none = np.full((len(items), 1), -1, np.int32)
            return cls(rows, none, none[: len(core)])
        own = np.ascontiguousarray(items[rows])
        gates = np.argsort(-squared_norms(own), kind="stable")[:GATES]
        deferred = _connected(own, graph, rows, int(gates[0]), int(core[0]))
        nearest = np.argmax(items[core] @ own[gates].T, axis=1)
        return cls(rows, deferred, rows[gates][nearest][:, None].astype(np.int32))


def _connected(own: Floats, graph: Graph, rows: NDArray[np.int64], gate: int, way_back: int) -> Rows:
    """The old deferred edges, those that connect what the core held together, and one back to the core."""
    place = np.full(len(graph), -1, np.int32)
    place[rows] = np.arange(len(rows))
    old = graph.neighbors if graph.deferred is None else np.hstack([graph.neighbors, graph.deferred])
    among = closed(np.where(old[rows] >= 0, place[np.maximum(old[rows], 0)], -1))
    repairs = repairing_edges(own, among, gate, candidates=CANDIDATES)
    late = [np.where(repairs >= 0, rows[np.maximum(repairs, 0)], -1), np.full((len(rows), 1), -1)]
    late[1][gate] = way_back
    kept = [] if graph.deferred is None else [graph.deferred[rows]]
    edges = closed(np.hstack([*kept, *late]).astype(np.int32))
    deferred = np.full((len(graph), edges.shape[1]), -1, np.int32)
    deferred[rows] = edges
    return deferred
