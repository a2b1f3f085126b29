"""Table 4: the agent trained on NSW graphs of three similarities, labelled by what ip-NSW finds itself.

The paper claims that ip-NSW is by far the best graph to train on, and l2-NSW useless.
"""

from __future__ import annotations

from waypost.paper.exhibit import Exhibit, of_agent, of_plain
from waypost.paper.numbers import Number, printed
from waypost.paper.plan import Plan

KINDS = ("ip-nsw", "l2-nsw", "cos-nsw")
METRICS = ("1@1", "10@10")
PRINTED = {
    ("MovieLens", "1@1"): (0.681, 0.000, 0.580),
    ("MovieLens", "10@10"): (0.425, 0.000, 0.371),
    ("Amazon", "1@1"): (0.823, 0.000, 0.457),
    ("Amazon", "10@10"): (0.543, 0.000, 0.329),
    ("Echonest", "1@1"): (0.868, 0.126, 0.573),
    ("Echonest", "10@10"): (0.547, 0.089, 0.344),
}


def numbers(plan: Plan) -> list[Number]:
    found = []
    for data in plan.sets:
        for entry in plan.entries:
            for kind in KINDS:
                cases = plan.seeded(data, entry, kind, truth="ip-nsw", share=1.0)
                for metric in METRICS:
                    labels = {"set": data, "entry": entry, "recall": metric, "graph": kind}
                    found.append(of_plain(labels, cases, metric))
                    found += of_agent(labels, cases, metric)
    return found


EXHIBIT = Exhibit(
    name="table-4",
    title="Table 4: the agent on ip-NSW, l2-NSW and cos-NSW",
    claim="The agent is best on ip-NSW by far, and worst on l2-NSW.",
    across="graph",
    numbers=numbers,
    printed=[
        printed(
            {"set": f"{data} (printed)", "entry": "not stated", "recall": metric, "graph": kind, "method": "agent"},
            value,
        )
        for (data, metric), row in PRINTED.items()
        for kind, value in zip(KINDS, row, strict=True)
    ],
    note="IPC 256; all training queries are labelled by the best answer that the unlearned search finds on ip-NSW.",
)
