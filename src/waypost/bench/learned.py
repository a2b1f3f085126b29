"""Measures what is learned, each figure beside its target: `python -m waypost.bench.learned`, or `make bench-learned`.

Trainings take hours together. Each result is kept in the cache folder as soon as it is there: the command can be
stopped, goes on where it was, and prints what is kept at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from waypost.bench import (
    learned_labels,
    learned_late,
    learned_matrix,
    learned_strong,
    machine,
    training_cost,
    update_speed,
)
from waypost.bench.document import write_part
from waypost.bench.finished import Finished, Unfinished
from waypost.bench.ratings import Missing
from waypost.bench.tables import Table
from waypost.bench.workbench import Workbench

SECTIONS: dict[str, Callable[[Workbench, Finished], list[Table]]] = {
    "strong": learned_strong.run,
    "random-entry": learned_matrix.random_entry,
    "largest-norm": learned_matrix.largest_norm,
    "without-truth": learned_labels.without_truth,
    "against-imitation": learned_labels.against_imitation,
    "late-items": learned_late.run,
    "neighborhood": learned_labels.neighborhood,
    "training-cost": training_cost.run,
    "update-speed": update_speed.run,
}

ABOUT = """# What is learned

Written by `{command}`.

Data as under the core; each figure stands beside its target. Test queries are those of the 10% of users held out;
settings, the manner of a search and the re-rank are chosen on validation queries, another 10%. Every inner product with
an item's vector counts, those of the entry, the codebook and the re-rank too.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    bench, tables = Workbench(), [machine.describe()]
    for name in options.sections or SECTIONS:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        kept = Finished(
            bench.cache_folder / "learned",
            anew=name in options.anew,
            kept_alone=options.kept and name not in options.anew,
        )
        for table in _run(name, bench, kept):
            print(f"\n{table.as_text()}", flush=True)
            tables.append(table)
    if options.write:
        write_part(Path(options.write), "learned", ABOUT.format(command=_command(options)), tables)
    return 0


def _run(name: str, bench: Workbench, kept: Finished) -> list[Table]:
    try:
        return [table for table in SECTIONS[name](bench, kept) if table.rows]
    except Unfinished:
        return []
    except Missing as missing:
        return [Table(name, f"Left out, for want of {missing}.", ["left out"])]


def _command(options: argparse.Namespace) -> str:
    file = Path(options.write)
    shown = file.name if file.is_absolute() else file.as_posix()  # no path of this machine belongs in the report
    return " ".join(
        ["python -m waypost.bench.learned", *options.sections, *["--kept"] * options.kept, f"--write {shown}"]
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for; whatever would fail after hours of measuring is refused here."""
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.learned", description=__doc__)
    shown = ", ".join(SECTIONS)
    parser.add_argument("sections", nargs="*", metavar="section", help=f"any of {shown}; none means all")
    parser.add_argument("--anew", nargs="+", metavar="section", help="measure these again, though there are results")
    parser.add_argument("--kept", action="store_true", help="train nothing: leave out rows that are not finished")
    parser.add_argument("--write", metavar="FILE", help="also write the report as Markdown")
    parser.set_defaults(sections=[], anew=[])
    options = parser.parse_args(arguments)
    unknown = [name for name in [*options.sections, *options.anew] if name not in SECTIONS]
    if unknown:
        parser.error(f"section is {unknown[0]!r}; name any of {shown}.")
    if options.write and not Path(options.write).parent.is_dir():
        parser.error(f"--write names a file in {Path(options.write).parent}, which is no folder; make it first.")
    return options


if __name__ == "__main__":
    sys.exit(main())
