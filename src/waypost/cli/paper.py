"""`waypost paper`: the tables and figures of the paper, run on data of one's own."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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

RESULTS = "paper-results"


def _plan(
    data: Data = "polimi2022_tv,gowalla,npm_deps",
    protocol: Protocol = "fast",
    quick: Quick = False,
    seeds: Seeds = "1,2,3",
    entries: Entries = "random,largest-norm",
) -> "Plan":
    from waypost.paper.command import planned

    try:
        numbers = [int(seed) for seed in seeds.split(",")]
    except ValueError:
        raise ValueError(f"--seeds is {seeds!r}; pass whole numbers with commas between them, as 1,2,3.") from None
    return planned(data.split(","), protocol, quick, numbers, entries.split(","))


def with_plan(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of `_plan` in the place of its argument `plan`, which is made from them."""
    own, shared = signature(command), signature(_plan)

    @wraps(command)
    def planning(**options: Any) -> None:
        chosen = {name: options.pop(name) for name in shared.parameters}
        command(plan=_plan(**chosen), **options)

    others = [one for name, one in own.parameters.items() if name != "plan"]
    merged = [*(one for one in others if one.default is Parameter.empty), *shared.parameters.values()]
    merged += [one for one in others if one.default is not Parameter.empty]
    planning.__signature__ = Signature(merged)  # type: ignore[attr-defined]
    planning.__annotations__ = {one.name: one.annotation for one in merged}
    return planning


@paper.command("list")
@with_plan
def list_exhibits(
    plan: "Plan",
    out: Out = RESULTS,
    jobs: Jobs = 2,
    json: Json = False,
) -> None:
    """Each table and figure, how many cells (trainings) it needs and has, and how long the others would take.

    Example: `waypost paper list --data npm_deps`
    """
    from waypost.paper.command import listed

    rows = listed(plan, out, jobs or 2)
    names = ("name", "cells", "there", "seconds", "what")
    columns = [text_column("name"), Column("cells"), Column("there"), Column("seconds", ",.0f"), text_column("what")]
    Output(json).table(columns, [list(row) for row in rows], [dict(zip(names, row, strict=True)) for row in rows])


@paper.command()
@with_plan
def run(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="table-3, figure-5, ... or all.")],
    plan: "Plan",
    out: Out = RESULTS,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Makes the cells that are missing, then writes CSV, JSON, figures and pages with the printed numbers beside ours.

    Stopped at any point, the same command goes on from the last finished cell; two tables never train the same twice.

    Example: `waypost paper run table-3 figure-5 --data npm_deps --quick`
    """
    from waypost.paper.command import run_exhibits

    output = Output(json)
    try:
        written = run_exhibits(names, plan, out, jobs, say=output.note)
    except KeyboardInterrupt:
        raise stopped("stopped; the finished cells are kept, and the same command again goes on from there.") from None
    output.record({"folder": out, "pages": [str(path) for path in written]})


@paper.command()
@with_plan
def report(
    to: Annotated[Path, typer.Argument(metavar="PAGE", help="The Markdown file to write.")],
    plan: "Plan",
    out: Out = RESULTS,
    json: Json = False,
) -> None:
    """Writes the page of reproduction from a results folder: each claim, whether it holds, and what is missing.

    Example: `waypost paper report docs/reproduction.md --out docs/reproduction`
    """
    from waypost.paper.command import write_report

    output = Output(json)
    write_report(plan, out, str(to), say=output.note)
    output.record({"page": str(to)})
