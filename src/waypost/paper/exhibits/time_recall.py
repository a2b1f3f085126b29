"""Figure 6: queries a second against recall 10@10 on the Moebius graph.

The paper claims that the agent answers more queries a second at the same recall.
"""

from __future__ import annotations

from typing import Any

from waypost.paper.charts import name_axes, panels
from waypost.paper.evaluation import AGENT, RERANKED, UNLEARNED
from waypost.paper.exhibit import Exhibit
from waypost.paper.numbers import Measured, Number, measured
from waypost.paper.plan import Plan
from waypost.paper.protocol import SPEED_BUDGETS
from waypost.paper.store import Store

METHODS = {"unlearned": UNLEARNED, "agent": AGENT, "agent, re-ranked": RERANKED}


def numbers(plan: Plan) -> list[Number]:
    found = []
    for data in plan.sets:
        for entry in plan.entries:
            cases = plan.seeded(data, entry, "moebius")
            for budget in map(str, SPEED_BUDGETS):
                for method, form in METHODS.items():
                    labels = {"set": data, "entry": entry, "IPC": budget, "method": method}
                    found.append(Number(labels | {"what": "recall 10@10"}, cases, ("recall", budget, form, "10@10")))
                    found.append(Number(labels | {"what": "QPS"}, cases, ("speed", budget, form)))
    return found


def draw(plan: Plan, store: Store) -> Any:
    figure, axes = panels([f"{data}, {entry}" for data in plan.sets for entry in plan.entries], columns=2)
    curves: dict[tuple[str, str], dict[str, list[Measured]]] = {}
    for one in measured(numbers(plan), store):
        key = f"{one.labels['set']}, {one.labels['entry']}", one.labels["method"]
        curves.setdefault(key, {}).setdefault(one.labels["what"], []).append(one)
    for (panel, method), curve in curves.items():
        points = zip(curve["recall 10@10"], curve["QPS"], strict=True)
        known = [(recall.mean, qps.mean) for recall, qps in points if recall.mean is not None and qps.mean is not None]
        axes[panel].plot([p[0] for p in known], [p[1] for p in known], marker="o", label=method)
    name_axes(axes, "recall 10@10", "queries a second")
    return figure


EXHIBIT = Exhibit(
    name="figure-6",
    title="Figure 6: queries a second against recall 10@10 on Moebius",
    claim="At the same recall the agent answers more queries a second.",
    across="what",
    numbers=numbers,
    draw=draw,
    note="Queries a second of one core's own time, the searches of one cell by turns, the best of five rounds. Compare "
    "within a set and entry.",
)
