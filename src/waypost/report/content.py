"""What a report says, as plain numbers and names: gathered once, then drawn as a page and as figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Curve = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Example:
    """One user's answers, by the exact and by the routed search, best first, with what each search cost.

    >>> Example(["tea"], ["milk", "sugar"], ["milk"], 1000, 64, 900.0, 8.0).found
    1
    """

    liked: list[str]
    exact: list[str]
    routed: list[str]
    exact_cost: int
    routed_cost: int
    exact_us: float
    routed_us: float

    @property
    def found(self) -> int:
        """How many of the true answers the routed search has."""
        return len(set(self.exact) & set(self.routed))


@dataclass(frozen=True)
class Recalls:
    """Recall k@k at one budget, of the search without and with what was learned.

    >>> Recalls(256, unlearned=0.95, learned=0.97, error=0.001).verdict
    'better'
    """

    budget: int
    unlearned: float
    learned: float
    error: float = 0.0
    """The standard error of the difference, from the queries' own differences."""

    @property
    def gain(self) -> float:
        """What learning adds."""
        return self.learned - self.unlearned

    @property
    def verdict(self) -> str:
        """ "better", "worse", or "even" where chance explains the difference: where it is below two errors."""
        if self.gain == 0 or abs(self.gain) < 2 * self.error:
            return "even"
        return "better" if self.gain > 0 else "worse"


@dataclass(frozen=True)
class Speeds:
    """Queries a second at one budget, all asked at once and one by one; `budget` 0 is the exact search."""

    budget: int
    name: str
    recall: float
    batched: float
    single: float


@dataclass(frozen=True)
class TrainingCurve:
    """One figure of the training, update by update."""

    name: str
    points: list[tuple[int, float]]


@dataclass(frozen=True)
class PathLengths:
    """After how many vertices looked at the true answers came into sight, within one budget.

    `unlearned[s]` counts the answers seen first at step s; step 0 is the entry. What was not seen is counted apart.
    """

    budget: int
    unlearned: list[int]
    learned: list[int]
    unlearned_missed: int
    learned_missed: int


@dataclass(frozen=True)
class DegreeBin:
    """How many rows have `low` to `high` neighbours, and how many are a neighbour of so many."""

    low: int
    high: int
    having: int
    being: int


@dataclass(frozen=True)
class GraphFacts:
    """What the graph looks like: how many neighbours rows have, and how far the rows are from the entry."""

    kind: str
    cap: int
    items: int
    edges: int
    bytes: int
    degrees: list[int]
    """How many rows have 0, 1, ... neighbours."""
    degree_bins: list[DegreeBin]
    most_popular: int
    """Of how many rows one row is a neighbour, at the most."""
    hops: list[int]
    """How many rows lie 0, 1, ... edges from the entry, by the shortest way."""
    answer_hops: list[int]
    """The same of the true answers, each counted as often as it is one."""
    unreachable: int
    answers_unreachable: int


@dataclass(frozen=True)
class Spot:
    """One vertex of a picture, and its place in a disc of radius 1 with the query at its centre."""

    name: str
    score: float
    x: float
    y: float
    true_rank: int | None
    """Its place among the true answers, from 0; None where it is none."""


@dataclass(frozen=True)
class Sight:
    """One visit of a search: which spot, at which step, and the visit from which it was first seen (-1: an entry)."""

    spot: int
    step: int
    parent: int


@dataclass(frozen=True)
class SearchPicture:
    """One query, searched without and with what was learned, at one budget; both share the spots."""

    why: str
    among: int
    """How many queries it was chosen from."""
    query: int
    budget: int
    spots: list[Spot]
    unlearned: list[Sight]
    learned: list[Sight]

    def seen(self, which: str) -> int:
        """How many of the true answers the search "unlearned" or "learned" saw."""
        return sum(self.spots[sight.spot].true_rank is not None for sight in getattr(self, which))

    @property
    def answers(self) -> int:
        """How many true answers there are."""
        return sum(spot.true_rank is not None for spot in self.spots)


@dataclass(frozen=True)
class Report:
    """All that the page shows; every number on it is one of these, or worked out from them."""

    title: str
    items: int
    width: int
    queries: int
    k: int
    recalls: list[Recalls]
    speeds: list[Speeds]
    training: list[TrainingCurve]
    lengths: PathLengths
    graph: GraphFacts
    pictures: list[SearchPicture]
    examples: list[Example] = field(default_factory=list)
    routed: bool = True
    """Whether the learned index has learned anything: a router that is the identity has not."""
