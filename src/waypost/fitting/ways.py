"""Ways to make an index of the same items: what fit chooses among."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.graph import REPAIRS


@dataclass(frozen=True, slots=True)
class Way:
    """What an index is made of; as text, a few words.

    >>> str(Way("united", 16, 100, entries=64, taught=True, coded=True, learned=True))
    'united, degree 16, candidates 100, taught, 64 entries, int8, learned'
    """

    kind: str
    degree: int
    candidates: int
    entries: int = 1
    """Walks start at so many rows of largest norm."""
    taught: bool = False
    """Whether training queries chose the edges between the items that answer."""
    coded: bool = False
    """Whether walks go by codes of a byte a dimension, and what they found is scored again exactly."""
    learned: bool = False
    """Whether walks go by a learned bias, too."""

    def __str__(self) -> str:
        entries = "1 entry" if self.entries == 1 else f"{self.entries} entries"
        taught, more = ["taught"] * self.taught, ["int8"] * self.coded + ["learned"] * self.learned
        return ", ".join([self.kind, f"degree {self.degree}", f"candidates {self.candidates}", *taught, entries, *more])

    def bytes(self, n: int, d: int) -> int:
        """What such an index takes in memory, but for a codebook's few rows.

        >>> Way("united", 16, 100).bytes(1_000, 96)
        464000
        """
        edges = self.degree + REPAIRS + (WAITING if self.taught else 0)
        row = 4 * d + 4 * edges + (d + 4 if self.coded else 0) + (4 * BIASES if self.learned else 0)
        return n * row


WAITING = 28  # edges of a taught graph that wait, at most
BIASES = 9  # of a learned router: for all queries, and for each of eight kinds of them
KINDS = ("united", "ip-nsw", "moebius")
FIRST = (16, 100)
DENSER = ((24, 200), (32, 300))
SPARSER = ((12, 100),)
ENTRIES = (1, 32, 128)
