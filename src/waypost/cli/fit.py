"""`waypost fit`: from items and queries to an index with everything chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.build import items_of
from waypost.cli.inputs import Sets, is_factors, place
from waypost.cli.options import Column, Json, K, Key, MaxTime, Seed, TargetRecall, Threads
from waypost.cli.output import Output
from waypost.cli.trials import Trials

if TYPE_CHECKING:
    from waypost.arguments import Floats


def fit(
    source: Annotated[
        Path, typer.Argument(metavar="ITEMS", help="Factors by `waypost factorize`, or a file of vectors.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The index to write.")],
    queries: Annotated[
        Path | None, typer.Option("--queries", help="A file of queries; of factors, their users who do not test.")
    ] = None,
    target_recall: TargetRecall = 0.95,
    k: K = 10,
    max_time_us: MaxTime = None,
    max_bytes: Annotated[
        int | None, typer.Option("--max-bytes", min=1, help="What the index may take in memory.")
    ] = None,
    learned: Annotated[bool, typer.Option(help="Whether to try learned routers, too.")] = True,
    ids: Annotated[
        Path | None, typer.Option("--ids", help="A file of ids, one an item, for a file of vectors.")
    ] = None,
    column: Column = None,
    key: Key = None,
    seed: Seed = 0,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Chooses graph, entries, codes, router and search for a wanted recall at the least time, and writes the index.

    Some queries are set apart to choose by. On a terminal it shows what was tried as it goes.

    Example: `waypost fit shop.factors.npz shop.waypost --target-recall 0.95`
    """
    from waypost import fit as choose

    place(out)
    asked = _queries(source, queries, key)
    items, own_ids, als = items_of(source, ids, column, key)
    trials = Trials()
    index = choose(
        items,
        asked,
        target_recall,
        k,
        ids=own_ids,
        als=als,
        max_time_us=max_time_us,
        max_bytes=max_bytes,
        learned=learned,
        seed=seed,
        threads=threads,
        watch=trials.add,
    )
    index.save(out)
    Output(json).record({"file": str(out)} | trials.about(index) | (trials.document() if json else {}))


def _queries(source: Path, queries: Path | None, key: str | None) -> Floats:
    import numpy as np

    if queries is not None:
        sets = Sets.of(queries)
        return sets.queries("train") if sets.factors is None else _known(sets)
    if not is_factors(source) or key is not None:
        raise ValueError(f"{source} holds no queries; pass a file of them as --queries.")
    return np.ascontiguousarray(_known(Sets.of(source)))


def _known(sets: Sets) -> Floats:
    import numpy as np

    return np.concatenate([sets.queries("train"), sets.queries("valid")])
