"""One table of a report, as aligned plain text for a terminal and as Markdown for the docs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Table:
    """A heading, what was measured in a sentence or two, and the rows.

    >>> table = Table("Speed", "One core.", ["set", "QPS"])
    >>> table.add("gowalla", "150,000")
    >>> print(table.as_text())
    Speed
    One core.
    <BLANKLINE>
    set      QPS
    -------  -------
    gowalla  150,000
    """

    title: str
    about: str
    columns: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, *cells: str) -> None:
        if len(cells) != len(self.columns):
            raise ValueError(
                f"cells are {len(cells)} where the table has {len(self.columns)} columns; pass one a column."
            )
        self.rows.append(list(cells))

    def as_text(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows, strict=True)]
        rule = ["-" * width for width in widths]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in [list(self.columns), rule, *self.rows]
        ]
        return "\n".join([self.title, *filter(None, [self.about]), "", *lines, *self.notes])

    def as_markdown(self) -> str:
        grid = [list(self.columns), ["---"] * len(self.columns), *self.rows]
        lines = ["| " + " | ".join(row) + " |" for row in grid]
        notes = [f"\n{note}" for note in self.notes]
        return "\n".join([f"## {self.title}", "", *([self.about, ""] if self.about else []), *lines, *notes])
