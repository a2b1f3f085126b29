"""What an index consists of, and how its parts are named in a file."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.als import AlsNumbers, check_als
from waypost.arguments import Floats
from waypost.codebook import Codebook
from waypost.codes import Codes
from waypost.entry import Rows, Start, as_row
from waypost.errors import UnreadableFileError
from waypost.graph import Graph
from waypost.ids import IntIds, OwnIds, TextIds
from waypost.router import Manner, Router, check_fit
from waypost.settings import SearchSettings
from waypost.storage import Flaw, read_header, read_tensors, write_file

FORMAT = "waypost"
VERSION = 1

Tensors = dict[str, NDArray[Any]]

REQUIRED = {"items": (np.float32, 2), "neighbors": (np.int32, 2)}
OPTIONAL = {
    "deferred": (np.int32, 2),
    "codes": (np.uint8, 2),
    "codes.scales": (np.float32, 1),
    "router.vectors": (np.float32, 2),
    "router.query_matrix": (np.float32, 2),
    "router.bias": (np.float32, 2),
    "router.centroids": (np.float32, 2),
    "router.seeds": (np.int32, 2),
    "router.starts": (np.int32, 1),
    "ids": (np.int64, 1),
    "ids.text": (np.uint8, 1),
    "ids.offsets": (np.int64, 1),
}


class Parts(NamedTuple):
    """All that an index is; everything else it can work out."""

    items: Floats
    graph: Graph
    router: Router
    ids: OwnIds | None
    start: Rows
    """(1, e): what the router's entry stands for, kept so that opening a file need not look at the items."""
    als: AlsNumbers | None = None
    codes: Codes | None = None
    """Of the vectors that the router walks by."""
    settings: SearchSettings = SearchSettings()


def write_index(path: str | os.PathLike[str], parts: Parts) -> None:
    metadata = {
        "format": FORMAT,
        "format_version": str(VERSION),
        "kind": parts.graph.kind,
        "entry": str(parts.graph.entry),
        "block": "" if parts.graph.block is None else _named(parts.graph.block),
        "penalty": repr(float(parts.graph.penalty)),
        "router.entry": _named(parts.router.entry),
        "router.manners": json.dumps([asdict(manner) for manner in parts.router.manners]),
        "router.start": str(parts.start[0, 0]),
        "settings": json.dumps(asdict(parts.settings)),
    }
    if parts.als is not None:
        metadata["als"] = json.dumps(parts.als._asdict())
    # Resolved, so that saving to a link renews the file that it points to.
    write_file(Path(path).resolve(), _named_tensors(parts), metadata)


def read_index(path: str | os.PathLike[str], mmap: bool) -> Parts:
    try:
        with open(os.fspath(path), "rb") as file:  # a whole number would open a descriptor
            return _read_parts(file, mmap)
    except Flaw as flaw:
        raise UnreadableFileError(f"{os.fspath(path)} cannot be read: {flaw}; copy or build it again.") from None


def _read_parts(file: BinaryIO, mmap: bool) -> Parts:
    metadata, _, _ = read_header(file)
    _check_version(metadata, file.name)
    tensors = read_tensors(file, mmap)
    _check_tensors(tensors)
    try:
        return _parts(tensors, metadata)
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise Flaw(f"its parts do not fit each other ({str(error).rstrip('.')})") from None


def _named_tensors(parts: Parts) -> Tensors:
    tensors: Tensors = {"items": parts.items, "neighbors": parts.graph.neighbors}
    if parts.graph.deferred is not None:
        tensors["deferred"] = parts.graph.deferred
    tensors |= _router_tensors(parts.router)
    if parts.codes is not None:
        tensors |= {"codes": parts.codes.values, "codes.scales": parts.codes.scales}
    if parts.start.size > 1:
        tensors["router.starts"] = parts.start[0]
    if isinstance(parts.ids, IntIds):
        tensors["ids"] = parts.ids.values
    if isinstance(parts.ids, TextIds):
        tensors |= {"ids.text": parts.ids.data, "ids.offsets": parts.ids.offsets}
    return tensors


def _router_tensors(router: Router) -> Tensors:
    codebook = router.codebook
    named = {
        "router.vectors": router.vectors,
        "router.query_matrix": router.query_matrix,
        "router.bias": router.bias,
        "router.centroids": None if codebook is None else codebook.centroids,
        "router.seeds": None if codebook is None else codebook.seeds,
    }
    return {name: tensor for name, tensor in named.items() if tensor is not None}


