"""`waypost tune`: the settings of an index's plain search, for a wanted recall."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.inputs import Sets, open_index, place
from waypost.cli.options import Column, IndexFile, Json, K, Key, MaxTime, TargetRecall, Threads
from waypost.cli.output import Output
from waypost.cli.trials import Trials


def tune(
    index: IndexFile,
    queries: Annotated[
        Path, typer.Argument(metavar="QUERIES", help="Factors by `waypost factorize`, or a file of query vectors.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The index to write, with its settings.")],
    target_recall: TargetRecall = 0.95,
    k: K = 10,
    max_time_us: MaxTime = None,
    part: Annotated[str, typer.Option("--part", help="Of factors: train, valid, test or all users.")] = "valid",
    most: Annotated[int, typer.Option("--most", min=1, help="How many queries to use at most.")] = 2_000,
    column: Column = None,
    key: Key = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Finds the cheapest search of an index that reaches a recall, and writes the index with these settings.

    Example: `waypost tune shop.learned.waypost shop.factors.npz shop.tuned.waypost --target-recall 0.99`
    """
    from waypost import tune as choose

    opened = open_index(index)
    place(out)
    asked = Sets.of(queries, column, key).queries(part)[:most]
    trials = Trials()
    tuned = choose(opened, asked, target_recall, k, max_time_us=max_time_us, threads=threads, watch=trials.add)
    tuned.index.save(out)
    Output(json).record({"file": str(out)} | trials.about(tuned.index) | (trials.document() if json else {}))
