"""Table 1: how large the data sets are, and how their users are split."""

from __future__ import annotations

from waypost.paper.exhibit import Exhibit
from waypost.paper.numbers import Measured, printed
from waypost.paper.plan import Plan
from waypost.paper.store import Store

COLUMNS = {"items": "items", "ratings": "ratings", "train": "training", "valid": "validation", "test": "test"}
PRINTED = {
    "MovieLens": (59_047, 25_000_095, 130_032, 16_254, 16_255),
    "Amazon": (79_851, 1_828_551, 111_177, 13_907, 13_898),
    "Echonest": (60_654, 4_422_471, 174_372, 21_796, 21_798),
}


def sizes(plan: Plan, store: Store) -> list[Measured]:
    """The counts that were noted when a set was first read."""
    found = []
    for data in plan.sets:
        known = store.sizes(data) or {}
        for key, column in {**COLUMNS, "repeats left out": "repeats left out"}.items():
            values = (float(known[key]),) if key in known else ()
            found.append(Measured({"set": data, "what": column}, values, 1, whole=True))
    return found


EXHIBIT = Exhibit(
    name="table-1",
    title="Table 1: data sets",
    claim="Three sets of ratings, factorised by ALS into 96 dimensions; users are split 80/10/10 at random.",
    across="what",
    rows=sizes,
    printed=[
        printed({"set": f"{data} (printed)", "what": what}, value, whole=True)
        for data, row in PRINTED.items()
        for what, value in zip(COLUMNS.values(), row, strict=True)
    ],
    note="Users without interactions are handed to nobody, and those who validate or test are left out where they have "
    "exactly the items of someone in training. Every interaction counts as one. At most 5,000 queries validate.",
)
