"""The graph: degrees and reach."""

from __future__ import annotations

from waypost.report.bars import counted, mirrored_chart, most_shown, rows_of, share_bar
from waypost.report.content import DegreeBin, Report
from waypost.report.markup import Markup, element
from waypost.report.parts import figure, section, table
from waypost.report.wording import graph_sentence, short


def graph_section(report: Report) -> Markup:
    graph = report.graph
    facts = [
        ("kind", graph.kind), ("items", f"{graph.items:,}"), ("edges", f"{graph.edges:,}"),
        ("neighbours, mean", f"{graph.edges / graph.items:.1f} of {graph.cap}"),
        ("memory", f"{graph.bytes / 1e6:.1f} MB"), ("most links to one", f"{graph.most_popular:,}"),
    ]  # fmt: skip
    listing = element("dl", [element("div", element("dt", name), element("dd", value)) for name, value in facts])
    charts = element("div", _degree_figure(report), _hops_figure(report), class_="pair")
    return section("graph", "The graph beneath", graph_sentence(graph), listing, charts)


def _degree_figure(report: Report) -> Markup:
    graph = report.graph
    every = max(1, round(len(graph.degree_bins) / 7))
    labels = [short(one.low) if at % every == 0 else "" for at, one in enumerate(graph.degree_bins)]
    bins = [(one, label, _label(one)) for one, label in zip(graph.degree_bins, labels, strict=True)]
    above = [share_bar(one.having, graph.items, low, f"{name} neighbours") for one, low, name in bins]
    below = [share_bar(one.being, graph.items, low, f"neighbour of {name}") for one, low, name in bins]
    drawing = mirrored_chart(
        above,
        below,
        names=("neighbours it has", "items it is a neighbour of"),
        x_name="how many, by powers of two",
        y_name="share of the items",
        looks=("plot", "exact"),
        alt=f"Two histograms. An item has {graph.edges / graph.items:.1f} neighbours on the mean, {graph.cap} at most; "
        f"the most popular one is a neighbour of {graph.most_popular:,}.",
    )
    rows = [(name, *row[1:]) for (_, _, name), row in zip(bins, rows_of(above, below), strict=True)]
    return figure("Degrees", drawing, table(["how many", "it has", "it is a neighbour of"], rows))


def _label(one: DegreeBin) -> str:
    return str(one.low) if one.low == one.high else f"{one.low}-{one.high}"


def _hops_figure(report: Report) -> Markup:
    graph = report.graph
    shown = most_shown(graph.answer_hops, graph.hops)
    charts = []
    for counts, missed in ((graph.answer_hops, graph.answers_unreachable), (graph.hops, graph.unreachable)):
        total = sum(counts) + missed
        never = share_bar(missed, total, "never", "out of reach", apart=True)
        charts.append([*counted(counts, total, "edge", shown), never])
    drawing = mirrored_chart(
        charts[0],
        charts[1],
        names=("true answers", "all items"),
        x_name="fewest edges from the entry",
        y_name="share",
        looks=("plot", "exact"),
        alt=f"Two histograms of the fewest edges from the entry. {graph_sentence(graph)}",
    )
    return figure("How far everything is", drawing, table(["", "true answers", "all items"], rows_of(*charts)))
