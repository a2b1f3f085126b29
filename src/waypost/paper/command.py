"""`python -m waypost.paper list`, `run` and `report`; the command line of waypost calls the same three functions."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from waypost.paper.cases import Case
from waypost.paper.data_sets import Limits, fingerprint, load_set, read_set
from waypost.paper.estimate import spoken, total
from waypost.paper.exhibits.registry import EXHIBITS, chosen
from waypost.paper.page import write, write_numbers
from waypost.paper.plan import SEEDS, Plan
from waypost.paper.protocol import ENTRIES, PROTOCOLS, quick
from waypost.paper.reproduction import page
from waypost.paper.runner import distinct, missing, run
from waypost.paper.store import Store

SETS = ("polimi2022_tv", "gowalla", "npm_deps")
OUT = "paper-results"
Say = Callable[[str], None]
Row = tuple[str, int, int, int, str]


def planned(
    sets: Sequence[str],
    protocol: str = "fast",
    look: bool = False,
    seeds: Sequence[int] = SEEDS,
    entries: Sequence[str] = ENTRIES,
) -> Plan:
    """What is asked for, checked. A look has one seed and one entry."""
    if protocol not in PROTOCOLS:
        raise ValueError(f"--protocol is {protocol!r}; pass one of {', '.join(PROTOCOLS)}.")
    for entry in entries:
        if entry not in ENTRIES:
            raise ValueError(f"--entries has {entry!r}; pass one or both of {', '.join(ENTRIES)}.")
    if not sets or not seeds or not entries:
        raise ValueError("--data, --seeds or --entries is empty; pass at least one of each.")
    if min(seeds) < 0:
        raise ValueError(f"--seeds has {min(seeds)}; pass whole numbers of 0 or more.")
    if look:
        return Plan(tuple(sets), quick(PROTOCOLS[protocol]), tuple(seeds[:1]), tuple(entries[:1]))
    return Plan(tuple(sets), PROTOCOLS[protocol], tuple(seeds), tuple(entries))


def listed(plan: Plan, out: str | None = None, jobs: int = 2) -> list[Row]:
    """Each table and figure: its name, how many cells it needs, how many are there, the seconds that the others would
    take on quiet cores, and what it shows."""
    store = Store.open(out, create=False) if out is not None and Path(out).exists() else None
    rows = [_row(one.name, one.cases(plan), store, jobs, one.title.partition(": ")[2]) for one in EXHIBITS.values()]
    cases = [case for exhibit in chosen(["all"]) for case in exhibit.cases(plan)]
    return [*rows, _row("all", cases, store, jobs, "what none must be asked for by name; cells are shared")]


def _row(name: str, cases: Sequence[Case], store: Store | None, jobs: int, what: str) -> Row:
    every = distinct(cases)
    left = every if store is None else missing(every, store)
    return name, len(every), len(every) - len(left), round(total(left, store, jobs)), what


def list_exhibits(plan: Plan, out: str | None = None, jobs: int = 2, say: Say = print) -> None:
    """`listed`, for people."""
    say(f"{plan.protocol.name}: {plan.protocol.about}; {', '.join(plan.sets)}; seeds {', '.join(map(str, plan.seeds))}")
    say(f"a cell is one training; tables share them; times are estimates for {jobs} quiet cores")
    say(f"{'name':<12}{'cells':>6}{'there':>7}{'to do':>13}  what")
    for name, cells, there, seconds, what in listed(plan, out, jobs):
        say(f"{name:<12}{cells:>6}{there:>7}{spoken(seconds) if seconds else '-':>13}  {what}")


def run_exhibits(names: Sequence[str], plan: Plan, out: str = OUT, jobs: int = 0, say: Say = print) -> list[Path]:
    """Makes the cells that are missing, writes each exhibit and returns the pages; stopped, it goes on from there."""
    exhibits = chosen(names)
    store = Store.open(out)
    for name in plan.sets:
        _know(name, store, plan.protocol.limits, say)
    run([case for exhibit in exhibits for case in exhibit.cases(plan)], store, jobs, say)
    for exhibit in exhibits:
        write(exhibit, plan, store)
    return [store.folder / f"{exhibit.name}.md" for exhibit in exhibits]


def _know(name: str, store: Store, limits: Limits, say: Say) -> None:
    """Reads a set once in this process: so it is refused before hours of work, and its factors are made by one only."""
    sizes = load_set(name, limits, say=say).sizes
    store.know(name, {**sizes, "fingerprint": fingerprint(read_set(name))})


def write_report(plan: Plan, out: str, to: str, say: Say = print) -> None:
    """The page of reproduction, from the cells that a results folder has; no data is needed."""
    store = Store.open(out, create=False)
    for exhibit in chosen(["all"]):
        write_numbers(exhibit, plan, store)
    Path(to).write_text(page(plan, store, Path(to)), encoding="utf-8")
    say(f"{to} is written from {store.folder}")


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m waypost.paper", description="The paper's tables and figures.")
    commands = made.add_subparsers(dest="command", required=True)
    helps = {
        "list": "name each table and figure, with its cells and the time they take",
        "run": "make what is missing and write tables, figures and pages",
        "report": "write the page of reproduction from a results folder",
    }
    for name, about in helps.items():
        one = commands.add_parser(name, help=about, description=about)
        if name == "run":
            one.add_argument("names", nargs="+", metavar="NAME", help="table-3, figure-5, ... or all")
        one.add_argument("--data", nargs="+", default=SETS, metavar="SET", help="sets by name, or files of ratings")
        one.add_argument("--protocol", default="fast", metavar="|".join(PROTOCOLS))
        one.add_argument("--quick", action="store_true", help="shrink everything, for a look")
        one.add_argument("--seeds", nargs="+", type=int, default=SEEDS, metavar="SEED")
        one.add_argument("--entries", nargs="+", default=ENTRIES, metavar="ENTRY")
        one.add_argument("--out", default=OUT, metavar="FOLDER", help="the results folder")
        one.add_argument("--jobs", type=int, default=0, help="cells at once; 0: one a core, four at most")
        if name == "report":
            one.add_argument("--to", required=True, metavar="PAGE", help="the Markdown file to write")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    try:
        if given.jobs < 0:
            raise ValueError(f"--jobs is {given.jobs}; pass 0 or more.")
        plan = planned(given.data, given.protocol, given.quick, given.seeds, given.entries)
        if given.command == "list":
            list_exhibits(plan, given.out, given.jobs or 2)
        elif given.command == "run":
            for path in run_exhibits(given.names, plan, given.out, given.jobs, lambda line: print(line, flush=True)):
                print(f"{path} and beside it .html, .csv, .json and the figure, if it has one")
        else:
            write_report(plan, given.out, given.to)
    except (ValueError, ImportError, OSError) as error:
        print(f"waypost paper: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nwaypost paper: stopped; the finished cells are kept, call again to go on.", file=sys.stderr)
        return 130
    return 0
