"""The cut between trainer and learners: figures, routers, and a state that brings everything back."""

import needs_torch  # noqa: F401
import numpy as np
import pytest

import waypost as wp
from waypost.learn.learner import Problem
from waypost.learn.learners import learner_of


def problem(**changes: object) -> Problem:
    rng = np.random.default_rng(0)
    items, queries = (rng.standard_normal((n, 6), dtype=np.float32) for n in (120, 90))
    graph = wp.build_graph(items, "ip-nsw", degree=5, candidates=15, repair="within-degree")
    config = wp.TrainConfig(
        **({"learner": "reinforce", "batch": 32, "budget": 30, "rerank": (0, 10), "steps": 20, "lr": 0.01} | changes)
    )
    return Problem(items, graph, queries, wp.exact_search(items, queries, k=1).ids, graph.entry, config)


WIDTHS = {"of the items": {}, "narrower": {"width": 4}, "the plain agent": {"residual": False}}
WIDTHS["some vertices an update"] = {"neighborhood": 50}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["reinforce", "imitation"])
def test_a_restored_learner_goes_on_as_if_it_had_never_stopped(name: str, width: str) -> None:
    told = problem(learner=name, **WIDTHS[width])
    first = learner_of(told)
    for step in (1, 2, 3):
        first.step(step)
    first.routers()  # as the trainer does before it keeps a state
    state = first.state()
    plain = {key: np.asarray(value) if hasattr(value, "numpy") else value for key, value in state.items()}
    plain = {key: value.copy() if isinstance(value, np.ndarray) else value for key, value in plain.items()}
    figures = [first.step(step) for step in (4, 5)]
    second = learner_of(told)
    second.restore(plain)
    assert [second.step(step) for step in (4, 5)] == figures
    for ours, theirs in zip(first.routers(), second.routers(), strict=True):
        np.testing.assert_array_equal(ours.vectors, theirs.vectors)
        assert ours.manners == theirs.manners


def test_a_batch_depends_on_seed_and_step_alone() -> None:
    one, other = problem(), problem(seed=1)
    rows, seed = one.draw(3)
    np.testing.assert_array_equal(rows, one.draw(3)[0])
    assert seed == one.draw(3)[1]
    assert not np.array_equal(rows, one.draw(4)[0])
    assert not np.array_equal(rows, other.draw(3)[0])
    assert rows.min() >= 0
    assert rows.max() < 90
