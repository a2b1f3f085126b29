"""`waypost bench`: waypost side by side with the other libraries, on the user's own data."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from waypost.cli.inputs import existing, place
from waypost.cli.options import Json
from waypost.cli.output import Column as Shown
from waypost.cli.output import Output, text_column

if TYPE_CHECKING:
    from waypost.bench.peers.record import Record


def bench(
    data: Annotated[list[Path], typer.Option("--data", help="Factors by `waypost factorize`, or ratings.")],
    peers: Annotated[str | None, typer.Option("--peers", help="Which libraries, with commas; else all.")] = None,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Interleaved rounds.")] = 5,
    results: Annotated[
        Path, typer.Option("--results", help="What was chosen and measured: a run that was cut off goes on from it.")
    ] = Path("against.json"),
    write: Annotated[Path | None, typer.Option("--write", help="Also a page of Markdown, with the picture.")] = None,
    json: Json = False,
) -> None:
    """Sets waypost beside the other libraries: recall against speed, batched and one query a call, on one thread.

    Each library runs in a process of its own. Settings are chosen on validation queries and measured on test queries.
    A library that is not installed is named and left out; pip install 'waypost[bench]' brings them.

    Example: `waypost bench --data shop.factors.npz`
    """
    from waypost.bench.against import measure, report
    from waypost.bench.held_out import of_file
    from waypost.bench.peers import PEERS
    from waypost.bench.peers.record import Record

    output = Output(json)
    names = list(PEERS) if peers is None else [name.strip() for name in peers.split(",")]
    if unknown := [name for name in names if name not in PEERS]:
        raise ValueError(f"--peers names {unknown[0]!r}; pass any of {', '.join(PEERS)}.")
    record = Record(place(results))
    if write is not None:
        place(write)
    for path in data:
        measure(of_file(existing(path)), names, repeats, record, output.note)
    show(output, record)
    if write is not None:
        report(record, write, aloud=False)


def show(output: Output, record: Record) -> None:
    """A row for each library that reached a target on a set, then who was left out."""
    from waypost.bench.peers.choosing import TARGETS
    from waypost.bench.peers.standings import absent, standings

    rows: list[tuple[Any, ...]] = []
    notes: list[str] = []
    for name, entry in record.data["sets"].items():
        for target in TARGETS:
            found = standings(entry, target)
            rows += [(name, target, one.name, one.point["recall"], one.qps, *_rest(one)) for one in found]
            left = absent(entry, {one.name for one in found})
            notes += [f"{name}, recall {target}: {library}: {reason}" for library, reason in left]
    output.table(COLUMNS, rows, record.data, title="one thread, test queries, medians of interleaved rounds")
    output.note(*notes)


def _rest(one: Any) -> tuple[Any, ...]:
    p50, p99 = (statistics.median(one.point[kind]) for kind in ("p50", "p99"))
    return p50, p99, one.build["seconds"], 1024 * one.build["gib"], one.point["products"]


COLUMNS = (
    text_column("set"),
    Shown("target"),
    text_column("library"),
    Shown("recall", ".4f"),
    Shown("queries/s", ",.0f"),
    Shown("one call us", ",.1f"),
    Shown("99% us", ",.1f"),
    Shown("build s", ",.1f"),
    Shown("peak MiB", ",.0f"),
    Shown("products", ",.0f"),
)
