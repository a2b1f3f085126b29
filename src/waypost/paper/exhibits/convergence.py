"""Figure 4: validation recall against training batches, by d' (left) and by the share of ground truth (right).

The paper claims that training converges in every case, that leaving queries alone is ahead from the beginning to the
end, and that more ground truth stays ahead.
"""

from __future__ import annotations

from typing import Any

from waypost.paper.charts import name_axes, panels
from waypost.paper.exhibit import Exhibit
from waypost.paper.exhibits.share import SHARES, percent
from waypost.paper.exhibits.table_2 import WIDTHS, D, reduced_budget
from waypost.paper.numbers import Number
from waypost.paper.plan import Plan
from waypost.paper.store import Store

LEFT, RIGHT = "by d', recall 1@1", "by share of ground truth, recall 10@10"


def lines(plan: Plan) -> list[tuple[str, str, str, dict[str, Any], int]]:
    """Panel, set, line, what is trained, and where in a point its recall stands; one entry is enough to see it."""
    found: list[tuple[str, str, str, dict[str, Any], int]] = []
    for data in plan.sets:
        for width in WIDTHS:
            of: dict[str, Any] = {"width": width, "budget": reduced_budget(width)}
            found.append((LEFT, data, f"d' = {width}", {"residual": False} if width == D else of, 1))
        found += [(RIGHT, data, percent(share), {"share": share}, 2) for share in SHARES]
    return found


def numbers(plan: Plan) -> list[Number]:
    checks, queries = plan.protocol.checks, plan.protocol.queries
    return [
        Number(
            {"panel": panel, "set": data, "line": line, "training queries": f"{at * queries // checks:,}"},
            plan.seeded(data, plan.entries[0], **of),
            ("exact", at, column),
        )
        for panel, data, line, of, column in lines(plan)
        for at in range(checks + 1)
    ]


def draw(plan: Plan, store: Store) -> Any:
    """The exact recall of the first seed as a dark line, the estimate on 100 queries as a pale one."""
    figure, axes = panels([f"{data}, {panel}" for data in plan.sets for panel in (LEFT, RIGHT)], columns=2)
    colors: dict[str, list[str]] = {}
    for panel, data, line, of, column in lines(plan):
        cell = store.get(plan.seeded(data, plan.entries[0], **of)[0])
        if cell is None:
            continue
        name = f"{data}, {panel}"
        color = f"C{len(colors.setdefault(name, []))}"
        colors[name].append(line)
        for curve, alpha, label in (("estimate", 0.3, None), ("exact", 1.0, line)):
            points = cell[curve]
            axes[name].plot([p[0] for p in points], [p[column] for p in points], color=color, alpha=alpha, label=label)
    name_axes(axes, "training queries", "validation recall")
    return figure


EXHIBIT = Exhibit(
    name="figure-4",
    title="Figure 4: convergence by d' and by the share of ground truth",
    claim="Training converges in every case; no embedding is ahead throughout, and so is more ground truth.",
    across="training queries",
    numbers=numbers,
    draw=draw,
    note="ip-NSW, the first entry asked for; answers in the order of the learned vectors. Agents with d' are plain, "
    "those by share of ground truth start as the unlearned search.",
)
