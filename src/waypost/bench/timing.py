"""Timing by turns: what is compared runs alternately, so that a slow spell of the machine hits every side of it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

Clock = Callable[[], float]


def seconds(work: Callable[[], object], clock: Clock = time.perf_counter) -> float:
    start = clock()
    work()
    return clock() - start


class Timings:
    """Seconds of each contestant in each round, in the order in which the rounds were run.

    >>> timings = Timings({"ours": [1.0, 2.0, 1.0], "theirs": [3.0, 4.0, 5.0]})
    >>> timings.median("ours"), timings.median_ratio("theirs", "ours")
    (1.0, 3.0)
    """

    def __init__(self, rounds: Mapping[str, list[float]]) -> None:
        self.rounds = rounds

    def median(self, name: str) -> float:
        return statistics.median(self.rounds[name])

    def median_ratio(self, above: str, below: str) -> float:
        """The median over the rounds of one contestant's time over the other's."""
        return statistics.median(a / b for a, b in zip(self.rounds[above], self.rounds[below], strict=True))


def by_turns(
    contestants: Mapping[str, Callable[[], object]], repeats: int, warm: bool = True, clock: Clock = time.perf_counter
) -> Timings:
    """Run every contestant once a round, `repeats` rounds; with `warm` a first round goes unmeasured.

    `time.thread_time` as the clock leaves out what other processes took, where the work is one thread's.

    >>> sorted(by_turns({"one": lambda: None, "two": lambda: None}, repeats=2).rounds)
    ['one', 'two']
    """
    if warm:
        for work in contestants.values():
            work()
    rounds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(repeats):
        for name, work in contestants.items():
            rounds[name].append(seconds(work, clock))
    return Timings(rounds)
