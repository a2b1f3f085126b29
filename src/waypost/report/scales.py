"""From numbers to places on an axis, and the round numbers to write beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Maps low..high to start..end.

    >>> Scale(0, 10, 100, 200)(5), Scale(1, 100, 0, 10, log=True)(10)
    (150.0, 5.0)
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        bend: Callable[[float], float] = math.log if self.log else float
        low, high = bend(self.low), bend(self.high)
        share = (bend(value) - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)


def round_ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Round numbers within low..high, about so many.

    >>> round_ticks(0.83, 1.0)
    [0.85, 0.9, 0.95, 1.0]
    >>> round_ticks(0, 7)
    [0.0, 2.0, 4.0, 6.0]
    """
    if not high > low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 12) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def power_ticks(low: float, high: float) -> list[float]:
    """Powers of ten within low..high, with 2 and 5 times these where there are few.

    >>> power_ticks(300, 20_000)
    [500.0, 1000.0, 2000.0, 5000.0, 10000.0, 20000.0]
    """
    wide = high / low > 1000
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = [10.0**power * factor for power in powers for factor in ((1,) if wide else (1, 2, 5))]
    return [tick for tick in every if low <= tick <= high]


def around(values: Iterable[float], share: float = 0.08) -> tuple[float, float]:
    """The range of the values and a little on both sides; not so narrow that a nothing would look like much.

    >>> around([2, 2])
    (1.98, 2.02)
    """
    numbers = list(values)
    low, high = min(numbers), max(numbers)
    margin = max((high - low) * share, max(abs(low), abs(high), 1e-6) * 0.01)
    return low - margin, high + margin
