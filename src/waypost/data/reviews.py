"""Amazon's reviews: one JSON object a line, of which the reviewer, the product and the stars are kept."""

from __future__ import annotations

import ast
import json
from typing import Any

import numpy as np

from waypost.data.chunk import Chunk, Row, flaw_of_rating
from waypost.data.extra import needed
from waypost.data.layouts import ITEM_NAMES, RATING_NAMES, USER_NAMES, Columns, chosen, find


class Reviews:
    """Parses blocks of JSON lines: quickly by pyarrow where all is plain, else line by line."""

    def __init__(self, first_line: str, columns: Columns) -> None:
        first = _object(first_line)
        named = list(first) if isinstance(first, dict) else []
        self.user = chosen(columns.user, "user", USER_NAMES, named)
        self.item = chosen(columns.item, "item", ITEM_NAMES, named)
        self.rating = None
        if columns.rating is not None or find(RATING_NAMES, named) is not None:
            self.rating = chosen(columns.rating, "rating", RATING_NAMES, named)
        self._json = needed("pyarrow.json", "reading JSON lines")
        self._arrow = needed("pyarrow", "reading JSON lines")

    def quick(self, data: bytes, lines: int) -> Chunk | None:
        """The block's ratings, or None if any line of it wants a closer look."""
        try:
            table = self._table(data)
        except self._arrow.ArrowInvalid:
            return None
        if len(table) != lines or any(column.null_count for column in table.columns):
            return None
        users, user = _coded(table[self.user])
        items, item = _coded(table[self.item])
        rating = table[self.rating].to_numpy().astype(np.float32) if self.rating else np.ones(lines, np.float32)
        usable = bool((rating >= 0).all() and np.isfinite(rating).all() and all(users) and all(items))
        return Chunk(users, user, items, item, rating) if usable else None

    def odd(self, lines: list[bytes]) -> list[int]:
        """All of them: a block holds few reviews."""
        return list(range(len(lines)))

    def slow(self, line: bytes) -> Row | str | None:
        """The rating that a line holds, or what is wrong with it; None for a blank line."""
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            return "it is not UTF-8"
        if not text:
            return None
        review = _object(text)
        if not isinstance(review, dict):
            return "it is no JSON object"
        found = [review.get(name) for name in (self.user, self.item)]
        for name, value in zip((self.user, self.item), found, strict=True):
            if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
                return f"it has no {name}"
        rating = review.get(self.rating) if self.rating else 1.0
        if isinstance(rating, bool) or not isinstance(rating, (int, float)):
            return f"it has no {self.rating} that is a number"
        return flaw_of_rating(rating) or (str(found[0]).encode(), str(found[1]).encode(), float(rating))

    def _table(self, data: bytes) -> Any:
        kinds = [(self.user, self._arrow.string()), (self.item, self._arrow.string())]
        if self.rating:
            kinds.append((self.rating, self._arrow.float64()))
        return self._json.read_json(
            self._arrow.BufferReader(data),
            read_options=self._json.ReadOptions(use_threads=False, block_size=len(data) + 1),
            parse_options=self._json.ParseOptions(
                explicit_schema=self._arrow.schema(kinds), unexpected_field_behavior="ignore"
            ),
        )


def _coded(column: Any) -> tuple[list[bytes], Any]:
    coded = column.combine_chunks().dictionary_encode()
    return [name.encode() for name in coded.dictionary.to_pylist()], coded.indices.to_numpy()


def _object(line: str) -> Any:
    """Some of Amazon's files hold Python's notation, with single quotes, instead of JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(line)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
