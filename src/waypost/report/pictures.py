"""Which searches are drawn, and what is drawn of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.answer import Trace
from waypost.arguments import Floats
from waypost.report.content import SearchPicture, Sight, Spot
from waypost.report.layout import disc

Rows = NDArray[np.int64]
NameOf = Callable[[int], str]


class Chosen(NamedTuple):
    """A query that is drawn: why, from how many it was chosen, its number and its budget."""

    why: str
    among: int
    query: int
    budget: int


def chosen_queries(unlearned: Rows, learned: Rows) -> list[tuple[int, str]]:
    """Three searches, by how many true answers either found: a typical one, and where learning helps and hurts most.

    >>> chosen_queries(np.array([5, 5, 5, 9]), np.array([5, 8, 6, 7]))
    [(1, 'helps most'), (2, 'typical'), (3, 'hurts most')]
    """
    gains = learned - unlearned
    middle = np.median(gains)
    far = np.abs(gains - middle) * (len(gains) + 1) + np.abs(learned - np.mean(learned))
    chosen = []
    if gains.max() > 0:
        chosen.append((int(gains.argmax()), "helps most"))
    chosen.append((int(far.argmin()), "typical"))
    if gains.min() < 0:
        chosen.append((int(gains.argmin()), "hurts most"))
    first: dict[int, str] = {}
    for query, why in chosen:
        first.setdefault(query, why)
    return list(first.items())


def search_picture(
    chosen: Chosen,
    items: Floats,
    query: Floats,
    answers: Rows,
    traces: tuple[Trace, Trace],
    name_of: NameOf,
) -> SearchPicture:
    """The walks of one query without and with what was learned, over one layout."""
    answers = answers[answers >= 0]
    rows = np.unique(np.concatenate([traces[0].rows, traces[1].rows, answers]).astype(np.int64))
    # The true answers come first whatever rounding makes of scores that are all but equal.
    scores = items[rows] @ query
    true_rank = {row: rank for rank, row in enumerate(answers.tolist())}
    order = np.where(np.isin(rows, answers), scores + np.ptp(scores) + 1, scores)
    places = disc(items[rows], query, order, len(answers))
    spots = [
        Spot(name_of(row), float(score), float(x), float(y), true_rank.get(row))
        for row, score, (x, y) in zip(rows.tolist(), scores, places, strict=True)
    ]
    spot_of = {row: spot for spot, row in enumerate(rows.tolist())}
    unlearned, learned = (_sights(trace, spot_of) for trace in traces)
    return SearchPicture(*chosen, spots, unlearned, learned)


def _sights(trace: Trace, spot_of: dict[int, int]) -> list[Sight]:
    """Each visit in order, with the earlier visit that it was seen from."""
    rows = trace.rows.tolist()
    visit_of = {row: visit for visit, row in enumerate(rows)}
    looked_at: Sequence[int] = trace.path.tolist()
    return [
        Sight(spot_of[row], hop + 1, visit_of[looked_at[hop]] if hop >= 0 else -1)
        for row, hop in zip(rows, trace.hops.tolist(), strict=True)
    ]
