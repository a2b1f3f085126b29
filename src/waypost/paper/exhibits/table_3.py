"""Table 3: recall 10@10 on three graphs at three budgets, the agent against the unlearned search on the same graph.

The paper claims that the agent is above the unlearned search in every cell, and gains most on IPDG and Moebius.
"""

from __future__ import annotations

from waypost.paper.exhibit import Exhibit, of_agent, of_plain
from waypost.paper.numbers import Measured, Number, printed
from waypost.paper.plan import Plan
from waypost.paper.protocol import BUDGETS, GRAPHS

PRINTED = {
    ("MovieLens", 128): (0.3502, 0.2864, 0.1886, 0.0800, 0.1383, 0.0771),
    ("MovieLens", 256): (0.6943, 0.6462, 0.5939, 0.3542, 0.6541, 0.1824),
    ("MovieLens", 512): (0.8962, 0.8889, 0.8115, 0.7171, 0.8836, 0.6856),
    ("Amazon", 128): (0.5209, 0.4901, 0.3624, 0.3062, 0.2403, 0.0523),
    ("Amazon", 256): (0.7818, 0.7596, 0.6005, 0.5495, 0.5274, 0.3295),
    ("Amazon", 512): (0.9171, 0.9074, 0.7888, 0.7573, 0.6716, 0.6188),
    ("Echonest", 128): (0.6897, 0.6516, 0.4303, 0.3296, 0.6121, 0.4196),
    ("Echonest", 256): (0.9120, 0.8956, 0.6346, 0.5431, 0.7541, 0.6709),
    ("Echonest", 512): (0.9847, 0.9822, 0.7902, 0.7301, 0.8106, 0.7844),
}


def numbers(plan: Plan) -> list[Number]:
    found = []
    for data in plan.sets:
        for entry in plan.entries:
            for graph in GRAPHS:
                cases = plan.seeded(data, entry, graph)
                for budget in BUDGETS:
                    labels = {"set": data, "entry": entry, "graph": graph, "IPC": str(budget)}
                    found.append(of_plain(labels, cases, "10@10", budget))
                    found += of_agent(labels, cases, "10@10", budget)
                    found.append(Number(labels | {"method": "reachable"}, cases, ("reachable",)))
    return found


def as_printed() -> list[Measured]:
    found = []
    for (data, budget), row in PRINTED.items():
        for at, graph in enumerate(GRAPHS):
            labels = {"set": f"{data} (printed)", "entry": "not stated", "graph": graph, "IPC": str(budget)}
            found.append(printed(labels | {"method": "unlearned"}, row[2 * at + 1]))
            found.append(printed(labels | {"method": "agent"}, row[2 * at]))
    return found


EXHIBIT = Exhibit(
    name="table-3",
    title="Table 3: recall 10@10 on three graphs",
    claim="The agent is above the unlearned search in every cell, and gains most on IPDG and Moebius.",
    across="method",
    numbers=numbers,
    printed=as_printed(),
    note="Trained at IPC 256 with 30% ground truth; cap 16, 100 candidates. One agent a graph, asked at all budgets. "
    "Reachable is the share of the true answers that some path from the entry leads to: no search finds more.",
)
