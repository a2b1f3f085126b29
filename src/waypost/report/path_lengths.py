"""How long a walk takes to see the true answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.answer import Trace
from waypost.report.content import PathLengths


def first_steps(trace: Trace, answers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The step at which each answer came into sight: how many vertices had been looked at; -1 where it never did.

    >>> trace = Trace(np.array([4, 7, 9], np.int32), np.ones(3, np.float32), np.array([-1, 0, 1]), np.array([4, 7]))
    >>> first_steps(trace, np.array([9, 4, 5])).tolist()
    [2, 0, -1]
    """
    steps = {row: hop + 1 for row, hop in zip(trace.rows.tolist(), trace.hops.tolist(), strict=True)}
    return np.array([steps.get(row, -1) for row in answers.tolist() if row >= 0], np.int64)


def path_lengths(
    budget: int, truth: NDArray[np.int64], unlearned: Sequence[Trace], learned: Sequence[Trace]
) -> PathLengths:
    """Of the walks of the same queries, without and with what was learned."""
    plain, routed = (
        np.concatenate([first_steps(trace, answers) for trace, answers in zip(traces, truth, strict=True)])
        for traces in (unlearned, learned)
    )
    longest = int(max(plain.max(), routed.max(), 0)) + 1
    return PathLengths(
        budget,
        np.bincount(plain[plain >= 0], minlength=longest).tolist(),
        np.bincount(routed[routed >= 0], minlength=longest).tolist(),
        int(np.sum(plain < 0)),
        int(np.sum(routed < 0)),
    )
