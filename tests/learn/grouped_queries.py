"""A small shop for what is learned of beam states: groups of queries, items of uneven length, a sparse graph."""

import numpy as np

import waypost as wp


def data(n: int = 1500, d: int = 16, queries: int = 2600, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Groups of queries that ask for some directions, and items of uneven length, as in factors of real ratings."""
    rng = np.random.default_rng(seed)
    centers = rng.standard_normal((12, d))
    spectrum = 0.85 ** np.arange(d)
    items = (rng.standard_normal((n, d)) * spectrum * rng.lognormal(0, 0.5, (n, 1))).astype(np.float32)
    asked = ((centers[rng.integers(0, 12, queries)] + 0.7 * rng.standard_normal((queries, d))) * spectrum).astype(
        np.float32
    )
    return items / np.linalg.norm(items, axis=1).mean(), asked / np.linalg.norm(asked, axis=1, keepdims=True)


ITEMS, ASKED = data()
TRAIN, UNSEEN = ASKED[:2000], ASKED[2000:]
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=6, candidates=20, repair="within-degree")
TRUTH = wp.exact_search(ITEMS, UNSEEN, k=10).ids
CONFIG = wp.TrainConfig(budget=80, steps=60, batch=256, check_every=30)


def recalls(router: wp.Router | None, budgets: tuple[int, ...] = (40, 80, 160)) -> list[float]:
    """Of queries that no training saw."""
    index = wp.Index(ITEMS, GRAPH, router)
    return [wp.recall(index.search(UNSEEN, budget=budget).ids, TRUTH) for budget in budgets]
