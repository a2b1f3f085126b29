"""An index whose rows stand in the order in which walks come to them, so that what is read together lies together."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost import _core
from waypost.codebook import Codebook
from waypost.codes import Codes
from waypost.entry import Rows, Start
from waypost.graph import Graph
from waypost.ids import IntIds, OwnIds, TextIds
from waypost.index_file import Parts
from waypost.router import Router
from waypost.storage import aligned


def reordered_parts(parts: Parts) -> Parts:
    seeds = [] if parts.router.codebook is None else [parts.router.codebook.seeds.ravel()]
    order = _core.breadth_first_order(parts.graph.neighbors, np.concatenate([parts.start[0], *seeds]))
    move = _Move(order)
    codes = parts.codes
    return parts._replace(
        items=move.lines(parts.items),
        graph=_moved_graph(parts.graph, move),
        router=_moved_router(parts.router, move),
        ids=_moved_ids(parts.ids, order),
        start=move.names(parts.start),
        codes=None if codes is None else Codes(move.lines(codes.values), move.lines(codes.scales)),
    )


class _Move:
    """From the old rows to the new."""

    def __init__(self, order: Rows) -> None:
        self._order = order
        self._places = np.full(len(order) + 1, -1, np.int32)  # the last is for row -1, which stays what it is
        self._places[order] = np.arange(len(order), dtype=np.int32)

    def lines(self, values: NDArray[Any]) -> NDArray[Any]:
        """An array of one line a row, on whole cache lines; NumPy asks for huge pages where the system has them."""
        moved = aligned(values.nbytes).view(values.dtype).reshape(values.shape)
        return np.take(values, self._order, axis=0, out=moved)

    def names(self, rows: Rows) -> Rows:
        """An array whose values are rows."""
        inside = (rows >= 0) & (rows < len(self._order))
        return self._places[np.where(inside, rows, -1)]

    def edges(self, rows: Rows) -> Rows:
        moved = self.lines(rows)
        for at in range(0, len(moved), 65_536):  # block by block, so that no further copies are held
            moved[at : at + 65_536] = self.names(moved[at : at + 65_536])
        return moved

    def start(self, start: Start) -> Start:
        return int(self._places[start]) if isinstance(start, int) else start


def _moved_graph(graph: Graph, move: _Move) -> Graph:
    deferred = None if graph.deferred is None else move.edges(graph.deferred)
    entry = move.names(np.array([graph.entry], np.int32)).item()
    return replace(graph, neighbors=move.edges(graph.neighbors), deferred=deferred, entry=entry)


def _moved_router(router: Router, move: _Move) -> Router:
    book = router.codebook
    return replace(
        router,
        vectors=None if router.vectors is None else move.lines(router.vectors),
        bias=None if router.bias is None else np.ascontiguousarray(move.lines(np.ascontiguousarray(router.bias.T)).T),
        codebook=None if book is None else Codebook(book.centroids, move.names(book.seeds)),
        entry=move.start(router.entry),
    )


def _moved_ids(ids: OwnIds | None, order: Rows) -> OwnIds:
    if ids is None:
        return IntIds(order.astype(np.int64))
    if isinstance(ids, IntIds):
        return IntIds(ids.values[order])
    lengths = np.diff(ids.offsets)[order]
    offsets = np.zeros(len(order) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    places = np.repeat(ids.offsets[:-1][order] - offsets[:-1], lengths) + np.arange(offsets[-1])
    return TextIds(ids.data[places], offsets)
