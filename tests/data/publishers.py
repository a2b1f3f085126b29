"""Small files in the form of each publisher, and how a test writes them."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

from waypost.data import Ratings

MOVIELENS = """userId,movieId,rating,timestamp
1,296,5.0,1147880044
1,306,3.5,1147868817
2,296,0.5,1141416589
10,5952,4.0,1147868053
"""
# The release of 2014 has user,item,rating,timestamp, that of 2018 item,user,rating,timestamp; neither has a header.
AMAZON_2014 = """A3R5OBKS7OM2IR,0000143502,5.0,1358380800
A3R5OBKS7OM2IR,0000143529,4.0,1380672000
AH3QC2PC1VTGP,0000143502,1.0,1216252800
"""
AMAZON_2018 = """0000143502,A3R5OBKS7OM2IR,5.0,1358380800
0000143529,A3R5OBKS7OM2IR,4.0,1380672000
0000143502,AH3QC2PC1VTGP,1.0,1216252800
"""
FIRST, SECOND = "b80344d063b5ccb3212f76538f3d9e43d87dca9e", "85c1f87fea955d09b4bec2e36aee110927aedf9a"
ECHONEST = f"""{FIRST}\tSOAKIMP12A8C130995\t1
{FIRST}\tSOAPDEY12A81C210A9\t3
{SECOND}\tSOAKIMP12A8C130995\t2
{FIRST}\tSOAKIMP12A8C130995\t4
"""
REVIEWS = [
    {"reviewerID": "A3R5", "asin": "0005019281", "helpful": [0, 0], "reviewText": 'a "film"', "overall": 4.0},
    {"reviewerID": "A3R5", "asin": "0005119367", "helpful": [1, 2], "reviewText": "ü, {", "overall": 3.0},
    {"reviewerID": "AVM9", "asin": "0005019281", "helpful": [0, 0], "reviewText": "", "overall": 5.0},
]


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def write_reviews(path: Path, reviews: list[Any]) -> Path:
    return write(path, gzip.compress("".join(json.dumps(review) + "\n" for review in reviews).encode()))


def write_zip(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/") + (".txt" if "triplets" in name else ".csv"), content)
    return path


def table(ratings: Ratings) -> dict[tuple[Any, Any], float]:
    """What the matrix says, by name."""
    assert ratings.users is not None
    assert ratings.items is not None
    entries = ratings.matrix.tocoo()
    users, items = ratings.users[entries.row].tolist(), ratings.items[entries.col].tolist()
    return dict(zip(zip(users, items, strict=True), entries.data.tolist(), strict=True))
