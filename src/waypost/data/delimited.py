"""Lines of delimited fields. A clean block goes through pyarrow whole, an odd line is read for itself.

The slow way decides what a line means; the quick way takes only blocks on which both agree.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import numpy as np

from waypost.data.chunk import Chunk, Row, flaw_of_rating
from waypost.data.extra import needed
from waypost.data.layouts import Layout

MOST_DIGITS = 18  # of a whole number that surely fits int64


class Delimited:
    """Parses blocks of lines of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._plain = _plain(layout)
        self._csv = needed("pyarrow.csv", "reading a table")
        self._arrow = needed("pyarrow", "reading a table")
        self._compute = needed("pyarrow.compute", "reading a table")

    def quick(self, data: bytes, lines: int) -> Chunk | None:
        """The block's ratings, or None if any line of it wants a closer look."""
        if data.count(b'"') % 2:
            return None  # a quote that does not close; pyarrow would take what follows for a part of the field
        try:
            table = self._table(data)
            if len(table) != lines:
                return None
            rating = self._ratings(table)
            users, user = self._coded(table["user"])
            items, item = self._coded(table["item"])
        except (self._arrow.ArrowInvalid, UnicodeDecodeError):
            return None
        usable = bool((rating >= 0).all() and np.isfinite(rating).all())
        return Chunk(users, user, items, item, rating) if usable and self._sound(users) and self._sound(items) else None

    def odd(self, lines: list[bytes]) -> list[int]:
        """The places of the lines that are not surely plain: of what is not ASCII or is quoted, too."""
        plain = self._plain.fullmatch
        return [place for place, line in enumerate(lines) if not plain(line)]

    def slow(self, line: bytes) -> Row | str | None:
        """The rating that a line holds, or what is wrong with it; None for a blank line."""
        try:
            text = line.rstrip(b"\r\n").decode()
        except UnicodeDecodeError:
            return "it is not UTF-8"
        if not text.strip():
            return None
        try:
            fields = next(csv.reader(io.StringIO(text), delimiter=self.layout.delimiter, strict=True))
        except csv.Error as error:
            return f"its quotes do not close ({error})"
        if len(fields) != self.layout.fields:
            return f"it has {len(fields)} fields where {self.layout.fields} belong"
        user, item = fields[self.layout.user], fields[self.layout.item]
        rating = 1.0 if self.layout.rating is None else _number(fields[self.layout.rating])
        why = rating if isinstance(rating, str) else self._flaw_of_ids(user, item) or flaw_of_rating(rating)
        return why or (user.encode(), item.encode(), float(rating))

    def _table(self, data: bytes) -> Any:
        names = [str(place) for place in range(self.layout.fields)]
        wanted = {"user": self.layout.user, "item": self.layout.item}
        coded = self._arrow.dictionary(self._arrow.int32(), self._arrow.binary())
        types = {names[place]: coded for place in wanted.values()}
        if self.layout.rating is not None:
            wanted["rating"] = self.layout.rating
            types[names[self.layout.rating]] = self._arrow.float64()
        table = self._csv.read_csv(
            self._arrow.BufferReader(data),
            read_options=self._csv.ReadOptions(use_threads=False, column_names=names, block_size=len(data) + 1),
            parse_options=self._csv.ParseOptions(delimiter=self.layout.delimiter, ignore_empty_lines=False),
            convert_options=self._csv.ConvertOptions(
                column_types=types,
                include_columns=[names[place] for place in wanted.values()],
                strings_can_be_null=False,
                null_values=[],
            ),
        )
        return table.rename_columns(list(wanted))

    def _ratings(self, table: Any) -> Any:
        if self.layout.rating is None:
            return np.ones(len(table), np.float32)
        with np.errstate(over="ignore"):
            return table["rating"].to_numpy().astype(np.float32)

    def _coded(self, column: Any) -> tuple[list[bytes], Any]:
        column = column.combine_chunks()
        distinct = column.dictionary.to_pylist()
        b"\n".join(distinct).decode()  # raises where an id is not UTF-8
        return distinct, column.indices.to_numpy()

    def _sound(self, ids: list[bytes]) -> bool:
        return all(ids) and (not self.layout.whole_ids or _are_whole(ids))

    def _flaw_of_ids(self, user: str, item: str) -> str | None:
        for what, name in (("user", user), ("item", item)):
            if not name:
                return f"it has no {what}"
            if self.layout.whole_ids and not _are_whole([name.encode()]):
                return f"the {what} {name[:40]!r} is no whole number"
        return None


def _plain(layout: Layout) -> re.Pattern[bytes]:
    """Matches lines that both ways of reading surely take for the same."""
    any_text = rb"[^\x00-\x1f\x7f-\xff\"%s]" % re.escape(layout.delimiter.encode())
    fields = [any_text + b"*"] * layout.fields
    fields[layout.user] = fields[layout.item] = rb"\d{1,18}" if layout.whole_ids else any_text + b"+"
    if layout.rating is not None:
        fields[layout.rating] = rb"\d{1,9}(?:\.\d{0,9})?"
    return re.compile(re.escape(layout.delimiter.encode()).join(fields) + rb"\r?")


def _are_whole(ids: list[bytes]) -> bool:
    return b"".join(ids).isdigit() and max(map(len, ids)) <= MOST_DIGITS


def _number(field: str) -> float | str:
    try:
        return float(field) if "_" not in field else f"the rating {field[:40]!r} is no number"
    except ValueError:
        return f"the rating {field[:40]!r} is no number" if field else "it has no rating"
