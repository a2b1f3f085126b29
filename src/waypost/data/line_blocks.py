"""A text file, compressed or not, as blocks of whole lines: a file of any size is read in little memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from waypost.errors import UnreadableFileError

BLOCK = 8 << 20
LONGEST_LINE = 64 << 20
BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError, RuntimeError)
OPENERS: dict[str, Callable[[Any], IO[bytes]]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}  # type: ignore[dict-item]
FOREIGN_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK\x03\x04": "a zip", b"\x1f\x8b": "gzip"}
UTF8_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Block:
    """Whole lines, the number of the first of them, and how far the file has been read."""

    data: bytes
    line: int
    done: int

    @property
    def lines(self) -> int:
        return self.data.count(b"\n") + (not self.data.endswith(b"\n") and bool(self.data))


@dataclass(frozen=True)
class Text:
    """A readable text: `name` is what messages call it, `total` the bytes that `Block.done` runs up to."""

    name: str
    total: int
    stream: IO[bytes]
    raw: IO[bytes] | None  # where the stream is compressed: the file beneath, which knows how far it was read

    def blocks(self, size: int = BLOCK) -> Iterator[Block]:
        line, rest = 1, b""
        while True:
            read = self._read(size)
            data = rest + read
            cut = data.rfind(b"\n") + 1 if read else len(data)
            rest = data[cut:]
            if len(rest) > LONGEST_LINE:
                raise UnreadableFileError(f"{self.name}, line {line}: longer than 64 MiB; is this a text file?")
            if cut:
                block = Block(data[:cut], line, self._done())
                line += block.lines
                yield block
            if not read:
                return

    def first_lines(self) -> list[bytes]:
        """Read from a text that was just opened for this; a mark of another encoding is refused."""
        head = self._read(1 << 16)
        for mark, kind in FOREIGN_MARKS.items():
            if head.startswith(mark):
                raise UnreadableFileError(f"{self.name} is {kind}, not UTF-8 text; convert or unpack it first.")
        if b"\0" in head:
            raise UnreadableFileError(f"{self.name} holds zero bytes: it is no UTF-8 text; convert it first.")
        lines = head.removeprefix(UTF8_MARK).split(b"\n")
        return [line.rstrip(b"\r") for line in (lines[:-1] if len(lines) > 2 else lines)]  # the last may be cut

    def _done(self) -> int:
        return (self.raw or self.stream).tell()

    def _read(self, size: int) -> bytes:
        try:
            return self.stream.read(size)
        except BROKEN as error:
            raise UnreadableFileError(f"{self.name} is damaged or cut off ({error}); fetch or copy it again.") from None


@contextmanager
def opened(path: Path, member: str | None = None) -> Iterator[Text]:
    """The text of `path`, of the one table in a zip, or of its `member`."""
    if path.suffix == ".zip":
        with _archive(path) as archive:
            name = member or _only_table(path, archive)
            with _member(path, archive, name) as stream:
                yield Text(f"{path}:{name}", archive.getinfo(name).file_size, stream, None)
        return
    with open(path, "rb") as raw:
        opener = OPENERS.get(path.suffix)
        stream = opener(raw) if opener else io.BufferedReader(raw)
        yield Text(str(path), path.stat().st_size, stream, raw if opener else None)


def _archive(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, EOFError) as error:
        raise UnreadableFileError(f"{path} is damaged or cut off ({error}); fetch or copy it again.") from None


def _member(path: Path, archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    try:
        return archive.open(name)
    except BROKEN as error:  # encrypted, or packed in a way that Python does not know
        raise UnreadableFileError(f"{path}:{name} cannot be unpacked ({error}); unpack it by hand.") from None


def _only_table(path: Path, archive: zipfile.ZipFile) -> str:
    """MovieLens packs ratings.csv among other tables, Echonest one file alone."""
    names = [name for name in archive.namelist() if not name.endswith("/") and "__MACOSX" not in name]
    wanted = [name for name in names if Path(name).name in ("ratings.csv", "train_triplets.txt")]
    tables = wanted or [name for name in names if Path(name).suffix in (".csv", ".tsv", ".txt", ".json", ".jsonl")]
    if len(tables) != 1:
        held = ", ".join(names[:6]) or "nothing"
        raise ValueError(f"{path} holds {held}; unpack it and pass the one file with the ratings.")
    return tables[0]
