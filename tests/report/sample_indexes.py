"""Small indexes, and names of items that would break a careless page."""

import numpy as np

import waypost as wp

HOSTILE = '<script>alert("waypost")</script>'
NAMES = [HOSTILE, 'O\'Reilly & "Söhne" >', "</style></main>", "a" * 90, "日本語 \u202e", "  "]


def indexes(n: int = 600, kind: str = "ip-nsw") -> tuple[wp.Index, wp.Index, np.ndarray]:
    """The same items and graph without and with a bias, and queries."""
    rng = np.random.default_rng(0)
    items, queries = (rng.standard_normal((count, 8), dtype=np.float32) for count in (n, 80))
    graph = wp.build_graph(items, kind, degree=8, candidates=30)
    router = wp.Router(bias=0.4 * rng.standard_normal(n, dtype=np.float32))
    return wp.Index(items, graph), wp.Index(items, graph, router), queries
