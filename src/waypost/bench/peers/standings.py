"""The tables of a side-by-side run, made from its record alone."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.bench.peers import OURS
from waypost.bench.peers.choosing import MARGIN, TARGETS
from waypost.bench.peers.record import Entry
from waypost.bench.peers.waypost_peer import MARGIN as AHEAD
from waypost.bench.tables import Table

WANTED = {0.95: 3.0, 0.99: 2.0}  # times the best peer
NOTHING = "-"
MIB = 1024


@dataclass(frozen=True)
class Standing:
    """One backend at one target on one set."""

    name: str
    point: Entry
    build: Entry

    @property
    def qps(self) -> float:
        return float(statistics.median(self.point["qps"]))

    def median(self, kind: str) -> float:
        return float(statistics.median(self.point[kind]))

    def times_faster(self, other: Standing) -> float:
        """The median over the rounds of this one's speed over the other's."""
        return float(statistics.median(a / b for a, b in zip(self.point["qps"], other.point["qps"], strict=True)))


def standings(entry: Entry, target: float) -> list[Standing]:
    """Who reached the target, the fastest first."""
    found = [
        Standing(name, point, one["builds"][point["build"]])
        for name, one in entry["measured"].items()
        for point in one.get("points", ())
        if target in point["targets"] and point["qps"]
    ]
    return sorted(found, key=lambda one: -one.qps)


def tables(data: Entry) -> list[Table]:
    machine = Table("The machine of the comparison", "", ["what", "which"], [list(row) for row in data["machine"]])
    made = [machine, summary(data)]
    for name, entry in data["sets"].items():
        made += [_table(name, entry, target) for target in TARGETS if entry["rounds"]]
    return made


def summary(data: Entry) -> Table:
    table = Table(
        "waypost and the best of the others",
        "Queries a second on one thread at the wanted recall 10@10, batched, and microseconds of one call with one "
        "query (50th and 99th percentile); held-out test queries, medians of interleaved rounds.",
        ["set", "recall", "waypost", "best other", "faster by", "target", "met", "waypost's call, p50 / p99",
         "quickest other call, p50 / p99"],
    )  # fmt: skip
    for name, entry in data["sets"].items():
        for target in TARGETS if entry["rounds"] else ():
            table.add(name, f">= {target}", *_summed_up(standings(entry, target), target))
    return table


def in_short(data: Entry, page: str = "") -> Table:
    """For a reader who wants to know how fast it is, and not which targets were set; `page` tells the rest."""
    more = f" How it was measured, and the others: [benchmarks]({page})." if page else ""
    table = Table(
        "Beside other libraries",
        "Held-out queries, one thread, each library at its own best setting for the recall 10@10: queries a second in "
        f"batches, and microseconds of a call with one query, 50th / 99th percentile.{more}",
        ["items", "recall", "waypost", "best other", "times faster", "a call", "quickest other call"],
    )
    for name, entry in data["sets"].items():
        for target in TARGETS if entry["rounds"] else ():
            ours, best, faster, _, _, *calls = _summed_up(standings(entry, target), target)
            items = f"{name}, {entry['about']['items']:,}"
            table.add(items, f"{target:.2f}", ours, best, faster, *calls)
    return table


def _summed_up(found: Sequence[Standing], target: float) -> list[str]:
    ours = next((one for one in found if one.name == OURS), None)
    others = [one for one in found if one.name != OURS]
    cells = [f"{ours.qps:,.0f}" if ours else NOTHING, f"{others[0].name} {others[0].qps:,.0f}" if others else NOTHING]
    if ours and others:
        ratio = min(ours.times_faster(one) for one in others)
        cells += [f"{ratio:.2f}", f">= {WANTED[target]}", "yes" if ratio >= WANTED[target] else "no"]
    else:
        cells += [NOTHING, f">= {WANTED[target]}", "no"]
    quickest = min(others, key=lambda one: one.median("p50"), default=None)
    return [
        *cells,
        *(f"{_call(one)}{f' ({one.name})' if one is quickest else ''}" if one else NOTHING for one in (ours, quickest)),
    ]


def _call(one: Standing) -> str:
    return f"{one.median('p50'):.1f} / {one.median('p99'):.1f}"


def _table(name: str, entry: Entry, target: float) -> Table:
    counts = entry["about"]
    table = Table(
        f"{name} at recall {target}",
        f"{counts['items']:,} items of width {counts['d']}, {counts['test']:,} test queries; medians of "
        f"{entry['rounds']} interleaved rounds.",
        ["library", "recall 10@10", "queries a second", "waypost is faster by", "one call, us: p50", "p99", "build, s",
         "peak, MiB", "products", "setting"],
    )  # fmt: skip
    found = standings(entry, target)
    ours = next((one for one in found if one.name == OURS), None)
    for one in found:
        table.add(one.name, *_cells(one, ours))
    for left, reason in absent(entry, {one.name for one in found}):
        table.add(left, *[NOTHING] * (len(table.columns) - 2), reason)
    return table


def _cells(one: Standing, ours: Standing | None) -> list[str]:
    products = one.point["products"]
    return [
        f"{one.point['recall']:.4f}",
        f"{one.qps:,.0f}",
        f"{ours.times_faster(one):.2f}" if ours and one is not ours else "",
        f"{one.median('p50'):.1f}",
        f"{one.median('p99'):.1f}",
        f"{one.build['seconds']:.1f}",
        f"{MIB * one.build['gib']:.0f}",
        NOTHING if products is None else f"{products:,.0f}",
        "; ".join(filter(None, [_named(one.build["how"]), _named(one.point["setting"])])),
    ]


def absent(entry: Entry, present: set[str]) -> Iterator[tuple[str, str]]:
    """Who did not reach a target, and why."""
    for name, one in entry["measured"].items():
        if "left_out" in one:
            yield name, f"left out: {one['left_out']}"
        elif name not in present:
            best = max((trial["recall"] for trial in entry["choices"][name]["tried"]), default=0.0)
            yield name, f"reached {best:.4f} on validation queries"


def _named(setting: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in setting.items())


def about(data: Entry, pictures: Sequence[Path] = ()) -> str:
    shown = "\n\n".join(f"![Recall against queries a second]({picture.as_posix()})" for picture in pictures)
    rounds = {entry["rounds"] for entry in data["sets"].values()}
    return f"""# Side by side with the other libraries

Written by `python -m waypost.bench.against --repeats {max(rounds, default=0)} --write docs/benchmarks.md`.

Every library runs in a process of its own, held to one core and one thread; only one of them computes at a time. Each
was built in a few ways and searched with a ladder of settings on validation queries; for each wanted recall the
fastest setting that reached it there by {MARGIN} or more was then measured on test queries that nothing was chosen
by. Queries that repeat a training query are left out. Each round asks all of them in turn. Inner product is the
library's own, or by the usual lift into Euclid's space where that was faster; some were fed by falling norm, where
that was better for them. The peak of memory counts items, index and what building took, beyond the bare interpreter
with the library. What waypost takes to build is the whole of `wp.fit`, with all that it tries;
it is asked for {AHEAD} more than the target, since it comes to stand just on what it is asked for. Products are inner
products a query, where the library counts them. Queries asked one by one are vectors, each in the shortest call that
the library has.

{shown}
"""
