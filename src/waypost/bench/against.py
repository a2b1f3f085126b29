"""waypost and the other libraries side by side: `python -m waypost.bench.against`, or `make bench`.

Recall against speed, batched and one query a call, on one thread, each library in a process of its own. What was
chosen and measured stays in a JSON file: a run that was cut off goes on. `--repeats 0` chooses where nothing is chosen
yet, and makes the tables again.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from waypost.bench import machine
from waypost.bench.document import write_part
from waypost.bench.held_out import Vectors, of_file, of_set
from waypost.bench.peers import PEERS
from waypost.bench.peers.contest import run
from waypost.bench.peers.pareto import draw
from waypost.bench.peers.record import Record
from waypost.bench.peers.standings import about, in_short, tables
from waypost.bench.peers.trials import Say
from waypost.bench.ratings import Missing

SETS = ("gowalla", "npm_deps", "polimi2022_tv")
PART = "peers"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    record = Record(options.results)
    say = _teller()
    for load, name in [*((of_set, name) for name in options.sets), *((of_file, path) for path in options.data)]:
        try:
            vectors = load(name)
        except Missing as missing:
            say(f"{name} is left out, for want of {missing}")
            continue
        for peer in options.choose_anew:
            record.of(vectors.name, vectors.mark)["choices"].pop(peer, None)
        measure(vectors, options.peers, options.repeats, record, say, fresh=options.fresh)
    report(record, options.write, options.readme)
    return 0


def measure(
    vectors: Vectors, peers: Sequence[str], repeats: int, record: Record, say: Say, *, fresh: bool = False
) -> None:
    say(f"{vectors.name}: {len(vectors.items):,} items")
    if repeats or not record.data["machine"]:  # tables may be made again elsewhere
        record.data["machine"] = machine.describe().rows
    run(vectors, peers, repeats, record, say, fresh=fresh)


def _teller() -> Say:
    start = time.perf_counter()

    def say(line: str) -> None:
        print(f"[{time.perf_counter() - start:6.1f} s] {line}", file=sys.stderr, flush=True)

    return say


def report(record: Record, page: Path | None = None, readme: Path | None = None, *, aloud: bool = True) -> None:
    """Prints the tables, and writes them with the picture into the page where one is named."""
    made = tables(record.data)
    for table in made if aloud else ():
        print(f"\n{table.as_text()}", flush=True)
    pictures = draw(record.data, page.parent / "figures", PART) if page else []
    if page:
        write_part(page, PART, about(record.data, [picture.relative_to(page.parent) for picture in pictures]), made)
    if readme:
        shown = "\n".join(f"![Recall against queries a second]({_from(readme, picture)})" for picture in pictures)
        write_part(readme, PART, shown, [in_short(record.data, _from(readme, page) if page else "")])


def _from(page: Path, file: Path) -> str:
    """How a page names a file."""
    return Path(os.path.relpath(file, page.parent)).as_posix()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for; whatever would fail after minutes of measuring is refused here."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.sets is None:
        options.sets = [] if options.data else list(SETS)
    for option in ("peers", "choose_anew"):
        unknown = [name for name in getattr(options, option) if name not in PEERS]
        if unknown:
            parser.error(f"--{option.replace('_', '-')} names {unknown[0]!r}; name any of {', '.join(PEERS)}.")
    if options.repeats < 0:
        parser.error(f"--repeats is {options.repeats}; pass 0 or more.")
    for path in options.data:
        if not path.is_file():
            parser.error(f"--data names {path}, which is no file; check the name.")
    for name in ("write", "readme", "results"):
        path = getattr(options, name)
        if path and not path.parent.is_dir():
            parser.error(f"--{name} names a file in {path.parent}, which is no folder; make it first.")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.against", description=__doc__)
    parser.add_argument("--sets", nargs="*", help=f"of the benchmarks' own: {', '.join(SETS)} (all, without --data)")
    parser.add_argument("--data", nargs="*", type=Path, default=[], metavar="FILE", help="stored factors, or ratings")
    parser.add_argument("--peers", nargs="+", default=list(PEERS), help=f"any of {', '.join(PEERS)} (all)")
    parser.add_argument("--repeats", type=int, default=5, help="interleaved rounds (default 5)")
    parser.add_argument("--fresh", action="store_true", help="measure anew; the choices made before are kept")
    parser.add_argument("--choose-anew", nargs="+", default=[], metavar="PEER", help="forget these ones' choices")
    parser.add_argument("--results", type=Path, default=Path("against.json"), help="what was chosen and measured")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="also write the report as Markdown, with its picture"
    )
    parser.add_argument("--readme", type=Path, metavar="FILE", help="also write the short table into this page")
    return parser


if __name__ == "__main__":
    sys.exit(main())
