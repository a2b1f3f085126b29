"""Table 5: no ground truth, 30% ground truth, and approximate ground truth found by ip-NSW itself.

The paper claims that 30% ground truth is best, that no ground truth still trains a good agent, and that approximate
ground truth misleads it on two of the three sets.
"""

from __future__ import annotations

from typing import Any

from waypost.paper.exhibit import Exhibit, of_agent, of_plain
from waypost.paper.numbers import Number, printed
from waypost.paper.plan import Plan

TRUTHS: dict[str, dict[str, Any]] = {
    "none": {"share": 0.0},
    "30%": {},
    "approximate": {"truth": "ip-nsw", "share": 1.0},
}
PRINTED = {
    "MovieLens": (0.701, 0.757, 0.681),
    "Amazon": (0.820, 0.850, 0.823),
    "Echonest": (0.934, 0.951, 0.868),
}


def numbers(plan: Plan) -> list[Number]:
    found = []
    for data in plan.sets:
        for entry in plan.entries:
            for truth, of in TRUTHS.items():
                labels = {"set": data, "entry": entry, "ground truth": truth}
                cases = plan.seeded(data, entry, **of)
                found.append(of_plain(labels, cases, "1@1"))
                found += of_agent(labels, cases, "1@1")
    return found


EXHIBIT = Exhibit(
    name="table-5",
    title="Table 5: recall 1@1 without, with 30% and with approximate ground truth",
    claim="30% ground truth is best; without any the agent is still good; approximate ground truth can mislead.",
    across="ground truth",
    numbers=numbers,
    printed=[
        printed({"set": f"{data} (printed)", "entry": "not stated", "ground truth": truth, "method": "agent"}, value)
        for data, row in PRINTED.items()
        for truth, value in zip(TRUTHS, row, strict=True)
    ],
    note="ip-NSW, IPC 256. The approximate truth of every training query is the best answer of the unlearned search.",
)
