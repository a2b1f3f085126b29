"""Checkpoints: all that a training needs to go on, in one file that a kill leaves whole."""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from waypost.arguments import Floats
from waypost.errors import UnreadableFileError
from waypost.learn.config import TrainConfig
from waypost.learn.learner import Learner, Problem
from waypost.router import Manner, Router
from waypost.storage import DTYPES, Flaw, read_header, read_tensors, write_file

FORMAT = "waypost-training"
VERSION = 1
NO_MATTER = ("threads", "device")  # a training may go on with others of these

State = dict[str, Any]


@dataclass
class Standing:
    """How far a training has come."""

    step: int = 0
    checks_since_best: int = 0
    recall: float = 0.0
    """The best so far on validation; `chosen` of the learner's routers has it, `best` is the learner's state then."""
    chosen: int = -1
    best: State | None = None
    manners: list[State] = field(default_factory=list)
    """How that router is used, budget by budget."""

    def router_of(self, learner: Learner) -> Router:
        """The best router, from a learner that has gone back to the best state."""
        manners = tuple(Manner(**fields) for fields in self.manners)
        return replace(learner.routers()[self.chosen], manners=manners)


@dataclass(frozen=True)
class Stored:
    """What a checkpoint holds."""

    config: TrainConfig
    sums: dict[str, str]
    entry: int
    standing: Standing
    state: State
    """The learner's after the last update."""


@dataclass(frozen=True)
class Checkpoint:
    """Where a training is kept, and what it is a training of.

    >>> import pathlib, tempfile
    >>> config = TrainConfig(learner="reinforce")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Checkpoint(pathlib.Path(folder) / "shop.training", config, {"items": "0a1b"})
    ...     kept.save(Standing(step=3), {"weights": np.ones(2, np.float32), "rate": 0.5})
    ...     stored = kept.load()
    >>> stored.standing.step, sorted(stored.state)
    (3, ['rate', 'weights'])
    """

    path: Path
    config: TrainConfig
    sums: dict[str, str] = field(default_factory=dict)
    entry: int = 0

    @classmethod
    def of(cls, path: str | os.PathLike[str], problem: Problem, valid: Floats) -> Checkpoint:
        parts = {
            "items": problem.items,
            "graph": problem.graph.neighbors,
            "graph's deferred edges": problem.graph.deferred,
            "queries": problem.queries,
            "truth": problem.truth,
            "valid": valid,
        }
        sums = {name: "" if part is None else f"{zlib.crc32(part.data):08x}" for name, part in parts.items()}
        place = Path(path).resolve()
        if not place.parent.is_dir():
            raise ValueError(f"checkpoint is {os.fspath(path)}, whose folder does not exist; make it first.")
        return cls(place, problem.config, sums, problem.entry)

    def save(self, standing: Standing, state: State) -> None:
        """Replaces the file whole, or not at all."""
        states = {"now": state} | ({} if standing.best is None else {"best": standing.best})
        arrays, numbers = {}, {}
        for when, one in states.items():
            for name, value in one.items():
                array = _as_array(f"{when}.{name}", value)
                if array is None:
                    numbers[f"{when}.{name}"] = value
                else:
                    arrays[f"{when}.{name}"] = array
        progress: State = {"step": standing.step, "checks_since_best": standing.checks_since_best}
        progress |= {"recall": standing.recall, "chosen": standing.chosen, "manners": standing.manners}
        progress |= {"has_best": standing.best is not None}
        write_file(
            self.path,
            arrays,
            {
                "format": FORMAT,
                "format_version": str(VERSION),
                "config": json.dumps(asdict(self.config)),
                "sums": json.dumps(self.sums),
                "entry": str(self.entry),
                "standing": json.dumps(progress),
                "numbers": json.dumps(numbers),
            },
        )

    def load(self) -> Stored | None:
        """What was saved here by this very training; None where there is nothing yet."""
        if not self.path.exists():
            return None
        stored = read_checkpoint(self.path)
        self._refuse_others(stored)
        return stored

    def _refuse_others(self, stored: Stored) -> None:
        remedy = "pass what it was started with, or another path for a new training."
        for name, theirs in asdict(stored.config).items():
            ours = getattr(self.config, name)
            if name not in NO_MATTER and ours != theirs:
                raise ValueError(f"checkpoint {self.path} has {name}={theirs!r} where config has {ours!r}; {remedy}")
        for name, theirs in stored.sums.items():
            if self.sums.get(name) != theirs:
                raise ValueError(f"checkpoint {self.path} is a training with another {name}; {remedy}")


def read_checkpoint(path: str | os.PathLike[str]) -> Stored:
    """A checkpoint of any training.

    >>> read_checkpoint("nowhere.training")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'nowhere.training'
    """
    shown = os.fspath(path)
    try:
        with open(path, "rb") as file:
            metadata, _, _ = read_header(file)
            _check_version(metadata, shown)
            return _stored(metadata, read_tensors(file, mmap=False))
    except Flaw as flaw:
        raise UnreadableFileError(f"checkpoint {shown} cannot be read: {flaw}; remove it to begin anew.") from None


def _check_version(metadata: dict[str, str], shown: str) -> None:
    if metadata.get("format") != FORMAT:
        raise Flaw("it is no checkpoint of a training")
    if metadata.get("format_version") != str(VERSION):
        raise UnreadableFileError(
            f"checkpoint {shown} has format version {metadata.get('format_version')} and this waypost reads {VERSION}; "
            "use the waypost that wrote it, or another path for a new training."
        )


def _stored(metadata: dict[str, str], arrays: State) -> Stored:
    try:
        settings = json.loads(metadata["config"])
        config = TrainConfig(**{name: _as_setting(value) for name, value in settings.items()})
        standing, numbers = json.loads(metadata["standing"]), json.loads(metadata["numbers"])
        has_best = standing.pop("has_best")
        values: State = {**numbers, **arrays}
        now, best = (
            {name.split(".", 1)[1]: value for name, value in values.items() if name.startswith(f"{when}.")}
            for when in ("now", "best")
        )
        standing = Standing(**standing, best=best if has_best else None)
        return Stored(config, json.loads(metadata["sums"]), int(metadata["entry"]), standing, now)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise Flaw(f"another waypost wrote it, or it is damaged ({str(error).rstrip('.')})") from None


def _as_setting(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value  # JSON has no tuples


def _as_array(name: str, value: Any) -> Any:
    """An array as the file holds it; None for what goes among the numbers."""
    if value is None or isinstance(value, (bool, int, float, str, list)):
        return None
    array = np.ascontiguousarray(value.numpy() if hasattr(value, "numpy") else value)
    if array.dtype not in DTYPES.values() or not 1 <= array.ndim <= 2:
        raise TypeError(f"{name} is of {array.dtype} and {array.ndim} dimensions, which no checkpoint can hold.")
    return array
