"""All tables and figures, in the order of the paper."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from waypost.paper.exhibit import Exhibit
from waypost.paper.exhibits import (
    convergence,
    hyper_parameters,
    protocols,
    rewards,
    share,
    table_1,
    table_2,
    table_3,
    table_4,
    table_5,
    table_6,
    time_recall,
    training_ipc,
    voronoi,
)

_ALL = (
    voronoi, rewards, table_1, table_2, convergence, share, table_3, time_recall, training_ipc, hyper_parameters,
    table_4, table_5, table_6, protocols,
)  # fmt: skip
EXHIBITS: dict[str, Exhibit] = {module.EXHIBIT.name: module.EXHIBIT for module in _ALL}


def chosen(names: Iterable[str]) -> list[Exhibit]:
    """Those of these names; "all" stands for each that need not be asked for by name.

    >>> [exhibit.name for exhibit in chosen(["table-3"])]
    ['table-3']
    """
    found: dict[str, Exhibit] = {}
    for name in names:
        if name == "all":
            found |= {known: exhibit for known, exhibit in EXHIBITS.items() if not exhibit.asked}
        elif name in EXHIBITS:
            found[name] = EXHIBITS[name]
        else:
            close = difflib.get_close_matches(name.lower(), EXHIBITS, n=1)
            meant = f"did you mean {close[0]}? Otherwise pass" if close else "pass"
            raise ValueError(f"no table or figure is called {name!r}; {meant} all or one of {', '.join(EXHIBITS)}.")
    return list(found.values())
