"""Table 6: the agent, the agent rewarded by the shaping alone, and the agent without a baseline.

The paper claims that both ablations are far worse than the whole.
"""

from __future__ import annotations

from typing import Any

from waypost.paper.exhibit import Exhibit, of_agent, of_plain
from waypost.paper.numbers import Number, printed
from waypost.paper.plan import Plan

ABLATIONS: dict[str, dict[str, Any]] = {
    "ours": {},
    "shaping alone": {"products": False},
    "no baseline": {"baseline": "none"},
}
STARTS: dict[str, dict[str, Any]] = {"plain": {"residual": False}, "the unlearned search": {}}
PRINTED = {
    "ours": (0.757, 0.850, 0.951),
    "shaping alone": (0.194, 0.273, 0.408),
    "no baseline": (0.267, 0.255, 0.167),
}
SETS = ("MovieLens", "Amazon", "Echonest")


def numbers(plan: Plan) -> list[Number]:
    found = []
    for data in plan.sets:
        for entry in plan.entries:
            for start, form in STARTS.items():
                for name, of in ABLATIONS.items():
                    labels = {"set": data, "entry": entry, "start": start, "agent": name}
                    found += of_agent(labels, plan.seeded(data, entry, **of, **form), "1@1")
            for name in ABLATIONS:  # the same for all: it stands beside each of them
                labels = {"set": data, "entry": entry, "start": "-", "agent": name}
                found.append(of_plain(labels, plan.seeded(data, entry), "1@1"))
    return found


EXHIBIT = Exhibit(
    name="table-6",
    title="Table 6: recall 1@1 of ablations",
    claim="Shaping alone and no baseline are far worse than the whole.",
    across="agent",
    numbers=numbers,
    printed=[
        printed(
            {"set": f"{data} (printed)", "entry": "not stated", "start": "plain", "agent": name, "method": "agent"},
            value,
        )
        for name, row in PRINTED.items()
        for data, value in zip(SETS, row, strict=True)
    ],
    note="ip-NSW, IPC 256, 30% ground truth. From random weights, as printed, and from the unlearned search, as "
    "elsewhere here: an agent that starts there has less to lose.",
)
