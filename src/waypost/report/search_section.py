"""One search, drawn step by step."""

from __future__ import annotations

from waypost.report.content import Report, SearchPicture
from waypost.report.markup import Markup, element
from waypost.report.parts import section, table
from waypost.report.search_svg import search_svg


def search_section(report: Report) -> Markup:
    lead = (
        "The query is at the centre: the nearer a vertex, the better it scores. The inner circle holds the "
        f"{report.k} true answers, each a diamond that fills when it is seen. A search starts at the large dots and "
        "goes on from the best vertex it has seen, until its products are spent."
    )
    gains = {at.budget: at.gain * report.k for at in report.recalls}
    shown = [_search_figure(picture, gains[picture.budget]) for picture in report.pictures]
    return section("search", "One search, step by step", lead, element("div", shown, class_="searches"))


WHY = {"helps most": "Where learning helps most", "typical": "A typical search", "hurts most": "Where it hurts most"}


def _search_figure(shown: SearchPicture, mean: float) -> Markup:
    walks = [_walk(shown, which) for which in ("unlearned", "learned")]
    slider = element(
        "div",
        element("button", "Play", type="button", class_="play"),
        element(
            "label",
            element("span", "products spent ", element("output", shown.budget), f" of {shown.budget}"),
            element("input", type="range", min=1, max=shown.budget, value=shown.budget),
        ),
        class_="slider",
        hidden=True,
    )
    numbers = element("details", element("summary", "The numbers"), _answers_table(shown))
    title = WHY.get(shown.why, shown.why)
    note = f"{shown.budget} products. {gain_in_words(shown, mean)}"
    caption = element("figcaption", element("h3", title), element("p", note))
    return element(
        "figure", caption, slider, element("div", walks, class_="walks"), numbers, class_="search", data_name=title
    )


def gain_in_words(shown: SearchPicture, mean: float) -> str:
    """What this search is an example of."""
    gain = shown.seen("learned") - shown.seen("unlearned")
    here = "as many true answers" if gain == 0 else f"{abs(gain)} {'more' if gain > 0 else 'fewer'}"
    return f"Here the learned search sees {here}; over all queries the mean is {mean:+.2f}."


def _walk(shown: SearchPicture, which: str) -> Markup:
    seen = element("b", shown.seen(which), class_="seen")
    title = element("h4", element("span", which, class_="which"), " sees ", seen, f" of {shown.answers}")
    return element("div", title, search_svg(shown, which), _chips(shown, which), class_=which)


def _true_spots(shown: SearchPicture) -> list[int]:
    true = [number for number, spot in enumerate(shown.spots) if spot.true_rank is not None]
    return sorted(true, key=lambda number: shown.spots[number].true_rank or 0)


def _chips(shown: SearchPicture, which: str) -> Markup:
    """The true answers by name, and whether this search saw them."""
    when = {sight.spot: at for at, sight in enumerate(getattr(shown, which))}
    chips = [
        element("li", shown.spots[spot].name, element("span", "" if spot in when else " (not seen)", class_="aloud"),
                class_=None if spot in when else "missed", data_chip=when.get(spot, -1))
        for spot in _true_spots(shown)
    ]  # fmt: skip
    return element("ol", chips, class_="chips", aria_label=f"True answers and whether the {which} search saw them")


def _answers_table(shown: SearchPicture) -> Markup:
    steps = [{sight.spot: sight.step for sight in getattr(shown, which)} for which in ("learned", "unlearned")]
    rows = [
        (shown.spots[spot].name, f"{shown.spots[spot].score:.3f}", *(step.get(spot, "never") for step in steps))
        for spot in _true_spots(shown)
    ]
    return table(["true answer", "score", "learned: step", "unlearned: step"], rows)
