"""Downloads one file: goes on where it was cut off, checks it, and gives it its name only when it is whole."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from waypost.errors import WaypostError

BLOCK = 1 << 18
SECONDS = 30  # without a byte
Progress = Callable[[int, int | None], None]


class DownloadError(WaypostError):
    """A file that could not be fetched; the message says where to put it by hand.

    >>> issubclass(DownloadError, WaypostError)
    True
    """


@dataclass(frozen=True)
class Source:
    """Where a file is, what it is called here, and its checksum as "md5:..." or "sha256:..." if one is published."""

    url: str
    file: str
    checksum: str | None = None


def download(source: Source, folder: Path, progress: Progress | None = None) -> Path:
    path = folder / source.file
    if path.exists():
        return path
    part = _part_of(path)
    with _said(source, path):
        folder.mkdir(parents=True, exist_ok=True)
        total = _fetched(source.url, part, progress)
        size = part.stat().st_size
        if total is not None and size < total:
            raise DownloadError(
                f"the download of {source.url} was cut off at {size:,} of {total:,} bytes; fetch it again to go on."
            )
        _check(source, part)
        os.replace(part, path)
    return path


def _part_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def _fetched(url: str, part: Path, progress: Progress | None) -> int | None:
    """Appends to the part what is missing of it; returns the bytes of the whole file, or None if they are not known."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "waypost"} | _range(have))
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer, open(part, "ab") as file:
            _claim(file, have)
            if not _continues(answer, have):
                have = 0
                file.truncate(0)  # the server sends it from the start, or has another file by now
            length = answer.headers.get("Content-Length")
            total = have + int(length) if length is not None else None
            _copy(answer, file, have, total, progress)
            return total
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and have:
            return have  # all of it was there already: the checksum will tell
        raise


def _claim(file: BinaryIO, have: int) -> None:
    """Two processes must not append to one part."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise DownloadError(f"{file.name} is being fetched by another process; wait until it has done so.") from None
    except OSError:
        return  # some network folders have no locks
    if file.tell() != have:
        raise DownloadError(f"{file.name} was changed by another process; fetch it again.")


def _continues(answer: Any, have: int) -> bool:
    begins = f"bytes {have}-"
    told = str(answer.headers.get("Content-Range", begins))
    return answer.status == http.client.PARTIAL_CONTENT and told.startswith(begins)


def _range(have: int) -> dict[str, str]:
    return {"Range": f"bytes={have}-"} if have else {}


def _copy(answer: Any, file: Any, have: int, total: int | None, progress: Progress | None) -> None:
    try:
        while block := answer.read(BLOCK):
            file.write(block)
            have += len(block)
            if progress is not None:
                progress(have, total)
    except (http.client.IncompleteRead, ConnectionError, TimeoutError):
        if total is None:
            raise
        # What came is kept: the caller sees by its size that it was cut off.


def _check(source: Source, part: Path) -> None:
    if source.checksum is None:
        return
    kind, _, wanted = source.checksum.partition(":")
    with open(part, "rb") as file:
        found = hashlib.new(kind, usedforsecurity=False)
        while block := file.read(1 << 20):
            found.update(block)
    if found.hexdigest() != wanted:
        part.unlink()
        raise DownloadError(
            f"{source.url} came with the {kind} {found.hexdigest()} where {wanted} is published; it was removed, fetch "
            "it again."
        )


@contextmanager
def _said(source: Source, path: Path) -> Iterator[None]:
    """Says what went wrong in one line, with what to do about it."""
    by_hand = f"download {source.url} elsewhere and put it at {path}"
    try:
        yield
    except urllib.error.HTTPError as error:
        raise DownloadError(f"{source.url} answers {error.code} {error.reason}; {by_hand}.") from None
    except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError) as error:
        reason = getattr(error, "reason", None) or error or type(error).__name__
        raise DownloadError(f"{source.url} cannot be reached ({reason}); {by_hand}.") from None
    except PermissionError:
        raise DownloadError(
            f"{path.parent} may not be written to; pass another folder, or set WAYPOST_CACHE."
        ) from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            _part_of(path).unlink(missing_ok=True)  # it would hold the last of the room
            why = f"there is no room left in {path.parent}"
        else:
            why = f"{path.parent} cannot be written to ({error.strerror or error})"
        raise DownloadError(f"{why}; pass another folder, or set WAYPOST_CACHE.") from None
