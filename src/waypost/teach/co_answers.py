"""Co-answers: items that answer the same queries more often than their fame alone would have them."""

import numpy as np

from waypost.entry import Rows


def co_answers(answers: Rows, members: int, most: int) -> Rows:
    """(members, most) for each member those that answer with it, by count over the root of their own frequency.

    >>> co_answers(np.array([[0, 1], [0, 1], [0, 2]], np.int32), members=4, most=2).tolist()
    [[1, 2], [0, -1], [0, -1], [-1, -1]]
    """
    one, other, count = _pairs(answers, members)
    frequency = np.bincount(answers[answers >= 0], minlength=members)
    weight = count / np.sqrt(frequency[other])
    order = np.lexsort((other, -weight, one))
    one, other = one[order], other[order]
    place = np.arange(len(one)) - np.searchsorted(one, one)
    kept = place < most
    lists = np.full((members, most), -1, np.int32)
    lists[one[kept], place[kept]] = other[kept]
    return lists


def _pairs(answers: Rows, members: int) -> tuple[Rows, Rows, Rows]:
    """Each ordered pair that answers some query together, and how many queries."""
    width = answers.shape[1]
    places = [(a, b) for a in range(width) for b in range(width) if a != b]
    codes = [np.empty(0, np.int64)]
    for a, b in places:
        both = (answers[:, a] >= 0) & (answers[:, b] >= 0)
        codes.append(answers[both, a] * np.int64(members) + answers[both, b])
    distinct, counts = np.unique(np.concatenate(codes), return_counts=True)
    return (distinct // members).astype(np.int32), (distinct % members).astype(np.int32), counts.astype(np.int32)
