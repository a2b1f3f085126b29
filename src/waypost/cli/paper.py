"""`waypost paper`: the tables and figures of the paper, run on data of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.options import Json
from waypost.cli.output import Column, Output, text_column
from waypost.cli.shell import stopped

if TYPE_CHECKING:
    from waypost.paper.plan import Plan

paper = typer.Typer(name="paper", no_args_is_help=True, help="The paper's tables and figures on data of one's own.")

Data = Annotated[
    str, typer.Option("--data", metavar="SETS", help="Names or files of ratings, with commas between several.")
]
Protocol = Annotated[str, typer.Option("--protocol", help="fast, printed (days), or same-queries between the two.")]
Quick = Annotated[bool, typer.Option("--quick", help="Shrink everything, for a look in ten minutes.")]
Seeds = Annotated[str, typer.Option("--seeds", help="Each table cell is the mean over these.")]
Entries = Annotated[str, typer.Option("--entries", help="Where walks start: random, largest-norm or both.")]
Out = Annotated[str, typer.Option("--out", help="The results folder; what is finished there is not made again.")]
Jobs = Annotated[int, typer.Option("--jobs", min=0, help="Cells at once; 0: one a core, four at most.")]

ALL_SETS, ALL_SEEDS, ALL_ENTRIES = "polimi2022_tv,gowalla,npm_deps", "1,2,3", "random,largest-norm"
RESULTS = "paper-results"


def _plan(data: str, protocol: str, quick: bool, seeds: str, entries: str) -> Plan:
    from waypost.paper.command import planned

    try:
        numbers = [int(seed) for seed in seeds.split(",")]
    except ValueError:
        raise ValueError(f"--seeds is {seeds!r}; pass whole numbers with commas between them, as 1,2,3.") from None
    return planned(data.split(","), protocol, quick, numbers, entries.split(","))


@paper.command("list")
def list_exhibits(
    data: Data = ALL_SETS,
    protocol: Protocol = "fast",
    quick: Quick = False,
    seeds: Seeds = ALL_SEEDS,
    entries: Entries = ALL_ENTRIES,
    out: Out = RESULTS,
    jobs: Jobs = 2,
    json: Json = False,
) -> None:
    """Each table and figure, how many cells (trainings) it needs and has, and how long the others would take.

    Example: `waypost paper list --data npm_deps`
    """
    from waypost.paper.command import listed

    rows = listed(_plan(data, protocol, quick, seeds, entries), out, jobs or 2)
    names = ("name", "cells", "there", "seconds", "what")
    columns = [text_column("name"), Column("cells"), Column("there"), Column("seconds", ",.0f"), text_column("what")]
    Output(json).table(columns, [list(row) for row in rows], [dict(zip(names, row, strict=True)) for row in rows])


@paper.command()
def run(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="table-3, figure-5, ... or all.")],
    data: Data = ALL_SETS,
    protocol: Protocol = "fast",
    quick: Quick = False,
    seeds: Seeds = ALL_SEEDS,
    entries: Entries = ALL_ENTRIES,
    out: Out = RESULTS,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Makes the cells that are missing, then writes CSV, JSON, figures and pages with the printed numbers beside ours.

    Stopped at any point, the same command goes on from the last finished cell; two tables never train the same twice.

    Example: `waypost paper run table-3 figure-5 --data npm_deps --quick`
    """
    from waypost.paper.command import run_exhibits

    output, plan = Output(json), _plan(data, protocol, quick, seeds, entries)
    try:
        written = run_exhibits(names, plan, out, jobs, say=output.note)
    except KeyboardInterrupt:
        raise stopped("stopped; the finished cells are kept, and the same command again goes on from there.") from None
    output.record({"folder": out, "pages": [str(path) for path in written]})


@paper.command()
def report(
    to: Annotated[Path, typer.Argument(metavar="PAGE", help="The Markdown file to write.")],
    data: Data = ALL_SETS,
    protocol: Protocol = "fast",
    quick: Quick = False,
    seeds: Seeds = ALL_SEEDS,
    entries: Entries = ALL_ENTRIES,
    out: Out = RESULTS,
    json: Json = False,
) -> None:
    """Writes the page of reproduction from a results folder: each claim, whether it holds, and what is missing.

    Example: `waypost paper report docs/reproduction.md --out docs/reproduction`
    """
    from waypost.paper.command import write_report

    output = Output(json)
    write_report(_plan(data, protocol, quick, seeds, entries), out, str(to), say=output.note)
    output.record({"page": str(to)})
