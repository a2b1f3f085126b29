"""What an exhibit leaves in the results folder: CSV, JSON, figures, and a page with our numbers beside the printed."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Sequence
from pathlib import Path

from waypost.atomic import replacing
from waypost.paper.charts import save
from waypost.paper.exhibit import Exhibit
from waypost.paper.numbers import NOTHING, Measured
from waypost.paper.plan import Plan
from waypost.paper.store import Store

Grid = list[list[str]]  # the first row is the heading
MOST_ROWS, MOST_BESIDE_A_FIGURE = 120, 12


def write(exhibit: Exhibit, plan: Plan, store: Store) -> None:
    """All forms of one exhibit, from the cells that are there."""
    found, folder = exhibit.measured(plan, store), store.folder
    write_numbers(exhibit, plan, store)
    _text(folder / f"{exhibit.name}.json", _json(exhibit, [*found, *exhibit.printed]))
    _text(folder / f"{exhibit.name}.md", as_markdown(exhibit, found))
    _text(folder / f"{exhibit.name}.html", _html(exhibit, found))


def write_numbers(exhibit: Exhibit, plan: Plan, store: Store) -> None:
    """What a larger page refers to: the numbers and the figure."""
    _text(store.folder / f"{exhibit.name}.csv", _csv([*exhibit.measured(plan, store), *exhibit.printed]))
    if exhibit.draw is not None:
        save(exhibit.draw(plan, store), store.folder, exhibit.name)


def grid(numbers: Sequence[Measured], across: str) -> Grid:
    """Rows by all labels but one, which runs across; a cell without a number stays empty.

    >>> grid([Measured({"set": "a", "d": "64"}, (0.5,), 1), Measured({"set": "a", "d": "80"}, (0.4,), 1)], "d")
    [['set', '64', '80'], ['a', '0.500', '0.400']]
    """
    if not numbers:
        return []
    names = [name for name in numbers[0].labels if name != across]
    columns = list(dict.fromkeys(one.labels[across] for one in numbers))
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for one in numbers:
        row = rows.setdefault(tuple(one.labels.get(name, "") for name in names), {})
        row[one.labels[across]] = str(one)
    return [[*names, *columns], *([*key, *(row.get(column, "") for column in columns)] for key, row in rows.items())]


def as_markdown(exhibit: Exhibit, found: Sequence[Measured]) -> str:
    """The page of one exhibit, the printed numbers in further rows of the same table."""
    table = _markdown_table(grid([*found, *exhibit.printed], exhibit.across))
    return "\n\n".join([*_head(exhibit, "#", ""), table]) + "\n"


def as_section(exhibit: Exhibit, found: Sequence[Measured], folder: str) -> str:
    """The same as part of a larger page: rows of which nothing is measured yet are left out, what is long is linked."""
    parts = _head(exhibit, "###", f"{folder}/")
    heading, *rows = grid([*found, *exhibit.printed], exhibit.across)
    known = [row for row in rows if set(row[len(found[0].labels) - 1 :]) - {"", NOTHING}]
    if len(known) <= (MOST_BESIDE_A_FIGURE if exhibit.draw else MOST_ROWS):
        parts.append(_markdown_table([heading, *known]))
    else:
        parts.append(f"The numbers: [{exhibit.name}.csv]({folder}/{exhibit.name}.csv).")
    if len(known) < len(rows):
        parts.append(f"{len(rows) - len(known)} rows are still to be measured.")
    return "\n\n".join(parts) + "\n"


def _head(exhibit: Exhibit, level: str, folder: str) -> list[str]:
    parts = [f"{level} {exhibit.title}", f"The paper: {exhibit.claim}"]
    if exhibit.note:
        parts.append(f"Here: {exhibit.note}")
    if exhibit.draw is not None:
        parts.append(f"![{exhibit.title}]({folder}{exhibit.name}.svg)")
    return parts


def _markdown_table(rows: Grid) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]])


def _html(exhibit: Exhibit, found: Sequence[Measured]) -> str:
    def table(rows: Grid) -> str:
        lines = [
            "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)
            for tag, row in zip(["th", *["td"] * len(rows)], rows, strict=False)
        ]
        return "<table>" + "".join(f"<tr>{line}</tr>\n" for line in lines) + "</table>"

    title = html.escape(exhibit.title)
    image = f'<p><img src="{exhibit.name}.svg" alt="{title}"></p>' if exhibit.draw is not None else ""
    texts = [f"The paper: {exhibit.claim}", *([f"Here: {exhibit.note}"] if exhibit.note else [])]
    paragraphs = "".join(f"<p>{html.escape(text)}</p>\n" for text in texts)
    rows = table(grid([*found, *exhibit.printed], exhibit.across))
    style = (
        "body{font-family:sans-serif;margin:2em}td,th{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:left}"
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{style}</style></head>"
        f"<body><h1>{title}</h1>\n{paragraphs}{image}\n{rows}</body></html>\n"
    )


def _csv(numbers: Sequence[Measured]) -> str:
    """One line a number: its labels, the mean, the spread, how many seeds."""
    names = list(dict.fromkeys(name for one in numbers for name in one.labels))
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*names, "mean", "spread", "seeds", "seeds wanted"])
    for one in numbers:
        labels = [one.labels.get(name, "") for name in names]
        lines.writerow([*labels, _number(one.mean), _number(one.spread), len(one.values), one.wanted])
    return text.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.5f}".rstrip("0").rstrip(".")


def _json(exhibit: Exhibit, numbers: Sequence[Measured]) -> str:
    listed = [{**one.labels, "values": list(one.values), "seeds wanted": one.wanted} for one in numbers]
    rows = ",\n".join(json.dumps(one, ensure_ascii=False) for one in listed)
    head = json.dumps({"title": exhibit.title, "claim": exhibit.claim, "note": exhibit.note}, ensure_ascii=False)
    return f'{head[:-1]}, "numbers": [\n{rows}\n]}}\n'


def _text(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())
