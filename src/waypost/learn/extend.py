"""What a finished training still gives: routing vectors for items that came later, without training."""

from __future__ import annotations

import os
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.arguments import Floats, as_matrix
from waypost.entry import as_row
from waypost.graph import Graph
from waypost.learn.bias_learner import BiasLearner
from waypost.learn.checkpoint import read_checkpoint
from waypost.learn.learner import Learner, Problem
from waypost.learn.school import School, codebook_of
from waypost.learn.training_input import block_of
from waypost.router import Router


def extend_router(checkpoint: str | os.PathLike[str], items: ArrayLike, graph: Graph) -> Router:
    """The router of a stored training over items and a graph that it has not seen: one pass through its GCN.

    Append the new items to the old ones, so that the entry keeps its row, and build the graph of them all.

    >>> import pathlib, tempfile, warnings
    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((240, 8), dtype=np.float32)
    >>> graphs = [wp.build_graph(items[:n], "ip-nsw", degree=4, candidates=10) for n in (200, 240)]
    >>> config = wp.TrainConfig(learner="reinforce", steps=4, batch=32, budget=30, check_every=2)
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # so small a training need not help
    ...     path = pathlib.Path(folder) / "shop.training"
    ...     _ = wp.train_router(items[:200], graphs[0], items, None, config, checkpoint=path)
    ...     router = extend_router(path, items, graphs[1])
    >>> wp.Index(items, graphs[1], router).search(items[:3], k=1).ids.shape
    (3, 1)
    """
    stored = read_checkpoint(checkpoint)
    matrix = as_matrix(items, "items")
    entry = as_row(stored.entry, len(matrix))
    problem = Problem(matrix, graph, matrix[:1], None, entry, stored.config, block_of(stored.config, graph))
    if stored.standing.best is None:
        return Router.identity(problem.start)
    learner = _learner(problem, stored.standing.best)
    try:
        learner.restore(stored.standing.best)
    except (RuntimeError, ValueError):
        raise ValueError(
            f"items has {matrix.shape[1]} columns, unlike those of checkpoint {os.fspath(checkpoint)}; pass the items "
            "it was trained on and those that came later."
        ) from None
    return stored.standing.router_of(learner)


def _learner(problem: Problem, state: dict[str, Any]) -> Learner:
    """One to be restored, not taught: it has no queries to learn from."""
    if problem.config.learner == "bias":
        school = School(problem, codebook_of(state))
        if problem.config.head == "table":
            return BiasLearner(problem, school)
        from waypost.learn.beam_agent_learner import BeamAgentLearner

        return BeamAgentLearner(problem, school)
    from waypost.learn.agent_learner import AgentLearner

    return AgentLearner(problem, _no_more)


def _no_more(
    vectors: Floats, rows: NDArray[np.int64], seed: int, route_queries: Floats | None, met_alone: bool
) -> NoReturn:  # pragma: no cover
    raise AssertionError("this agent embeds and learns no more")
