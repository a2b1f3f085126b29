"""The learners by name, as `TrainConfig.learner` calls them; each is imported when it is asked for."""

from __future__ import annotations

from importlib.util import find_spec

from waypost.learn.learner import Learner, Problem


def learner_of(problem: Problem) -> Learner:
    """What learns by `problem.config`."""
    name = problem.config.learner
    if name == "bias":
        from waypost.learn.bias_learner import BiasLearner

        return BiasLearner(problem)
    if find_spec("torch") is None:
        raise ImportError(f"learner {name!r} needs torch; run pip install 'waypost[train]'.")
    if name == "imitation":
        from waypost.learn.imitation import imitation

        return imitation(problem)
    from waypost.learn.reinforce import reinforce

    return reinforce(problem)
