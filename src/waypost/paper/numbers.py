"""Numbers of a table: which cells each is the mean of, and what came out."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from waypost.paper.cases import Case
from waypost.paper.store import Result, Store

Labels = Mapping[str, str]
NOTHING = "-"
"""What a table shows where no cell is finished."""
Path = tuple[str | int, ...]


@dataclass(frozen=True, eq=False)
class Number:
    """One number of a table before it is measured: its place, its cells (one a seed), and where in them it stands."""

    labels: Labels
    cases: tuple[Case, ...]
    path: Path


@dataclass(frozen=True, eq=False)
class Measured:
    """One number of a table: the values of the seeds that are finished, of those that were asked for."""

    labels: Labels
    values: tuple[float, ...]
    wanted: int
    whole: bool = False
    """Whether it is a count."""

    @property
    def mean(self) -> float | None:
        """None where no cell is finished."""
        return statistics.fmean(self.values) if self.values else None

    @property
    def spread(self) -> float | None:
        """The standard deviation between seeds."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None

    def __str__(self) -> str:
        """As tables show it; in brackets how many seeds there are, where some are missing.

        >>> str(Measured({}, (0.5, 0.52), 3)), str(Measured({}, (), 3)), str(Measured({}, (0.4,), 1))
        ('0.510 ± 0.014 (2 of 3)', '-', '0.400')
        """
        if self.mean is None:
            return NOTHING
        form = ",.0f" if self.whole or self.mean > 100 else ".3f"
        shown = f"{self.mean:{form}}" if self.spread is None else f"{self.mean:{form}} ± {self.spread:{form}}"
        return shown if len(self.values) == self.wanted else f"{shown} ({len(self.values)} of {self.wanted})"


def printed(labels: Labels, value: float, whole: bool = False) -> Measured:
    """A number that stands in the paper."""
    return Measured(labels, (value,), 1, whole)


def measured(numbers: Iterable[Number], store: Store) -> list[Measured]:
    """The numbers with what the store has of them; each cell is read once."""
    cells: dict[str, Result | None] = {}

    def value(case: Case, path: Path) -> float | None:
        if case.key not in cells:
            cells[case.key] = store.get(case)
        return _at(cells[case.key], path)

    found = []
    for number in numbers:
        values = [value(case, number.path) for case in number.cases]
        present = tuple(one for one in values if one is not None)
        found.append(Measured(number.labels, present, len(number.cases)))
    return found


def _at(result: Result | None, path: Path) -> float | None:
    here: object = result
    for step in path:
        if isinstance(here, list):
            here = dict(enumerate(here))
        here = here.get(step) if isinstance(here, dict) else None
    return float(here) if isinstance(here, (int, float)) else None
