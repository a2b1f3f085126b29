"""From chunks to one matrix: ids get rows, repeated ratings become one, the paper's filters leave out the sparse."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from waypost.data.chunk import Chunk
from waypost.data.extra import needed
from waypost.data.names import Names, texts
from waypost.data.ratings import Ratings

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

Codes = NDArray[np.int32]
MOST_DIGITS = 18


@dataclass
class Collector:
    """Takes up chunks; a user's or item's code is the order in which it was first seen."""

    users: dict[bytes, int] = field(default_factory=dict)
    items: dict[bytes, int] = field(default_factory=dict)
    _user: list[Codes] = field(default_factory=list)
    _item: list[Codes] = field(default_factory=list)
    _rating: list[NDArray[np.float32]] = field(default_factory=list)

    def add(self, chunk: Chunk) -> None:
        self._user.append(_codes(self.users, chunk.users)[chunk.user])
        self._item.append(_codes(self.items, chunk.items)[chunk.item])
        self._rating.append(chunk.rating)

    def ratings(self, repeats: str, min_user: int, min_item: int, passes: int | None) -> Ratings:
        """All that was added, by sorted ids: the order of the lines in the file does not matter."""
        users, user_rank = _sorted_names(self.users)
        items, item_rank = _sorted_names(self.items)
        user, item = user_rank[_joined(self._user)], item_rank[_joined(self._item)]
        matrix, repeated = _merged(user, item, _joined(self._rating), (len(users), len(items)), repeats)
        notes = [f"Merged {repeated:,} repeated ratings of the same user and item ({repeats})."] if repeated else []
        if zeros := matrix.nnz - np.count_nonzero(matrix.data):
            matrix.eliminate_zeros()
            notes.append(f"Left out {zeros:,} ratings of zero: they are no interaction.")
        return filtered(Ratings(matrix, users, items, tuple(notes)), min_user, min_item, passes)


def filtered(ratings: Ratings, min_user: int = 1, min_item: int = 1, passes: int | None = None) -> Ratings:
    """Only users with `min_user` items or more and items with `min_item` users or more.

    Leaving out one may bring another below its limit: that is repeated until nothing changes, or `passes` times.
    """
    matrix, done = ratings.matrix, 0
    users, items = (np.arange(side) for side in matrix.shape)
    while passes is None or done < passes:
        by_user, by_item = np.diff(matrix.indptr), np.bincount(matrix.indices, minlength=matrix.shape[1])
        keep_user, keep_item = by_user >= max(min_user, 1), by_item >= max(min_item, 1)
        if keep_user.all() and keep_item.all():
            break
        matrix, users, items, done = matrix[keep_user][:, keep_item], users[keep_user], items[keep_item], done + 1
    lost = (ratings.matrix.shape[0] - len(users), ratings.matrix.shape[1] - len(items))
    if not any(lost):
        return ratings
    matrix.sort_indices()
    notes = (*ratings.notes, _note(lost, max(min_user, 1), max(min_item, 1)))
    return Ratings(matrix, _taken(ratings.users, users), _taken(ratings.items, items), notes)


def _note(lost: tuple[int, int], min_user: int, min_item: int) -> str:
    if min_user == min_item == 1:
        return f"Left out {lost[0]:,} users and {lost[1]:,} items without a rating."
    return (
        f"Left out {lost[0]:,} users with fewer than {min_user} items and {lost[1]:,} items with fewer than "
        f"{min_item} users."
    )


def _taken(names: Names | None, rows: NDArray[np.int64]) -> Names:
    """The names of these rows, which without names are called by their numbers: those change."""
    return rows.astype(np.int64) if names is None else names[rows]


def _codes(known: dict[bytes, int], distinct: list[bytes]) -> Codes:
    return np.fromiter((known.setdefault(name, len(known)) for name in distinct), np.int32, len(distinct))


def _joined(parts: list[Any]) -> NDArray[Any]:
    """One array of all parts, which are given up on the way: two copies of 25 million ratings are one too many."""
    whole = np.empty(sum(map(len, parts)), parts[0].dtype if parts else np.int32)
    end = len(whole)
    while parts:
        part = parts.pop()
        whole[end - len(part) : end] = part
        end -= len(part)
    return whole


def _sorted_names(known: dict[bytes, int]) -> tuple[Names, Codes]:
    """The names in order, as whole numbers if all are, and the place in that order of each code."""
    if all(name.isdigit() and len(name) <= MOST_DIGITS and name == b"%d" % int(name) for name in known):
        names: Names = np.array([int(name) for name in known], np.int64)
        order = np.argsort(names)
        names = names[order]
    else:
        listed = list(known)
        order = np.array(sorted(range(len(listed)), key=listed.__getitem__), np.int64)
        names = texts([listed[code].decode() for code in order.tolist()])
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return names, rank


def _merged(user: Codes, item: Codes, rating: Any, shape: tuple[int, int], repeats: str) -> tuple[csr_matrix, int]:
    """The matrix by sorted rows, and how many ratings were merged into others: the last one stands, or their sum."""
    sparse = needed("scipy.sparse", "making a matrix")
    entries = sparse.coo_matrix((rating, (user, item)), shape=shape)
    entries.has_canonical_format = True  # or scipy would sum the repeated ones
    matrix = entries.tocsc().tocsr()  # by counting, twice: rows come out sorted, equal entries in the order of the file
    repeated = matrix.indices[1:] == matrix.indices[:-1]
    ends = matrix.indptr[1:-1]
    repeated[ends[(ends > 0) & (ends < matrix.nnz)] - 1] = False  # neighbours of two users are no repeat
    if not (count := int(np.count_nonzero(repeated))):
        return matrix, 0
    if repeats == "sum":
        matrix.sum_duplicates()
        return matrix, count
    kept = np.append(~repeated, True)
    counted = np.concatenate([[0], np.cumsum(kept)])
    parts = (matrix.data[kept], matrix.indices[kept], counted[matrix.indptr])
    return sparse.csr_matrix(parts, shape=shape), count
