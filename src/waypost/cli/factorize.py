"""`waypost factorize`: from ratings to items and queries."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.inputs import place, ratings_of
from waypost.cli.options import Delimiter, Form, Item, Json, Rating, Seed, Threads, User, reading
from waypost.cli.output import Output
from waypost.cli.progress import bar


def factorize(
    ratings: Annotated[
        str, typer.Argument(metavar="RATINGS", help="A file of ratings, or a name from `waypost data list`.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The factors to write, an .npz.")],
    factors: Annotated[int, typer.Option("--factors", min=1, help="The width of the vectors.")] = 96,
    iterations: Annotated[int, typer.Option("--iterations", min=1, help="Passes over users and items.")] = 12,
    alpha: Annotated[float, typer.Option("--alpha", help="Confidence that one interaction adds.")] = 10.0,
    regularization: Annotated[float, typer.Option("--regularization", help="Penalty on squared norms.")] = 0.01,
    user: User = None,
    item: Item = None,
    rating: Rating = None,
    delimiter: Delimiter = None,
    form: Form = None,
    min_user: Annotated[int | None, typer.Option("--min-user", min=1, help="Leave out users of fewer items.")] = None,
    min_item: Annotated[int | None, typer.Option("--min-item", min=1, help="Leave out items of fewer users.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse the file at its first bad line.")] = False,
    keep_repeats: Annotated[
        bool, typer.Option("--keep-repeats", help="Keep test users whose ratings equal a training user's.")
    ] = False,
    keep_ratings: Annotated[
        Path | None, typer.Option("--keep-ratings", help="Also write the ratings as read, an .npz.")
    ] = None,
    seed: Seed = 0,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Factorises ratings by implicit-feedback ALS and splits the users 80/10/10 into train, valid and test.

    The file that it writes holds the items, the users, their names and the split: `waypost build`, `train` and
    `evaluate` each take from it what they need.

    Example: `waypost factorize ratings.csv shop.factors.npz --user customer --item product`
    """
    from waypost.data import AlsConfig, split_queries
    from waypost.data import factorize as by_als

    output = Output(json)
    config = AlsConfig(factors, iterations, alpha, regularization, seed, threads)
    for path in (out, keep_ratings):
        if path is not None:
            place(path)
    wanted = reading(user, item, rating, delimiter, form, min_user=min_user, min_item=min_item, strict=strict)
    read = ratings_of(ratings, **wanted)
    if keep_ratings is not None:
        read.save(keep_ratings)
    with bar("alternating least squares") as progress:
        made = by_als(read, config, progress=progress)
    split = split_queries(read, seed, keep_repeats=keep_repeats)
    made.with_split(split).save(out)
    output.note(*made.notes, *split.notes)
    users, items = read.matrix.shape
    output.record(
        {
            "file": str(out),
            "users": users,
            "items": items,
            "ratings": int(read.matrix.nnz),
            "width": factors,
            "train": len(split.train),
            "valid": len(split.valid),
            "test": len(split.test),
            **({"notes": [*made.notes, *split.notes]} if json else {}),
        }
    )
