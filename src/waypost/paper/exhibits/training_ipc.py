"""Figure 7: recall 1@1 by the budget of path collection; searches have IPC 256 throughout.

The paper claims that the curve converges quickly, and that too large a budget of training can even harm a little.
"""

from __future__ import annotations

from waypost.paper.charts import drawn_lines
from waypost.paper.exhibit import Exhibit, of_agent
from waypost.paper.numbers import Number
from waypost.paper.plan import Plan

TRAINING_BUDGETS = (32, 64, 128, 256, 512, 1024)


def numbers(plan: Plan) -> list[Number]:
    one = plan.one_seed()
    found = []
    for data in plan.sets:
        for entry in plan.entries:
            for budget in TRAINING_BUDGETS:
                labels = {"set": data, "entry": entry, "training IPC": str(budget)}
                found += of_agent(labels, one.seeded(data, entry, budget=budget), "1@1")
    return found


EXHIBIT = Exhibit(
    name="figure-7",
    title="Figure 7: recall 1@1 by the IPC of training",
    claim="The curve converges quickly as the IPC of training grows; too large a one can harm a little.",
    across="training IPC",
    numbers=numbers,
    draw=drawn_lines(numbers, x="training IPC", y="recall 1@1", log=True, columns=2),
    note="ip-NSW, 30% ground truth; a sweep of one seed.",
)
