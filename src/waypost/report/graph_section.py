"""The graph: degrees and reach."""

from __future__ import annotations

from waypost.report.bars import Bar, bar_chart, binned, mirrored_chart
from waypost.report.content import Report
from waypost.report.markup import Markup, element
from waypost.report.parts import figure, section, table
from waypost.report.wording import graph_sentence, share


def graph_section(report: Report) -> Markup:
    graph = report.graph
    facts = [
        ("kind", graph.kind), ("items", f"{graph.items:,}"), ("edges", f"{graph.edges:,}"),
        ("neighbours, mean", f"{graph.edges / graph.items:.1f} of {graph.cap}"),
        ("memory", f"{graph.bytes / 1e6:.1f} MB"), ("out of reach", f"{graph.unreachable:,}"),
    ]  # fmt: skip
    listing = element("dl", [element("div", element("dt", name), element("dd", value)) for name, value in facts])
    charts = element("div", _degree_figure(report), _hops_figure(report), class_="pair")
    return section("graph", "The graph beneath", graph_sentence(graph), listing, charts)


def _degree_figure(report: Report) -> Markup:
    graph = report.graph
    bars = binned(graph.degrees, graph.items, "degree")
    alt = f"Histogram of degrees, from 0 to {graph.cap} neighbours; {graph.edges / graph.items:.1f} on the mean."
    drawing = bar_chart(bars, "neighbours", "share of the items", "plot", alt)
    rows = [(degree, f"{count:,}") for degree, count in enumerate(graph.degrees)]
    return figure("Degrees", drawing, table(["neighbours", "items"], rows))


def _hops_figure(report: Report) -> Markup:
    graph = report.graph
    answers = sum(graph.answer_hops) + graph.answers_unreachable
    above, below = binned(graph.answer_hops, answers, "edge"), binned(graph.hops, graph.items, "edge")
    for bars, missed, total in ((above, graph.answers_unreachable, answers), (below, graph.unreachable, graph.items)):
        bars.append(
            Bar(
                missed / max(total, 1),
                "never",
                f"out of reach: {share(missed / max(total, 1))} ({missed:,})",
                apart=True,
            )
        )
    alt = "Two histograms of the fewest edges from the entry, of the true answers and of all items. " + graph_sentence(
        graph
    )
    drawing = mirrored_chart(above, below, ("true answers", "all items"), "fewest edges from the entry", "share", alt)
    rows = [
        (up.tip.partition(":")[0], up.tip.partition(": ")[2], down.tip.partition(": ")[2])
        for up, down in zip(above, below, strict=True)
    ]
    return figure("How far everything is", drawing, table(["", "true answers", "all items"], rows))
