"""Figure 5: recall 10@10 by the share of training queries with ground truth, our agent and ILTR on one graph.

The paper claims that the agent is always above ILTR, which learns from labelled queries alone, and the more so the
fewer are labelled: by more than 50% at 5% on MovieLens.
"""

from __future__ import annotations

from waypost.paper.charts import drawn_lines
from waypost.paper.exhibit import Exhibit, of_agent, of_plain
from waypost.paper.numbers import Number
from waypost.paper.plan import Plan

SHARES = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)


def percent(share: float) -> str:
    return f"{share:.0%}"


def numbers(plan: Plan) -> list[Number]:
    found = []
    for data in plan.sets:
        for entry in plan.entries:
            for share in SHARES:
                labels = {"set": data, "entry": entry, "ground truth": percent(share)}
                ours = plan.seeded(data, entry, share=share)
                found.append(of_plain(labels, ours, "10@10"))
                found += of_agent(labels, ours, "10@10")
                iltr = plan.seeded(data, entry, share=share, learner="imitation")
                found += of_agent(labels, iltr, "10@10", method="ILTR")
    return found


EXHIBIT = Exhibit(
    name="figure-5",
    title="Figure 5: recall 10@10 by the share of ground truth, the agent and ILTR",
    claim="The agent is always above ILTR, the more so the less ground truth there is.",
    across="ground truth",
    numbers=numbers,
    draw=drawn_lines(numbers, x="ground truth", y="recall 10@10", columns=2),
    note="ip-NSW, IPC 256. ILTR teaches the same GCN on the same graph in as many updates; its lessons differ.",
)
