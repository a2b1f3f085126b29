"""A report in one picture, to be shown where a page cannot be: as one SVG file."""

from __future__ import annotations

import os
import re
from pathlib import Path

from waypost.atomic import replacing
from waypost.report.chart import HEIGHT, WIDTH
from waypost.report.content import Report
from waypost.report.markup import Markup, element, part
from waypost.report.recall_section import recall_chart, recall_in_words
from waypost.report.search_section import WHY
from waypost.report.search_svg import search_svg

TOTAL = (1060, 424)
LINE = 52  # where titles stand, and
TOP = 72  # where drawings begin
DISC = 284


def write_overview(report: Report, path: str | os.PathLike[str]) -> None:
    """Writes recall by budget, and one search without and with what was learned, side by side.

    >>> write_overview(report, "overview.svg")  # doctest: +SKIP
    """
    with replacing(Path(path)) as file:
        file.write(overview(report).encode("utf-8"))


def overview(report: Report) -> str:
    """The picture as a string; it follows the light or dark taste of whoever looks at it."""
    shown = report.pictures[0]
    chart = _placed(recall_chart(report), 24, TOP + 8, WIDTH * 1.08, HEIGHT * 1.08)
    parts = [
        chart,
        element("text", f"Recall {report.k}@{report.k} against inner products", x=24, y=LINE, class_="title"),
    ]
    for which, left in (("unlearned", 444), ("learned", 756)):
        name = element("tspan", which, class_="which")
        found = element("text", name, f" sees {shown.seen(which)} of {shown.answers}", x=left, y=LINE, class_="title")
        parts += [_placed(search_svg(shown, which), left, TOP, DISC, DISC), element("g", found, class_=which)]
    mean = next(at.gain * report.k for at in report.recalls if at.budget == shown.budget)
    notes = [
        f"{WHY[shown.why]}, of {shown.among:,} queries, at {shown.budget} of {report.items:,} products;",
        f"the mean gain over all queries is {mean:+.2f} of {report.k} answers.",
    ]
    parts += [element("text", note, x=444, y=TOTAL[1] - 40 + 18 * at) for at, note in enumerate(notes)]
    sheet = element("style", part("colours.css"), part("drawing.css"), part("overview.css"))
    background = element("rect", width=TOTAL[0], height=TOTAL[1], rx=16, class_="card")
    return (
        element(
            "svg",
            sheet,
            background,
            parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {TOTAL[0]} {TOTAL[1]}",
            role="img",
            aria_label=f"{recall_in_words(report)} {' '.join(notes)}",
        )
        + "\n"
    )


def _placed(drawing: Markup, x: float, y: float, width: float, height: float) -> Markup:
    """A drawing of its own within another, without what only a page's script would read."""
    bare = re.sub(r' (?:data-\w+|aria-\w+|tabindex|role)="[^"]*"', "", drawing)
    return Markup(bare.replace("<svg", f'<svg x="{x}" y="{y}" width="{width:g}" height="{height:g}"', 1))
