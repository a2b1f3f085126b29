"""The head of the page: what was found, and whether it holds at every budget."""

from __future__ import annotations

from collections.abc import Iterable

from waypost.report.content import Report
from waypost.report.markup import Markup, element
from waypost.report.wording import fewer_missed, headline, of_ten, share, where_not_better


def hero(report: Report, usual: int) -> Markup:
    """The title, the finding in a sentence and in three numbers, and whether it holds at every budget."""
    at = next(one for one in report.recalls if one.budget == usual)
    part = f"{share(at.budget / report.items)} of the {report.items:,} that the exact search takes"
    finding = element(
        "div",
        element("p", f"At {at.budget} inner products a query, {part}:", class_="cost"),
        element("p", headline(report, at), " ", fewer_missed(at) if report.routed else None, class_="finding"),
        element("p", where_not_better(report.recalls, report.k), class_="honest") if report.routed else None,
    )
    return element(
        "header",
        element("p", "waypost · search report", class_="brand"),
        element("h1", report.title),
        element("div", finding, _scoreboard(report), class_="result"),
    )


def _scoreboard(report: Report) -> Markup:
    """For each budget how many of the true answers either search finds."""

    def row(name: str, look: str, cells: Iterable[object]) -> Markup:
        return element("tr", element("th", name, scope="row"), [element("td", cell) for cell in cells], class_=look)

    plain = [of_ten(at.unlearned, report.k) for at in report.recalls]
    routed = [
        element("b", of_ten(at.learned, report.k)) if at.verdict == "better" else of_ten(at.learned, report.k)
        for at in report.recalls
    ]
    budgets = [element("th", at.budget, scope="col") for at in report.recalls]
    head = element("tr", element("th", "products", scope="col"), budgets)
    exact = element("td", f"all {report.k}, at {report.items:,} products", colspan=len(budgets))
    return element(
        "div",
        element(
            "table",
            element("caption", f"True answers found, of {report.k}, by the inner products that a query may cost"),
            element("thead", head),
            element("tbody", row("learned", "learned", routed), row("unlearned", "unlearned", plain)),
            element("tfoot", element("tr", element("th", "exact", scope="row"), exact, class_="exact")),
        ),
        class_="wide board",
        tabindex="0",
    )
