"""Builds each kind of graph on generated vectors and shows what recall a budget of inner products buys.

Run it with `python examples/first_search.py --items 50000`.
"""

import argparse
import time

import numpy as np
from numpy.typing import NDArray

import waypost as wp

BUDGETS = (64, 128, 256, 512)


def factors(count: int, rank: int, dimensions: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Vectors of few directions and uneven length, as the factors of real ratings are."""
    directions = rng.standard_normal((count, rank)) * np.linspace(1.0, 0.1, rank)
    lengths = rng.lognormal(sigma=0.5, size=(count, 1))
    basis = np.linalg.qr(rng.standard_normal((dimensions, rank)))[0]
    return (lengths * directions @ basis.T).astype(np.float32)


def row_of_table(first: str, cells: list[str]) -> str:
    return f"{first:<16}" + "".join(f"{cell:>10}" for cell in cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    rng = np.random.default_rng(options.seed)
    together = factors(options.items + options.queries, rank=24, dimensions=64, rng=rng)
    items, queries = together[: options.items], together[options.items :]
    truth = wp.exact_search(items, queries, k=10)

    print(f"{len(items):,} items, {len(queries):,} queries, d = {items.shape[1]}; recall 10@10 by inner products spent")
    print(row_of_table("graph", [str(budget) for budget in BUDGETS] + ["reached", "built in"]))
    for kind in wp.KINDS:
        start = time.perf_counter()
        graph = wp.build_graph(items, kind=kind, degree=16, candidates=100, seed=options.seed)
        seconds = time.perf_counter() - start
        index = wp.Index(items, graph)
        found = [index.search(queries, k=10, budget=budget).ids for budget in BUDGETS]
        cells = [f"{wp.recall(ids, truth.ids):.3f}" for ids in found]
        print(row_of_table(kind, [*cells, f"{graph.reachable_answers(truth.ids):.1%}", f"{seconds:.1f} s"]))
    print("reached: the share of the true answers that some path leads to; repair=True makes it 100%.")


if __name__ == "__main__":
    main()
