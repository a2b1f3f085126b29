"""Charts of lines: curves over labelled axes, each curve named beside itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from waypost.report.markup import Markup, element
from waypost.report.scales import Scale

WIDTH, HEIGHT = 350, 252
LEFT, RIGHT, TOP, BOTTOM = 40, 342, 30, 210


@dataclass(frozen=True)
class Line:
    """One curve; `look` is its class in the style sheet, and `tips` are what its points say of themselves."""

    name: str
    look: str
    points: Sequence[tuple[float, float]]
    tips: Sequence[str] = ()
    name_at: int | None = None
    """The point that the name stands beside; None leaves it out."""
    name_above: bool = True
    marked: bool = True
    """Whether its points are drawn, beside being there to be pointed at."""
    smooth: bool = False
    """Whether the running mean is drawn, over a faint curve of the points themselves."""


@dataclass(frozen=True)
class Axis:
    """Its scale, its name and what is written along it."""

    scale: Scale
    name: str
    ticks: Sequence[tuple[float, str]]


def horizontal(low: float, high: float, log: bool = False) -> Scale:
    return Scale(low, high, LEFT, RIGHT, log)


def vertical(low: float, high: float) -> Scale:
    return Scale(low, high, BOTTOM, TOP)


def line_chart(x: Axis, y: Axis, lines: Sequence[Line], alt: str) -> Markup:
    """The whole picture, `alt` being what it shows in words."""
    return picture(frame(x, y), [_drawn(line, x.scale, y.scale) for line in lines], alt=alt)


def picture(*parts: object, alt: str, width: int = WIDTH, height: int = HEIGHT, look: str = "chart") -> Markup:
    """An SVG that can be pointed at, tabbed to and read out."""
    return element(
        "svg",
        *parts,
        class_=look,
        viewBox=f"0 0 {width} {height}",
        role="img",
        tabindex="0",
        aria_label=alt,
        aria_describedby="how-to-point",
    )


def frame(x: Axis, y: Axis) -> list[Markup]:
    """Rules, ticks and names of both axes."""
    rules = [
        element("line", x1=LEFT, x2=RIGHT, y1=y.scale(value), y2=y.scale(value), class_="rule") for value, _ in y.ticks
    ]
    left = [
        element("text", text, x=LEFT - 8, y=y.scale(value) + 4, class_="tick", text_anchor="end")
        for value, text in y.ticks
    ]
    below = [
        element("text", text, x=x.scale(value), y=BOTTOM + 18, class_="tick", text_anchor="middle")
        for value, text in x.ticks
    ]
    base = element("line", x1=LEFT, x2=RIGHT, y1=BOTTOM, y2=BOTTOM, class_="base")
    names = [
        element("text", x.name, x=RIGHT, y=BOTTOM + 37, class_="axis", text_anchor="end"),
        element("text", y.name, x=2, y=10, class_="axis"),
    ]
    return [*rules, base, *left, *below, *names]


def _drawn(line: Line, x: Scale, y: Scale) -> Markup:
    places = [(x(a), y(b)) for a, b in line.points]
    tracks = [element("path", d=track_through(places), class_="line")] if len(places) > 1 else []
    if line.smooth:
        tracks = [element("path", d=track_through(places), class_="raw"), _smoothed(places)]
    tips = list(line.tips) or [""] * len(places)
    marks = [
        element("circle", cx=a, cy=b, r=4.2 if line.marked else 6, class_="mark" if line.marked else "spot", data_tip=t)
        for (a, b), t in zip(places, tips, strict=True)
    ]
    return element("g", tracks, marks, _name(line, places), class_=line.look)


def _smoothed(places: Sequence[tuple[float, float]]) -> Markup:
    """The running mean, so that a curve shows where it goes through all that it jumps about."""
    reach = max(1, len(places) // 16)
    windows = [places[max(0, at - reach) : at + reach + 1] for at in range(len(places))]
    means = [(place[0], sum(b for _, b in window) / len(window)) for place, window in zip(places, windows, strict=True)]
    return element("path", d=track_through(means), class_="line")


def track_through(places: Sequence[tuple[float, float]]) -> str:
    """The path from place to place.

    >>> track_through([(0, 1), (2.25, 3)])
    'M0,1L2.2,3'
    """
    return "M" + "L".join(f"{a:.1f},{b:.1f}".replace(".0", "") for a, b in places)


def _name(line: Line, places: Sequence[tuple[float, float]]) -> Markup | None:
    if line.name_at is None:
        return None
    a, b = places[line.name_at]
    (left, first), (right, last) = min(places), max(places)
    before = (last < first) == line.name_above and right > left  # on the side to which the line does not go on
    side, anchor = (-7, "end") if before else (7, "start")
    return element(
        "text", line.name, x=a + side, y=b + (-7 if line.name_above else 16), class_="name", text_anchor=anchor
    )
