"""How much the paper's agent needs to be told: no truth at all, some, and beside imitation told the same."""

from __future__ import annotations

import itertools
from typing import Any

import waypost as wp
from waypost.bench.finished import Finished, Result
from waypost.bench.learned_matrix import SETS, by_budget, finished, triple
from waypost.bench.tables import Table
from waypost.bench.trial import BUDGETS, LITTLE_TRUTH, K, Trial, agent
from waypost.bench.workbench import Workbench
from waypost.learn.config import FRONTIER

KIND, ENTRY = "ip-nsw", "random"
LEAST_GAIN = 0.05
SHARES = (0.05, 0.3)
LEAST_SETS = 2
MUCH = 0.3
RECIPES = ("agent", "default")
OPEN = "-"
NEIGHBORHOOD = 8_000
LONGER: dict[str, Any] = {"lr": 0.004, "steps": 80}
COSTS = " / ".join(map(str, BUDGETS))


def without_truth(bench: Workbench, kept: Finished) -> list[Table]:
    about = (
        f"The paper's agent on gowalla's {KIND}, cap 16, entry {ENTRY}, from the reward alone. Recall {K}@{K} at "
        f"{COSTS} inner products on test queries; target: at 256 above the unlearned search by at least {LEAST_GAIN}."
    )
    table = Table("Without any truth", about, ["unlearned", "learned", "gain", "met"])
    cells = agent("gowalla", KIND, ENTRY, 0.0, **LITTLE_TRUTH).run(bench, kept)["cells"]
    before, after = by_budget(cells, "unlearned"), by_budget(cells, "learned")
    met = "yes" if after[1] - before[1] >= LEAST_GAIN else "no"
    table.add(triple(before), triple(after), triple(after - before, "+"), met)
    return [table]


def against_imitation(bench: Workbench, kept: Finished) -> list[Table]:
    about = (
        f"{KIND}, cap 16, entry {ENTRY}, each told the same share of true answers. ILTR and `agent`: the same GCN, "
        "taught by imitation, of labelled queries as printed, or by REINFORCE, which learns from the others, too. Each "
        "with two settings, of which validation queries choose, as they do the re-rank: ILTR as in the matrix or by "
        "more and larger steps; `agent` on printed paths (at 5% with the settings of the section before) or by the "
        "preset `frontier`, which has the unlearned search find answers where none are known. `default`: "
        f"`TrainConfig()`. Means over {COSTS} inner products of recall {K}@{K} / 1@1 on test queries. Target: above "
        f"ILTR in both at every share on at least {LEAST_SETS} sets."
    )
    columns = ["set", "truth", "unlearned", "ILTR", *RECIPES, *(f"{name} above" for name in RECIPES)]
    table = Table("Beside imitation (ILTR)", about, columns)
    verdicts: dict[str, dict[str, list[str]]] = {recipe: {name: [] for name in SETS} for recipe in RECIPES}
    for name, share in itertools.product(SETS, SHARES):
        found = [_best(finished(bench, kept, one)) for one in _rivals(name, share)]
        before = next(([_means(one, "unlearned")] for one in found if one), [])
        theirs, *ours = ([_means(one, "learned")] if one else [] for one in found)
        above = [_above(mean, theirs) for mean in ours]
        for recipe, verdict in zip(RECIPES, above, strict=True):
            verdicts[recipe][name].append(verdict)
        table.add(name, f"{share:.0%}", *(_shown(mean) for mean in (before, theirs, *ours)), *above)
    table.notes.extend(f"{recipe}: {_told(sets)}." for recipe, sets in verdicts.items())
    return [table]


Means = list[tuple[float, float]]  # of recall 10@10 and 1@1; empty where a training is not finished


def _shown(means: Means) -> str:
    return " / ".join(f"{value:.3f}" for value in means[0]) if means else OPEN


def _above(ours: Means, theirs: Means) -> str:
    if not (ours and theirs):
        return OPEN
    return "yes" if ours[0][0] > theirs[0][0] and ours[0][1] > theirs[0][1] else "no"


def _told(sets: dict[str, list[str]]) -> str:
    above = sum(all(verdict == "yes" for verdict in found) for found in sets.values())
    possible = sum(all(verdict != "no" for verdict in found) for found in sets.values())
    met = "yes" if above >= LEAST_SETS else "no" if possible < LEAST_SETS else "not all measured yet"
    return f"above on {above} of {len(sets)} sets; target met: {met}"


def _rivals(name: str, share: float) -> list[list[Trial]]:
    """ILTR, the agent and the default recipe, each with the settings that validation chooses among."""
    return [
        [agent(name, KIND, ENTRY, share, learner="imitation", **more) for more in ({}, LONGER)],
        [agent(name, KIND, ENTRY, share, **more) for more in (LITTLE_TRUTH if share < MUCH else {}, FRONTIER)],
        [Trial(name, KIND, wp.TrainConfig(entry=ENTRY, seed=1), share, K)],
    ]


def _best(found: list[Result]) -> Result | None:
    """Of the settings finished, those that validation queries prefer."""
    return max(found, key=lambda cells: sum(_means(cells, "valid")), default=None)


def _means(cells: Result, which: str) -> tuple[float, float]:
    return float(by_budget(cells, which, 0).mean()), float(by_budget(cells, which, 1).mean())


def neighborhood(bench: Workbench, kept: Finished) -> list[Table]:
    about = (
        f"The paper's agent on gowalla's {KIND}, cap 16, entry {ENTRY}, 30% truth: trained on the whole graph, and on "
        f"`neighborhood={NEIGHBORHOOD:,}` of the vertices met. Recall {K}@{K} / 1@1 at {COSTS} inner products, test "
        "queries."
    )
    table = Table("Learning from the vertices met", about, ["an update learns from", f"{K}@{K}", "1@1"])
    for most, shown in ((None, "the whole graph"), (NEIGHBORHOOD, f"{NEIGHBORHOOD:,} vertices")):
        cells = agent("gowalla", KIND, ENTRY, 0.3, neighborhood=most).run(bench, kept)["cells"]
        if most is None:
            table.add("nothing", *(triple(by_budget(cells, "unlearned", place)) for place in (0, 1)))
        table.add(shown, *(triple(by_budget(cells, "learned", place)) for place in (0, 1)))
    return [table]
