"""One call that teaches a graph by training queries, and keeps of it what helps on queries that were set apart."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from waypost.arguments import Floats, as_count, as_matrix, as_seed, as_threads
from waypost.entry import Block, Rows, start_rows
from waypost.graph import Graph, build_graph, repairing_edges
from waypost.teach.answer_core import AnswerCore
from waypost.teach.co_answers import co_answers
from waypost.teach.edge_lessons import EdgeLessons
from waypost.teach.edge_lists import closed, joined, without
from waypost.teach.pupils import Pupils
from waypost.teach.trial import Trial

ANSWERS = 10  # of a query, that an edge is praised for
CORE_DEGREE, CORE_CANDIDATES = 16, 200
OUTWARD = 2  # edges of a member to items that never answer; more where some could not be reached otherwise
CO_ANSWERS = 32  # of a member, that may become edges
ROUNDS = 2  # of walks: the second sees what the first taught
LESSON_BUDGET = 160
LESSON_PLACES = 8  # edges of a member between two rounds
PLACES = (6, 8, 12, 16)  # validation chooses among these
PENALTIES = (0.3, 0.1, 1.0, 3.0)  # in gaps
BLOCKS: tuple[Block, ...] = (("largest-norm", 128), ("largest-norm", 32), ("largest-norm", 8))


def teach_graph(
    items: ArrayLike,
    graph: Graph,
    queries: ArrayLike,
    truth: ArrayLike | str | None = None,
    valid: ArrayLike | None = None,
    *,
    budgets: Sequence[int] = (128, 256, 512),
    k: int = 10,
    seed: int = 0,
    threads: int = 0,
) -> Graph:
    """The graph with what training queries teach about it.

    The items that are ever among the first twenty answers, its answer core, get edges of their own: of the edges that
    could be, those that most often led walks of the training queries to an answer. All other edges are deferred, so
    that nothing which a search could reach is lost.

    - `queries`: of the past; 10,000 are enough. `truth`: (m, t) true rows, -1 where none is known; None computes them,
      and "unlearned" takes what a long search of the graph finds.
    - `valid`: queries that choose the number of edges, how long others wait and where to start, by mean recall k@k at
      `budgets`; left out, a tenth of `queries` is set apart. Where nothing helps, the graph is returned as it is.

    The same seed gives the same graph, whatever `threads` is. Teach a graph that was built with `repair=True`.

    >>> import numpy as np
    >>> import waypost as wp
    >>> rng = np.random.default_rng(0)
    >>> items, queries = (rng.standard_normal((n, 8), dtype=np.float32) for n in (400, 300))
    >>> graph = wp.build_graph(items, "united", degree=8, candidates=20, repair=True)
    >>> taught = wp.teach_graph(items, graph, queries, budgets=[40, 80])
    >>> taught.reachable()
    1.0
    """
    items = as_matrix(items, "items")
    check_graph(graph, items)
    budgets = [as_count(budget, "budgets") for budget in budgets]
    k, seed, threads = as_count(k, "k"), as_seed(seed), as_threads(threads)
    if not budgets:
        raise ValueError("budgets is empty; pass at least one.")
    pupils = Pupils.of(items, graph, queries, truth, valid, seed, threads)
    core = AnswerCore.of(items, pupils.queries, pupils.answers)
    trial = Trial(items, pupils.valid, budgets, k, threads)
    return _best(
        trial, graph, _Taught(items, graph, core, _core_edges(core, seed, threads), pupils.gap(items), threads)
    )


def check_graph(graph: object, items: Floats) -> None:
    if not isinstance(graph, Graph):
        raise TypeError(f"graph is of type {type(graph).__name__}; pass what waypost.build_graph returns.")
    if len(graph) != len(items):
        raise ValueError(f"graph has {len(graph)} rows for {len(items)} items; pass the graph of these items.")


def _core_edges(core: AnswerCore, seed: int, threads: int) -> Rows:
    """A graph of the members alone, in which each reaches every other."""
    options = {"degree": CORE_DEGREE, "candidates": CORE_CANDIDATES, "seed": seed, "threads": threads}
    return build_graph(core.items, "united", repair=True, **options).neighbors  # type: ignore[arg-type]


def _best(trial: Trial, graph: Graph, taught: "_Taught") -> Graph:
    """Choices one after another: where to start, how many edges, how long the others wait, and again where to start."""
    best = trial.best([graph, *(replace(graph, block=block) for block in BLOCKS)])
    best = trial.best([best, *taught.graphs(best.block)])
    if best.deferred is None:
        return best
    best = trial.best([best, *(replace(best, penalty=gaps * taught.gap) for gaps in PENALTIES[1:])])
    return trial.best([best, *(replace(best, block=block) for block in BLOCKS)])


class _Taught:
    """Graphs that were taught to some degree."""

    def __init__(
        self, items: Floats, graph: Graph, core: AnswerCore, core_edges: Rows, gap: float, threads: int
    ) -> None:
        self.items, self.graph, self.core, self.core_edges = items, graph, core, core_edges
        self.gap, self.threads = gap, threads
        together = co_answers(core.answers[:, :ANSWERS], len(core), CO_ANSWERS)
        self.first_edges = joined([together[:, : PLACES[0]], core_edges])
        self.candidates = joined([core_edges, together])

    def graphs(self, block: Block | None) -> Iterator[Graph]:
        """The core's own edges alone; then those that led to answers, so many a member."""
        yield self._among_all(self.core_edges, block)
        lessons = self._lessons(block)
        for most in PLACES:
            yield self._among_all(lessons.chosen(most), block)

    def _lessons(self, block: Block | None) -> EdgeLessons:
        entries = start_rows(BLOCKS[0] if block is None else block, self.core.items)
        walked = Graph("core", self.first_edges.shape[1], self.first_edges, 0)
        lessons = EdgeLessons.none(self.candidates)
        for _ in range(ROUNDS):
            lessons = lessons.after(
                self.core, walked, entries, answers=ANSWERS, budget=LESSON_BUDGET, threads=self.threads
            )
            edges = lessons.chosen(LESSON_PLACES)
            waiting = without(self.first_edges, edges)
            walked = Graph("core", edges.shape[1], edges, 0, waiting, PENALTIES[0] * self.gap)
        return lessons

    def _among_all(self, edges: Rows, block: Block | None) -> Graph:
        """The whole graph, its core with the edges given; what these leave out of the old ones is deferred."""
        graph, rows = self.graph, self.core.rows
        neighbors = _widened(graph.neighbors, max(graph.degree, edges.shape[1]))
        neighbors[rows, : edges.shape[1]] = self.core.among_all(edges)
        neighbors[rows, edges.shape[1] :] = -1
        old = graph.neighbors[rows] if graph.deferred is None else np.hstack([graph.neighbors, graph.deferred])[rows]
        outward = joined([np.where(np.isin(old, rows), -1, old)], most=OUTWARD)
        waiting = joined([self.core.among_all(without(self.first_edges, edges)), outward])
        kept = 0 if graph.deferred is None else graph.deferred.shape[1]
        deferred = np.full((len(graph), max(waiting.shape[1], kept)), -1, np.int32)
        if graph.deferred is not None:
            deferred[:, :kept] = graph.deferred
        deferred[rows] = _widened(waiting, deferred.shape[1])
        every = np.hstack([neighbors, deferred])
        repairs = repairing_edges(self.items, every, graph.entry, candidates=CORE_CANDIDATES)
        deferred = closed(np.hstack([deferred, repairs]))
        kind = graph.kind if graph.kind.startswith("taught-") else f"taught-{graph.kind}"
        penalty = PENALTIES[0] * self.gap
        return Graph(kind, neighbors.shape[1], neighbors, graph.entry, deferred, penalty, block)


def _widened(edges: Rows, width: int) -> Rows:
    wide = np.full((len(edges), width), -1, np.int32)
    wide[:, : edges.shape[1]] = edges
    return wide
