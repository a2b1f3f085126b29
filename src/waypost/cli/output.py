"""What commands print: data on stdout, as a table for people, tabs for pipes or JSON; notes on stderr."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Column:
    """A column of a table, and how people like its numbers written."""

    name: str
    form: str = ""
    number: bool = True

    def shown(self, value: Any) -> str:
        return "" if value is None else format(value, self.form)


def text_column(name: str) -> Column:
    return Column(name, number=False)


@dataclass(frozen=True)
class Output:
    """Where a command's data and notes go."""

    as_json: bool = False

    def note(self, *sentences: str) -> None:
        for sentence in sentences:
            print(f"note: {sentence}" if sentence else "", file=sys.stderr)

    def record(self, record: dict[str, Any], *, title: str | None = None) -> None:
        """One thing, as names and values."""
        if self.as_json:
            _print_json(record)
        elif not sys.stdout.isatty():
            _print_lines((name, *_cells(value)) for name, value in _flat(record))
        else:
            rows = [(name, ", ".join(map(_human, _cells(value)))) for name, value in _flat(record)]
            _print_table([text_column(""), text_column("")], rows, title, header=False)

    def table(
        self, columns: Sequence[Column], rows: Sequence[Sequence[Any]], document: Any, *, title: str | None = None
    ) -> None:
        """Many things of a kind; `document` is what a machine gets."""
        if self.as_json:
            _print_json(document)
        elif not sys.stdout.isatty():
            _print_lines([[column.name for column in columns], *rows])
        else:
            shown = [[column.shown(value) for column, value in zip(columns, row, strict=True)] for row in rows]
            _print_table(columns, shown, title)


def _flat(record: dict[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _cells(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _human(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _plain(value: Any) -> str:
    if value is None:
        return ""
    text = f"{value:.9g}" if isinstance(value, float) else str(value)
    return text.replace("\t", " ").replace("\n", " ")


def _print_lines(rows: Iterable[Iterable[Any]]) -> None:
    sys.stdout.writelines("\t".join(map(_plain, row)) + "\n" for row in rows)


def _print_json(document: Any) -> None:
    json.dump(document, sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def _print_table(
    columns: Sequence[Column], rows: Iterable[Sequence[str]], title: str | None, header: bool = True
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_header=header, title=title, title_justify="left")
    for column in columns:
        table.add_column(column.name, justify="right" if column.number else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)
