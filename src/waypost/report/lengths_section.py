"""How many steps it takes to see the true answers."""

from __future__ import annotations

from waypost.report.bars import Bar, binned, mirrored_chart
from waypost.report.content import Report
from waypost.report.markup import Markup, element
from waypost.report.parts import figure, section, table
from waypost.report.wording import lengths_sentence, share


def lengths_section(report: Report) -> Markup:
    lengths = report.lengths
    charts = []
    for counts, missed in ((lengths.learned, lengths.learned_missed), (lengths.unlearned, lengths.unlearned_missed)):
        total = sum(counts) + missed
        bars = binned(counts, total, "step")
        bars.append(
            Bar(missed / max(total, 1), "never", f"never: {share(missed / max(total, 1))} ({missed:,})", apart=True)
        )
        charts.append(bars)
    alt = "Two histograms of the step at which true answers came into sight. " + lengths_sentence(lengths)
    drawing = mirrored_chart(
        charts[0],
        charts[1],
        ("learned", "unlearned"),
        "vertices looked at until then",
        "share of the true answers",
        alt,
    )
    rows = [
        (up.tip.partition(":")[0], up.tip.partition(": ")[2], down.tip.partition(": ")[2])
        for up, down in zip(*charts, strict=True)
    ]
    shown = figure("Steps until a true answer came into sight", drawing, table(["", "learned", "unlearned"], rows))
    return section("lengths", "How long the way is", lengths_sentence(lengths), element("div", shown, class_="pair"))
