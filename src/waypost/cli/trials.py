"""What `fit` and `tune` tried: a line each as they go, and what came of it."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waypost import Index, Trial


@dataclass
class Trials:
    """All trials, in the order in which they were made."""

    made: list[Trial] = field(default_factory=list)

    def add(self, trial: Trial) -> None:
        self.made.append(trial)
        if sys.stderr.isatty():
            print(trial, file=sys.stderr)

    def about(self, index: Index) -> dict[str, Any]:
        """The choice, as it was measured on validation queries."""
        timed = [trial for trial in self.made if trial.microseconds is not None]
        chosen = next(trial for trial in reversed(timed) if trial.settings == index.settings)
        return {"items": len(index), "tried": len(self.made)} | asdict(chosen)

    def document(self) -> dict[str, Any]:
        """All of it, for machines."""
        return {"trials": [asdict(trial) for trial in self.made]}
