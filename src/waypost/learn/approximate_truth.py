"""Ground truth without an exact search: what the unlearned search finds when it may spend more."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.entry import Entry
from waypost.graph import Graph
from waypost.index import Index

TIMES_THE_BUDGET = 16  # what `truth="unlearned"` spends on a query, compared with a training path


def approximate_truth(
    items: ArrayLike,
    graph: Graph,
    queries: ArrayLike,
    *,
    k: int = 1,
    budget: int = 4096,
    entry: Entry | None = None,
    threads: int = 0,
) -> NDArray[np.int64]:
    """The best `k` rows that the unlearned search finds, to be handed to `train_router` as its `truth`.

    >>> import waypost as wp
    >>> items = np.random.default_rng(0).standard_normal((300, 8), dtype=np.float32)
    >>> graph = wp.build_graph(items, "ip-nsw", repair=True)
    >>> found = approximate_truth(items, graph, items[:20], budget=300)
    >>> wp.recall(found, wp.exact_search(items, items[:20], k=1).ids, m=1, n=1)
    1.0
    """
    return Index(items, graph).search(queries, k=k, budget=budget, entry=entry, threads=threads).ids
