"""`waypost search`: answers for query vectors, or for someone who likes certain items."""

from __future__ import annotations

import csv
import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from waypost.cli.inputs import Sets, open_index
from waypost.cli.options import Column, EntryRule, IndexFile, Json, K, Key, Seed, Threads, as_entry
from waypost.cli.output import Column as Shown
from waypost.cli.output import Output, text_column

if TYPE_CHECKING:
    from waypost import Index

COLUMNS = (text_column("query"), Shown("rank", ","), text_column("id"), Shown("score", ".4f"))


def search(
    index: IndexFile,
    queries: Annotated[
        Path | None, typer.Argument(help="Query vectors; of factors by `waypost factorize`, the test users.")
    ] = None,
    like: Annotated[
        list[str] | None,
        typer.Option(
            "--like", help="Ids with commas between them: answers for a new user who likes these. Repeatable."
        ),
    ] = None,
    k: K = 10,
    budget: Annotated[
        int, typer.Option("--budget", min=1, help="The most inner products that a query may cost.")
    ] = 256,
    exact: Annotated[bool, typer.Option("--exact", help="Look at every item.")] = False,
    unlearned: Annotated[bool, typer.Option("--unlearned", help="Leave the router out.")] = False,
    keep_liked: Annotated[bool, typer.Option("--keep-liked", help="Let liked items be answers, too.")] = False,
    rerank: Annotated[int | None, typer.Option("--rerank", min=0, help="Score so many exactly, in the budget.")] = None,
    part: Annotated[str, typer.Option("--part", help="Of factors: train, valid, test or all users.")] = "test",
    column: Column = None,
    key: Key = None,
    entry: EntryRule = None,
    seed: Seed = 0,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Answers each query with the items of the largest inner products, under a budget.

    With --like it folds a new user in from names; without, it takes a file of queries.

    Example: `waypost search npm.learned.waypost --like react,webpack -k 5`
    """
    from waypost import Router

    opened = open_index(index)
    if (queries is None) == (not like):
        raise ValueError("either a file of queries or --like is needed, not both; see waypost search --help.")
    if unlearned:
        opened = opened.with_router(Router.identity(opened.graph.start))
    liked = [_known(opened, _listed(text)) for text in like or ()]
    vectors = opened.fold_in(liked) if liked else Sets.of(queries, column, key).queries(part)  # type: ignore[arg-type]
    dropped = [] if keep_liked else liked
    if exact:
        wanted = max(k, min(k + max(map(len, dropped), default=0), len(opened)))
        truth = opened.exact(vectors, wanted, threads=threads)
        ids, scores = truth.ids, truth.scores
        cost = np.full(len(vectors), len(opened))
    else:
        start, exclude = as_entry(entry), dropped or None
        ids, scores, cost, _ = opened.search(
            vectors, k, budget, rerank, start, seed, threads, exclude=exclude, complete=False
        )
    names: list[Any] = [",".join(map(str, one)) for one in liked] or [*range(len(vectors))]
    _show(Output(json), names, ids, scores, cost, dropped or [[]] * len(vectors), k)


def _show(output: Output, names: list[Any], ids: Any, scores: Any, cost: Any, dropped: list[list[Any]], k: int) -> None:
    rows, documents = [], []
    for name, own, score, products, left_out in zip(
        names, ids.tolist(), scores.tolist(), cost.tolist(), dropped, strict=True
    ):
        found = [(one, s) for one, s in zip(own, score, strict=True) if s != -np.inf and one not in left_out][:k]
        rows += [(name, rank, one, s) for rank, (one, s) in enumerate(found, 1)]
        documents.append({"query": name, "cost": products, "answers": [{"id": one, "score": s} for one, s in found]})
    mean = float(np.mean(cost))
    output.table(COLUMNS, rows, documents, title=f"{mean:,.0f} inner products a query")


def _listed(text: str) -> list[str]:
    """Names with commas between them; a name that holds a comma stands in double quotes."""
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), []) if name.strip()]


def _known(index: Index, names: list[str]) -> list[Any]:
    """The ids that the names stand for; a name that is none is refused with those that are like it."""
    if not names:
        raise ValueError("--like names no item; pass ids with commas between them.")
    ids = range(len(index)) if index.ids is None else index.ids.tolist()
    texts = {str(own): own for own in ids}
    for name in names:
        if name not in texts:
            near = difflib.get_close_matches(name, texts, n=3, cutoff=0.7)
            meant = f"did you mean {' or '.join(near)}?" if near else "check the spelling."
            raise ValueError(f"--like names {name!r}, which is no item of this index; {meant}")
    return [texts[name] for name in names]
