"""Ratings on their way from a file to a matrix: chunks of coded columns, and a tally of what was not usable."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

SHOWN = 5  # bad lines that are quoted; all are counted


Row = tuple[bytes, bytes, float]  # the user, the item and the rating


@dataclass(frozen=True)
class Chunk:
    """Some ratings: `user[i]` and `item[i]` are places in the lists of the distinct ids of this chunk."""

    users: list[bytes]
    user: NDArray[np.int32]
    items: list[bytes]
    item: NDArray[np.int32]
    rating: NDArray[np.float32]

    @classmethod
    def of_rows(cls, rows: list[Row]) -> Chunk:
        users: dict[bytes, int] = {}
        items: dict[bytes, int] = {}
        user = np.array([users.setdefault(row[0], len(users)) for row in rows], np.int32)
        item = np.array([items.setdefault(row[1], len(items)) for row in rows], np.int32)
        return cls(list(users), user, list(items), item, np.array([row[2] for row in rows], np.float32))

    def joined(self, other: Chunk, order: NDArray[np.int64]) -> Chunk:
        """Both, one after another and then brought into `order`."""
        user = np.concatenate([self.user, other.user + np.int32(len(self.users))])
        item = np.concatenate([self.item, other.item + np.int32(len(self.items))])
        rating = np.concatenate([self.rating, other.rating])
        return Chunk(self.users + other.users, user[order], self.items + other.items, item[order], rating[order])


@dataclass
class Tally:
    """Counts lines and the bad ones among them, and keeps the first few of those to be shown."""

    name: str
    unit: str = "line"
    total: int = 0
    bad: int = 0
    shown: list[str] = field(default_factory=list)

    def refuse(self, line: int, why: str) -> None:
        self.bad += 1
        if len(self.shown) < SHOWN:
            self.shown.append(f"{self.unit} {line}: {why}")

    def note(self) -> str:
        more = f"; and {self.bad - len(self.shown):,} more" if self.bad > len(self.shown) else ""
        return f"Skipped {self.bad:,} of {self.total:,} {self.unit}s. {'; '.join(self.shown)}{more}."


def flaw_of_rating(value: float) -> str | None:
    if np.isnan(value):
        return "the rating is NaN"
    if value < 0:
        return f"the rating {value:g} is negative"
    if value > float(np.finfo(np.float32).max):
        return f"the rating {value:g} is too large"
    return None
