"""How much the paper's agent needs to be told: no truth at all, some, and beside imitation told the same."""

from __future__ import annotations

from waypost.bench.finished import Finished
from waypost.bench.learned_matrix import SETS, by_budget, triple
from waypost.bench.tables import Table
from waypost.bench.trial import BUDGETS, K, agent
from waypost.bench.workbench import Workbench

KIND, ENTRY = "ip-nsw", "random"
LEAST_GAIN = 0.05
SHARES = (0.05, 0.3)
LEAST_SETS = 2
NEIGHBORHOOD = 8_000
COSTS = " / ".join(map(str, BUDGETS))


def without_truth(bench: Workbench, kept: Finished) -> list[Table]:
    about = (
        f"The paper's agent on gowalla's {KIND}, cap 16, entry {ENTRY}, from the reward alone. Recall {K}@{K} at "
        f"{COSTS} inner products on test queries; target: at 256 above the unlearned search by at least {LEAST_GAIN}."
    )
    table = Table("Without any truth", about, ["unlearned", "learned", "gain", "met"])
    cells = agent("gowalla", KIND, ENTRY, 0.0).run(bench, kept)["cells"]
    before, after = by_budget(cells, "unlearned"), by_budget(cells, "learned")
    met = "yes" if after[1] - before[1] >= LEAST_GAIN else "no"
    table.add(triple(before), triple(after), triple(after - before, "+"), met)
    return [table]


def against_imitation(bench: Workbench, kept: Finished) -> list[Table]:
    about = (
        f"The same GCN on the same {KIND} graphs (cap 16, entry {ENTRY}), taught by reinforcement or by imitation "
        f"(ILTR) with the same share of true answers. Recall {K}@{K} / 1@1, means over {COSTS} inner products, test "
        f"queries, re-rank of each chosen on validation queries. Target: above ILTR in both at every share on at least "
        f"{LEAST_SETS} sets."
    )
    table = Table(
        "Beside imitation", about, ["set", "truth", "unlearned", "imitation (ILTR)", "reinforcement", "above"]
    )
    ahead = dict.fromkeys(SETS, True)
    for name in SETS:
        for share in SHARES:
            ours, theirs = (
                agent(name, KIND, ENTRY, share, learner=learner).run(bench, kept)["cells"]
                for learner in ("reinforce", "imitation")
            )
            means = [
                [float(by_budget(cells, which, place).mean()) for place in (0, 1)]
                for cells, which in ((ours, "unlearned"), (theirs, "learned"), (ours, "learned"))
            ]
            above = all(a > b for a, b in zip(means[2], means[1], strict=True))
            ahead[name] &= above
            shown = [" / ".join(f"{value:.3f}" for value in pair) for pair in means]
            table.add(name, f"{share:.0%}", *shown, "yes" if above else "no")
    count = sum(ahead.values())
    table.notes.append(f"Above on {count} of {len(SETS)} sets; target met: {'yes' if count >= LEAST_SETS else 'no'}.")
    return [table]


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
