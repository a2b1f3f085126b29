"""What a training writes down as it goes: one line of JSON an update, and how long it will take."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from waypost.learn.board import Board

Figures = dict[str, float]
Progress = Callable[[int, int], None]
Watch = Callable[[Figures], None]


class Journal:
    """Hands each update's figures to whoever wants them, with the seconds spent and left."""

    def __init__(
        self,
        steps: int,
        first: int = 1,
        log: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
        watch: Watch | None = None,
        board: Board | None = None,
    ) -> None:
        self.steps, self.first = steps, first
        self.log = None if log is None else Path(log)
        self.progress, self.watch, self.board = progress, watch, board
        self.started = time.perf_counter()
        if self.log is not None:
            _keep_lines_before(self.log, first)

    def write(self, step: int, figures: Figures) -> None:
        spent = time.perf_counter() - self.started
        left = spent / (step - self.first + 1) * (self.steps - step)
        entry = {"step": step, **figures, "seconds": round(spent, 3), "seconds_left": round(left, 3)}
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(json.dumps(entry) + "\n")
        if self.board is not None:
            self.board.write(step, figures)
        if self.watch is not None:
            self.watch(entry)
        if self.progress is not None:
            self.progress(step, self.steps)

    def close(self) -> None:
        if self.board is not None:
            self.board.close()


def _keep_lines_before(log: Path, first: int) -> None:
    """A new training begins its log anew; a resumed one drops what it is about to do again."""
    lines = log.read_text().splitlines() if log.exists() and first > 1 else []
    log.write_text("".join(f"{line}\n" for line in lines if _step_of(line) < first))


def _step_of(line: str) -> float:
    try:
        return float(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):  # a line that a kill cut short
        return float("inf")
