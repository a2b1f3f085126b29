"""Arrays in one `.npz`: written whole or not at all, read without pickles, refused in one line when damaged."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.atomic import replacing
from waypost.errors import UnreadableFileError

DAMAGE = (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile, zlib.error, NotImplementedError)


def write_arrays(path: str | Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    with replacing(Path(path)) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def read_arrays(path: str | Path) -> dict[str, NDArray[Any]]:
    """All arrays of the file; reading them whole also compares each with its checksum."""
    with open(path, "rb") as file:  # a missing file or no right to it is said as the system says it
        try:
            with np.load(file, allow_pickle=False) as arrays:
                if not isinstance(arrays, np.lib.npyio.NpzFile):
                    raise UnreadableFileError(f"{path} is one array, not an .npz; pass a file with named arrays.")
                return {name: arrays[name] for name in arrays.files}
        except UnreadableFileError:
            raise
        except DAMAGE as error:
            raise damaged(path, error) from None


def damaged(path: str | Path, error: object) -> UnreadableFileError:
    said = " ".join(str(error).split()) or type(error).__name__
    return UnreadableFileError(f"{path} is damaged or no .npz file ({said}); make or copy it again.")
