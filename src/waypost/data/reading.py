"""One call for every form of ratings: MovieLens, Amazon, Echonest, tables, Parquet and sparse matrices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from waypost.arguments import as_count
from waypost.data.assemble import Collector, filtered
from waypost.data.chunk import Tally
from waypost.data.layouts import Columns
from waypost.data.parquet import parquet_chunks
from waypost.data.ratings import Ratings
from waypost.data.text_files import Limits, Progress, read_text, report

FORMATS = ("movielens", "amazon", "amazon-reviews", "echonest", "table", "parquet", "matrix")


def read_ratings(
    path: str | Path,
    *,
    format: str | None = None,
    user: str | int | None = None,
    item: str | int | None = None,
    rating: str | int | None = None,
    delimiter: str | None = None,
    min_user: int | None = None,
    min_item: int | None = None,
    passes: int | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Ratings:
    """Read a file of ratings; what kind it is shows in its name and its first line, unless `format` says it.

    `user`, `item` and `rating` name the columns of a table, or give their positions, from 0, where no line names
    them. Users with fewer than `min_user` items and items with fewer than `min_item` users are left out until all
    have enough, or `passes` times: 5 and 5 for Amazon, users of 5 for Echonest unless told otherwise. Lines that are
    not usable are skipped, counted and shown in `.notes`; with `strict` the first one is an error. `progress` is
    called with what has been read and what there is.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "ratings.csv")
    ...     _ = path.write_text("userId,movieId,rating,timestamp\\n7,1,4.0,0\\n7,3,2.5,0\\n9,3,5.0,0\\n")
    ...     ratings = read_ratings(path)
    >>> ratings.users.tolist(), ratings.items.tolist(), ratings.matrix.toarray().tolist()
    ([7, 9], [1, 3], [[4.0, 2.5], [0.0, 5.0]])
    """
    path = Path(path)
    _check(format, delimiter, min_user, min_item, passes)
    kind = format or _kind(path)
    columns = Columns(user, item, rating)
    if kind == "matrix":
        whole = Ratings.load(path)  # its rows stay where they are unless a filter is asked for
        return whole if min_user is min_item is None else filtered(whole, min_user or 1, min_item or 1, passes)
    tally = (_Strict if strict else Tally)(str(path), "row" if kind == "parquet" else "line")
    collected, limits = Collector(), Limits()
    if kind == "parquet":
        for chunk, done, total in parquet_chunks(path, columns, tally):
            collected.add(chunk)
            report(progress, done, total)
    else:
        limits = read_text(path, kind, columns, delimiter, tally, collected, progress)
    return _finished(collected, tally, limits.overruled(min_user, min_item), passes)


class _Strict(Tally):
    def refuse(self, line: int, why: str) -> None:
        raise ValueError(f"{self.name}, {self.unit} {line}: {why}; repair it, or pass strict=False to skip it.")


def _check(format: str | None, delimiter: str | None, *counts: int | None) -> None:
    if format is not None and format not in FORMATS:
        raise ValueError(f"format is {format!r}; pass one of {', '.join(FORMATS)}, or none to have it found out.")
    if delimiter is not None and (not isinstance(delimiter, str) or len(delimiter) != 1):
        raise ValueError(f"delimiter is {delimiter!r}; pass one character.")
    for name, count in zip(("min_user", "min_item", "passes"), counts, strict=True):
        if count is not None:
            as_count(count, name)


def _kind(path: Path) -> str:
    by_suffix = {".npz": "matrix", ".parquet": "parquet", ".pq": "parquet"}
    names = [suffix.lower() for suffix in path.suffixes]
    if names and names[-1] in by_suffix:
        return by_suffix[names[-1]]
    return "amazon-reviews" if {".json", ".jsonl"} & set(names) else "text"


def _finished(collected: Collector, tally: Tally, limits: Limits, passes: int | None) -> Ratings:
    if not collected.users:
        why = f": {tally.shown[0]}" if tally.shown else ""
        raise ValueError(f"{tally.name} holds no rating that can be used{why}; pass a file with ratings.")
    if tally.bad * 2 > tally.total:
        raise ValueError(
            f"{tally.name}: {tally.bad:,} of {tally.total:,} {tally.unit}s cannot be used, the first being "
            f"{tally.shown[0]}; is this the right format or delimiter?"
        )
    ratings = collected.ratings(limits.repeats, limits.min_user, limits.min_item, passes)
    if not ratings.matrix.nnz:
        raise ValueError(
            f"{tally.name} holds no rating after its filters (users of {limits.min_user}, items of {limits.min_item}); "
            "pass a smaller min_user or min_item."
        )
    return replace(ratings, notes=(tally.note(), *ratings.notes)) if tally.bad else ratings
