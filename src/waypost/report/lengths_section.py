"""How many steps it takes to see the true answers."""

from __future__ import annotations

from waypost.report.bars import counted, mirrored_chart, most_shown, rows_of, share_bar
from waypost.report.content import Report
from waypost.report.markup import Markup, element
from waypost.report.parts import figure, section, table
from waypost.report.wording import lengths_sentence


def lengths_section(report: Report) -> Markup:
    lengths = report.lengths
    shown = most_shown(lengths.learned, lengths.unlearned)
    charts = []
    for counts, missed in ((lengths.learned, lengths.learned_missed), (lengths.unlearned, lengths.unlearned_missed)):
        total = sum(counts) + missed
        never = share_bar(missed, total, "never", "never", apart=True)
        charts.append([*counted(counts, total, "step", shown), never])
    sentence = lengths_sentence(lengths)
    drawing = mirrored_chart(
        charts[0],
        charts[1],
        names=("learned", "unlearned"),
        x_name="vertices looked at until then",
        y_name="share of the true answers",
        alt=f"Two histograms of the step at which true answers came into sight. {sentence}",
    )
    drawn = figure(
        "Steps until a true answer came into sight", drawing, table(["", "learned", "unlearned"], rows_of(*charts))
    )
    return section("lengths", "How long the way is", sentence, element("div", drawn, class_="pair"))
