"""`waypost demo`: what learned routing buys, shown on real data in minutes."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from waypost.cli.evaluate import show
from waypost.cli.options import Json, Seed, Threads
from waypost.cli.output import Column, Output, text_column
from waypost.cli.progress import bar
from waypost.cli.shell import stopped

if TYPE_CHECKING:
    from waypost.demo import Demo


def demo(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write everything.")] = Path("waypost-demo"),
    users: Annotated[
        int | None, typer.Option("--users", min=1000, help="Only so many projects, for those in a hurry.")
    ] = None,
    seed: Seed = 0,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Shows on npm packages what learned routing buys: a table, five projects by name, and a page with figures.

    The data ship with waypost: 290,562 packages and what they depend on. It factorises them, builds a graph, trains a
    router and compares the exact, the unlearned and the learned search. Stopped and called again, it goes on.

    Example: `waypost demo waypost-demo`
    """
    from waypost.demo import DemoSettings, run_demo

    started = time.monotonic()
    try:
        done = run_demo(folder, DemoSettings(users=users, seed=seed, threads=threads), bar)
    except KeyboardInterrupt:
        raise stopped(f"stopped; what was finished is in {folder}, and the same command again goes on.") from None
    output = Output(json)
    if json:
        return output.record(_document(done))
    show(output, done.comparison)
    _show_examples(output, done)
    return output.note(f"{time.monotonic() - started:,.0f} seconds. The page: {done.files['report']}")


def _document(done: Demo) -> dict[str, Any]:
    examples = [asdict(example) for example in done.examples]
    return {"comparison": done.comparison.as_dict(), "examples": examples, "files": done.files}


COLUMNS = (text_column("a project that uses"), text_column("search"), text_column("gets"), Column("products", ",.0f"),
           Column("microseconds", ",.0f"))  # fmt: skip


def _show_examples(output: Output, done: Demo) -> None:
    rows = []
    for example in done.examples:
        rows.append((", ".join(example.liked), "exact", ", ".join(example.exact), example.exact_cost, example.exact_us))
        rows.append(("", "routed", ", ".join(example.routed), example.routed_cost, example.routed_us))
    output.table(COLUMNS, rows, None)
