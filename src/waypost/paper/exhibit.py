"""A table or a figure of the paper: what it claims, what it is made of, how it is laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from waypost.paper.cases import Case
from waypost.paper.evaluation import AGENT, RERANKED, UNCOUNTED, UNLEARNED
from waypost.paper.numbers import Measured, Number, measured
from waypost.paper.plan import Plan
from waypost.paper.protocol import BUDGET
from waypost.paper.store import Store

FORMS = {"agent": AGENT, "agent, re-ranked": RERANKED, "agent, ranking not counted": UNCOUNTED}
"""How an agent's answers are ordered; the search without an agent has them in the exact order at no cost."""

Draw = Callable[[Plan, Store], Any]


@dataclass(frozen=True, eq=False)
class Exhibit:
    """One table or figure. `numbers` says what it is made of, `printed` what stands in the paper."""

    name: str
    title: str
    claim: str
    """What the paper says of it, in a sentence."""
    across: str
    """The label that runs across the columns; the others name the rows."""
    numbers: Callable[[Plan], list[Number]] = field(default=lambda plan: [])
    printed: Sequence[Measured] = ()
    draw: Draw | None = None
    """Makes its matplotlib figure."""
    rows: Callable[[Plan, Store], list[Measured]] | None = None
    """Its numbers where they are no means of cells."""
    asked: bool = False
    """Whether it must be asked for by name: it takes hours, or is no part of the paper."""
    note: str = ""
    """What is to be known of our numbers beside the printed ones."""

    def cases(self, plan: Plan) -> list[Case]:
        """Each cell it needs, some perhaps more than once."""
        return [case for number in self.numbers(plan) for case in number.cases]

    def measured(self, plan: Plan, store: Store) -> list[Measured]:
        """Its numbers, as far as the cells are there."""
        return self.rows(plan, store) if self.rows is not None else measured(self.numbers(plan), store)


def of_agent(
    labels: dict[str, str], cases: tuple[Case, ...], metric: str, budget: int = BUDGET, method: str = "agent"
) -> list[Number]:
    """An agent's recall in each order of its answers; `method` is what the agent is called."""
    return [
        Number(labels | {"method": form.replace("agent", method, 1)}, cases, ("recall", str(budget), path, metric))
        for form, path in FORMS.items()
    ]


def of_plain(labels: dict[str, str], cases: tuple[Case, ...], metric: str, budget: int = BUDGET) -> Number:
    """The recall of the search without an agent, on the graphs and from the entries of these cells."""
    return Number(labels | {"method": "unlearned"}, cases, ("recall", str(budget), UNLEARNED, metric))
