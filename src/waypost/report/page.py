"""The page: one HTML file that opens offline."""

from __future__ import annotations

import os
from pathlib import Path

from waypost.atomic import replacing
from waypost.report.content import Report
from waypost.report.examples_section import examples_section
from waypost.report.gather import usual_budget
from waypost.report.graph_section import graph_section
from waypost.report.hero import hero
from waypost.report.lengths_section import lengths_section
from waypost.report.markup import Markup, element, part
from waypost.report.recall_section import recall_section
from waypost.report.search_section import search_section
from waypost.report.training_section import training_section


def write_report(report: Report, path: str | os.PathLike[str]) -> None:
    """Writes the page as one file, whole or not at all; it fetches nothing.

    >>> write_report(report, "report.html")  # doctest: +SKIP
    """
    with replacing(Path(path)) as file:
        file.write(page(report).encode("utf-8"))


def page(report: Report) -> str:
    """The page as a string."""
    usual = usual_budget([at.budget for at in report.recalls])
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", report.title),
        element("link", rel="icon", href="data:,"),
        element("style", [part(name) for name in ("colours.css", "drawing.css", "style.css")]),
    )
    parts = [
        hero(report, usual), recall_section(report), search_section(report), examples_section(report),
        lengths_section(report), training_section(report), graph_section(report),
    ]  # fmt: skip
    body = element(
        "body",
        element("main", parts),
        _footer(report),
        element("p", "In a picture, the arrow keys go from point to point.", id="how-to-point", hidden=True),
        element("div", id="tip", role="status", hidden=True),
        element("script", part("script.js")),
    )
    return "<!doctype html>\n" + element("html", head, body, lang="en") + "\n"


def _footer(report: Report) -> Markup:
    from waypost import __version__

    counted = f"{report.items:,} items of {report.width} factors, {report.queries:,} queries, {report.k} answers each."
    cost = (
        "Every inner product with an item counts towards a budget; a score is an inner product, and higher is better."
    )
    return element("footer", element("p", f"{counted} {cost}"), element("p", f"Written by waypost {__version__}."))
