"""Charts of bars: one histogram, or two of them back to back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from waypost.report.chart import BOTTOM, LEFT, RIGHT, TOP, picture
from waypost.report.markup import Markup, element
from waypost.report.wording import share

MOST_BARS = 21


@dataclass(frozen=True)
class Bar:
    """A bar's height, what stands beneath it and what it says of itself."""

    height: float
    label: str
    tip: str
    apart: bool = False
    """Whether it stands a little away from those before it, being of another sort."""


def mirrored_chart(
    above: Sequence[Bar],
    below: Sequence[Bar],
    names: tuple[str, str],
    x_name: str,
    y_name: str,
    alt: str,
    looks: tuple[str, str] = ("learned", "unlearned"),
) -> Markup:
    """Two histograms of the same bins, one upwards and one downwards."""
    centre = (TOP + BOTTOM) / 2 + 4
    room = (BOTTOM - TOP) / 2 - 14
    tallest = max((bar.height for bar in [*above, *below]), default=0) or 1
    up = [_bar(bar, place, centre - 9, -room / tallest) for bar, place in _placed(above)]
    down = [_bar(bar, place, centre + 9, room / tallest) for bar, place in _placed(below)]
    at = {"x": (LEFT + RIGHT) / 2, "class_": "name", "text_anchor": "middle"}
    return picture(
        element("g", up, element("text", names[0], y=TOP + 14, **at), class_=looks[0]),
        element("g", down, element("text", names[1], y=BOTTOM + 8, **at), class_=looks[1]),
        _labels(above, centre + 4),
        _axis_names(x_name, y_name),
        alt=alt,
    )


def _placed(bars: Sequence[Bar]) -> list[tuple[Bar, tuple[float, float]]]:
    """Each bar with its left edge and its width."""
    gaps = 2.2 * sum(bar.apart for bar in bars)
    step = (RIGHT - LEFT + 30) / max(len(bars) + gaps, 1)
    placed, at = [], LEFT - 30.0
    for bar in bars:
        at += 2.2 * step * bar.apart
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


def counted(counts: Sequence[int], total: int, noun: str, shown: int) -> list[Bar]:
    """A bar for each of the first `shown` counts, and one for all after them; heights are shares of `total`.

    >>> [bar.tip for bar in counted([1, 2, 0, 1], 4, "step", shown=2)]
    ['step 0: 25% (1)', 'step 1: 50% (2)', 'step 2 or more: 25% (1)']
    """
    every = max(1, round(shown / 8))
    bars = [
        share_bar(count, total, str(at) if at % every == 0 else "", f"{noun} {at}")
        for at, count in enumerate(counts[:shown])
    ]
    if len(counts) > shown:
        bars.append(share_bar(sum(counts[shown:]), total, f"{shown}+", f"{noun} {shown} or more", apart=True))
    return bars


def share_bar(count: int, total: int, label: str, name: str, apart: bool = False) -> Bar:
    """A bar as high as the share that `count` is of `total`."""
    part = count / max(total, 1)
    return Bar(part, label, f"{name}: {share(part)} ({count:,})", apart)


def most_shown(*histograms: Sequence[int]) -> int:
    """How many bars show nearly all of each histogram.

    >>> most_shown([50, 45, 4, 1], [100])
    3
    """
    needed = 1
    for counts in histograms:
        left = sum(counts)
        for at, count in enumerate(counts):
            if left <= 0.02 * sum(counts):
                break
            left -= count
            needed = max(needed, at + 1)
    return min(needed, MOST_BARS)


def rows_of(above: Sequence[Bar], below: Sequence[Bar]) -> list[tuple[str, str, str]]:
    """What a table under two histograms says, from their bars."""
    parts = [(up.tip.partition(": "), down.tip.partition(": ")) for up, down in zip(above, below, strict=True)]
    return [(up[0], up[2], down[2]) for up, down in parts]
