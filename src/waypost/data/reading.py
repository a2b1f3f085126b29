"""One call for every form of ratings: MovieLens, Amazon, Echonest, tables, Parquet and sparse matrices."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from waypost.arguments import as_count
from waypost.data.assemble import Collector, filtered
from waypost.data.chunk import Chunk, Tally
from waypost.data.delimited import Delimited
from waypost.data.layouts import Columns, Layout, layout_of, table_layout
from waypost.data.line_blocks import UTF8_MARK, Block, opened
from waypost.data.parquet import parquet_chunks
from waypost.data.ratings import Ratings
from waypost.data.reviews import Reviews

FORMATS = ("movielens", "amazon", "amazon-reviews", "echonest", "table", "parquet", "matrix")
SMALL = 1 << 14  # bytes of a block that is not clean, below which it is read line by line
READERS = 2  # blocks in work at once; pyarrow and zlib let go of Python's lock
Progress = Callable[[int, int], None]


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
        return filtered(Ratings.load(path), min_user or 1, min_item or 1, passes)
    tally = (_Strict if strict else Tally)(str(path), "row" if kind == "parquet" else "line")
    collected, limits = Collector(), Limits()
    if kind == "parquet":
        for chunk, done, total in parquet_chunks(path, columns, tally):
            collected.add(chunk)
            _report(progress, done, total)
    else:
        limits = _read_text(path, kind, columns, delimiter, tally, collected, progress)
    return _finished(collected, tally, limits.overruled(min_user, min_item), passes)


@dataclass(frozen=True)
class Limits:
    """What a layout implies for all of its ratings together."""

    repeats: str = "last"
    min_user: int = 1
    min_item: int = 1

    def overruled(self, min_user: int | None, min_item: int | None) -> Limits:
        return Limits(self.repeats, min_user or self.min_user, min_item or self.min_item)


class Parser(Protocol):
    def quick(self, data: bytes, lines: int) -> Chunk | None: ...
    def slow(self, line: bytes) -> tuple[bytes, bytes, float] | str | None: ...


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


def _read_text(
    path: Path,
    kind: str,
    columns: Columns,
    delimiter: str | None,
    tally: Tally,
    collected: Collector,
    progress: Progress | None,
) -> Limits:
    with opened(path) as text:
        tally.name = text.name
        first = _first(text.name, text.first_line())
    parser, limits, header = _parser(text.name, first, kind, columns, delimiter)
    with opened(path) as text, ThreadPoolExecutor(READERS) as readers:
        pending: deque[tuple[Block, Future[Chunk | None]]] = deque()
        for block in _without_header(text.blocks(), header):
            pending.append((block, readers.submit(parser.quick, block.data, block.lines)))
            if len(pending) > READERS:
                _take(parser, *pending.popleft(), collected, tally)
            _report(progress, block.done, text.total)
        while pending:
            _take(parser, *pending.popleft(), collected, tally)
    return limits


def _first(name: str, line: bytes) -> str:
    try:
        first = line.decode()
    except UnicodeDecodeError:
        raise ValueError(f"{name}, line 1: it is not UTF-8; convert the file first.") from None
    if not first.strip():
        raise ValueError(f"{name}, line 1: it is empty; pass a file with ratings.")
    return first


def _parser(name: str, first: str, kind: str, columns: Columns, delimiter: str | None) -> tuple[Parser, Limits, bool]:
    try:
        if kind == "amazon-reviews" or (kind == "text" and first.startswith("{")):
            reviews = Reviews(first, columns)
            amazon = reviews.item == "asin"
            return reviews, Limits("last", 5, 5) if amazon else Limits("last"), False
        layout = _layout(first, kind, columns, delimiter)
    except ValueError as error:
        raise ValueError(f"{name}, line 1: {error}") from None
    return Delimited(layout), Limits(layout.repeats, layout.min_user, layout.min_item), layout.header


def _layout(first: str, kind: str, columns: Columns, delimiter: str | None) -> Layout:
    if kind in ("text", "table") and (kind == "table" or columns != Columns() or delimiter is not None):
        return table_layout(first, columns, delimiter)
    return layout_of(first, None if kind == "text" else kind) or table_layout(first, columns, delimiter)


def _without_header(blocks: Iterator[Block], header: bool) -> Iterator[Block]:
    for block in blocks:
        data = block.data.removeprefix(UTF8_MARK) if block.line == 1 else block.data
        if block.line == 1 and header:
            yield replace(block, data=data.partition(b"\n")[2], line=2)
        else:
            yield replace(block, data=data)


def _take(parser: Parser, block: Block, quick: Future[Chunk | None], collected: Collector, tally: Tally) -> None:
    chunk = quick.result()
    tally.total += block.lines
    for part in [chunk] if chunk is not None else _closer(parser, block, tally):
        collected.add(part)


def _closer(parser: Parser, block: Block, tally: Tally) -> Iterator[Chunk]:
    """A block that is not clean: its clean halves in one go, what is left line by line."""
    if len(block.data) <= SMALL or block.lines < 2:
        yield Chunk.of_rows(list(_rows(parser, block, tally)))
        return
    cut = block.data.find(b"\n", len(block.data) // 2) + 1 or block.data.rfind(b"\n", 0, -1) + 1
    first = Block(block.data[:cut], block.line, block.done)
    for half in (first, Block(block.data[cut:], block.line + first.lines, block.done)):
        chunk = parser.quick(half.data, half.lines)
        if chunk is not None:
            yield chunk
        else:
            yield from _closer(parser, half, tally)


def _rows(parser: Parser, block: Block, tally: Tally) -> Iterator[tuple[bytes, bytes, float]]:
    lines = block.data.split(b"\n")
    for number, line in enumerate(lines[: block.lines], block.line):
        found = parser.slow(line)
        if isinstance(found, str):
            tally.refuse(number, found)
        elif found is not None:
            yield found


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


def _report(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
