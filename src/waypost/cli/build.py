"""`waypost build`: from items to an index."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.inputs import existing, is_factors, place
from waypost.cli.options import Column, EntryRule, Json, Key, Seed, Threads, as_entry
from waypost.cli.output import Output
from waypost.cli.progress import bar


def build(
    source: Annotated[
        Path, typer.Argument(metavar="ITEMS", help="Factors by `waypost factorize`, or a file of vectors.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The index to write.")],
    kind: Annotated[str, typer.Option("--kind", help="The kind of graph: ip-nsw, ipdg, moebius, ...")] = "ip-nsw",
    degree: Annotated[int, typer.Option("--degree", min=1, help="The most neighbours of an item.")] = 16,
    candidates: Annotated[int, typer.Option("--candidates", min=1, help="How many each insertion looks at.")] = 100,
    order: Annotated[str, typer.Option("--order", help="random, rows, rising-norm or falling-norm.")] = "random",
    repair: Annotated[bool, typer.Option("--repair", help="Make every item reachable from every other.")] = False,
    ids: Annotated[
        Path | None, typer.Option("--ids", help="A file of ids, one an item, for a file of vectors.")
    ] = None,
    column: Column = None,
    key: Key = None,
    entry: EntryRule = None,
    seed: Seed = 0,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Builds a proximity graph over items and writes an index, ready to be searched or trained on.

    Example: `waypost build shop.factors.npz shop.waypost --kind moebius --degree 32 --candidates 300`
    """
    from waypost import Index, build_graph

    place(out)
    items, own_ids, als = items_of(source, ids, column, key)
    with bar(f"building {kind}") as progress:
        graph = build_graph(
            items,
            kind,
            degree=degree,
            candidates=candidates,
            seed=seed,
            entry=as_entry(entry),
            order=order,
            repair=repair,
            threads=threads,
            progress=progress,
        )
    Index(items, graph, ids=own_ids, als=als).save(out)
    about = {"items": len(items), "width": items.shape[1], "kind": graph.kind, "degree": graph.degree}
    Output(json).record({"file": str(out), **about, "entry": graph.entry, "reachable": graph.reachable()})


def items_of(source: Path, ids: Path | None, column: str | None, key: str | None):  # type: ignore[no-untyped-def]
    """Items, their ids, and the numbers of the ALS model that made them, as far as the files know."""
    from waypost.data import Factors, read_ids, read_vectors

    if is_factors(existing(source)) and key is None:
        factors = Factors.load(source)
        return factors.items, factors.item_ids if ids is None else read_ids(existing(ids)), factors.als
    own_ids = None if ids is None else read_ids(existing(ids))
    return read_vectors(source, column=column, key=key), own_ids, None
