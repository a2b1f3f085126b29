"""Random calls for as long as one likes: shapes, types, graphs, routers, filters, budgets and pools, good and bad.

`python tools/fuzz.py --seconds 600` ends with an error at the first call that fails otherwise than by a ValueError or a
TypeError in a sentence, or whose answers cannot be right. `--seed N --rounds 1` repeats the round that it names.
"""

from __future__ import annotations

import argparse
import faulthandler
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import waypost as wp

TYPES = (np.float32, np.float32, np.float32, np.float64, np.float16, np.int8, np.int64, np.uint8, bool)
KINDS = tuple(wp.KINDS)
ENTRIES = ("largest-norm", "first", "random", ("largest-norm", 3), ("random", 70), 0, -1, 10**9, "nowhere", [[0, 1]])


class Round:
    """One index and some calls of it, all drawn from one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def run(self) -> int:
        """How many calls were answered."""
        rng = self.rng
        n, d = int(rng.choice([1, 2, 3, 17, 64, 65, 300, 700])), int(rng.choice([1, 2, 3, 7, 16, 17, 33, 96, 130]))
        items = self.vectors(n, d)
        index = self.refused_or(lambda: self.index(items))
        if index is None:
            return 0
        return sum(self.refused_or(lambda: self.search(index, d)) is not None for _ in range(12))

    def refused_or(self, call: Callable[[], Any]) -> Any:
        """What a call gives, or None where it was refused in a sentence."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                return call()
        except (ValueError, TypeError) as error:
            if not str(error).endswith((".", "?")):
                raise AssertionError(f"no sentence: {error!r}") from error
            return None

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def vectors(self, n: int, d: int) -> Any:
        rng = self.rng
        scale = float(rng.choice([1, 1, 1, 1e-30, 1e20, 0]))
        values = rng.standard_normal((n, d)) * scale * rng.lognormal(0, rng.choice([0, 1, 3]), (n, 1))
        if self.chance(0.2):
            values = np.repeat(values[: max(n // 4, 1)], 4, axis=0)[:n]
        if self.chance(0.03):
            values[rng.integers(len(values)), rng.integers(d)] = rng.choice([np.nan, np.inf, -np.inf])
        with np.errstate(all="ignore"):
            made = values.astype(np.float32)
            if self.chance(0.3):
                made = made.astype(rng.choice(np.array(TYPES, object)))
        if self.chance(0.2):
            made = np.asfortranarray(made)
        if self.chance(0.1):
            made = np.concatenate([made, made], axis=1)[:, ::2]
        return made.tolist() if self.chance(0.03) else made

    def index(self, items: Any) -> wp.Index:
        rng, n = self.rng, len(items)
        degree = int(rng.choice([1, 2, 8, 16, 40]))
        graph = wp.build_graph(
            items,
            str(rng.choice(KINDS)),
            degree=degree,
            candidates=degree + int(rng.integers(30)),
            seed=int(rng.integers(9)),
            repair=self.chance(0.5),
            threads=int(rng.integers(4)),
        )
        if self.chance(0.1):  # as a damaged file may hold it
            spoilt = rng.integers(-(2**31), 2**31 - 1, graph.neighbors.shape).astype(np.int32)
            graph = wp.Graph(graph.kind, degree, np.where(rng.random(spoilt.shape) < 0.1, spoilt, graph.neighbors), 0)
        width = int(np.asarray(items).shape[1])
        ids = [None, None, rng.permutation(n), rng.permutation(n) * 10**9 - 7, [f"item {i}" for i in range(n)]]
        made = wp.Index(
            items,
            graph,
            self.router(n, width),
            ids=ids[rng.integers(len(ids))],
            codes="int8" if self.chance(0.4) else None,
            settings=wp.SearchSettings(pool=int(rng.integers(1, 200))) if self.chance(0.3) else None,
        )
        return made.reordered() if self.chance(0.2) else made

    def router(self, n: int, d: int) -> wp.Router | None:
        rng = self.rng
        if self.chance(0.5):
            return None
        codebook = wp.Codebook(rng.standard_normal((3, d)).astype(np.float32), rng.integers(0, n, (3, 2)))
        bias = rng.standard_normal((4 if self.chance(0.5) else 1, n)).astype(np.float32)
        choices = (
            {"bias": bias[:1]},
            {"bias": bias, "codebook": codebook},
            {"codebook": codebook},
            {"vectors": rng.standard_normal((n, d)).astype(np.float32)},
            {"vectors": rng.standard_normal((n, 5)), "query_matrix": rng.standard_normal((5, d))},
        )
        return wp.Router(**choices[rng.integers(len(choices))])

    def search(self, index: wp.Index, d: int) -> wp.Answer:
        rng, n = self.rng, len(index)
        m = int(rng.choice([1, 1, 2, 5, 70]))
        queries = self.vectors(m, d if self.chance(0.97) else d + 1)
        m = len(queries)
        options: dict[str, Any] = {"threads": int(rng.integers(4))}
        k = int(rng.choice([1, 2, 10, 10, n, n + 1, 0]))
        for name, values in (
            ("budget", (1, 5, 64, 256, 10**6, 0, -1, 2**70)),
            ("pool", (1, 10, 64, 1000, 2**40, 0)),
            ("rerank", (0, 1, 10, 32, 500, -1)),
            ("entry", ENTRIES),
            ("complete", (False,)),
        ):
            if self.chance(0.3):
                options[name] = values[rng.integers(len(values))]
        if self.chance(0.5):
            options["exclude"] = self.excluded(index, m)
        if self.chance(0.2):
            options["allow"] = self.ids_of(index, int(rng.integers(n + 1)))
        answer = index.search(queries, k, **options)
        self.check(index, answer, m, k, options)
        if self.chance(0.2):
            exact = index.exact(queries, k, exclude=options.get("exclude"), allow=options.get("allow"))
            assert exact.ids.shape == answer.ids.shape
        return answer

    def ids_of(self, index: wp.Index, count: int) -> Any:
        rng, n = self.rng, len(index)
        rows = rng.integers(0, n, count)
        ids = rows if index.ids is None else index.ids[rows]
        if self.chance(0.05):
            return [*ids.tolist(), rng.choice(np.array([n + 10**12, "none", -2, 0.5, None], object))]
        return ids if self.chance(0.5) else ids.tolist()

    def excluded(self, index: wp.Index, m: int) -> Any:
        rng, n = self.rng, len(index)
        if self.chance(0.3):
            return self.ids_of(index, int(rng.integers(n + 1)))
        lists = [
            self.ids_of(index, int(rng.integers(min(n, 50) + 1))) for _ in range(m if self.chance(0.95) else m + 1)
        ]
        if self.chance(0.6):
            return lists
        matrix = Matrix(rng, m, n)
        if self.chance(0.1):
            matrix.spoil(rng)
        return matrix

    def check(self, index: wp.Index, answer: wp.Answer, m: int, k: int, options: dict[str, Any]) -> None:
        assert answer.ids.shape == answer.scores.shape == (m, k)
        assert (answer.cost >= 0).all()
        missing = None if index.ids is not None and index.ids.dtype == object else -1
        exclude, allow = options.get("exclude"), options.get("allow")
        known = None if index.ids is None else set(index.ids.tolist())
        for at, found in enumerate(answer.ids.tolist()):
            real = [one for one in found if one != missing]
            assert len(set(real)) == len(real), "an answer is given twice"
            assert known is None or known.issuperset(real)
            scores = answer.scores[at][: len(real)]
            scores = scores[np.isfinite(scores)]  # products may overflow
            assert (scores[:-1] >= scores[1:]).all(), "answers are out of order"
            if allow is not None:
                assert set(real) <= set(np.asarray(allow, object).tolist())
            if isinstance(exclude, list) and len(exclude) == m and isinstance(exclude[0], (list, np.ndarray)):
                assert not set(real) & set(np.asarray(exclude[at], object).tolist()), "an excluded item is answered"
        if exclude is None and allow is None and isinstance(options.get("budget"), int) and "pool" not in options:
            assert (answer.cost <= options["budget"]).all(), "a search cost more than its budget"


class Matrix:
    """What a scipy CSR matrix is told by."""

    def __init__(self, rng: np.random.Generator, m: int, n: int) -> None:
        self.shape = (m, n)
        counts = rng.integers(0, min(n, 40) + 1, m)
        self.indptr = np.concatenate([[0], np.cumsum(counts)]).astype(rng.choice([np.int32, np.int64]))
        self.indices = rng.integers(0, n, counts.sum()).astype(rng.choice([np.int32, np.int64]))

    def spoil(self, rng: np.random.Generator) -> None:
        which = int(rng.integers(4))
        if which == 0 and self.indices.size:
            self.indices[rng.integers(self.indices.size)] = rng.choice([-1, self.shape[1], 2**31 - 1])
        elif which == 1:
            self.indptr[rng.integers(self.indptr.size)] = rng.choice([-1, 10**9])
        elif which == 2:
            self.indptr = self.indptr[:-1]
        else:
            self.shape = (self.shape[0] + 1, self.shape[1])


def fuzz(seconds: float, seed: int, rounds: int | None = None) -> tuple[int, int]:
    """Rounds and answered calls within the time."""
    begin, done, answered = time.monotonic(), 0, 0
    while done != rounds and (rounds is not None or time.monotonic() - begin < seconds):
        try:
            answered += Round(seed + done).run()
        except BaseException:
            print(f"round of --seed {seed + done}")
            raise
        done += 1
    return done, answered


def main() -> None:
    faulthandler.enable()
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int)
    options = parser.parse_args()
    rounds, answered = fuzz(options.seconds, options.seed, options.rounds)
    print(f"{rounds:,} rounds, {answered:,} calls answered, no crash")


if __name__ == "__main__":
    main()
