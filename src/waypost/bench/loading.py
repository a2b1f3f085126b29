"""How long 25 million ratings take to load, and in how much memory: a generated file in the form of MovieLens 25M.

python -m waypost.bench.loading [--ratings 25000095] [--zip] [--bad 0.001]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np

from waypost.bench.machine import describe
from waypost.data import read_ratings

USERS, ITEMS, RATINGS = 162_541, 59_047, 25_000_095  # those of MovieLens 25M
PART = 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ratings", type=int, default=RATINGS)
    parser.add_argument("--zip", action="store_true", help="pack the file as ml-25m.zip is packed")
    parser.add_argument("--bad", type=float, default=0.0, help="share of lines that are not usable")
    parser.add_argument("--folder", type=Path, help="where the file goes, and stays; a temporary folder otherwise")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        path = written(arguments.folder or Path(temporary), arguments.ratings, arguments.zip, arguments.bad)
        before = peak()
        start, work = time.perf_counter(), time.process_time()
        ratings = read_ratings(path)
        seconds, work = time.perf_counter() - start, time.process_time() - work
        print(f"{path.name} of {path.stat().st_size / 1e6:,.0f} MB: {ratings}")
        print(
            f"{seconds:.1f} s ({work:.1f} s of processor time), peak {peak():.2f} GiB ({before:.2f} before)",
            *ratings.notes,
            sep="\n",
        )
        print(*(" ".join(map(str, row)) for row in describe().rows[:3]), sep="\n")


def written(folder: Path, ratings: int, zipped: bool, bad: float) -> Path:
    """The file, made if it is not there: users in order, as the publisher has them, items by a long-tailed chance."""
    path = folder / f"generated-{ratings}-{bad}" / "ratings.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        unfinished = path.with_suffix(".part")
        _write(unfinished, ratings, bad)
        unfinished.rename(path)
    if not zipped:
        return path
    packed = path.with_suffix(".zip")
    if not packed.exists():
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(path, "ml-25m/ratings.csv")
    return packed


def _write(path: Path, ratings: int, bad: float) -> None:
    rng = np.random.default_rng(0)
    user = np.sort(rng.integers(1, USERS + 1, ratings))
    with open(path, "w") as file:
        file.write("userId,movieId,rating,timestamp\n")
        for start in range(0, ratings, PART):
            users = user[start : start + PART]
            items = np.minimum(ITEMS * rng.random(len(users)) ** 3, ITEMS - 1).astype(int) * 3 + 1
            stars = rng.integers(1, 11, len(users)) / 2
            lines = np.char.mod("%d,", users)
            for column in (np.char.mod("%d,", items), np.char.mod("%.1f,", stars)):
                lines = np.char.add(lines, column)
            lines = np.char.add(lines, np.char.mod("%d", rng.integers(789652004, 1574327703, len(users))))
            lines[rng.random(len(lines)) < bad] = "not,a,rating"
            file.write("\n".join(lines.tolist()) + "\n")


def peak() -> float:
    """The most memory that this process has held, in GiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    main()
