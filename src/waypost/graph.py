"""Proximity graphs: building one, and what one can say of itself."""

import difflib
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost import _core
from waypost.arguments import MOST_ROWS, Floats, as_count, as_matrix, as_seed, as_threads, check_progress
from waypost.entry import DEFAULT_RULE, Block, Rows, Start, as_block, as_row, entry_row, is_block
from waypost.kind_choice import USUAL_ENTRY, kind_for
from waypost.norms import squared_norms
from waypost.order import insertion_order

Progress = Callable[[int, int], None]

KINDS = ("ip-nsw", "ipdg", "moebius", "moebius-printed", "l2-nsw", "cos-nsw", "united", "auto")
REPAIRS = 4  # places of a row for edges that only make others reachable
LATE = 0.5  # of the largest norm: how far such edges are put back
WITHIN_DEGREE = "within-degree"
KINDS_OWN_RULE = -1  # the native builders' word for "start where this kind's paper starts"
GROWING_BATCHES = 0
MOST_DEGREE = 65_535  # far beyond any use; a slip of the keyboard should not ask for all the memory


@dataclass(frozen=True, eq=False, slots=True)
class Graph:
    """A proximity graph: for each item the rows of the neighbours that a walk may go on to.

    >>> import numpy as np
    >>> import waypost as wp
    >>> graph = wp.build_graph(np.eye(4), kind="ip-nsw", degree=2)
    >>> graph.kind, graph.degree, graph.neighbors.shape
    ('ip-nsw', 2, (4, 2))
    """

    kind: str
    degree: int
    """The cap: the most neighbours that a row has."""
    neighbors: Rows
    """(n, degree) int32, best first; -1 fills the places that are free, at the end of a row."""
    entry: int
    """The row that a walk starts from unless told otherwise."""
    deferred: Rows | None = None
    """(n, e) int32, -1 at free places: further neighbours, which a walk that was at a row comes back for, as if the
    row's score were lower by the penalty. None: there are none."""
    penalty: float = 0.0
    """What deferred neighbours are put back by, for a query of unit length; it grows with the query."""
    block: Block | None = None
    """A rule with a number of rows that a search starts from in the place of `entry` alone, unless told otherwise."""

    def __post_init__(self) -> None:
        neighbors = _as_edges(self.neighbors, "neighbors")
        degree = as_count(self.degree, "degree")
        if neighbors.shape[1] != degree:
            raise ValueError(f"degree is {degree} but neighbors has {neighbors.shape[1]} columns; make them equal.")
        object.__setattr__(self, "degree", degree)
        object.__setattr__(self, "entry", as_row(self.entry, len(neighbors)))
        object.__setattr__(self, "neighbors", neighbors)
        object.__setattr__(self, "deferred", self._checked_deferred())
        object.__setattr__(self, "block", None if self.block is None else _as_block(self.block))
        if not (math.isfinite(self.penalty) and self.penalty >= 0):
            raise ValueError(f"penalty is {self.penalty}; pass a finite number, 0 or more.")

    def _checked_deferred(self) -> Rows | None:
        if self.deferred is None:
            return None
        deferred = _as_edges(self.deferred, "deferred")
        if len(deferred) != len(self):
            raise ValueError(f"deferred has {len(deferred)} rows where neighbors has {len(self)}; make them equal.")
        return deferred

    def __len__(self) -> int:
        return len(self.neighbors)

    @property
    def start(self) -> Start:
        """Where a search starts unless told otherwise: the block, or else the one row.

        >>> import numpy as np
        >>> import waypost as wp
        >>> wp.build_graph(np.eye(4), kind="ip-nsw", degree=2, entry=("largest-norm", 3)).start
        ('largest-norm', 3)
        """
        return self.entry if self.block is None else self.block

    @property
    def bytes(self) -> int:
        """What the graph takes in memory.

        >>> import numpy as np
        >>> import waypost as wp
        >>> wp.build_graph(np.eye(4), kind="ip-nsw", degree=2).bytes
        32
        """
        return self.neighbors.nbytes + (0 if self.deferred is None else self.deferred.nbytes)

    def degree_histogram(self) -> NDArray[np.int64]:
        """How many rows have 0, 1, ... up to `degree` neighbours.

        >>> import numpy as np
        >>> import waypost as wp
        >>> graph = wp.Graph("by-hand", 2, np.array([[1, -1], [0, 2], [-1, -1]], np.int32), entry=0)
        >>> graph.degree_histogram().tolist()
        [1, 1, 1]
        """
        return np.bincount((self.neighbors >= 0).sum(axis=1), minlength=self.degree + 1)

    def reachable(self, entry: ArrayLike | None = None) -> float:
        """The share of the rows that some path leads to from `entry`: a row, or several; by default the graph's own.

        >>> import numpy as np
        >>> import waypost as wp
        >>> graph = wp.Graph("by-hand", 1, np.array([[1], [0], [0], [0]], np.int32), entry=0)
        >>> graph.reachable(), graph.reachable(entry=[2, 3])
        (0.5, 1.0)
        """
        return float(np.mean(self._reached(entry)))

    def reachable_answers(self, ids: ArrayLike, entry: ArrayLike | None = None) -> float:
        """The share of the given answers, rows of any shape, that some path leads to; -1 is no answer and not counted.

        This is the most recall that any search from `entry` can have on this graph.

        >>> import numpy as np
        >>> import waypost as wp
        >>> graph = wp.Graph("by-hand", 1, np.array([[1], [0], [0], [0]], np.int32), entry=0)
        >>> graph.reachable_answers([[0, 1], [2, -1]])
        0.6666666666666666
        """
        answers = _as_rows(ids, "ids", len(self), least=-1)
        answers = answers[answers >= 0]
        if not answers.size:
            raise ValueError("ids holds no answer; pass at least one row that is not -1.")
        return float(np.mean(self._reached(entry)[answers]))

    def _reached(self, entry: ArrayLike | None) -> NDArray[np.bool_]:
        entries = np.atleast_1d(_as_rows(self.entry if entry is None else entry, "entry", len(self)))
        return _core.hops_from(self.neighbors, entries.astype(np.int32), self.deferred) >= 0


