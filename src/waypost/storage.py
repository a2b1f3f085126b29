"""Named arrays and a few strings in one file of safetensors form, sealed with checksums.

A file is 8 bytes of length, a JSON header of that length, and the arrays one after another. `__metadata__` of the
header holds the caller's strings, a checksum of each array and one of the header itself.
"""

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from waypost.atomic import replacing

Tensors = Mapping[str, NDArray[Any]]

DTYPES: dict[str, np.dtype[Any]] = {
    "I64": np.dtype("<i8"),
    "F32": np.dtype("<f4"),
    "I32": np.dtype("<i4"),
    "U8": np.dtype("u1"),
}
METADATA = "__metadata__"
LENGTH_BYTES = 8
ALIGNMENT = 64  # a cache line: where the largest array of a file begins, and every array that is read into memory
MOST_HEADER = 100_000_000  # what the safetensors library accepts
MOST_SIDE = 2**48
HEADER_SUM = "crc32.header"
NO_SUM = "00000000"


class Flaw(Exception):
    """What is wrong with a file; whoever knows its name makes a sentence of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the file an array lies, and what it is."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    start: int
    end: int


def write_file(path: Path, tensors: Tensors, metadata: Mapping[str, str]) -> None:
    # By falling size of an item, so that each array is aligned without gaps, which the format forbids.
    ordered = dict(sorted(tensors.items(), key=lambda named: -named[1].itemsize))
    header = _header(ordered, metadata)
    with replacing(path) as file:
        file.write(len(header).to_bytes(LENGTH_BYTES, "little"))
        file.write(header)
        for tensor in ordered.values():
            file.write(_raw(tensor))


def read_header(file: BinaryIO) -> tuple[dict[str, str], dict[str, Any], bytes]:
    """The strings, the JSON and the bytes of the header; what the strings say may be judged before the rest is."""
    size = os.fstat(file.fileno()).st_size
    length = int.from_bytes(file.read(LENGTH_BYTES), "little")
    if size < LENGTH_BYTES or length > min(size - LENGTH_BYTES, MOST_HEADER):
        raise Flaw("it is no safetensors file, or it was cut off in its header")
    raw = file.read(length)
    try:
        header = json.loads(raw.decode(), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError):
        raise Flaw("its header is not JSON") from None
    metadata = header.get(METADATA) if isinstance(header, dict) else None
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise Flaw(f"its header has no {METADATA} of strings")
    return metadata, header, raw


def read_tensors(file: BinaryIO, mmap: bool) -> dict[str, NDArray[Any]]:
    """The arrays: mapped and taken on trust, or read and compared with their checksums."""
    file.seek(0)
    metadata, header, raw = read_header(file)
    if metadata.get(HEADER_SUM) != _sum_of_header(raw, metadata.get(HEADER_SUM, "")):
        raise Flaw("its header does not match its checksum")
    places = _places(header, LENGTH_BYTES + len(raw), os.fstat(file.fileno()).st_size)
    if mmap:
        whole = np.asarray(np.memmap(file, np.uint8, "r"))
        return {name: _viewed(whole[place.start : place.end], place) for name, place in places.items()}
    return {name: _read(file, name, place, metadata) for name, place in places.items()}


def _header(tensors: Tensors, metadata: Mapping[str, str]) -> bytes:
    sums = {f"crc32.{name}": _checksum(_raw(tensor)) for name, tensor in tensors.items()}
    header: dict[str, Any] = {METADATA: {**metadata, **sums, HEADER_SUM: NO_SUM}}
    start = 0
    for name, tensor in tensors.items():
        dtype = next(code for code, known in DTYPES.items() if known == tensor.dtype)
        header[name] = {"dtype": dtype, "shape": tensor.shape, "data_offsets": (start, start + tensor.nbytes)}
        start += tensor.nbytes
    raw = json.dumps(header, separators=(",", ":")).encode()
    largest = max(tensors, key=lambda name: tensors[name].nbytes, default=None)
    before_it: int = 0 if largest is None else header[largest]["data_offsets"][0]
    raw += b" " * (-(LENGTH_BYTES + len(raw) + before_it) % ALIGNMENT)
    return raw.replace(_sum_field(NO_SUM), _sum_field(_checksum(raw)), 1)


def _sum_field(value: str) -> bytes:
    # No string inside the header can hold these bytes: its quotes would be escaped.
    return f'"{HEADER_SUM}":"{value}"'.encode()


def _sum_of_header(raw: bytes, value: str) -> str:
    """The checksum is taken with its own place filled with zeros."""
    return _checksum(raw.replace(_sum_field(value), _sum_field(NO_SUM), 1))


def _checksum(raw: bytes | memoryview) -> str:
    return f"{zlib.crc32(raw):08x}"


def _raw(tensor: NDArray[Any]) -> memoryview:
    return tensor.reshape(-1).view(np.uint8).data


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name occurs twice")
    return dict(pairs)


def _places(header: Mapping[str, Any], data: int, size: int) -> dict[str, Place]:
    places = {name: _place(name, entry, data) for name, entry in header.items() if name != METADATA}
    end = data
    for name, place in sorted(places.items(), key=lambda named: (named[1].start, named[1].end)):
        if place.start != end:
            raise Flaw(f"{name!r} does not begin where the array before it ends")
        end = place.end
    if end != size:
        raise Flaw(f"it has {size} bytes where its header tells of {end}")
    return places


def _place(name: str, entry: Any, data: int) -> Place:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise Flaw(f"its header does not describe {name!r} by dtype, shape and data_offsets")
    shape, offsets, code = entry["shape"], entry["data_offsets"], entry["dtype"]
    if not _are_sizes(shape) or not _are_sizes(offsets) or not 1 <= len(shape) <= 2 or len(offsets) != 2:
        raise Flaw(f"its header gives {name!r} a shape or offsets that cannot be")
    dtype = DTYPES.get(code) if isinstance(code, str) else None
    if dtype is None:
        raise Flaw(f"its header gives {name!r} a dtype that is not one of {', '.join(DTYPES)}")
    start, end = (data + offset for offset in offsets)
    rows_times_columns = int(np.prod([int(side) for side in shape], dtype=object))
    if end - start != rows_times_columns * dtype.itemsize or start % dtype.itemsize:
        raise Flaw(f"its header gives {name!r} a shape and offsets that do not fit each other")
    return Place(dtype, tuple(shape), start, end)


def _are_sizes(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value <= MOST_SIDE for value in values)


def _viewed(raw: NDArray[np.uint8], place: Place) -> NDArray[Any]:
    return raw.view(place.dtype).reshape(place.shape)


def aligned(size: int) -> NDArray[np.uint8]:
    """Room that begins on a cache line, so that a row of whole lines is read as no more of them than it has."""
    room = np.empty(size + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + size]


def _read(file: BinaryIO, name: str, place: Place, metadata: Mapping[str, str]) -> NDArray[Any]:
    raw = aligned(place.end - place.start)
    file.seek(place.start)
    if file.readinto(raw.data) != len(raw):  # type: ignore[attr-defined]
        raise Flaw(f"it was cut off in {name} while being read")
    if metadata.get(f"crc32.{name}") != _checksum(raw.data):
        raise Flaw(f"{name} does not match its checksum")
    return _viewed(raw, place)
