"""Which builds and which rungs go into the test, by what validation queries showed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

TARGETS = (0.95, 0.99)
MARGIN = 0.002  # above the target on validation, so that the test queries mostly meet it too; the same for everyone
PROMISE = "target_recall"  # in a build: the recall that it was made for
SIMILAR = 1.1  # one build is enough for all targets where no other is faster by more
SHORT, NEAR = 5, 2.0  # so many go on a shortlist, none slower than the fastest by more than this
LEVELS = (0.85, 0.92, 0.97, 0.982, 0.995, 0.999)  # of recall, at which the picture gets a point where there is one


@dataclass(frozen=True)
class Tried:
    """One rung of the ladder of one build, on validation queries."""

    build: dict[str, Any]
    setting: dict[str, Any]
    recall: float
    qps: float


@dataclass
class Point:
    """One rung that is measured on test queries; `targets` are those for which it is on the shortlist."""

    build: dict[str, Any]
    setting: dict[str, Any]
    targets: list[float] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def fastest(tried: Sequence[Tried], target: float) -> Tried | None:
    """The fastest that reaches the target.

    >>> slow, fast = Tried({}, {"ef": 90}, 0.99, 10.0), Tried({}, {"ef": 20}, 0.96, 40.0)
    >>> fastest([slow, fast], 0.95).setting, fastest([slow, fast], 0.999)
    ({'ef': 20}, None)
    """
    reaching = [one for one in tried if one.recall >= min(target + MARGIN, 1.0)]
    return max(reaching, key=lambda one: one.qps, default=None)


def shortlist(tried: Sequence[Tried], target: float) -> list[Tried]:
    """The fastest, and those of its build that come near it: the clock decides among these again when all is quiet.

    >>> tried = [Tried({}, {"ef": ef}, 0.96, qps) for ef, qps in ((20, 90.0), (24, 100.0), (90, 9.0))]
    >>> [one.setting["ef"] for one in shortlist(tried, 0.95)]
    [24, 20]
    """
    best = fastest(tried, target)
    if best is None:
        return []
    reaching = [one for one in tried if one.build == best.build and one.recall >= min(target + MARGIN, 1.0)]
    near = [one for one in reaching if NEAR * one.qps >= best.qps]
    return sorted(near, key=lambda one: -one.qps)[:SHORT]


def kept(tried: Sequence[Tried], target: float) -> Tried | None:
    """A build that was made for the target is asked as it was made, whatever else would have done.

    >>> made, other = Tried({PROMISE: 0.95}, {}, 0.949, 10.0), Tried({PROMISE: 0.95}, {"pool": 20}, 0.96, 40.0)
    >>> kept([other, made], 0.95).setting, kept([other, made], 0.99)
    ({}, None)
    """
    return next((one for one in tried if one.build.get(PROMISE) == target and not one.setting), None)


def frontier(tried: Sequence[Tried]) -> list[Tried]:
    """Those that no other beats in both recall and speed, by rising recall.

    >>> [one.qps for one in frontier([Tried({}, {}, 0.9, 5.0), Tried({}, {}, 0.8, 4.0), Tried({}, {}, 0.7, 9.0)])]
    [9.0, 5.0]
    """
    kept: list[Tried] = []
    for one in sorted(tried, key=lambda one: (-one.recall, -one.qps)):
        if not kept or one.qps > kept[-1].qps:
            kept.append(one)
    return kept[::-1]


def points(tried: Sequence[Tried], targets: Sequence[float] = TARGETS) -> list[Point]:
    """The rung for each target, and some more along the way for the picture, of one build or of few."""
    if not tried:
        return []
    chosen = _of_similar_build(tried, targets)
    found: list[Point] = []
    for target in targets:
        made = kept(tried, target)
        for one in shortlist(chosen, target) if made is None else [made]:
            _point(found, one).targets.append(target)
    builds = [point.build for point in found] or [max(tried, key=lambda one: (one.recall, one.qps)).build]
    for one in _along([one for one in tried if one.build in builds]):
        _point(found, one)
    return found


def _of_similar_build(tried: Sequence[Tried], targets: Sequence[float]) -> Sequence[Tried]:
    """All of one build, if one serves every target nearly as fast as the best does; else all that was tried."""
    best = {target: one.qps for target in targets if (one := fastest(tried, target))}
    losses: list[tuple[float, Sequence[Tried]]] = []
    for build in _distinct([one.build for one in tried]):
        own = [one for one in tried if one.build == build]
        speeds = {target: found.qps if (found := fastest(own, target)) else 0.0 for target in best}
        if speeds and all(speeds.values()):
            losses.append((max(best[target] / speed for target, speed in speeds.items()), own))
    loss, one_build = min(losses, key=lambda pair: pair[0], default=(SIMILAR + 1, tried))
    return one_build if loss <= SIMILAR else tried


def _along(tried: Sequence[Tried]) -> list[Tried]:
    """The rung of the frontier that is nearest to each level."""
    line = frontier(tried)
    near = [min(line, key=lambda one: abs(one.recall - level)) for level in LEVELS]
    return list({id(one): one for one in near}.values())


def _point(found: list[Point], one: Tried) -> Point:
    for point in found:
        if point.build == one.build and point.setting == one.setting:
            return point
    found.append(Point(one.build, one.setting))
    return found[-1]


def _distinct(builds: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for build in builds:
        if build not in found:
            found.append(build)
    return found
