"""`waypost evaluate`: recall and speed at each budget, exact beside unlearned beside learned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from waypost.cli.inputs import Sets, beside, open_index, place
from waypost.cli.options import Column, IndexFile, Json, K, Key, Seed, Threads, as_counts
from waypost.cli.output import Column as Shown
from waypost.cli.output import Output, text_column
from waypost.cli.progress import bar

if TYPE_CHECKING:
    from waypost import Index
    from waypost.comparison import Comparison


def evaluate(
    index: IndexFile,
    queries: Annotated[
        Path, typer.Argument(metavar="QUERIES", help="Factors by `waypost factorize`, or a file of query vectors.")
    ],
    budgets: Annotated[str, typer.Option("--budgets", help="The budgets to look at.")] = "64,128,256,512",
    k: K = 10,
    report: Annotated[Path | None, typer.Option("--report", help="Also write the page with the figures.")] = None,
    figures: Annotated[Path | None, typer.Option("--figures", help="A folder for the figures as SVG and PNG.")] = None,
    log: Annotated[
        Path | None, typer.Option("--log", help="The training's log for the page; else INDEX's name and .jsonl.")
    ] = None,
    part: Annotated[str, typer.Option("--part", help="Of factors: train, valid, test or all users.")] = "test",
    most: Annotated[int, typer.Option("--most", min=1, help="How many queries to use at most.")] = 10_000,
    column: Column = None,
    key: Key = None,
    seed: Seed = 0,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Prints recall and queries a second for the exact, the unlearned and the learned search at each budget.

    Every inner product counts. Where the learned search does not beat the unlearned one, it says so.

    Example: `waypost evaluate shop.learned.waypost shop.factors.npz --report report.html`
    """
    from waypost import Router
    from waypost.comparison import compare

    output, opened, wanted = Output(json), open_index(index), as_counts(budgets, "--budgets")
    if report is not None:
        place(report)
    asked = Sets.of(queries, column, key).queries(part)
    if len(asked) > most:
        output.note(f"{most:,} of the {len(asked):,} queries are used; --most takes more.")
    asked = asked[:most]
    plain = opened.with_router(Router.identity(opened.graph.start))
    learned = None if opened.router.is_identity else opened
    with bar("exact answers"):
        truth = plain.exact(asked, k, threads=threads)
    settings: dict[str, Any] = {"truth": truth, "k": k, "budgets": wanted, "threads": threads}
    with bar("asking") as progress:
        measured = compare(plain, learned, asked, progress=progress, **settings)
    if report is not None or figures is not None:
        lines = log or (beside(index, ".jsonl") if beside(index, ".jsonl").exists() else None)
        _write_page(report, figures, plain, opened, asked, measured=measured, log=lines, seed=seed, **settings)
    show(output, measured)


def show(output: Output, measured: Comparison) -> None:
    """The table, and below it what it says about learning."""
    rows = [(r.search, r.budget, r.recall, r.cost, r.batched_qps, r.single_qps, r.gain, r.error) for r in measured.rows]
    title = f"{measured.queries:,} queries, {measured.items:,} items, recall {measured.k}@{measured.k}"
    output.table(COLUMNS, rows, measured.as_dict(), title=title)
    output.note(*measured.verdicts)


COLUMNS = (
    text_column("search"),
    Shown("budget", ","),
    Shown("recall", ".4f"),
    Shown("products", ",.0f"),
    Shown("queries/s", ",.0f"),
    Shown("one by one/s", ",.0f"),
    Shown("gain", "+.4f"),
    Shown("error", ".4f"),
)


def _write_page(
    report: Path | None, figures: Path | None, plain: Index, learned: Index, queries: Any, **settings: Any
) -> None:
    from waypost.report import gather, write_figures, write_report

    names = None if plain.ids is None else [str(own) for own in plain.ids.tolist()]
    with bar("the page"):
        gathered = gather(plain, learned, queries, names=names, **settings)
        if report is not None:
            write_report(gathered, report)
        if figures is not None:
            write_figures(gathered, figures)
