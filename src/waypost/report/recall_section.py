"""Recall against inner products and against queries a second."""

from __future__ import annotations

from collections.abc import Sequence

from waypost.report.chart import Axis, Line, horizontal, line_chart, vertical
from waypost.report.content import Recalls, Report, Speeds
from waypost.report.markup import Markup, element
from waypost.report.parts import figure, section, table
from waypost.report.scales import around, power_ticks, round_ticks
from waypost.report.wording import short


def recall_section(report: Report) -> Markup:
    lead = f"Means over {report.queries:,} queries. Each point is a budget; both searches walk the same graph."
    charts = element("div", _recall_figure(report), _speed_figure(report), class_="pair")
    return section("recall", "What each budget buys", lead, charts)


def recall_chart(report: Report) -> Markup:
    """Recall of both searches against the budget."""
    budgets = [at.budget for at in report.recalls]
    lines = [
        Line(name, name, [(at.budget, getattr(at, name)) for at in report.recalls],
             [f"{name}\n{getattr(at, name):.4f} at {at.budget} products" for at in report.recalls], *beside)
        for name, beside in zip(("unlearned", "learned"), _names_beside(report.recalls), strict=True)
    ]  # fmt: skip
    x = Axis(
        horizontal(min(budgets) / 1.15, max(budgets) * 1.15, log=True),
        "inner products a query",
        [(b, str(b)) for b in budgets],
    )
    return line_chart(x, _recall_axis(report), lines, recall_in_words(report))


def _recall_figure(report: Report) -> Markup:
    rows = [
        (at.budget, f"{at.learned:.4f}", f"{at.unlearned:.4f}", f"{at.gain:+.4f}", f"{at.error:.4f}")
        for at in report.recalls
    ]
    numbers = table(["products", "learned", "unlearned", "difference", "its error"], rows)
    return figure(f"Recall {report.k}@{report.k} against inner products", recall_chart(report), numbers)


def _names_beside(recalls: Sequence[Recalls]) -> tuple[tuple[int, bool], tuple[int, bool]]:
    """Where the names of the two lines stand: about where they are furthest apart, each on its own side."""
    last = len(recalls) - 1
    widest = max(range(len(recalls)), key=lambda at: abs(recalls[at].learned - recalls[at].unlearned))
    learned_above = recalls[widest].learned >= recalls[widest].unlearned
    above, below = min(max(widest, 1), last), max(min(widest, last - 1), 0)  # there is room beside these
    return (below, False) if learned_above else (above, True), (above, True) if learned_above else (below, False)


def _recall_axis(report: Report) -> Axis:
    """The same in both figures, up to the exact search's 1."""
    low = max(around([1.0, *(min(at.learned, at.unlearned) for at in report.recalls)], 0.12)[0], 0.0)
    high = 1.0
    return Axis(vertical(low, high), "recall", [(tick, f"{tick:g}") for tick in round_ticks(low, high)])


def recall_in_words(report: Report) -> str:
    """What the chart shows, for those who do not see it."""
    parts = [f"{at.budget} products, learned {at.learned:.3f}, unlearned {at.unlearned:.3f}" for at in report.recalls]
    return f"Recall {report.k}@{report.k} by budget: {'; '.join(parts)}."


def _speed_figure(report: Report) -> Markup:
    speeds = report.speeds
    low, high = min(at.batched for at in speeds) / 1.6, max(at.batched for at in speeds) * 1.6
    x = Axis(
        horizontal(low, high, log=True), "queries a second", [(tick, short(tick)) for tick in power_ticks(low, high)]
    )
    named = {"exact": False, "unlearned": False, "learned": True}
    lines = [_speed_line(name, [at for at in speeds if at.name == name], above) for name, above in named.items()]
    alt = "; ".join(
        f"{at.name}{f' {at.budget}' if at.budget else ''}: recall {at.recall:.3f} at {at.batched:,.0f}" for at in speeds
    )
    drawing = line_chart(x, _recall_axis(report), lines, f"Recall by queries a second, all asked at once. {alt}.")
    rows = [
        (f"{at.name} {at.budget or ''}", f"{at.recall:.4f}", f"{at.batched:,.0f}", f"{at.single:,.0f}") for at in speeds
    ]
    numbers = table(["search", "recall", "all at once", "one by one"], rows)
    return figure(
        "Recall against queries a second", drawing, numbers, "All asked at once, on the machine that wrote this page."
    )


def _speed_line(name: str, speeds: Sequence[Speeds], above: bool) -> Line:
    tips = [
        f"{name}{f', {at.budget} products' if at.budget else ''}\nrecall {at.recall:.4f} · {at.batched:,.0f} a second"
        for at in speeds
    ]
    last = len(speeds) - 1
    beside = min(1, last) if above else max(0, last - 1)
    return Line(name, name, [(at.batched, at.recall) for at in speeds], tips, beside, above)
