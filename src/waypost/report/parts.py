"""The blocks that sections are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from waypost.report.markup import Markup, element


def section(anchor: str, title: str, lead: object, *parts: object) -> Markup:
    return element(
        "section", element("h2", title, id=f"{anchor}-title"), element("p", lead, class_="lead"), *parts,
        id=anchor, aria_labelledby=f"{anchor}-title",
    )  # fmt: skip


def figure(title: str, drawing: Markup, table: Markup | None = None, note: object = None) -> Markup:
    """A picture with its name above and the numbers, folded away, below."""
    numbers = element("details", element("summary", "The numbers"), table) if table else None
    caption = element("figcaption", element("h3", title), element("p", note) if note else None)
    return element("figure", caption, drawing, numbers)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    """Numbers under named columns; the first column names the row."""
    top = element("tr", [element("th", name, scope="col") for name in head])
    body = [
        element("tr", element("th", row[0], scope="row"), [element("td", cell) for cell in row[1:]]) for row in rows
    ]
    return element("div", element("table", element("thead", top), element("tbody", body)), class_="wide", tabindex="0")
