"""How each publisher lays out a file of ratings, and how a file is told from its first line."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

USER_NAMES = ("user", "user_id", "userid", "reviewerid", "customer_id", "uid")
ITEM_NAMES = ("item", "item_id", "itemid", "movieid", "movie_id", "asin", "product_id", "song_id", "track_id", "iid")
RATING_NAMES = ("rating", "score", "overall", "stars", "count", "plays", "play_count", "weight", "value")
ASIN = re.compile(r"[0-9A-Z]{10}")  # what Amazon calls an item; its users' names are longer, so the two tell themselves
AMAZON = re.compile(r"([^,]+),([^,]+),[1-5](?:\.0)?,\d+")
ECHONEST = re.compile(r"[0-9a-f]{40}\t\w+\t\d+")
MOVIELENS = ("userId", "movieId", "rating", "timestamp")


@dataclass(frozen=True)
class Layout:
    """Which fields of a line are the user, the item and the rating, and what the publisher's form implies."""

    name: str
    delimiter: str
    fields: int  # on each line
    user: int
    item: int
    rating: int | None  # None: each line counts one
    header: bool = False  # the first line names the fields
    whole_ids: bool = False  # users and items are whole numbers, and any other makes a line bad
    repeats: str = "last"  # of one user and item: the "last" rating stands, or their "sum"
    min_user: int = 1  # the paper's filters (section 6)
    min_item: int = 1


def layout_of(lines: list[str], name: str | None) -> Layout | None:
    """The publisher's layout `name`, or the one that the first lines show; None for any other table."""
    makers = {"movielens": _movielens, "amazon": _amazon, "echonest": _echonest}
    if name in makers:
        layout = makers[name](lines)
        if layout is None:
            raise ValueError(
                f"the first line {lines[0][:80]!r} is not of the form {name}; pass another format, or none."
            )
        return layout
    return next((found for make in makers.values() if (found := make(lines))), None)


def _movielens(lines: list[str]) -> Layout | None:
    if tuple(lines[0].split(",")) != MOVIELENS:
        return None
    return Layout("movielens", ",", 4, 0, 1, 2, header=True, whole_ids=True)


def _amazon(lines: list[str]) -> Layout | None:
    """No header: user,item,rating,timestamp in the release of 2014, item,user,rating,timestamp in that of 2018."""
    tuples = [found.groups() for line in lines if (found := AMAZON.fullmatch(line))]
    if not AMAZON.fullmatch(lines[0]):
        return None
    first, second = (sum(bool(ASIN.fullmatch(fields[place])) for fields in tuples) for place in (0, 1))
    if first == second:
        return None
    user, item = (1, 0) if first > second else (0, 1)
    return Layout("amazon", ",", 4, user, item, 2, min_user=5, min_item=5)


def _echonest(lines: list[str]) -> Layout | None:
    if not ECHONEST.fullmatch(lines[0]):
        return None
    return Layout("echonest", "\t", 3, 0, 1, 2, repeats="sum", min_user=5)


@dataclass(frozen=True)
class Columns:
    """What the caller says of a table: names of columns or, where no line names them, their positions from 0."""

    user: str | int | None = None
    item: str | int | None = None
    rating: str | int | None = None


def table_layout(line: str, columns: Columns, delimiter: str | None) -> Layout:
    """The layout of any table whose columns are named in its first line, or given by position."""
    if delimiter is None:
        delimiter = max(("\t", ",", ";", "|"), key=line.count)
    named = next(csv.reader([line], delimiter=delimiter), [])
    by_position = isinstance(columns.user, int) and isinstance(columns.item, int)
    user = _position(columns.user, "user", USER_NAMES, named)
    item = _position(columns.item, "item", ITEM_NAMES, named)
    rating = None
    if columns.rating is not None or (not by_position and find(RATING_NAMES, named) is not None):
        rating = _position(columns.rating, "rating", RATING_NAMES, named)
    if len({user, item, rating}) < 3:
        raise ValueError(f"user, item and rating name one column twice; pass three different ones of {named}.")
    repeats = "sum" if rating is None else "last"
    return Layout("table", delimiter, len(named), user, item, rating, header=not by_position, repeats=repeats)


def _position(wanted: str | int | None, what: str, usual: tuple[str, ...], named: list[str]) -> int:
    if isinstance(wanted, int):
        if not 0 <= wanted < len(named):
            raise ValueError(f"{what} is column {wanted} where there are {len(named)}; pass 0 to {len(named) - 1}.")
        return wanted
    return named.index(chosen(wanted, what, usual, named))


def chosen(wanted: str | int | None, what: str, usual: tuple[str, ...], named: list[str]) -> str:
    """The column that the caller wants, or the one with a usual name."""
    if wanted is None:
        found = find(usual, named)
        if found is None:
            raise ValueError(f"no column is known as the {what}; pass {what}= one of {', '.join(named[:20])}.")
        return found
    if wanted not in named:
        raise ValueError(f"there is no column {wanted!r}; pass {what}= one of {', '.join(named[:20])}.")
    return str(wanted)


def find(usual: tuple[str, ...], named: list[str]) -> str | None:
    lowered = [name.lower() for name in named]
    return next((named[lowered.index(name)] for name in usual if name in lowered), None)
