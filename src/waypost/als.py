"""What is to be known of an ALS model to fold a new user in, beside its items."""

import math
from typing import NamedTuple


class AlsNumbers(NamedTuple):
    """How the model that made the items was trained, as `waypost.data.Factors` tells it.

    >>> import waypost as wp
    >>> wp.AlsNumbers(scale=0.1, alpha=10.0, regularization=0.01).alpha
    10.0
    """

    scale: float
    """What the model's item factors were divided by: their mean norm."""
    alpha: float
    """The confidence that one interaction adds."""
    regularization: float
    """The penalty on squared norms."""


def check_als(als: object) -> None:
    if als is not None and not isinstance(als, AlsNumbers):
        raise TypeError(f"als is of type {type(als).__name__}; pass waypost.AlsNumbers, or None.")
    for name, value in ({} if als is None else als._asdict()).items():
        if not 0 <= value < math.inf:
            raise ValueError(f"{name} is {value}; pass a finite number of 0 or more.")
