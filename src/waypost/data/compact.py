"""A matrix of small whole numbers with named rows and columns, packed as small as the standard library allows.

Rows and columns are sorted by name. All names are kept once, sorted: each as how much of its start it shares with the
one before, and the rest. Each value of the matrix is a layer of its own: for each row the columns, by popularity, as
numbers of seven bits a byte, with a zero to end the row.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from waypost.data.extra import needed
from waypost.data.names import Names, texts

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
Longs = NDArray[np.int64]


@dataclass(frozen=True)
class Named:
    """A matrix with the names of its rows and columns, both sorted, and what is to be said of it."""

    matrix: csr_matrix
    rows: Names
    columns: Names
    notes: tuple[str, ...] = ()


def pack(named: Named) -> bytes:
    rows, columns = named.rows.tolist(), named.columns.tolist()
    union = sorted({*rows, *columns})
    in_rows, in_columns = set(rows), set(columns)
    popularity = np.bincount(named.matrix.indices, minlength=len(columns))
    by_popularity = np.argsort(-popularity, kind="stable")
    parts = [
        "\n".join(named.notes).encode(),
        _packed_names(union),
        np.packbits([name in in_rows for name in union]).tobytes(),
        np.packbits([name in in_columns for name in union]).tobytes(),
        _varints(popularity),  # columns of equal popularity stay in the order of their names
        *(_layer(named.matrix[:, by_popularity], value) for value in _values(named.matrix)),
    ]
    lengths = np.array([len(union), len(parts), *map(len, parts)], "<u4").tobytes()
    return lzma.compress(lengths + b"".join(parts), lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=FILTERS)


def unpack(packed: bytes) -> Named:
    raw = lzma.decompress(packed)
    count, parts = np.frombuffer(raw, "<u4", 2).tolist()
    sizes = np.frombuffer(raw, "<u4", parts, offset=8).astype(np.int64)
    ends = 8 + 4 * parts + np.cumsum(sizes)
    pieces = [raw[end - size : end] for end, size in zip(ends.tolist(), sizes.tolist(), strict=True)]
    notes, packed_names, in_rows, in_columns, popularity, *layers = pieces
    names = _unpacked_names(packed_names, count)
    rows, columns = (
        names[np.unpackbits(np.frombuffer(bits, np.uint8), count=count) > 0] for bits in (in_rows, in_columns)
    )
    by_popularity = np.argsort(-_numbers(popularity), kind="stable")
    said = tuple(notes.decode().split("\n")) if notes else ()
    return Named(_from_layers(layers, by_popularity, len(rows)), rows, columns, said)


def _values(matrix: csr_matrix) -> range:
    return range(1, int(matrix.data.max()) + 1)


def _layer(matrix: csr_matrix, value: int) -> bytes:
    layer = matrix.copy()
    layer.data = (layer.data == value).astype(np.int8)
    layer.eliminate_zeros()
    layer.sort_indices()
    return _varints(np.insert(layer.indices.astype(np.int64) + 1, layer.indptr[1:], 0))


def _from_layers(layers: list[bytes], by_popularity: Longs, rows: int) -> csr_matrix:
    sparse = needed("scipy.sparse", "reading ratings")
    row, column, value = [], [], []
    for number, layer in enumerate(layers, 1):
        numbers = _numbers(layer)
        ends = numbers == 0
        row.append(np.cumsum(ends)[~ends])
        column.append(by_popularity[numbers[~ends] - 1])
        value.append(np.full(len(row[-1]), number, np.float32))
    entries = (np.concatenate(value), (np.concatenate(row), np.concatenate(column)))
    return sparse.csr_matrix(entries, shape=(rows, len(by_popularity)))


def _packed_names(names: list[str]) -> bytes:
    shared, rests, before = bytearray(), [], b""
    for name in names:
        encoded = name.encode()
        same = 0
        while same < min(len(encoded), len(before), 255) and encoded[same] == before[same]:
            same += 1
        shared.append(same)
        rests.append(encoded[same:])
        before = encoded
    return bytes(shared) + b"\n".join(rests)


def _unpacked_names(packed: bytes, count: int) -> Names:
    names, before = [], b""
    for same, rest in zip(packed[:count], packed[count:].split(b"\n"), strict=True):
        before = before[:same] + rest
        names.append(before.decode())
    return texts(names)


def _varints(numbers: Any) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    left = np.asarray(numbers, np.int64)
    width = np.searchsorted(np.array([1 << 7, 1 << 14, 1 << 21]), left, side="right") + 1
    starts = np.cumsum(width) - width
    out = np.zeros(int(width.sum()), np.uint8)
    for place in range(int(width.max(initial=1))):
        has = width > place
        out[starts[has] + place] = ((left[has] >> (7 * place)) & 127) | np.where(width[has] > place + 1, 128, 0)
    return out.tobytes()


def _numbers(packed: bytes) -> Longs:
    raw = np.frombuffer(packed, np.uint8)
    last = raw < 128
    starts = np.flatnonzero(np.concatenate([[True], last[:-1]]))
    place = np.arange(len(raw)) - np.repeat(starts, np.diff(starts, append=len(raw)))
    return np.add.reduceat((raw & 127).astype(np.int64) << (7 * place), starts)
