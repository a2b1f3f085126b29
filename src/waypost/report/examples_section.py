"""Answers by name, as cards."""

from __future__ import annotations

from collections.abc import Sequence

from waypost.report.content import Example, Report
from waypost.report.markup import Markup, element
from waypost.report.parts import section
from waypost.report.wording import duration, listed


def examples_section(report: Report) -> Markup | None:
    if not report.examples:
        return None
    lead = "Marked names are true answers that the routed search missed, or names that it gave in their place."
    cards = [_card(example) for example in report.examples]
    return section("examples", "What comes back", lead, element("div", cards, class_="cards"))


def _card(example: Example) -> Markup:
    sides = [
        _side("exact", example.exact, set(example.routed), example.exact_cost, example.exact_us),
        _side("routed", example.routed, set(example.exact), example.routed_cost, example.routed_us),
    ]
    times = example.exact_us / example.routed_us if example.routed_us > 0 else 0
    found = f"{example.found} of {len(example.exact)} found"
    fast = f", {times:,.0f} times as fast" if times >= 2 else ""
    title = element("h3", "Uses ", element("span", listed(example.liked)))
    return element(
        "article", title, element("p", f"{found}{fast}", class_="found"), element("div", sides, class_="sides")
    )


def _side(name: str, answers: Sequence[str], others: set[str], cost: int, microseconds: float) -> Markup:
    items = [
        element("li", answer) if answer in others else
        element("li", element("mark", answer), element("span", " (not in the other list)", class_="aloud"))
        for answer in answers
    ]  # fmt: skip
    price = element("p", f"{cost:,} products", element("br"), duration(microseconds), class_="price")
    return element("div", element("h4", name), price, element("ol", items), class_=name)
