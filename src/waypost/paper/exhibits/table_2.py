"""Table 2: queries embedded by a learned matrix W into d' dimensions, against queries left as they are.

The paper claims that it is best to leave queries alone: embedding them costs recall at every d', the more the larger
d' is, since the products with W are paid for out of the budget and W is hard to learn.
"""

from __future__ import annotations

from waypost.paper.exhibit import Exhibit, of_agent
from waypost.paper.numbers import Number, printed
from waypost.paper.plan import Plan
from waypost.paper.protocol import BUDGET

D = 96
WIDTHS = (64, 80, 96, 112, 128)
PRINTED = {
    "MovieLens": (0.668, 0.533, 0.757, 0.368, 0.293),
    "Amazon": (0.794, 0.768, 0.850, 0.624, 0.532),
    "Echonest": (0.884, 0.854, 0.951, 0.741, 0.656),
}


def reduced_budget(width: int, d: int = D) -> int:
    """What is left of the budget when the d' d multiplications of W q are paid for, a product now costing d'.

    >>> [reduced_budget(width) for width in (64, 80, 112, 128)]
    [288, 211, 123, 96]
    """
    return (BUDGET * d - width * d) // width


def numbers(plan: Plan) -> list[Number]:
    found = []
    for data in plan.sets:
        for entry in plan.entries:
            for width in WIDTHS:
                labels = {"set": data, "entry": entry, "d'": str(width)}
                if width == D:  # not embedded: plainly, as those that are, and from the unlearned search
                    plain, ours = plan.seeded(data, entry, residual=False), plan.seeded(data, entry)
                    found += of_agent(labels, plain, "1@1")
                    found += of_agent(labels, ours, "1@1", method="agent from the unlearned search")
                else:
                    budget = reduced_budget(width)
                    cases = plan.seeded(data, entry, width=width, budget=budget)
                    found += of_agent(labels, cases, "1@1", budget)
    return found


EXHIBIT = Exhibit(
    name="table-2",
    title="Table 2: recall 1@1 by the dimension d' of embedded queries (96: not embedded)",
    claim="Queries are best left as they are; embedded, recall falls as d' grows.",
    across="d'",
    numbers=numbers,
    printed=[
        printed({"set": f"{data} (printed)", "entry": "not stated", "d'": str(width), "method": "agent"}, value)
        for data, row in PRINTED.items()
        for width, value in zip(WIDTHS, row, strict=True)
    ],
    note="ip-NSW, 30% ground truth. An agent of another width than the items cannot start as the unlearned search: "
    "so the row to compare is that of the plain agent at 96; below it, the one that starts as the unlearned search.",
)
