"""Figure 1: Voronoi cells under distance and under inner product, for the same points of the plane.

The paper shows that under distance every point has a cell around itself, and that under inner product the cells are
wedges from the origin, which only the outermost points have.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.paper.charts import panels
from waypost.paper.exhibit import Exhibit
from waypost.paper.numbers import Measured
from waypost.paper.plan import Plan
from waypost.paper.store import Store

POINTS, SIDE, REACH = 24, 400, 2.2
SIMILARITIES = ("distance", "inner product")


def points() -> NDArray[np.float64]:
    return np.random.default_rng(4).standard_normal((POINTS, 2)) * 0.8


def cells(similarity: str) -> NDArray[np.int64]:
    """Which point each place of the picture belongs to."""
    at = np.linspace(-REACH, REACH, SIDE)
    places = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
    scores = places @ points().T
    if similarity == "distance":
        scores = 2 * scores - (points() ** 2).sum(axis=1)
    owner: NDArray[np.int64] = scores.argmax(axis=1).reshape(SIDE, SIDE)
    return owner


def rows(plan: Plan, store: Store) -> list[Measured]:
    counts = {name: float(len(np.unique(cells(name)))) for name in SIMILARITIES}
    return [
        Measured({"cells under": name, "what": f"of {POINTS} points"}, (count,), 1, whole=True)
        for name, count in counts.items()
    ]


def draw(plan: Plan, store: Store) -> Any:
    figure, axes = panels(SIMILARITIES, columns=2)
    for name, axis in axes.items():
        edge = (-REACH, REACH)
        axis.imshow(cells(name), origin="lower", extent=(*edge, *edge), cmap="tab20", alpha=0.5, interpolation="none")
        axis.plot(*points().T, "k.", markersize=4)
        axis.grid(False)
    return figure


EXHIBIT = Exhibit(
    name="figure-1",
    title="Figure 1: Voronoi cells under distance and under inner product",
    claim="Under distance each point has a cell around it; under inner product only outer points have one, a wedge.",
    across="what",
    rows=rows,
    draw=draw,
    note="Points of our own; the paper's are not given.",
)
