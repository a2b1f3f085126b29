"""The index file: what is written comes back, nothing half-written is ever seen, and no damaged file does harm."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors
import safetensors.numpy

import waypost as wp
from waypost.storage import write_file

RNG = np.random.default_rng(0)
N, D = 60, 5
ITEMS = RNG.integers(-3, 4, (N, D)).astype(np.float32)
QUERIES = RNG.integers(-3, 4, (7, D)).astype(np.float32)
GRAPH = wp.build_graph(ITEMS, "moebius", degree=4, candidates=20, repair=True)
ROUTER = wp.Router(RNG.standard_normal((N, 3)).astype(np.float32), np.ones((3, D)), entry="largest-norm")
DEFERRING = wp.Graph("by-hand", 4, GRAPH.neighbors, 3, np.roll(GRAPH.neighbors, 5, axis=0), 0.25, ("largest-norm", 6))
INDEXES = {
    "plain": wp.Index(ITEMS, GRAPH),
    "numbered": wp.Index(ITEMS, GRAPH, ids=np.arange(N) * 3 + 7),
    "named": wp.Index(ITEMS, GRAPH, ids=[f"ítem {row}" for row in range(N)]),
    "routed": wp.Index(ITEMS, GRAPH, ROUTER, ids=range(N)),
    "random": wp.Index(ITEMS, GRAPH, wp.Router(entry="random")),
    "deferring": wp.Index(ITEMS, DEFERRING),
    "several entries": wp.Index(ITEMS, GRAPH, wp.Router(entry=("first", 9))),
    "odd": wp.Index(ITEMS[:, :1], GRAPH, ids=["", *map(str, range(N - 1))]),
    "single": wp.Index(ITEMS[:1], wp.build_graph(ITEMS[:1], "ip-nsw", degree=1, candidates=1), ids=[""]),
}
both_modes = pytest.mark.parametrize("mmap", [False, True], ids=["read", "mapped"])


def saved(index: wp.Index, folder: Path) -> Path:
    index.save(folder / "shop.waypost")
    return folder / "shop.waypost"


def assert_same_answers(one: wp.Index, other: wp.Index) -> None:
    queries = QUERIES[:, : one.items.shape[1]]
    for options in ({}, {"entry": "first"}, {"rerank": 10, "seed": 3}):
        a, b = (index.search(queries, k=min(5, len(one)), budget=30, **options) for index in (one, other))
        assert a.ids.tolist() == b.ids.tolist()
        assert a.scores.tolist() == b.scores.tolist()
        assert a.cost.tolist() == b.cost.tolist()


# What comes back


@both_modes
@pytest.mark.parametrize("name", INDEXES)
def test_all_parts_come_back(name: str, mmap: bool, tmp_path: Path) -> None:
    index = INDEXES[name]
    loaded = wp.Index.load(saved(index, tmp_path), mmap=mmap)
    np.testing.assert_array_equal(loaded.items, index.items)
    np.testing.assert_array_equal(loaded.graph.neighbors, index.graph.neighbors)
    assert (loaded.graph.kind, loaded.graph.degree) == (index.graph.kind, index.graph.degree)
    assert (loaded.graph.entry, loaded.router.entry) == (index.graph.entry, index.router.entry)
    assert (loaded.graph.penalty, loaded.graph.block) == (index.graph.penalty, index.graph.block)
    np.testing.assert_array_equal(loaded.graph.deferred, index.graph.deferred)
    assert (loaded.ids is None) == (index.ids is None)
    assert loaded.ids is None or loaded.ids.tolist() == index.ids.tolist()
    assert_same_answers(loaded, index)


@both_modes
def test_arrays_of_a_file_are_aligned(mmap: bool, tmp_path: Path) -> None:
    loaded = wp.Index.load(saved(INDEXES["named"], tmp_path), mmap=mmap)
    assert loaded.items.ctypes.data % 64 == 0, "on a cache line"
    assert loaded.graph.neighbors.flags.aligned


def test_a_mapped_index_does_not_copy(tmp_path: Path) -> None:
    loaded = wp.Index.load(saved(INDEXES["routed"], tmp_path), mmap=True)
    assert not loaded.items.flags.owndata
    assert not loaded.items.flags.writeable


def test_a_loaded_index_saves_the_same_bytes(tmp_path: Path) -> None:
    for index in INDEXES.values():
        path = saved(index, tmp_path)
        before = path.read_bytes()
        wp.Index.load(path).save(path)
        assert path.read_bytes() == before


def test_a_mapped_index_can_be_saved_over_its_own_file(tmp_path: Path) -> None:
    path = saved(INDEXES["named"], tmp_path)
    mapped = wp.Index.load(path, mmap=True)
    mapped.save(path)
    INDEXES["plain"].save(path)
    assert_same_answers(mapped, INDEXES["named"])


def test_saving_to_a_link_renews_the_file_that_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    INDEXES["plain"].save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert_same_answers(wp.Index.load(tmp_path / "real"), INDEXES["plain"])


@pytest.mark.parametrize("path_type", [str, Path])
def test_paths_of_either_type(path_type: type, tmp_path: Path) -> None:
    path = path_type(tmp_path / "shop.waypost")
    INDEXES["plain"].save(path)
    assert len(wp.Index.load(path)) == N


def test_the_safetensors_library_reads_the_file(tmp_path: Path) -> None:
    for index in INDEXES.values():
        path = saved(index, tmp_path)
        tensors = safetensors.numpy.load_file(path)
        np.testing.assert_array_equal(tensors["items"], index.items)
        np.testing.assert_array_equal(tensors["neighbors"], index.graph.neighbors)
        with safetensors.safe_open(path, "np") as file:
            metadata = file.metadata()
        assert metadata["format"] == "waypost"
        assert metadata["format_version"] == "1"
        assert metadata["kind"] == index.graph.kind
        assert metadata["crc32.items"] == f"{zlib.crc32(index.items.tobytes()):08x}"


def test_a_million_items_open_in_milliseconds(tmp_path: Path) -> None:
    n = 1_000_000
    items = np.arange(n, dtype=np.float32)[:, None]
    ring = np.roll(np.arange(n, dtype=np.int32), -1)[:, None]
    index = wp.Index(
        items, wp.Graph("ring", 1, ring, entry=5), wp.Router(items), ids=[f"item {row}" for row in range(n)]
    )
    path = saved(index, tmp_path)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        loaded = wp.Index.load(path, mmap=True)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.01
    assert loaded.search(np.ones((1, 1)), k=2, budget=9).ids.tolist() == [["item 999999", "item 7"]]


# A writer that is killed

WRITER = """
import sys
import numpy as np
import waypost as wp
n = 20_000
ring = np.roll(np.arange(n, dtype=np.int32), -1)[:, None]
indexes = [wp.Index(np.full((n, 40), value, np.float32), wp.Graph("ring", 1, ring, 0)) for value in (1, 2)]
print("ready", flush=True)
while True:
    for index in indexes:
        index.save(sys.argv[1])