def _router(tensors: Tensors, metadata: dict[str, str]) -> Router:
    centroids, seeds = tensors.get("router.centroids"), tensors.get("router.seeds")
    if (centroids is None) != (seeds is None):
        raise ValueError("router.centroids and router.seeds belong together")
    return Router(
        tensors.get("router.vectors"),
        tensors.get("router.query_matrix"),
        _entry(metadata["router.entry"]),
        tensors.get("router.bias"),
        None if centroids is None or seeds is None else Codebook(centroids, seeds),
        tuple(Manner(**fields) for fields in json.loads(metadata.get("router.manners", "[]"))),
    )


def _check_version(metadata: dict[str, str], path: str) -> None:
    if metadata.get("format") != FORMAT:
        raise Flaw("it is a safetensors file but no waypost index")
    version = metadata.get("format_version", "")
    if not (version.isascii() and version.isdigit()) or len(version) > 9 or int(version) < 1:
        raise Flaw("its format_version is not a number")
    if int(version) > VERSION:
        raise UnreadableFileError(
            f"{path} has format version {version} and this waypost reads up to {VERSION}; upgrade waypost."
        )


def _check_tensors(tensors: Tensors) -> None:
    missing = REQUIRED.keys() - tensors.keys()
    known = REQUIRED | OPTIONAL
    unknown = tensors.keys() - known.keys()
    if missing or unknown:
        raise Flaw(f"it lacks {sorted(missing)} or has unknown {sorted(unknown)} arrays")
    for name, tensor in tensors.items():
        dtype, dimensions = known[name]
        if tensor.dtype != dtype or tensor.ndim != dimensions:
            raise Flaw(f"{name} is {tensor.dtype} of {tensor.ndim} dimensions")


def _parts(tensors: Tensors, metadata: dict[str, str]) -> Parts:
    items, neighbors = tensors["items"], tensors["neighbors"]
    penalty = float(metadata.get("penalty", "0"))
    deferred, entry = tensors.get("deferred"), int(metadata["entry"])
    block: Any = _entry(metadata["block"]) if metadata.get("block") else None
    graph = Graph(metadata["kind"], neighbors.shape[1], neighbors, entry, deferred, penalty, block)
    router = _router(tensors, metadata)
    check_fit(router, items)
    ids = _ids(tensors)
    if not items.size:
        raise ValueError("items is empty")
    if len(graph) != len(items) or (ids is not None and len(ids) != len(items)):
        raise ValueError("items, neighbors and ids have different lengths")
    start, codes = _start(tensors, metadata, len(items)), _codes(tensors, router.route(items))
    settings = SearchSettings(**json.loads(metadata.get("settings", "{}")))
    return Parts(items, graph, router, ids, start, _als(metadata), codes, settings)


def _codes(tensors: Tensors, vectors: Floats) -> Codes | None:
    values, scales = tensors.get("codes"), tensors.get("codes.scales")
    if values is None and scales is None:
        return None
    if values is None or scales is None:
        raise ValueError("codes and codes.scales belong together")
    codes = Codes(values, scales)
    codes.check(vectors)
    return codes


def _als(metadata: dict[str, str]) -> AlsNumbers | None:
    if "als" not in metadata:
        return None
    als = AlsNumbers(**json.loads(metadata["als"]))
    check_als(als)
    return als


def _start(tensors: Tensors, metadata: dict[str, str], n: int) -> Rows:
    first = as_row(int(metadata["router.start"]), n)
    rows: Rows = tensors.get("router.starts", np.array([first], np.int32))
    if not rows.size or rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"router.starts is empty or holds rows outside the {n} items")
    return np.ascontiguousarray(rows[None])


def _named(start: Start) -> str:
    return f"{start[0]}:{start[1]}" if isinstance(start, tuple) else str(start)


def _entry(name: str) -> Start:
    rule, _, count = name.partition(":")
    if count:
        return rule, int(count)
    return int(rule) if rule.isdigit() else rule


def _ids(tensors: Tensors) -> OwnIds | None:
    if "ids.text" in tensors or "ids.offsets" in tensors:
        return TextIds(tensors["ids.text"], tensors["ids.offsets"])
    return IntIds(tensors["ids"]) if "ids" in tensors else None
