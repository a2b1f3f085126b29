"""The native core: arrays in, arrays out. Checked, friendly calls live in the modules beside it."""

from collections.abc import Callable
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]
Longs = NDArray[np.int64]
Progress = Callable[[int, int], None]
Found = tuple[Longs, Floats, Longs]
Traced = tuple[Longs, Floats, Longs, Longs, Rows, Floats, Rows, Longs, Rows]

def kernels() -> str: ...
def available_kernels() -> list[str]: ...
def default_threads() -> int: ...
def all_finite(values: Floats) -> bool: ...
def dot_rows(query: Floats, vectors: Floats, rows: Rows) -> Floats: ...
def squared_distance_rows(query: Floats, vectors: Floats, rows: Rows) -> Floats: ...
def exact_search(
    items: Floats, queries: Floats, k: int, threads: int = 0, progress: Progress | None = None
) -> tuple[Longs, Floats]: ...
def build_graph(
    items: Floats,
    kind: str,
    degree: int,
    candidates: int,
    order: Rows | None = None,
    entry: int = -1,
    seed: int = 0,
    batch: int = 0,
    threads: int = 0,
    progress: Progress | None = None,
) -> Rows: ...
def repair_graph(
    items: Floats,
    neighbors: Rows,
    root: int,
    candidates: int,
    threads: int = 0,
    progress: Progress | None = None,
    fixed: int = 0,
) -> tuple[Rows, int]: ...
def breadth_first_order(neighbors: Rows, entries: Rows) -> Rows: ...
def hops_from(neighbors: Rows, entries: Rows, deferred: Rows | None = None) -> Rows: ...

class Filter:
    def __init__(
        self,
        size: int,
        offsets: Longs | None = None,
        excluded: Rows | None = None,
        barred: Rows | None = None,
        allowed: Rows | None = None,
        row_of: Rows | None = None,
        number_of: Rows | None = None,
    ) -> None: ...

class Searcher:
    def __init__(
        self,
        neighbors: Rows,
        route: Floats,
        rank: Floats | None = None,
        bias: Floats | None = None,
        centroids: Floats | None = None,
        seeds: Rows | None = None,
        deferred: Rows | None = None,
        penalty: float = 0.0,
    ) -> None: ...
    @overload
    def search(
        self,
        queries: Floats,
        entries: Rows,
        k: int,
        budget: int,
        rerank: int = 0,
        rank_queries: Floats | None = None,
        threads: int = 0,
        trace: Literal[False] = False,
        bias_scale: float = 0.0,
        by_kind: bool = False,
        filter: Filter | None = None,
        complete: bool = True,
    ) -> Found: ...
    @overload
    def search(
        self,
        queries: Floats,
        entries: Rows,
        k: int,
        budget: int,
        rerank: int = 0,
        rank_queries: Floats | None = None,
        threads: int = 0,
        *,
        trace: Literal[True],
        bias_scale: float = 0.0,
        by_kind: bool = False,
        filter: Filter | None = None,
        complete: bool = True,
    ) -> Traced: ...

def encode(vectors: Floats, threads: int = 0) -> tuple[NDArray[np.uint8], Floats]: ...

class PoolSearcher:
    def __init__(
        self,
        neighbors: Rows,
        route: Floats,
        rank: Floats | None = None,
        codes: NDArray[np.uint8] | None = None,
        scales: Floats | None = None,
        bias: Floats | None = None,
        centroids: Floats | None = None,
        seeds: Rows | None = None,
        deferred: Rows | None = None,
        own_ids: Longs | None = None,
    ) -> None: ...
    def search(
        self,
        queries: Floats,
        entries: Rows,
        ids: Longs,
        scores: Floats,
        cost: Longs,
        pool: int,
        budget: int | None = None,
        rerank: int = 0,
        rank_queries: Floats | None = None,
        threads: int = 0,
        bias_scale: float = 0.0,
        by_kind: bool = False,
        second_looks: int = 0,
        filter: Filter | None = None,
        complete: bool = True,
    ) -> None: ...

def scored_rows(neighbors: Rows, vectors: Floats, queries: Floats, entries: Rows, pool: int) -> tuple[Longs, Rows]: ...
def score_vectors(queries: Floats, vectors: Floats, offsets: Longs, rows: Rows) -> float: ...
def score_codes(queries: Floats, codes: NDArray[np.uint8], scales: Floats, offsets: Longs, rows: Rows) -> float: ...
def hops_to(
    neighbors: Rows, targets: Rows, threads: int = 0, progress: Progress | None = None
) -> NDArray[np.uint8]: ...
def rollout(
    neighbors: Rows,
    route: Floats,
    items: Floats,
    route_queries: Floats,
    queries: Floats,
    entries: Rows,
    budget: int,
    tau: float,
    gamma: float,
    alpha: float,
    hops: NDArray[np.uint8] | None = None,
    targets: Rows | None = None,
    products: bool = True,
    baseline: str = "samples",
    samples: int = 4,
    later_baselines: bool = True,
    seed: int = 0,
    threads: int = 0,
    paths: bool = False,
    gradient: bool = True,
    query_gradient: bool = False,
    met_alone: bool = False,
    frontier: bool = False,
) -> tuple[float, float, float, Rows | None, Floats | None, Floats | None, dict[str, NDArray[Any]] | None]: ...
def imitate(
    neighbors: Rows,
    route: Floats,
    route_queries: Floats,
    entries: Rows,
    budget: int,
    tau: float,
    hops: NDArray[np.uint8],
    targets: Rows,
    threads: int = 0,
    query_gradient: bool = False,
    met_alone: bool = False,
) -> tuple[float, float, float, Rows | None, Floats | None, Floats | None]: ...
def beam_lessons(
    neighbors: Rows,
    route: Floats,
    queries: Floats,
    entries: Rows,
    answers: Rows,
    budget: int,
    tau: float,
    noise: float = 0.0,
    lesson: str = "imitation",
    bias: Floats | None = None,
    kinds: Rows | None = None,
    seed: int = 0,
    threads: int = 0,
    deferred: Rows | None = None,
    penalty: float = 0.0,
) -> tuple[Longs, Rows, Floats, float, int, int]: ...
def edge_lessons(
    neighbors: Rows,
    route: Floats,
    queries: Floats,
    entries: Rows,
    answers: Rows,
    candidates: Rows,
    budget: int,
    threads: int = 0,
    deferred: Rows | None = None,
    penalty: float = 0.0,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]: ...