"""


def kill_a_writer(path: Path, delay: float) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == b"ready\n"
        while not path.exists():
            time.sleep(0.001)
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)


def test_a_kill_leaves_the_old_file_or_the_new_one_and_the_next_save_tidies_up(tmp_path: Path) -> None:
    path = tmp_path / "shop.waypost"
    chance = random.Random(0)
    left = 0
    for _ in range(20):
        kill_a_writer(path, chance.uniform(0, 0.05))
        loaded = wp.Index.load(path)
        assert np.unique(loaded.items).tolist() in ([1.0], [2.0])
        left += len(os.listdir(tmp_path)) - 1
        INDEXES["plain"].save(tmp_path / "other")  # tidies its own name only
        (tmp_path / "other").unlink()
    assert left > 0, "no kill came while a file was being written: the test shows nothing"
    INDEXES["plain"].save(path)
    assert os.listdir(tmp_path) == ["shop.waypost"]


# Damaged files


def use(path: Path, mmap: bool) -> bool:
    """Loads a file and searches it in every way; whether it was refused. Anything but a waypost error is a failure."""
    try:
        index = wp.Index.load(path, mmap=mmap)
        queries = np.ones((2, index.items.shape[1]), np.float32)
        k = min(4, len(index))
        for options in ({}, {"entry": "random"}, {"rerank": k}, {"trace": True}):
            answer = index.search(queries, k=k, budget=40, threads=1, **options)
            assert answer.ids.shape == (2, k)
            assert (answer.cost <= 40).all()
    except wp.WaypostError:
        return True
    return False


@both_modes
@pytest.mark.parametrize("name", ["plain", "named", "routed"])
def test_a_file_cut_off_anywhere_is_refused(name: str, mmap: bool, tmp_path: Path) -> None:
    path = saved(INDEXES[name], tmp_path)
    for length in reversed(range(path.stat().st_size)):
        os.truncate(path, length)
        assert use(path, mmap)


@both_modes
@pytest.mark.parametrize("name", ["numbered", "named", "routed"])
def test_a_file_with_a_bit_flipped_does_no_harm(name: str, mmap: bool, tmp_path: Path) -> None:
    path = saved(INDEXES[name], tmp_path)
    good = path.read_bytes()
    end_of_header = 8 + int.from_bytes(good[:8], "little")
    chance = random.Random(name)
    for trial in range(1000):
        # Every other flip goes to the header, or most would hit the arrays.
        place = chance.randrange(end_of_header) if trial % 2 else chance.randrange(len(good))
        bad = bytearray(good)
        bad[place] ^= 1 << chance.randrange(8)
        path.write_bytes(bad)
        refused = use(path, mmap)
        assert refused or (mmap and place >= end_of_header)


@pytest.mark.parametrize("name", ["numbered", "named", "routed"])
def test_a_mapped_file_full_of_noise_does_no_harm(name: str, tmp_path: Path) -> None:
    path = saved(INDEXES[name], tmp_path)
    good = path.read_bytes()
    end_of_header = 8 + int.from_bytes(good[:8], "little")
    chance = random.Random(name)
    for _ in range(300):
        path.write_bytes(good[:end_of_header] + chance.randbytes(len(good) - end_of_header))
        use(path, mmap=True)


def test_bytes_after_the_end_are_refused(tmp_path: Path) -> None:
    path = saved(INDEXES["plain"], tmp_path)
    with open(path, "ab") as file:
        file.write(b"\0")
    assert use(path, mmap=False)
    assert use(path, mmap=True)


# Files whose checksums are right and whose contents lie

FITTING = {
    "format": "waypost",
    "format_version": "1",
    "kind": "x",
    "entry": "0",
    "router.entry": "0",
    "router.start": "0",
}
FLOAT, ROW, LONG, BYTE = np.float32, np.int32, np.int64, np.uint8
TENSORS = {"items": np.zeros((4, 3), FLOAT), "neighbors": np.zeros((4, 2), ROW)}


def test_what_the_liars_start_from_is_true(tmp_path: Path) -> None:
    write_file(tmp_path / "file", TENSORS, FITTING)
    assert not use(tmp_path / "file", mmap=False)


@both_modes
@pytest.mark.parametrize(
    ("tensors", "metadata", "words"),
    [
        ({}, {"format": "other"}, "it is a safetensors file but no waypost index"),
        ({}, {"format_version": "one"}, "its format_version is not a number"),
        ({}, {"format_version": "0"}, "its format_version is not a number"),
        ({}, {"format_version": "2"}, "has format version 2 and this waypost reads up to 1; upgrade waypost."),
        ({}, {"entry": "4"}, "entry is row 4 but there are only 4 items"),
        ({}, {"entry": "-1"}, "entry is -1"),
        ({}, {"entry": "first"}, "its parts do not fit"),
        ({}, {"router.entry": "9"}, "entry is row 9"),
        ({}, {"router.entry": "best"}, "entry is 'best'"),
        ({}, {"router.entry": "best:3"}, "entry is 'best'"),
        ({}, {"router.entry": "first:none"}, "its parts do not fit"),
        ({}, {"router.entry": "first:0"}, "entry's number of rows is 0"),
        ({}, {"block": "first"}, "block is 'first'"),
        ({}, {"penalty": "much"}, "its parts do not fit"),
        ({}, {"penalty": "nan"}, "penalty is nan"),
        ({"deferred": np.zeros((5, 2), ROW)}, {}, "deferred has 5 rows"),
        ({"deferred": np.zeros((4, 2), FLOAT)}, {}, "deferred is float32"),
        ({"router.starts": np.array([1, 4], ROW)}, {}, "router.starts is empty or holds rows outside"),
        ({"router.starts": np.zeros(0, ROW)}, {}, "router.starts is empty or holds rows outside"),
        ({}, {"router.start": "4"}, "entry is row 4"),
        ({}, {"router.start": "9" * 30}, "entry is row 9"),
        ({"items": None}, {}, r"it lacks \['items'\]"),
        ({"neighbors": None}, {}, r"it lacks \['neighbors'\]"),
        ({"more": np.zeros(1, BYTE)}, {}, r"unknown \['more'\] arrays"),
        ({"items": np.zeros((4, 3), ROW)}, {}, "items is int32 of 2 dimensions"),
        ({"items": np.zeros(12, FLOAT)}, {}, "items is float32 of 1 dimensions"),
        ({"items": np.zeros((4, 0), FLOAT)}, {}, "items"),
        ({"items": np.zeros((0, 3), FLOAT), "neighbors": np.zeros((0, 2), ROW)}, {}, "neighbors"),
        ({"neighbors": np.zeros((4, 0), ROW)}, {}, "neighbors"),
        ({"neighbors": np.zeros((5, 2), ROW)}, {}, "items, neighbors and ids have different lengths"),
        ({"ids": np.zeros(3, LONG)}, {}, "items, neighbors and ids have different lengths"),
        (
            {"ids.offsets": np.zeros(4, LONG), "ids.text": np.zeros(0, BYTE)},
            {},
            "items, neighbors and ids have different lengths",
        ),
        ({"ids.offsets": np.zeros(5, LONG)}, {}, "ids.text"),
        ({"ids.text": np.zeros(5, BYTE)}, {}, "ids.offsets"),
        ({"router.vectors": np.zeros((3, 3), FLOAT)}, {}, "router has vectors of 3 rows for 4 items"),
        ({"router.vectors": np.zeros((4, 2), FLOAT)}, {}, "router turns queries of width 3 into width 3"),
        ({"router.query_matrix": np.zeros((2, 3), FLOAT)}, {}, "router turns queries of width 3 into width 2"),
    ],
)
def test_contents_that_do_not_fit_are_refused(
    tensors: dict[str, Any], metadata: dict[str, str], words: str, mmap: bool, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    kept = {name: tensor for name, tensor in (TENSORS | tensors).items() if tensor is not None}
    write_file(path, kept, FITTING | metadata)
    with pytest.raises(wp.UnreadableFileError, match=words) as caught:
        wp.Index.load(path, mmap=mmap)
    assert str(caught.value).startswith(str(path))


@both_modes
@pytest.mark.parametrize("row", [-(2**31), -2, 4, 2**31 - 1])
def test_neighbors_out_of_range_are_never_followed(row: int, mmap: bool, tmp_path: Path) -> None:
    write_file(tmp_path / "file", TENSORS | {"neighbors": np.full((4, 2), row, ROW)}, FITTING)
    answer = wp.Index.load(tmp_path / "file", mmap=mmap).search(np.ones((1, 3)), k=4)
    assert answer.ids.tolist() == [[0, -1, -1, -1]]


@both_modes
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_items_that_are_not_finite_do_no_harm(value: float, mmap: bool, tmp_path: Path) -> None:
    ring = np.array([[1, 2], [2, 3], [3, 0], [0, 1]], ROW)
    items = np.full((4, 3), value, FLOAT)
    items[::2] = 1
    write_file(tmp_path / "file", {"items": items, "neighbors": ring}, FITTING)
    answer = wp.Index.load(tmp_path / "file", mmap=mmap).search(np.ones((1, 3)), k=4)
    assert sorted(answer.ids[0].tolist()) == [0, 1, 2, 3]


def resealed(header: Any, data: bytes) -> bytes:
    """A file of this header with its checksum made right, where it has one to make right."""
    raw = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    raw += b" " * (-(8 + len(raw)) % 64)
    start = raw.find(b'"crc32.header":"') + 16
    if start > 15:
        raw = raw[:start] + b"00000000" + raw[start + 8 :]
        raw = raw[:start] + f"{zlib.crc32(raw):08x}".encode() + raw[start + 8 :]
    return len(raw).to_bytes(8, "little") + raw + data


def of_items(**changes: Any) -> Callable[[dict], None]:
    return lambda header: header["items"].update(changes)


LIES: dict[str, Callable[[dict], Any]] = {
    "no header at all": lambda header: b"",
    "not JSON": lambda header: b"{" * 40,
    "nested without end": lambda header: b"[" * 100_000,
    "not UTF-8": lambda header: b'{"\xff":1}',
    "not an object": lambda header: b"[]",
    "a number of too many digits": lambda header: b'{"a":' + b"9" * 10_000 + b"}",
    "no metadata": lambda header: header.pop("__metadata__"),
    "metadata of numbers": lambda header: header["__metadata__"].update(entry=1),
    "a name twice": lambda header: json.dumps(header, separators=(",", ":")).replace('"neighbors"', '"items"').encode(),
    "an array that is none": lambda header: header.update(items=[]),
    "a field too many": of_items(more=1),
    "no dtype": lambda header: header["items"].pop("dtype"),
    "an unknown dtype": of_items(dtype="F16"),
    "a dtype that is no name": of_items(dtype=["F32"]),
    "another dtype of the same size": of_items(dtype="I32"),
    "a shape that is none": of_items(shape=12),
    "a shape of no sides": of_items(shape=[]),
    "a shape of three sides": of_items(shape=[N, D, 1]),
    "a shape below zero": of_items(shape=[-N, -D]),
    "a shape of fractions": of_items(shape=[float(N), D]),
    "a shape of truths": of_items(shape=[True, N * D]),
    "a shape beyond the file": of_items(shape=[N + 1, D]),
    "a shape beyond all bounds": of_items(shape=[2**62, 4]),
    "a shape that overflows to the right size": of_items(shape=[2**63 + N, D]),
    "offsets that are none": of_items(data_offsets=None),
    "three offsets": of_items(data_offsets=[0, 0, 0]),
    "offsets below zero": of_items(data_offsets=[-4, N * D * 4 - 4]),
    "offsets backwards": of_items(data_offsets=[N * D * 4, 0]),
    "offsets beyond the file": of_items(data_offsets=[2**40, 2**40 + N * D * 4]),
    "arrays on top of each other": lambda header: header["neighbors"].update(data_offsets=[0, N * 4 * 4]),
    "an empty array in between": lambda header: header.update(
        more={"dtype": "U8", "shape": [0], "data_offsets": [3, 3]}
    ),
}


@both_modes
@pytest.mark.parametrize("lie", LIES)
def test_a_header_that_lies_is_refused(lie: str, mmap: bool, tmp_path: Path) -> None:
    path = saved(INDEXES["plain"], tmp_path)
    good = path.read_bytes()
    length = int.from_bytes(good[:8], "little")
    header, data = json.loads(good[8 : 8 + length]), good[8 + length :]
    path.write_bytes(resealed(header, data))
    assert not use(path, mmap), "the header must be accepted as long as it does not lie"
    changed = LIES[lie](header)
    path.write_bytes(resealed(changed if isinstance(changed, bytes) else header, data))
    assert use(path, mmap)


@both_modes
@pytest.mark.parametrize("content", [b"", b"\0" * 7, b"\0" * 8, b"\xff" * 8, b"\xff" * 100, b"PK\x03\x04" + b"\0" * 99])
def test_what_is_no_such_file_is_refused(content: bytes, mmap: bool, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(wp.UnreadableFileError, match="file cannot be read: .*; copy or build it again.$"):
        wp.Index.load(tmp_path / "file", mmap=mmap)


@both_modes
def test_a_number_is_no_path(mmap: bool) -> None:
    with pytest.raises(TypeError, match="PathLike"):
        wp.Index.load(0, mmap=mmap)


def test_a_file_that_is_not_there_is_told_by_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        wp.Index.load(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError):
        INDEXES["plain"].save(tmp_path / "no folder" / "file")
