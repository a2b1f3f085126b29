"""`waypost info`: what a file is, or, without one, what this waypost is."""

from __future__ import annotations

import os
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from waypost.cli.inputs import ENDING, existing
from waypost.cli.options import Json
from waypost.cli.output import Output

EXTRAS = {"cli": "typer", "data": "implicit", "report": "matplotlib", "train": "torch", "tensorboard": "tensorboard"}


def info(
    file: Annotated[Path | None, typer.Argument(help="An index, ratings, factors or vectors.")] = None,
    json: Json = False,
) -> None:
    """What an index or a file of data is; without a file, the version and what is installed.

    Example: `waypost info shop.learned.waypost`
    """
    Output(json).record(_of_waypost() if file is None else _of_file(existing(file)))


def _of_waypost() -> dict[str, Any]:
    import waypost
    from waypost import _core

    extras = {name: find_spec(library) is not None for name, library in EXTRAS.items()}
    return {"version": waypost.__version__, "kernels": _core.kernels(), "cores": os.cpu_count(), "extras": extras}


def _of_file(path: Path) -> dict[str, Any]:
    from waypost.data.describe import describe

    return _of_index(path) if path.suffix == ENDING else describe(path)


def _of_index(path: Path) -> dict[str, Any]:
    from waypost import Index

    index = Index.load(path)
    graph, router = index.graph, index.router
    degrees = graph.degree_histogram()
    return {
        "file": str(path),
        "bytes": path.stat().st_size,
        "kind": "index",
        "items": len(index),
        "width": index.items.shape[1],
        "named": index.ids is not None,
        "folds_in": index.als is not None,
        "graph": {
            "kind": graph.kind,
            "degree": graph.degree,
            "mean_degree": float(degrees @ range(len(degrees)) / len(index)),
            "entry": graph.entry,
            "reachable": graph.reachable(),
            "bytes": graph.bytes,
        },
        "router": {
            "learned": not router.is_identity,
            "entry": router.entry,
            "bias": router.bias is not None,
            "vectors": None if router.vectors is None else router.vectors.shape[1],
            "kinds_of_queries": 0 if router.codebook is None else len(router.codebook),
            "manners": [_shown(asdict(manner)) for manner in router.manners],
        },
    }


def _shown(manner: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in manner.items())
