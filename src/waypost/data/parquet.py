"""Parquet with named columns, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from waypost.data.chunk import Chunk, Tally, flaw_of_rating
from waypost.data.extra import needed
from waypost.data.layouts import ITEM_NAMES, RATING_NAMES, USER_NAMES, Columns, chosen, find
from waypost.errors import UnreadableFileError

BATCH = 1 << 20


def opened_parquet(path: Path) -> Any:
    parquet, arrow = needed("pyarrow.parquet", "reading Parquet"), needed("pyarrow", "reading Parquet")
    try:
        return parquet.ParquetFile(path)
    except (arrow.ArrowInvalid, OSError) as error:
        if isinstance(error, (FileNotFoundError, PermissionError, IsADirectoryError)):
            raise
        raise UnreadableFileError(f"{path} is damaged or no Parquet file; make or copy it again.") from None


def parquet_chunks(path: Path, columns: Columns, tally: Tally) -> Iterator[tuple[Chunk, int, int]]:
    """Chunks, with the rows read so far and in all; rows that are not usable are tallied."""
    with opened_parquet(path) as file:
        named = file.schema_arrow.names
        user = chosen(columns.user, "user", USER_NAMES, named)
        item = chosen(columns.item, "item", ITEM_NAMES, named)
        rating = None
        if columns.rating is not None or find(RATING_NAMES, named) is not None:
            rating = chosen(columns.rating, "rating", RATING_NAMES, named)
        wanted = [name for name in (user, item, rating) if name is not None]
        for batch in _batches(path, file, wanted):
            yield _chunk(path, batch, (user, item, rating), tally), tally.total, file.metadata.num_rows


def _batches(path: Path, file: Any, wanted: list[str]) -> Iterator[Any]:
    arrow = needed("pyarrow", "reading Parquet")
    try:
        yield from file.iter_batches(BATCH, columns=wanted)
    except (arrow.ArrowInvalid, OSError) as error:
        raise UnreadableFileError(f"{path} is damaged ({error}); make or copy it again.") from None


def _chunk(path: Path, batch: Any, names: tuple[str, str, str | None], tally: Tally) -> Chunk:
    user, item, rating = names
    users, user_codes = _coded(path, batch, user)
    items, item_codes = _coded(path, batch, item)
    values = np.ones(len(batch)) if rating is None else _numbers(path, batch, rating)
    bad = (user_codes < 0) | (item_codes < 0) | ~(values >= 0) | (values > float(np.finfo(np.float32).max))
    for row in np.flatnonzero(bad).tolist():
        missing = [name for name, codes in ((user, user_codes), (item, item_codes)) if codes[row] < 0]
        why = f"it has no {missing[0]}" if missing else flaw_of_rating(float(values[row])) or "its rating is missing"
        tally.refuse(tally.total + row + 1, why)
    tally.total += len(batch)
    return Chunk(users, user_codes[~bad], items, item_codes[~bad], values[~bad].astype(np.float32))


def _coded(path: Path, batch: Any, name: str) -> tuple[list[bytes], Any]:
    """The distinct ids and for each row the place of its own, -1 where it has none."""
    arrow = needed("pyarrow", "reading Parquet")
    column = batch.column(name)
    if not arrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    kind = column.dictionary.type
    if not (arrow.types.is_integer(kind) or arrow.types.is_string(kind) or arrow.types.is_large_string(kind)):
        raise ValueError(f"{path}: column {name!r} holds {kind}; ids are whole numbers or strings.")
    distinct = [str(value).encode() if value is not None else b"" for value in column.dictionary.to_pylist()]
    codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    empty = np.array([not value for value in distinct], bool)
    return distinct, np.where((codes >= 0) & (empty[codes] if len(empty) else False), -1, codes).astype(np.int32)


def _numbers(path: Path, batch: Any, name: str) -> Any:
    arrow = needed("pyarrow", "reading Parquet")
    column = batch.column(name)
    if not (arrow.types.is_integer(column.type) or arrow.types.is_floating(column.type)):
        raise ValueError(f"{path}: column {name!r} holds {column.type}; ratings are numbers.")
    return column.cast(arrow.float64(), safe=False).to_numpy(zero_copy_only=False)
