"""Results of finished trainings, kept on disk: a benchmark of hours can be stopped, and goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from waypost.atomic import replacing
from waypost.bench.tables import Table

Result = dict[str, Any]


class Unfinished(Exception):
    """A result that is asked for, is not kept, and may not be measured now."""


class Finished:
    """One JSON file a result, named by all that it depends on.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Finished(Path(folder))
    ...     [kept.get_or({"set": "shop"}, lambda: {"recall": number}) for number in (0.5, 0.9)]
    [{'recall': 0.5}, {'recall': 0.5}]
    """

    def __init__(self, folder: Path, *, anew: bool = False, kept_alone: bool = False) -> None:
        """`anew` measures again what is there, and keeps the new result; `kept_alone` measures nothing."""
        self.folder, self.anew, self.kept_alone = folder, anew, kept_alone

    def get_or(self, told: Mapping[str, Any], measure: Callable[[], Result]) -> Result:
        """The result of a measurement that was told `told`; it is made where there is none yet."""
        text = json.dumps(told, sort_keys=True)
        path = self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"
        if path.exists() and not self.anew:
            kept: Result = json.loads(path.read_text())["result"]
            return kept
        if self.kept_alone:
            raise Unfinished(text)
        result = measure()
        self.folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(json.dumps({"told": told, "result": result}, indent=1).encode())
        return result

    def table(self, name: str, measure: Callable[[], Table]) -> Table:
        """A whole table that is measured at once."""
        return Table(**self.get_or({"table": name}, lambda: asdict(measure())))
