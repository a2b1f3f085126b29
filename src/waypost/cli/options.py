"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for machines.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Same seed, same result.")]
Threads = Annotated[int, typer.Option("--threads", min=0, help="Cores to use; 0 takes all. No result depends on it.")]
K = Annotated[int, typer.Option("-k", "--k", min=1, help="How many answers a query gets.")]
EntryRule = Annotated[
    str | None,
    typer.Option(
        "--entry", help="Where a walk starts: largest-norm, first, random, largest-norm:64 (so many rows) or a row."
    ),
]
TargetRecall = Annotated[
    float, typer.Option("--target-recall", help="The recall wanted, above 0 and up to 1; it is kept to within 0.01.")
]
MaxTime = Annotated[
    float | None, typer.Option("--max-time-us", help="Microseconds that a query may take on one thread.")
]
IndexFile = Annotated[Path, typer.Argument(metavar="INDEX", help="An index that `waypost build` or `train` wrote.")]
Column = Annotated[str | None, typer.Option("--column", help="The list column of a Parquet file with several.")]
Key = Annotated[str | None, typer.Option("--key", help="The array of an .npz file with several.")]

User = Annotated[str | None, typer.Option("--user", help="The users' column: its name, or its place from 0.")]
Item = Annotated[str | None, typer.Option("--item", help="The items' column.")]
Rating = Annotated[str | None, typer.Option("--rating", help="The ratings' column.")]
Delimiter = Annotated[str | None, typer.Option("--delimiter", help="Between the fields of a table.")]
Form = Annotated[str | None, typer.Option("--format", help="The form of the file, where it is not to be found out.")]


def reading(
    user: str | None, item: str | None, rating: str | None, delimiter: str | None, form: str | None, **more: Any
) -> dict[str, Any]:
    """What `read_ratings` is to be told: nothing of what was left out."""
    columns = {"user": _column(user), "item": _column(item), "rating": _column(rating)}
    told = columns | {"delimiter": "\t" if delimiter == r"\t" else delimiter, "format": form} | more
    return {name: value for name, value in told.items() if value is not None and value is not False}


def _column(name: str | None) -> str | int | None:
    return int(name) if name is not None and name.isdecimal() else name


def as_entry(rule: str | None) -> str | int | tuple[str, int] | None:
    """An entry as the library takes it: a rule's name, a row, or a rule with a number of rows.

    >>> as_entry("7"), as_entry("largest-norm"), as_entry("largest-norm:64")
    (7, 'largest-norm', ('largest-norm', 64))
    """
    if rule is None:
        return None
    name, colon, count = rule.partition(":")
    if colon and count.isdecimal():
        return name, int(count)
    return int(rule) if rule.isdecimal() else rule


def as_counts(text: str, name: str) -> tuple[int, ...]:
    """Whole numbers that were written with commas between them.

    >>> as_counts("64,128", "--budgets")
    (64, 128)
    """
    try:
        counts = tuple(int(part) for part in text.split(","))
    except ValueError:
        counts = ()
    if not counts or min(counts) < 1:
        raise ValueError(f"{name} is {text!r}; pass whole numbers of 1 or more with commas between them, as 64,128.")
    return counts
