"""The learners by name, as `TrainConfig.learner` calls them."""

from __future__ import annotations

from collections.abc import Callable

from waypost.learn.imitation import imitation
from waypost.learn.learner import Learner, Problem
from waypost.learn.reinforce import reinforce

LEARNERS: dict[str, Callable[[Problem], Learner]] = {"reinforce": reinforce, "imitation": imitation}
