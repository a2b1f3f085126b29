"""A text of ratings, block by block: clean blocks go through pyarrow whole, odd lines are read one at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from waypost.data.assemble import Collector
from waypost.data.chunk import Chunk, Row, Tally
from waypost.data.delimited import Delimited
from waypost.data.layouts import Columns, Layout, layout_of, table_layout
from waypost.data.line_blocks import UTF8_MARK, Block, opened
from waypost.data.reviews import Reviews

READERS = 2  # blocks in work at once; pyarrow and zlib let go of Python's lock
Progress = Callable[[int, int], None]


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
    def odd(self, lines: list[bytes]) -> list[int]: ...
    def slow(self, line: bytes) -> Row | str | None: ...


def read_text(
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
        lines = _decoded(text.name, text.first_lines())
    parser, limits, header = _parser(text.name, lines, kind, columns, delimiter)
    with opened(path) as text, ThreadPoolExecutor(READERS) as readers:
        pending: deque[tuple[Block, Future[Chunk | None]]] = deque()
        for block in _without_header(text.blocks(), header):
            pending.append((block, readers.submit(parser.quick, block.data, block.lines)))
            if len(pending) > READERS:
                _take(parser, *pending.popleft(), collected, tally)
            report(progress, block.done, text.total)
        while pending:
            _take(parser, *pending.popleft(), collected, tally)
    return limits


def _decoded(name: str, lines: list[bytes]) -> list[str]:
    """The first lines, of which the very first has to be sound."""
    try:
        first = lines[0].decode()
    except UnicodeDecodeError:
        raise ValueError(f"{name}, line 1: it is not UTF-8; convert the file first.") from None
    if not first.strip():
        raise ValueError(f"{name}, line 1: it is empty; pass a file with ratings.")
    return [first, *(line.decode(errors="replace") for line in lines[1:])]


def _parser(
    name: str, lines: list[str], kind: str, columns: Columns, delimiter: str | None
) -> tuple[Parser, Limits, bool]:
    try:
        if kind == "amazon-reviews" or (kind == "text" and lines[0].startswith("{")):
            reviews = Reviews(lines[0], columns)
            amazon = reviews.item == "asin"
            return reviews, Limits("last", 5, 5) if amazon else Limits("last"), False
        layout = _layout(lines, kind, columns, delimiter)
    except ValueError as error:
        raise ValueError(f"{name}, line 1: {error}") from None
    return Delimited(layout), Limits(layout.repeats, layout.min_user, layout.min_item), layout.header


def _layout(lines: list[str], kind: str, columns: Columns, delimiter: str | None) -> Layout:
    if kind in ("text", "table") and (kind == "table" or columns != Columns() or delimiter is not None):
        return table_layout(lines[0], columns, delimiter)
    return layout_of(lines, None if kind == "text" else kind) or table_layout(lines[0], columns, delimiter)


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
    collected.add(chunk if chunk is not None else _closely(parser, block, tally))


def _closely(parser: Parser, block: Block, tally: Tally) -> Chunk:
    """A block with odd lines in it: the others in one go, the odd ones line by line, all in the order of the file."""
    lines = block.data.split(b"\n")[: block.lines]
    odd = parser.odd(lines)
    plain = sorted(set(range(len(lines))) - set(odd))
    chunk = parser.quick(b"\n".join(lines[place] for place in plain), len(plain)) if plain else None
    if chunk is None:
        odd, plain = list(range(len(lines))), []
    found = list(_rows(parser, lines, odd, block.line, tally))
    rows = Chunk.of_rows([row for _, row in found])
    if chunk is None:
        return rows
    return chunk.joined(rows, np.argsort([*plain, *(place for place, _ in found)], kind="stable"))


def _rows(parser: Parser, lines: list[bytes], places: list[int], first: int, tally: Tally) -> Iterator[tuple[int, Row]]:
    for place in places:
        found = parser.slow(lines[place])
        if isinstance(found, str):
            tally.refuse(first + place, found)
        elif found is not None:
            yield place, found


def report(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
