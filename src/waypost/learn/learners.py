"""The learners by name, as `TrainConfig.learner` calls them; each is imported when it is asked for."""

from __future__ import annotations

from importlib.util import find_spec

from waypost.learn.learner import Learner, Problem


def learner_of(problem: Problem) -> Learner:
    """What learns by `problem.config`."""
    name = problem.config.learner
    if name == "bias" and problem.config.head == "table":
        from waypost.learn.bias_learner import BiasLearner

        return BiasLearner(problem)
    if find_spec("torch") is None:
        told = f"head {problem.config.head!r}" if name == "bias" else f"learner {name!r}"
        raise ImportError(f"{told} needs torch; run pip install 'waypost[train]'.")
    if name == "bias":
        from waypost.learn.beam_agent_learner import BeamAgentLearner

        return BeamAgentLearner(problem)
    if name == "imitation":
        from waypost.learn.imitation import imitation

        return imitation(problem)
    from waypost.learn.reinforce import reinforce

    return reinforce(problem)
