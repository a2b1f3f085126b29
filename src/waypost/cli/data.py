"""`waypost data`: what there is by name, how to get it, and what a file is."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.inputs import existing
from waypost.cli.options import Delimiter, Form, Item, Json, Rating, User, reading
from waypost.cli.output import Column, Output, text_column
from waypost.cli.progress import bar
from waypost.cli.shell import stopped

data = typer.Typer(name="data", no_args_is_help=True, help="Data sets by name, and what a file of data is.")


@data.command("list")
def list_sets(json: Json = False) -> None:
    """The data sets that are known by name.

    Example: `waypost data list`
    """
    from waypost.data.catalog import CATALOG, cache_folder

    rows = []
    for entry in CATALOG.values():
        if entry.source is None:
            here, from_where = "inside waypost", None
        else:
            path = cache_folder() / "data" / entry.source.file
            here, from_where = (str(path) if path.exists() else "to be fetched"), entry.source.url
        rows.append([entry.name, here, entry.title, entry.terms, from_where])
    names = ("name", "where", "title", "terms", "source")
    document = [dict(zip(names, row, strict=True)) for row in rows]
    Output(json).table([text_column(name) for name in names], rows, document)


@data.command()
def fetch(
    name: Annotated[str, typer.Argument(help="A name that `waypost data list` shows.")],
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where to keep it; else WAYPOST_CACHE or the user's cache folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Downloads a data set. What was cut off goes on where it stopped; checksums are compared where there are any.

    Example: `waypost data fetch movielens-25m`
    """
    from waypost.data.catalog import fetch

    try:
        with bar(f"fetching {name}", bytes=True) as progress:
            path = fetch(name, folder, progress)
    except KeyboardInterrupt:
        raise stopped("stopped; what came is kept, and the same command again goes on from there.") from None
    Output(json).record({"file": str(path), "bytes": path.stat().st_size})


@data.command()
def info(
    file: Annotated[Path, typer.Argument(help="Ratings, factors or vectors in any form that waypost reads.")],
    user: User = None,
    item: Item = None,
    rating: Rating = None,
    delimiter: Delimiter = None,
    form: Form = None,
    json: Json = False,
) -> None:
    """What a file of data is, with its counts and what was skipped in it.

    Example: `waypost data info ratings.csv --user customer --item product`
    """
    from waypost.data.describe import describe

    output = Output(json)
    about = describe(existing(file), **reading(user, item, rating, delimiter, form))
    if not json:
        output.note(*about.pop("notes", ()))
    if "arrays" in about and not json:
        rows = [(name, kind, " x ".join(map(str, shape))) for name, (kind, *shape) in about["arrays"].items()]
        return output.table([text_column("array"), text_column("type"), Column("shape")], rows, about)
    return output.record(about)
