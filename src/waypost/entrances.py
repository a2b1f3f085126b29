"""The rows that walks of an index start from, by whatever a call says of them."""

from waypost.arguments import Floats
from waypost.entry import Entry, Rows, Start, affordable, as_start, entry_rows, is_block, is_drawn, start_rows


class Entrances:
    """`rows` are those of the index's own `entry`; those of other rules are found once, because it looks at every item.

    >>> import numpy as np
    >>> entrances = Entrances(np.diag([1.0, 3.0, 2.0]).astype(np.float32), "first", np.array([[0]], np.int32))
    >>> entrances.of(None, seed=0, queries=5, budget=100).tolist()
    [[0]]
    >>> entrances.of(("largest-norm", 2), seed=0, queries=5, budget=100).tolist()
    [[1, 2]]
    """

    def __init__(self, items: Floats, entry: Entry, rows: Rows) -> None:
        self._items, self._entry, self._rows = items, entry, rows
        self._of_rules: dict[Start, Rows] = {}

    def of(self, entry: Entry | None, seed: int, queries: int, budget: int) -> Rows:
        """What a call asks for, None for the index's own; of a rule's several rows as many as the budget pays for."""
        wanted: Entry = self._entry if entry is None else entry
        if not isinstance(wanted, str) and not is_block(wanted):
            return entry_rows(wanted, self._items, queries)
        start = as_start(wanted)
        if is_drawn(start):
            return affordable(start_rows(start, self._items, seed), budget)
        return affordable(self._rows if entry is None else self._remembered(start), budget)

    def _remembered(self, rule: Start) -> Rows:
        if rule not in self._of_rules:
            self._of_rules[rule] = start_rows(rule, self._items)
        return self._of_rules[rule]
