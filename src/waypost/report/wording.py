"""The sentences of a report, and how its numbers are written."""

from __future__ import annotations

from collections.abc import Sequence

from waypost.report.content import GraphFacts, PathLengths, Recalls, Report

NAMES = {
    "reward": "Mean reward of a path",
    "reached": "Share of targets reached",
    "found": "Share of answers found",
    "loss": "Loss",
    "validation_recall": "Recall on validation queries",
    "gradient": "Length of the gradient",
    "length": "Length of a path",
    "states": "States learned from",
    "unreachable": "Targets out of reach",
}


def short(number: float) -> str:
    """A number for an axis.

    >>> short(94_357), short(1_500), short(12), short(0.9575), short(2_000_000)
    ('94k', '1.5k', '12', '0.9575', '2M')
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(number) >= size:
            scaled = number / size
            return f"{scaled:.0f}{letter}" if scaled >= 10 else f"{scaled:.1f}".removesuffix(".0") + letter
    return f"{number:.6g}"


def duration(microseconds: float) -> str:
    """A time that a person can compare.

    >>> duration(8.4), duration(9_300), duration(2_500_000)
    ('8.4 µs', '9.3 ms', '2.5 s')
    """
    size, unit = next((one for one in ((1e6, "s"), (1e3, "ms")) if microseconds >= one[0]), (1.0, "µs"))
    value = microseconds / size
    return f"{value:.1f} {unit}" if value < 100 else f"{value:,.0f} {unit}"


def share(part: float) -> str:
    """A share as a percentage, with the digits that it needs.

    >>> share(0.00271), share(0.5), share(1.0), share(0.9996)
    ('0.27%', '50%', '100%', '99.96%')
    """
    if part in (0, 1) or 0.1 <= part <= 0.9:
        return f"{part:.0%}"
    text = f"{part:.1%}" if 0.01 <= part <= 0.99 else f"{part:.2%}"
    return text.replace(".0%", "%") if text.endswith(".0%") else text


def of_ten(recall: float, k: int) -> str:
    """How many of the true answers a recall is.

    >>> of_ten(0.9894, 10)
    '9.89'
    """
    return f"{recall * k:.2f}"


def headline(report: Report, at: Recalls) -> str:
    """What was found at the one budget that stands for all."""
    learned, plain = of_ten(at.learned, report.k), of_ten(at.unlearned, report.k)
    if not report.routed:
        return f"Training found nothing better than the plain search: both find {plain} of the {report.k} true answers."
    if learned == plain:
        return f"The learned search finds {learned} of the {report.k} true answers, the unlearned just as many."
    return f"The learned search finds {learned} of the {report.k} true answers, the unlearned {plain}."


def fewer_missed(at: Recalls) -> str | None:
    """The same as a share of what is missed; None where learning is no better.

    >>> fewer_missed(Recalls(256, unlearned=0.96, learned=0.98))
    'It misses 50% fewer.'
    """
    return f"It misses {share(at.gain / (1 - at.unlearned))} fewer." if at.verdict == "better" else None


def where_not_better(recalls: Sequence[Recalls], k: int) -> str:
    """Says at which budgets learning is no gain.

    >>> where_not_better([Recalls(64, 0.9, 0.89), Recalls(128, 0.9, 0.95), Recalls(256, 0.9, 0.901, 0.001)], 10)
    'At 64 products it is worse (8.90 against 9.00), and at 256 what differs may be chance.'
    """
    parts = [
        f"at {at.budget} products it is worse ({of_ten(at.learned, k)} against {of_ten(at.unlearned, k)})"
        for at in recalls
        if at.verdict == "worse"
    ]
    even = [str(at.budget) for at in recalls if at.verdict == "even"]
    if even:
        parts.append(f"at {listed(even)}{'' if parts else ' products'} what differs may be chance")
    return listed(parts, comma=True).capitalize() + "." if parts else "It is better at every budget measured."


def listed(words: list[str], comma: bool = False) -> str:
    """Words as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + (", and " if comma else " and ") + words[-1]


def lengths_sentence(lengths: PathLengths) -> str:
    """When half of the answers are in sight, and how many never are.

    >>> lengths_sentence(PathLengths(256, [0, 3, 6], [3, 6, 0], unlearned_missed=1, learned_missed=1))
    'Half of the true answers are in sight after 1 step with learning, 2 without; 10% and 10% never, at 256 products.'
    """
    halves = [
        half_in_sight(counts, missed)
        for counts, missed in ((lengths.learned, lengths.learned_missed), (lengths.unlearned, lengths.unlearned_missed))
    ]
    if None in halves:
        names = [name for name, half in zip(("learned", "unlearned"), halves, strict=True) if half is None]
        return f"Within {lengths.budget} products, the {listed(names)} search sees less than half of the true answers."
    never = [
        share(missed / max(missed + sum(counts), 1))
        for counts, missed in ((lengths.learned, lengths.learned_missed), (lengths.unlearned, lengths.unlearned_missed))
    ]
    return (
        f"Half of the true answers are in sight after {halves[0]} step{'s' * (halves[0] != 1)} with learning, "
        f"{halves[1]} without; {never[0]} and {never[1]} never, at {lengths.budget} products."
    )


def half_in_sight(counts: list[int], missed: int) -> int | None:
    """The step by which half of the answers were seen; None if they never were.

    >>> half_in_sight([1, 0, 5], 0), half_in_sight([1], 9)
    (2, None)
    """
    half, seen = (sum(counts) + missed) / 2, 0
    for step, count in enumerate(counts):
        seen += count
        if seen >= half:
            return step
    return None


def graph_sentence(graph: GraphFacts) -> str:
    """Reach, in words."""
    reached = 1 - graph.unreachable / graph.items
    answers = sum(graph.answer_hops)
    all_answers = answers + graph.answers_unreachable
    sentence = f"{share(reached)} of the items can be reached from where a search starts"
    if graph.answers_unreachable:
        return sentence + f", and {share(answers / all_answers)} of the true answers: no search from there finds more."
    return sentence + ", and every true answer."
