"""The page of reproduction: each claim of the paper, whether it holds here, with what numbers, and what is missing."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from waypost.paper import verdicts as v
from waypost.paper.claims import CLAIMS, Claim
from waypost.paper.exhibits.registry import EXHIBITS, chosen
from waypost.paper.page import as_section
from waypost.paper.plan import Plan
from waypost.paper.runner import distinct, missing
from waypost.paper.store import Store

HEAD = """# Reproduction of the paper

Written by `waypost paper report` from the cells in `{folder}`; edits here are lost. The verdicts are
computed from the numbers; the explanations are by hand, in `src/waypost/paper/explanations.py`. To go on from here:

```
waypost paper run all --out {folder} --data {sets}
waypost paper report {page} --out {folder} --data {sets}
```

The paper's own three sets can be run by the same command once their files are there (`--data
movielens-25m,amazon-movies-tv,echonest`, see [data.md](data.md)).

## How it was done

- Protocol `{protocol}`: {about}.
- The agent is the paper's GCN; E_v = X + GCN(X) with its last layer starting at zero, so that it begins as the
  unlearned search. Where an agent is called plain it begins from random weights, as printed (Table 2, Table 6).
- gamma 0.9, alpha 0.7, tau 0.15 and b 4 are those printed for MovieLens, but tau 0.05 on Moebius, as validation
  prefers; the learning rate is 0.002, of plain agents 0.01. None of it was chosen on test queries.
- Each cell trains once, on one order of insertion of the graph, one random entry and one draw of the labelled queries,
  all by its seed ({seeds}); a table's number is the mean over seeds ± their standard deviation. Sweeps have one seed.
- Everything in one row of a table has the same graphs, entries, test queries and total number of inner products.
- Three orders of an agent's answers: *agent*, by its own vectors; *re-ranked*, the best visited scored exactly inside
  the budget (how many, and how much of what was learned is added to the items, validation chooses); *ranking not
  counted*, all visited scored exactly on top of the budget. The last breaks the rule of equal cost. It is shown since
  Algorithm 2 returns "the top k of V" without saying by which vectors nor whether that is paid for.
- The last agent of a training is taken, not the best on validation; no cell falls back to the plain search.
"""


def page(plan: Plan, store: Store, to: Path) -> str:
    """All of the page that is to be written to the file `to`."""
    folder = os.path.relpath(store.folder, to.parent)
    shown = {"folder": store.folder, "sets": ",".join(plan.sets), "page": to}
    shown |= {"protocol": plan.protocol.name, "about": plan.protocol.about, "seeds": ", ".join(map(str, plan.seeds))}
    parts = [HEAD.format(**shown), _state(plan, store), "## Claims\n", _summary(plan, store)]
    parts += [_claim(claim, plan, store) for claim in CLAIMS]
    parts.append("## Tables and figures\n")
    for exhibit in EXHIBITS.values():
        if not exhibit.asked or len(missing(exhibit.cases(plan), store)) < len(distinct(exhibit.cases(plan))):
            parts.append(as_section(exhibit, exhibit.measured(plan, store), folder))
    return "\n".join(parts)


def _state(plan: Plan, store: Store) -> str:
    """Which cells are there."""
    lines = ["## What is there\n", "A cell is one training; tables share them.\n"]
    lines += ["| table or figure | " + " | ".join(plan.sets) + " |", "| --- |" + " --- |" * len(plan.sets)]
    for exhibit in EXHIBITS.values():
        cells = distinct(exhibit.cases(plan))
        if cells:
            counts = []
            for data in plan.sets:
                of = [case for case in cells if case.data == data]
                counts.append(f"{len(of) - len(missing(of, store))} of {len(of)}" if of else "")
            lines.append(f"| {exhibit.name} | " + " | ".join(counts) + " |")
    every = distinct(case for exhibit in chosen(["all"]) for case in exhibit.cases(plan))
    there = {case.key for case in every} - {case.key for case in missing(every, store)}
    by_seed = [sum(case.key in there for case in every if case.seed == seed) for seed in plan.seeds]
    seeds = ", ".join(f"{count} of seed {seed}" for seed, count in zip(plan.seeds, by_seed, strict=True))
    state = f"\n{len(there)} of {len(every)} cells are there ({seeds})."
    lines.append(state + " The others are still to be run." * (len(there) < len(every)))
    return "\n".join(lines) + "\n"


def _summary(plan: Plan, store: Store) -> str:
    """How often each claim holds, over sets, entries and orders of answers."""
    lines = ["| claim | holds | in part | fails | not measured |", "| --- | --- | --- | --- | --- |"]
    for claim in CLAIMS:
        counts = Counter(verdict.verdict for _, verdict in claim.judged(plan, store))
        numbers = " | ".join(str(counts[name]) for name in (v.HOLDS, v.IN_PART, v.FAILS, v.OPEN))
        lines.append(f"| {claim.text} | {numbers} |")
    return "\n".join(lines) + "\n"


def _claim(claim: Claim, plan: Plan, store: Store) -> str:
    parts = [f"### {claim.text}", f"{EXHIBITS[claim.exhibit].title}. Rule: {claim.rule}"]
    judged = [(at, verdict) for at, verdict in claim.judged(plan, store) if verdict.verdict != v.OPEN]
    if judged:
        rows = [f"| {at.data} | {at.entry} | {at.form} | {verdict} | {verdict.numbers} |" for at, verdict in judged]
        parts.append(
            "\n".join(["| set | entry | answers | verdict | numbers |", "| --- | --- | --- | --- | --- |", *rows])
        )
    else:
        parts.append("Not measured yet.")
    if claim.explanation:
        parts.append(claim.explanation.strip())
    return "\n\n".join(parts) + "\n"
