"""A long training is kept on the way, so that a kill costs no more than what came after its last exact validation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from waypost.learn.checkpoint import Checkpoint, Standing
from waypost.learn.learner import Learner, Problem

LONG = 2_000
"""Updates from which on a training is kept on the way; the others are over in minutes."""

Curves = dict[str, list[list[float]]]


@dataclass(frozen=True)
class Partial:
    """The state of one training, with the curves that were drawn so far."""

    checkpoint: Checkpoint

    @classmethod
    def of(cls, folder: Path | None, name: str, problem: Problem) -> Partial | None:
        """None where there is nothing to keep: a short training, or no folder."""
        if folder is None or problem.config.steps < LONG:
            return None
        folder.mkdir(parents=True, exist_ok=True)
        return cls(Checkpoint.of(folder / f"{name}.training", problem, problem.queries[:0]))

    def load(self, learner: Learner, curves: Curves) -> int:
        """Goes back to what was kept, if anything was, and returns how many updates that has."""
        stored = self.checkpoint.load()
        if stored is None:
            return 0
        for name, points in curves.items():
            points[:] = stored.state.pop(f"curve.{name}")
        learner.restore(stored.state)
        return stored.standing.step

    def save(self, step: int, learner: Learner, curves: Curves) -> None:
        kept = {f"curve.{name}": points for name, points in curves.items()}
        self.checkpoint.save(Standing(step=step), learner.state() | kept)

    def remove(self) -> None:
        """After the cell itself is finished."""
        self.checkpoint.path.unlink(missing_ok=True)
