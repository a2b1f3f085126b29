"""The picture of one search: a disc with the query at its centre, what was visited, and the way to each answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from waypost.report.chart import picture
from waypost.report.content import SearchPicture, Sight
from waypost.report.markup import Markup, element

SIZE = 380
CENTRE, RADIUS = SIZE / 2, 178.0
DIAMOND = 5.4


def search_svg(shown: SearchPicture, which: str) -> Markup:
    """The walk "unlearned" or "learned"; visit by visit it can be taken back through `data-v`."""
    sights: Sequence[Sight] = getattr(shown, which)
    return picture(
        _target(shown),
        element("g", _edges(shown, sights)),
        element("g", _missed(shown, sights), [_visit(shown, at, sight) for at, sight in enumerate(sights)]),
        alt=_alt(shown, which, sights),
        width=SIZE,
        height=SIZE,
        look=f"walk {which}",
    )


def _target(shown: SearchPicture) -> list[Markup]:
    inner = RADIUS * math.sqrt(shown.answers / len(shown.spots))
    return [
        element("circle", cx=CENTRE, cy=CENTRE, r=RADIUS, class_="disc"),
        element("circle", cx=CENTRE, cy=CENTRE, r=RADIUS * math.sqrt(0.5), class_="ring"),
        element("circle", cx=CENTRE, cy=CENTRE, r=inner, class_="bull"),
    ]


def _place(shown: SearchPicture, spot: int) -> tuple[float, float]:
    one = shown.spots[spot]
    return CENTRE + RADIUS * one.x, CENTRE - RADIUS * one.y


def _edges(shown: SearchPicture, sights: Sequence[Sight]) -> list[Markup]:
    """From the visit that showed it to each visit; those on the way to a true answer stand out, and lie above."""
    leading = _leading(shown, sights)
    drawn: dict[bool, list[Markup]] = {False: [], True: []}
    for at, sight in enumerate(sights):
        if sight.parent >= 0:
            (a, b), (c, d) = (_place(shown, spot) for spot in (sights[sight.parent].spot, sight.spot))
            look = "way" if at in leading else "edge"
            line = element("path", d=f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}", class_=look, data_v=at)
            drawn[at in leading].append(line)
    return drawn[False] + drawn[True]


def _leading(shown: SearchPicture, sights: Sequence[Sight]) -> set[int]:
    """The visits that lie on the way to a true answer, it included."""
    leading: set[int] = set()
    for at, sight in enumerate(sights):
        if shown.spots[sight.spot].true_rank is not None:
            visit = at
            while visit >= 0 and visit not in leading:
                leading.add(visit)
                visit = sights[visit].parent
    return leading


def _visit(shown: SearchPicture, at: int, sight: Sight) -> Markup:
    spot = shown.spots[sight.spot]
    x, y = _place(shown, sight.spot)
    true = "" if spot.true_rank is None else f"\ntrue answer {spot.true_rank + 1}"
    start = sight.parent < 0
    step = "a start" if start else f"step {sight.step}"
    tip = f"{spot.name}\nscore {spot.score:.3f} · {step} · product {at + 1}{true}"
    if spot.true_rank is not None:
        return _diamond(x, y, "hit start" if start else "hit", tip, at)
    look, radius = ("start", 6) if start else ("visit", 3.4)
    return element("circle", cx=x, cy=y, r=radius, class_=look, data_tip=tip, data_v=at)


def _missed(shown: SearchPicture, sights: Sequence[Sight]) -> list[Markup]:
    """The true answers, as long as they are out of sight."""
    when = {sight.spot: at for at, sight in enumerate(sights)}
    missed = []
    for number, spot in enumerate(shown.spots):
        if spot.true_rank is not None:
            tip = f"{spot.name}\nscore {spot.score:.3f}\ntrue answer {spot.true_rank + 1}, not seen"
            until = when.get(number)
            missed.append(_diamond(*_place(shown, number), "miss", tip, None, until))
    return missed


def _diamond(x: float, y: float, look: str, tip: str, at: int | None, until: int | None = None) -> Markup:
    d = f"M{x:.1f} {y - DIAMOND:.1f}l{DIAMOND} {DIAMOND}l-{DIAMOND} {DIAMOND}l-{DIAMOND}-{DIAMOND}z"
    return element("path", d=d, class_=look, data_tip=tip, data_x=x, data_y=y, data_v=at, data_u=until)


def _alt(shown: SearchPicture, which: str, sights: Sequence[Sight]) -> str:
    steps = max(sight.step for sight in sights)
    return (
        f"The {which} search: {len(sights)} vertices visited in {steps} steps, around the query at the centre, better "
        f"ones nearer to it. It saw {shown.seen(which)} of the {shown.answers} true answers."
    )
