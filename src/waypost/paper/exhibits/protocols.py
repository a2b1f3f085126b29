"""A check of our own: do the fast protocol and the printed one end alike?"""

from __future__ import annotations

from dataclasses import replace

from waypost.paper.exhibit import Exhibit, of_agent, of_plain
from waypost.paper.numbers import Number
from waypost.paper.plan import Plan
from waypost.paper.protocol import PROTOCOLS

COMPARED = ("fast", "same-queries", "printed")


def numbers(plan: Plan) -> list[Number]:
    """On the first of the sets and entries, with one seed."""
    data, entry = plan.sets[0], plan.entries[0]
    found = []
    for name in COMPARED:
        limits = replace(PROTOCOLS[name], limits=plan.protocol.limits)
        one = replace(plan.one_seed(), protocol=limits)
        cases = one.seeded(data, entry)
        for metric in ("1@1", "10@10"):
            labels = {"set": data, "entry": entry, "protocol": name, "recall": metric}
            found.append(of_plain(labels, cases, metric))
            found += of_agent(labels, cases, metric)
    return found


EXHIBIT = Exhibit(
    name="protocols",
    title="A check: the fast protocol and the printed one",
    claim="Both end alike (ours; the paper has nothing of the kind).",
    across="method",
    numbers=numbers,
    asked=True,
    note="ip-NSW, IPC 256, 30% ground truth, one seed. "
    + "; ".join(f"{name}: {PROTOCOLS[name].about}" for name in COMPARED)
    + ".",
)
