"""Replaces a file whole or not at all, so that a kill at any moment leaves the old or the new one."""

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file to write to: it takes the place of `path` if the block ends well, and vanishes if it does not."""
    _remove_abandoned(path)
    file = _create_beside(path)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(file.name)
        raise
    _sync_folder(path.parent)


def _create_beside(path: Path) -> BinaryIO:
    """The writer holds a lock on its new file for as long as it lives: by that others tell it from an abandoned one."""
    while True:
        name = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
        file = open(name, "xb")  # noqa: SIM115  (closed by the caller)
        with suppress(OSError):  # some network folders have no locks; there, nobody can take the file for abandoned
            fcntl.flock(file, fcntl.LOCK_EX)
        if name.exists():
            return file
        file.close()  # another writer came between creating and locking, and tidied it away


def _remove_abandoned(path: Path) -> None:
    ours = re.compile(re.escape(f".{path.name}.") + r"[0-9a-f]{16}\.tmp")
    for beside in path.parent.iterdir():
        if ours.fullmatch(beside.name):
            with suppress(OSError), open(beside, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                beside.unlink()


def _sync_folder(folder: Path) -> None:
    """The new name itself must reach the disk, not only the bytes."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
