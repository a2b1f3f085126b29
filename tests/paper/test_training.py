"""A long training that was killed comes to the very same agent."""

from pathlib import Path

import needs_training  # noqa: F401
import numpy as np
import pytest
from tiny_set import tiny_plan

from waypost.learn.agent_learner import AgentLearner
from waypost.paper import partial
from waypost.paper.cases import Case
from waypost.paper.data_sets import load_set
from waypost.paper.training import Trained, build, entry_of, train


def test_it_goes_on_where_it_was_kept(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial, "LONG", 1)
    case = tiny_plan().case("tiny", "random", seed=1)
    whole = _trained(case, None)
    steps, step = [], AgentLearner.step

    def killed(learner: AgentLearner, at: int) -> dict[str, float]:
        steps.append(at)
        if steps == [1, 2]:
            raise KeyboardInterrupt
        return step(learner, at)

    monkeypatch.setattr(AgentLearner, "step", killed)
    with pytest.raises(KeyboardInterrupt):
        _trained(case, tmp_path / "partial")
    assert len(list((tmp_path / "partial").iterdir())) == 1
    resumed = _trained(case, tmp_path / "partial")
    assert steps == [1, 2, 2]
    assert list((tmp_path / "partial").iterdir()) == []
    assert resumed.router.vectors is not None
    assert np.array_equal(resumed.router.vectors, whole.router.vectors)
    assert (resumed.exact, resumed.estimate) == (whole.exact, whole.estimate)
    assert [point[0] for point in whole.exact] == [0, 32, 64]


def _trained(case: Case, folder: Path | None) -> Trained:
    data = load_set("tiny", case.protocol.limits)
    return train(case, data, build(data, case.graph, case.seed, 1), entry_of(case, data), 1, folder)
