"""One call that teaches a graph by training queries, and keeps of it what helps on queries that were set apart."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from waypost.arguments import Floats, as_count, as_matrix, as_seed, as_threads
from waypost.entry import Block, Rows, start_rows
from waypost.graph import Graph, build_graph
from waypost.teach.answer_core import AnswerCore
from waypost.teach.co_answers import co_answers
from waypost.teach.edge_lessons import EdgeLessons
from waypost.teach.edge_lists import joined, without
from waypost.teach.outskirts import Outskirts
from waypost.teach.pupils import Pupils
from waypost.teach.trial import Trial

ANSWERS = 10  # of a query, that an edge is praised for
CORE_DEGREE, CORE_CANDIDATES = 16, 200
CO_ANSWERS = 32  # of a member, that may become edges
ROUNDS = 2  # of walks: the second sees what the first taught
LESSON_BUDGET = 160
LESSON_PLACES = 8  # edges of a member between two rounds
FIRST_CO_ANSWERS = 6  # of a member, that are edges before the first round
CO_PLACES = (0, 6, 12, 20)  # edges to co-answers beside the core's own, or ...
PLACES = (6, 8, 12, 16)  # ... edges that led to answers: validation chooses among these
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
    return _best(trial, graph, _Taught(items, graph, core, seed, pupils.gap(items), threads))


def check_graph(graph: object, items: Floats) -> None:
    if not isinstance(graph, Graph):
        raise TypeError(f"graph is of type {type(graph).__name__}; pass what waypost.build_graph returns.")
    if len(graph) != len(items):
        raise ValueError(f"graph has {len(graph)} rows for {len(items)} items; pass the graph of these items.")


def _core_edges(core: AnswerCore, seed: int, threads: int) -> tuple[Rows, Rows, Rows]:
    """Edges of a graph of the members alone, those that it takes to reach every member, and further candidates."""
    build = partial(build_graph, core.items, candidates=CORE_CANDIDATES, seed=seed, threads=threads)
    own = build("united", degree=CORE_DEGREE, repair=True)
    wide = build("moebius", degree=2 * CORE_DEGREE)
    assert own.deferred is not None
    return own.neighbors, own.deferred, wide.neighbors


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

    def __init__(self, items: Floats, graph: Graph, core: AnswerCore, seed: int, gap: float, threads: int) -> None:
        self.graph, self.core, self.gap, self.threads = graph, core, gap, threads
        self.outskirts = Outskirts.of(items, graph, core.rows)
        self.core_edges, self.repairs, further = _core_edges(core, seed, threads)
        self.together = co_answers(core.answers[:, :ANSWERS], len(core), CO_ANSWERS)
        self.first_edges = joined([self.together[:, :FIRST_CO_ANSWERS], self.core_edges])
        self.candidates = joined([self.core_edges, self.together, further])

    def graphs(self, block: Block | None) -> Iterator[Graph]:
        """The core's own edges with some to co-answers; then those that led to answers, so many a member."""
        for most in CO_PLACES:
            yield self._among_all(joined([self.together[:, :most], self.core_edges]), self.repairs, block)
        lessons = self._lessons(block)
        for most in PLACES:
            edges = lessons.chosen(most)
            yield self._among_all(edges, joined([self.first_edges, self.repairs]), block)

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

    def _among_all(self, edges: Rows, others: Rows, block: Block | None) -> Graph:
        """The whole graph: its core with the edges given, and those of the others that are not among them deferred."""
        graph, rows = self.graph, self.core.rows
        neighbors = _widened(graph.neighbors, max(graph.degree, edges.shape[1]))
        neighbors[rows] = _widened(self.core.among_all(edges), neighbors.shape[1])
        waiting = joined([self.core.among_all(without(others, edges)), self.outskirts.gates])
        deferred = _widened(self.outskirts.deferred, max(waiting.shape[1], self.outskirts.deferred.shape[1]))
        deferred[rows] = _widened(waiting, deferred.shape[1])
        kind = graph.kind if graph.kind.startswith("taught-") else f"taught-{graph.kind}"
        penalty = PENALTIES[0] * self.gap
        return Graph(kind, neighbors.shape[1], neighbors, graph.entry, deferred, penalty, block)


def _widened(edges: Rows, width: int) -> Rows:
    wide = np.full((len(edges), width), -1, np.int32)
    wide[:, : edges.shape[1]] = edges
    return wide
