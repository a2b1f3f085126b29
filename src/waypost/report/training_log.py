"""The curves of a training, out of the lines of JSON that it logged."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from waypost.report.content import TrainingCurve

NOT_CURVES = {"step", "seconds", "seconds_left"}
FIRST = ("reward", "loss", "reached", "found", "validation_recall")  # the order in which curves are shown


def read_training_log(log: str | os.PathLike[str] | None) -> list[TrainingCurve]:
    """One curve for each figure that the log holds; none without a log.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "train.jsonl"
    ...     _ = path.write_text('{"step": 1, "loss": 2.5, "seconds": 0.1}\\n{"step": 2, "los')
    ...     read_training_log(path)
    [TrainingCurve(name='loss', points=[(1, 2.5)])]
    """
    if log is None:
        return []
    curves: dict[str, list[tuple[int, float]]] = {}
    for entry in map(_entry, Path(log).read_text(encoding="utf-8").splitlines()):
        for name, value in entry.items():
            if name not in NOT_CURVES and isinstance(value, (int, float)) and math.isfinite(value):
                curves.setdefault(name, []).append((int(entry["step"]), float(value)))
    return [TrainingCurve(name, points) for name, points in sorted(curves.items(), key=_place)]


def _entry(line: str) -> dict[str, Any]:
    """What a line says; nothing, if a kill cut it short."""
    try:
        entry = json.loads(line)
        return entry if isinstance(entry, dict) and isinstance(entry.get("step"), int) else {}
    except ValueError:
        return {}


def _place(curve: tuple[str, object]) -> tuple[int, str]:
    name = curve[0]
    return (FIRST.index(name) if name in FIRST else len(FIRST)), name
