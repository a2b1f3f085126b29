"""Charts of bars: one histogram, or two of them back to back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from waypost.report.chart import BOTTOM, LEFT, RIGHT, TOP, picture
from waypost.report.markup import Markup, element
from waypost.report.wording import share

MOST_BARS = 32


@dataclass(frozen=True)
class Bar:
    """A bar's height, what stands beneath it and what it says of itself."""

    height: float
    label: str
    tip: str
    apart: bool = False
    """Whether it stands a little away from those before it, being of another sort."""


def bar_chart(bars: Sequence[Bar], x_name: str, y_name: str, look: str, alt: str) -> Markup:
    """Bars over a base line; the highest is labelled with its height."""
    tallest = max((bar.height for bar in bars), default=0) or 1
    drawn = [_bar(bar, place, BOTTOM, -(BOTTOM - TOP - 16) / tallest) for bar, place in _placed(bars)]
    return picture(
        element("g", drawn, class_=look),
        element("line", x1=LEFT - 30, x2=RIGHT, y1=BOTTOM, y2=BOTTOM, class_="base"),
        _labels(bars, BOTTOM + 17),
        _axis_names(x_name, y_name),
        alt=alt,
    )


def mirrored_chart(
    above: Sequence[Bar], below: Sequence[Bar], names: tuple[str, str], x_name: str, y_name: str, alt: str
) -> Markup:
    """Two histograms of the same bins, one upwards and one downwards."""
    centre = (TOP + BOTTOM) / 2 + 4
    room = (BOTTOM - TOP) / 2 - 14
    tallest = max((bar.height for bar in [*above, *below]), default=0) or 1
    up = [_bar(bar, place, centre - 9, -room / tallest) for bar, place in _placed(above)]
    down = [_bar(bar, place, centre + 9, room / tallest) for bar, place in _placed(below)]
    at = {"x": (LEFT + RIGHT) / 2, "class_": "name", "text_anchor": "middle"}
    return picture(
        element("g", up, element("text", names[0], y=TOP + 14, **at), class_="learned"),
        element("g", down, element("text", names[1], y=BOTTOM + 8, **at), class_="unlearned"),
        _labels(above, centre + 4),
        _axis_names(x_name, y_name),
        alt=alt,
    )


def _placed(bars: Sequence[Bar]) -> list[tuple[Bar, tuple[float, float]]]:
    """Each bar with its left edge and its width."""
    gaps = sum(bar.apart for bar in bars)
    step = (RIGHT - LEFT + 30) / max(len(bars) + gaps, 1)
    placed, at = [], LEFT - 30.0
    for bar in bars:
        at += step * bar.apart
        placed.append((bar, (at + step * 0.1, step * 0.8)))
        at += step
    return placed


def _bar(bar: Bar, place: tuple[float, float], base: float, stretch: float) -> Markup:
    left, width = place
    height = abs(bar.height * stretch)
    drawn = max(height, 1.0) if bar.height else 0.0
    top = base - drawn if stretch < 0 else base
    return element(
        "rect", x=left, y=top, width=width, height=drawn, rx=min(2.0, width / 3), class_="bar", data_tip=bar.tip
    )


def _labels(bars: Sequence[Bar], y: float) -> list[Markup]:
    return [
        element("text", bar.label, x=left + width / 2, y=y, class_="tick", text_anchor="middle")
        for bar, (left, width) in _placed(bars)
        if bar.label
    ]


def _axis_names(x_name: str, y_name: str) -> list[Markup]:
    return [
        element("text", x_name, x=RIGHT, y=BOTTOM + 37, class_="axis", text_anchor="end"),
        element("text", y_name, x=2, y=10, class_="axis"),
    ]


def binned(counts: Sequence[int], total: int, noun: str, first: int = 0) -> list[Bar]:
    """A bar for each count, or for several of them where there are too many; heights are shares of `total`.

    >>> [bar.tip for bar in binned([1, 3], 4, "step")]
    ['step 0: 25% (1)', 'step 1: 75% (3)']
    """
    size = -(-len(counts) // MOST_BARS)
    starts = range(0, len(counts), size)
    every = max(1, round(len(starts) / 8))
    bars = []
    for place, start in enumerate(starts):
        count = sum(counts[start : start + size])
        last = min(start + size, len(counts)) - 1
        name = f"{noun} {start + first}" if size == 1 or last == start else f"{noun}s {start + first} to {last + first}"
        label = str(start + first) if place % every == 0 else ""
        bars.append(Bar(count / max(total, 1), label, f"{name}: {share(count / max(total, 1))} ({count:,})"))
    return bars
