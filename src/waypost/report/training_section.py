"""The curves of the training."""

from __future__ import annotations

from waypost.report.chart import Axis, Line, horizontal, line_chart, vertical
from waypost.report.content import Report, TrainingCurve
from waypost.report.markup import Markup, element
from waypost.report.parts import figure, section, table
from waypost.report.scales import around, round_ticks
from waypost.report.wording import NAMES, short


def training_section(report: Report) -> Markup:
    if not report.training:
        lead = "No log of the training was given, so there are no curves to show."
        return section("training", "How it was learned", lead)
    updates = max(step for curve in report.training for step, _ in curve.points)
    charts = [_training_figure(curve) for curve in report.training]
    lead = f"{updates:,} updates, each by one batch of training queries. A bold line is a running mean."
    return section("training", "How it was learned", lead, element("div", charts, class_="pair"))


def _training_figure(curve: TrainingCurve) -> Markup:
    steps, values = [step for step, _ in curve.points], [value for _, value in curve.points]
    name = NAMES.get(curve.name, curve.name.replace("_", " "))
    low, high = around(values)
    last = max(max(steps), min(steps) + 1)
    x = Axis(horizontal(min(0, *steps), last), "update", [(tick, short(tick)) for tick in round_ticks(0, last)])
    y = Axis(vertical(low, high), "", [(tick, short(tick)) for tick in round_ticks(low, high)])
    tips = [f"update {step}\n{value:.4g}" for step, value in curve.points]
    few = len(values) <= 12
    line = Line(name, "plot", curve.points, tips, marked=few, smooth=not few)
    alt = f"{name}: {values[0]:.4g} at update {steps[0]}, {values[-1]:.4g} at update {steps[-1]}."
    drawing = line_chart(x, y, [line], alt)
    every = max(1, len(values) // 20)
    rows = [(step, f"{value:.4g}") for step, value in [*curve.points[:-1:every], curve.points[-1]]]
    return figure(name, drawing, table(["update", name], rows))