def build_graph(
    items: ArrayLike,
    kind: str,
    *,
    degree: int = 16,
    candidates: int = 100,
    seed: int = 0,
    entry: Start | None = None,
    order: str = "random",
    repair: bool | str = False,
    batch: int | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Graph:
    """Builds a proximity graph over `items`; the same seed gives the same graph whatever `threads` is.

    - `kind`: "ip-nsw", "ipdg", "moebius", "l2-nsw" or "cos-nsw"; "moebius-printed" is Algorithm 6 to the letter, whose
      auxiliary vertex can leave the longest items without neighbours when it is removed. "united" joins ip-nsw and
      moebius within one cap, for items whose norms nobody has looked at; "auto" tries the kinds on a
      sample of the items and takes united unless another does clearly better.
    - `degree`: the most neighbours of a row. `candidates`: how many each insertion looks at.
    - `entry`: where insertions and later searches start: "largest-norm", "first", "random" or a row. Left out, the
      building starts where the kind's paper says and searches at the largest norm. With a number of rows, such as
      ("largest-norm", 64), searches start at all of these and insertions at the first.
    - `order`: in which items are inserted: "random" (by `seed`), "rows", "rising-norm" or "falling-norm".
    - `repair`: makes every row reachable from every other. The few edges that this takes are deferred, so that they
      take no neighbour's place and cost a search next to nothing. "within-degree" puts them in the place of neighbours
      instead, which can cost much recall.
    - `batch`: how many items are inserted at once; left out, batches grow. 1 is the algorithm as printed.
    - `progress`: called with (done, total) now and then; an exception from it stops the building.

    >>> import numpy as np
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((200, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, kind="moebius", degree=8, candidates=20, repair=True)
    >>> graph.reachable()
    1.0
    """
    items, asked = as_matrix(items, "items"), _known_kind(kind)
    check_progress(progress)
    _check_repair(repair)
    degree, candidates = as_count(degree, "degree", most=MOST_DEGREE), as_count(candidates, "candidates")
    if candidates < degree:
        raise ValueError(f"candidates is {candidates}, below degree {degree}; pass at least as many candidates.")
    candidates = min(candidates, MOST_ROWS)  # there are no more, and the native number is narrower
    size = GROWING_BATCHES if batch is None else min(as_count(batch, "batch"), MOST_ROWS)
    seed, threads = as_seed(seed), as_threads(threads)
    kind = kind_for(items, seed, threads) if asked == "auto" else asked
    start = entry_row(DEFAULT_RULE if entry is None else entry, items, seed)
    first = KINDS_OWN_RULE if entry is None else start
    rows = insertion_order(order, items, seed)
    neighbors = _core.build_graph(items, kind, degree, candidates, rows, first, seed, size, threads, progress)
    block = _block_for(kind, entry)
    if repair == WITHIN_DEGREE:
        neighbors, _ = _core.repair_graph(items, neighbors, start, candidates, threads, progress)
    if repair is not True:
        return Graph(kind, degree, neighbors, start, block=block)
    deferred = repairing_edges(items, neighbors, start, candidates=candidates, threads=threads, progress=progress)
    return Graph(kind, degree, neighbors, start, deferred, LATE * longest(items), block)


def repairing_edges(
    items: Floats, edges: Rows, root: int, *, candidates: int, threads: int = 0, progress: Progress | None = None
) -> Rows:
    """(n, few) further edges with which every row reaches every other; the given ones stay as they are."""
    width = edges.shape[1]
    padded = np.full((len(edges), width + REPAIRS), -1, np.int32)
    padded[:, :width] = edges
    repaired, _ = _core.repair_graph(items, padded, root, candidates, threads, progress, width)
    return np.ascontiguousarray(repaired[:, width:])


def longest(items: Floats) -> float:
    """The largest norm."""
    return float(np.sqrt(squared_norms(items).max()))


def _block_for(kind: str, entry: Start | None) -> Block | None:
    if entry is None:
        return USUAL_ENTRY if kind == "united" else None
    return as_block(entry) if is_block(entry) else None


def _known_kind(kind: object) -> str:
    if not isinstance(kind, str):
        raise TypeError(f"kind is of type {type(kind).__name__}; pass one of {', '.join(KINDS)}.")
    if kind not in KINDS:
        close = difflib.get_close_matches(kind.lower(), KINDS, n=1)
        meant = f"; did you mean {close[0]!r}?" if close else ";"
        raise ValueError(f"kind is {kind!r}{meant} pass one of {', '.join(KINDS)}.")
    return kind


def _as_block(block: object) -> Block:
    if not is_block(block):
        raise ValueError(f"block is {block!r}; pass a rule and how many rows it is to give.")
    return as_block(block)


def _as_edges(values: object, name: str) -> Rows:
    edges = np.asarray(values)
    if edges.ndim != 2 or edges.dtype.kind not in "iu" or edges.size == 0:
        raise ValueError(f"{name} has dtype {edges.dtype} and shape {edges.shape}; pass an int32 matrix.")
    return np.require(edges, np.int32, ["C_CONTIGUOUS", "ALIGNED"])


def _check_repair(repair: object) -> None:
    if not isinstance(repair, bool) and repair != WITHIN_DEGREE:
        raise ValueError(f"repair is {repair!r}; pass True, False or {WITHIN_DEGREE!r}.")


def _as_rows(values: ArrayLike, name: str, n: int, least: int = 0) -> NDArray[np.int64]:
    rows = np.asarray(values)
    if rows.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {rows.dtype}; pass whole numbers, rows of the graph.")
    if not rows.size or rows.min() < least or rows.max() >= n:
        raise ValueError(f"{name} is empty or holds rows outside the graph; pass rows from {least} to {n - 1}.")
    return rows.astype(np.int64)
