"""The paper's claims, each with how it is judged and, by hand, our best explanation of what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from waypost.paper import explanations as because
from waypost.paper import verdicts as v
from waypost.paper.exhibit import FORMS
from waypost.paper.exhibits.registry import EXHIBITS
from waypost.paper.plan import Plan
from waypost.paper.store import Store

Judge = Callable[[v.Numbers, v.Where], v.Verdict]


@dataclass(frozen=True, eq=False)
class Claim:
    """A sentence of the paper, the exhibit that it rests on, and the rule by which it holds or fails here."""

    text: str
    exhibit: str
    judge: Judge
    rule: str
    explanation: str = ""
    forms: tuple[str, ...] = tuple(FORMS)
    one_entry: bool = False
    first_set: bool = False

    def judged(self, plan: Plan, store: Store) -> Iterator[tuple[v.Where, v.Verdict]]:
        """A verdict for each set, entry and order of the answers."""
        numbers = v.Numbers(EXHIBITS[self.exhibit].measured(plan, store))
        for data in plan.sets[:1] if self.first_set else plan.sets:
            for entry in plan.entries[:1] if self.one_entry else plan.entries:
                for form in self.forms:
                    at = v.Where(data, entry, form)
                    yield at, self.judge(numbers, at)


CLAIMS = (
    Claim(
        "The agent is above the unlearned search in every cell of Table 3.",
        "table-3",
        v.above_unlearned,
        "In each of the nine cells (graph, IPC) the agent's mean recall 10@10 is above the unlearned search's.",
        explanation=because.ABOVE_UNLEARNED,
    ),
    Claim(
        "It gains most on IPDG and Moebius.",
        "table-3",
        v.largest_on_ipdg_and_moebius,
        "The mean gain over the three budgets is larger on both than on ip-NSW.",
        explanation=because.LARGEST_GAINS,
    ),
    Claim(
        "It is always above ILTR.",
        "figure-5",
        v.above_iltr,
        "At each share of ground truth its mean recall 10@10 is above ILTR's, answers in the same order.",
        explanation=because.ILTR,
    ),
    Claim(
        "It is above ILTR the more, the less ground truth there is.",
        "figure-5",
        v.more_so_with_little_truth,
        "It is ahead at 5%, and by more than at 30%.",
        explanation=because.LITTLE_TRUTH,
    ),
    Claim(
        "There is nothing to gain from embedding queries.",
        "table-2",
        v.no_gain_from_embedding,
        "At no d' is recall 1@1 above that of the plain agent that leaves queries alone.",
        explanation=because.EMBEDDING,
    ),
    Claim(
        "ip-NSW is the best of the three NSW graphs to train on.",
        "table-4",
        v.ip_nsw_is_best,
        "Recall 1@1 and 10@10 are above those on l2-NSW and cos-NSW.",
        explanation=because.GRAPHS,
    ),
    Claim(
        "30% ground truth is better than none and than approximate ground truth.",
        "table-5",
        v.thirty_percent_is_best,
        "Recall 1@1 is above both.",
        explanation=because.GROUND_TRUTH,
    ),
    Claim(
        "Shaping alone and no baseline are far worse.",
        "table-6",
        v.ablations_are_far_worse,
        f"Recall 1@1 of the plain agent falls to {v.FAR:.0%} or less of the whole one's by either.",
        explanation=because.ABLATIONS,
    ),
    Claim(
        "alpha is the hyper-parameter that matters most.",
        "figure-8",
        v.alpha_matters_most,
        "Of the four sweeps its recall 1@1 has the widest range.",
        one_entry=True,
        first_set=True,
        explanation=because.HYPER_PARAMETERS,
    ),
    Claim(
        "Recall converges quickly as the IPC of training grows.",
        "figure-7",
        v.converges_quickly,
        f"Trained at IPC 256, recall 1@1 is within {v.CLOSE} of the best of the sweep.",
        explanation=because.TRAINING_IPC,
    ),
    Claim(
        "At the same recall the agent answers more queries a second on Moebius.",
        "figure-6",
        v.more_queries_a_second,
        "At each recall 10@10 of the unlearned search that lies on the agent's curve, the agent is quicker.",
        forms=("agent", "agent, re-ranked"),
        explanation=because.SPEED,
    ),
)
