"""Runs the core's benchmarks, each beside its target: `python -m waypost.bench.core`, or `make bench-core`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from waypost.bench import build_speed, exact_speed, machine, scale, search_speed, single_query, unlearned_recall
from waypost.bench.document import write_part
from waypost.bench.ratings import Missing
from waypost.bench.tables import Table
from waypost.bench.workbench import Workbench

SECTIONS: dict[str, Callable[[Workbench], list[Table]]] = {
    "unlearned-recall": unlearned_recall.run,
    "build-speed": build_speed.run,
    "search-speed": search_speed.run,
    "scale": scale.run,
    "exact-speed": exact_speed.run,
    "single-query": single_query.run,
}

ABOUT = """# The core

Written by `{command}`.

Each figure stands beside its target. The ratings that the data are made of are read from the folder named by
`WAYPOST_DATA`; factors are implicit ALS (96 factors, 12 iterations, alpha 10, regularisation 0.01, every interaction
counted as one), items divided by their mean norm, queries of unit length. Graphs are built as `build_graph` builds them
unless told otherwise: insertion in a random order.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    bench = Workbench(quick=options.quick, repeats=options.repeats)
    tables = [machine.describe()]
    print(tables[0].as_text(), flush=True)
    for name in options.sections or SECTIONS:
        for table in _run(name, bench):
            print(f"\n{table.as_text()}", flush=True)
            tables.append(table)
    if options.write:
        write_part(Path(options.write), "core", ABOUT.format(command=_command(options)), tables)
    return 0


def _run(name: str, bench: Workbench) -> list[Table]:
    print(f"measuring {name} ...", file=sys.stderr, flush=True)
    try:
        return SECTIONS[name](bench)
    except Missing as missing:
        return [Table(name, f"Left out, for want of {missing}.", ["left out"])]


def _command(options: argparse.Namespace) -> str:
    extra = [f"--repeats {options.repeats}"] + ["--quick"] * options.quick + list(options.sections)
    file = Path(options.write)
    shown = file.name if file.is_absolute() else file.as_posix()  # no path of this machine belongs in the report
    return " ".join(["python -m waypost.bench.core", *extra, f"--write {shown}"])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for; whatever would fail after minutes of measuring is refused here."""
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"section is {unknown[0]!r}; name any of {', '.join(SECTIONS)}.")
    if options.repeats < 1:
        parser.error(f"--repeats is {options.repeats}; pass 1 or more.")
    if options.write and not Path(options.write).parent.is_dir():
        parser.error(f"--write names a file in {Path(options.write).parent}, which is no folder; make it first.")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.core", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="section", help=f"any of {', '.join(SECTIONS)}; none means all")
    parser.add_argument("--quick", action="store_true", help="leave out the million items and shorten the exact search")
    parser.add_argument("--repeats", type=int, default=5, help="interleaved rounds of each comparison (default 5)")
    parser.add_argument("--write", metavar="FILE", help="also write the report as Markdown")
    parser.set_defaults(sections=[])
    return parser


if __name__ == "__main__":
    sys.exit(main())
