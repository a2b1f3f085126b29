"""The data that ships with waypost: which npm packages a package depended on in January 2017.

`npm_deps.xz` was made by tools/build_npm_deps.py; its terms stand in npm_deps.NOTICE beside it.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from waypost.data.compact import unpack
from waypost.data.ratings import Ratings

FILE = "npm_deps.xz"


def load_npm_deps() -> Ratings:
    named = unpack(files("waypost.data").joinpath(FILE).read_bytes())
    return Ratings(named.matrix.astype(np.float32), named.rows, named.columns, named.notes)
