"""Whether a claim of the paper holds on our data: decided by the numbers alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from waypost.paper.exhibits.hyper_parameters import VALUES
from waypost.paper.exhibits.share import SHARES, percent
from waypost.paper.exhibits.table_2 import WIDTHS, D
from waypost.paper.exhibits.table_4 import KINDS, METRICS
from waypost.paper.exhibits.table_5 import TRUTHS
from waypost.paper.exhibits.table_6 import ABLATIONS, STARTS
from waypost.paper.exhibits.training_ipc import TRAINING_BUDGETS
from waypost.paper.numbers import Measured
from waypost.paper.protocol import BUDGETS, GRAPHS, SPEED_BUDGETS

HOLDS, IN_PART, FAILS, OPEN = "holds", "in part", "fails", "not measured"
FAR = 0.75
"""A recall of at most this share of ours is far worse; the printed ones are at most 0.45 of it."""
CLOSE = 0.01


@dataclass(frozen=True)
class Verdict:
    """What was decided, and the numbers in a few words."""

    verdict: str
    numbers: str = ""
    so_far: bool = False
    """Whether some of the numbers that it asks for are missing."""

    def __str__(self) -> str:
        return f"{self.verdict}, so far" if self.so_far else self.verdict


class Numbers:
    """The means of one exhibit by their labels.

    >>> numbers = Numbers([Measured({"set": "a", "IPC": "128"}, (0.5, 0.7), 2)])
    >>> round(numbers.mean(set="a", IPC="128"), 3), numbers.mean(set="b", IPC="128")
    (0.6, None)
    """

    def __init__(self, measured: Iterable[Measured]) -> None:
        self.by_labels = {frozenset(one.labels.items()): one for one in measured}

    def mean(self, **labels: str) -> float | None:
        found = self.by_labels.get(frozenset(labels.items()))
        return None if found is None else found.mean


@dataclass(frozen=True)
class Where:
    """One set, one entry, one order of the answers."""

    data: str
    entry: str
    form: str

    def labels(self, **more: str) -> dict[str, str]:
        return {"set": self.data, "entry": self.entry, **more}


def of_all(good: int, of: int, wanted: int, words: str, count: bool = True) -> Verdict:
    """Holds where all are good, fails where none is; `of` are there of those `wanted`.

    >>> str(of_all(1, 2, 2, " cells")), str(of_all(3, 3, 9, " cells"))
    ('in part', 'holds, so far')
    """
    if of == 0:
        return Verdict(OPEN)
    verdict = HOLDS if good == of else FAILS if good == 0 else IN_PART
    return Verdict(verdict, f"{good} of {of}{words}" if count else words, so_far=of < wanted)


def _pairs(ours: list[float | None], theirs: list[float | None]) -> list[float]:
    """The differences where both sides are there."""
    return [a - b for a, b in zip(ours, theirs, strict=True) if a is not None and b is not None]


def _range(gains: list[float]) -> str:
    return f", {min(gains):+.3f} to {max(gains):+.3f}" if gains else ""


def above_unlearned(table: Numbers, at: Where) -> Verdict:
    gains = [gain for graph in GRAPHS for gain in _gains(table, at, graph)]
    return of_all(sum(gain > 0 for gain in gains), len(gains), len(GRAPHS) * len(BUDGETS), f" cells{_range(gains)}")


def largest_on_ipdg_and_moebius(table: Numbers, at: Where) -> Verdict:
    gains = {graph: _gains(table, at, graph) for graph in GRAPHS}
    if not all(gains.values()):
        return Verdict(OPEN)
    means = {graph: fmean(values) for graph, values in gains.items()}
    larger = sum(means[graph] > means["ip-nsw"] for graph in ("ipdg", "moebius"))
    shown = ", ".join(f"{graph} {mean:+.3f}" for graph, mean in means.items())
    return of_all(larger, 2, 2, f"mean gain: {shown}", count=False)


def _gains(table: Numbers, at: Where, graph: str) -> list[float]:
    def row(method: str) -> list[float | None]:
        return [table.mean(**at.labels(graph=graph, IPC=str(b), method=method)) for b in BUDGETS]

    return _pairs(row(at.form), row("unlearned"))


def above_iltr(figure: Numbers, at: Where) -> Verdict:
    iltr = at.form.replace("agent", "ILTR", 1)

    def row(method: str) -> list[float | None]:
        return [figure.mean(**at.labels(method=method, **{"ground truth": percent(share)})) for share in SHARES]

    gains = _pairs(row(at.form), row(iltr))
    return of_all(sum(gain > 0 for gain in gains), len(gains), len(SHARES), f" shares{_range(gains)}")


def more_so_with_little_truth(figure: Numbers, at: Where) -> Verdict:
    iltr = at.form.replace("agent", "ILTR", 1)
    gains = []
    for share in (SHARES[0], SHARES[-1]):
        labels = at.labels(**{"ground truth": percent(share)})
        gains += _pairs([figure.mean(**labels, method=at.form)], [figure.mean(**labels, method=iltr)])
    if len(gains) < 2:
        return Verdict(OPEN)
    shown = f"ahead by {gains[0]:+.3f} at {percent(SHARES[0])}, {gains[1]:+.3f} at {percent(SHARES[-1])}"
    return Verdict(HOLDS if gains[0] > max(gains[1], 0) else FAILS, shown)


def no_gain_from_embedding(table: Numbers, at: Where) -> Verdict:
    ours = table.mean(**at.labels(method=at.form, **{"d'": str(D)}))
    others = {w: table.mean(**at.labels(method=at.form, **{"d'": str(w)})) for w in WIDTHS if w != D}
    known = {width: value for width, value in others.items() if value is not None}
    if ours is None or not known:
        return Verdict(OPEN)
    shown = ", ".join(f"{width}: {value:.3f}" for width, value in sorted({**known, D: ours}.items()))
    return of_all(sum(value <= ours for value in known.values()), len(known), len(others), shown, count=False)


def ip_nsw_is_best(table: Numbers, at: Where) -> Verdict:
    gains, shown = [], []
    for metric in METRICS:
        values = [table.mean(**at.labels(method=at.form, recall=metric, graph=kind)) for kind in KINDS]
        gains += _pairs([values[0]] * 2, values[1:])
        shown.append(f"{metric}: " + " / ".join("-" if value is None else f"{value:.3f}" for value in values))
    return of_all(sum(gain > 0 for gain in gains), len(gains), 2 * len(METRICS), "; ".join(shown), count=False)


def thirty_percent_is_best(table: Numbers, at: Where) -> Verdict:
    values = {t: table.mean(**at.labels(method=at.form, **{"ground truth": t})) for t in TRUTHS}
    shown = ", ".join(f"{truth} {value:.3f}" for truth, value in values.items() if value is not None)
    gains = _pairs([values["30%"]] * 2, [values["none"], values["approximate"]])
    return of_all(sum(gain > 0 for gain in gains), len(gains), 2, shown, count=False)


def ablations_are_far_worse(table: Numbers, at: Where) -> Verdict:
    """In the plain agent, as printed; the other start is told beside it."""
    far = of = 0
    shown = []
    for start in STARTS:
        values = {name: table.mean(**at.labels(method=at.form, start=start, agent=name)) for name in ABLATIONS}
        ours = values.pop("ours")
        known = {name: value for name, value in values.items() if value is not None}
        if ours is None or not known:
            continue
        shown.append(f"{start}: ours {ours:.3f}, " + ", ".join(f"{name} {value:.3f}" for name, value in known.items()))
        if start == "plain":
            of += len(known)
            far += sum(value <= FAR * ours for value in known.values())
    return of_all(far, of, len(ABLATIONS) - 1, "; ".join(shown), count=False)


def alpha_matters_most(figure: Numbers, at: Where) -> Verdict:
    ranges = {}
    for parameter, values in VALUES.items():
        labels = {"set": at.data, "parameter": parameter, "method": at.form}
        found = [figure.mean(**labels, value=f"{value:g}") for value in values]
        known = [value for value in found if value is not None]
        if len(known) > 1:
            ranges[parameter] = max(known) - min(known)
    if "alpha" not in ranges or len(ranges) < len(VALUES):
        return Verdict(OPEN)
    shown = ", ".join(f"{parameter} {value:.3f}" for parameter, value in ranges.items())
    return Verdict(HOLDS if max(ranges, key=lambda one: ranges[one]) == "alpha" else FAILS, f"range of recall: {shown}")


def converges_quickly(figure: Numbers, at: Where) -> Verdict:
    found = {b: figure.mean(**at.labels(method=at.form, **{"training IPC": str(b)})) for b in TRAINING_BUDGETS}
    known = {budget: value for budget, value in found.items() if value is not None}
    if len(known) < len(TRAINING_BUDGETS):
        return Verdict(OPEN)
    close = known[256] >= max(known.values()) - CLOSE
    return Verdict(HOLDS if close else FAILS, ", ".join(f"{budget}: {value:.3f}" for budget, value in known.items()))


def more_queries_a_second(figure: Numbers, at: Where) -> Verdict:
    """At the recall of each unlearned point, by interpolation along the agent's curve."""

    def curve(method: str) -> list[tuple[float, float]]:
        points = []
        for budget in SPEED_BUDGETS:
            pair = [figure.mean(**at.labels(IPC=str(budget), method=method, what=w)) for w in ("recall 10@10", "QPS")]
            if pair[0] is not None and pair[1] is not None:
                points.append((pair[0], pair[1]))
        return sorted(points)

    ours, theirs = curve(at.form), curve("unlearned")
    ratios = [speed / qps for recall, qps in theirs if (speed := _at_recall(ours, recall)) is not None]
    words = f" recalls, {min(ratios):.2f} to {max(ratios):.2f} times the queries" if ratios else ""
    if theirs and ours and not ratios:
        return Verdict(FAILS, "no recall of the unlearned search lies on the agent's curve")
    return of_all(sum(ratio > 1 for ratio in ratios), len(ratios), len(ratios), words)


def _at_recall(curve: list[tuple[float, float]], recall: float) -> float | None:
    for (low, fast), (high, slow) in pairwise(curve):
        if low <= recall <= high:
            share = (recall - low) / (high - low) if high > low else 0.0
            return fast + share * (slow - fast)
    return None
