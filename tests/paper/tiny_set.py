"""A set of ratings small enough that each cell takes a fraction of a second."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.sparse

from waypost.data.ratings import Ratings
from waypost.paper.data_sets import Limits
from waypost.paper.plan import Plan
from waypost.paper.protocol import PROTOCOLS, quick

USERS, ITEMS = 400, 300


def write_set(path: Path, users: int = USERS, seed: int = 0) -> None:
    """People of eight tastes."""
    rng = np.random.default_rng(seed)
    taste = rng.integers(8, size=users)
    likes = rng.random((users, ITEMS)) < 0.02 + 0.2 * (taste[:, None] == np.arange(ITEMS) % 8)
    likes[:, 0] = True
    Ratings(scipy.sparse.csr_matrix(likes.astype(np.float32))).save(path)


def tiny_plan(*seeds: int) -> Plan:
    few = Limits(train=200, valid=20, test=30)
    protocol = replace(quick(PROTOCOLS["fast"]), steps=2, batch=32, checks=2, estimates=2, limits=few)
    return Plan(("tiny",), protocol, seeds or (1,), ("random",))
