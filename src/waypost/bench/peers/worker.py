"""One backend in a process of its own, on one thread, asked over its standard input: a line of JSON in, one out.

`python -m waypost.bench.peers.worker NAME FOLDER`: the folder holds items.npy, training.npy, and for each set of
queries NAME.npy with NAME-truth.npy.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import waypost as wp
from waypost.bench.peak import held_gib, peak_gib
from waypost.bench.peers import PEERS, Peer, Unusable
from waypost.bench.peers.peer import Floats, Kept, needed

K = 10
WARM_CALLS = 20
FEWEST_CALLS = 100
FEWEST_QUERIES = 200


class Worker:
    """Answers each request by what it measured."""

    def __init__(self, peer: type[Peer], folder: Path) -> None:
        for module in peer.modules:
            needed(module, peer.install)
        self._type, self._folder = peer, folder
        self._peer: Peer
        self._queries: dict[str, tuple[Floats, Any]] = {}
        self._bare = held_gib()  # the interpreter with the library: not counted as memory of the index
        self._when_built = 0.0  # the memory that building took, where another process built
        self._items, self._training = self._load("items"), self._load("training")

    def _load(self, name: str) -> Any:
        return np.load(self._folder / f"{name}.npy")

    def _asked(self, name: str) -> tuple[Floats, Any]:
        if name not in self._queries:
            self._queries[name] = self._load(name), self._load(f"{name}-truth")
        return self._queries[name]

    def builds(self) -> dict[str, Any]:
        return {"builds": [dict(how) for how in self._type.builds(*self._items.shape)]}

    def build(self, how: dict[str, Any], keep: str | None = None) -> dict[str, Any]:
        """Builds; with `keep` a backend that can be stored is stored there."""
        self._peer = self._type()
        start = time.perf_counter()
        self._peer.build(self._items, self._training, **how)
        seconds = time.perf_counter() - start
        if keep and isinstance(self._peer, Kept):
            self._peer.save(Path(keep))
            _beside(keep).write_text(json.dumps({"seconds": seconds, **self.memory()}))
        return {"seconds": seconds, "ladder": [dict(rung) for rung in self._peer.ladder()]}

    def build_again(self, how: dict[str, Any], kept: str) -> dict[str, Any]:
        """What was stored there, if something was; else builds."""
        if not (issubclass(self._type, Kept) and Path(kept).exists() and _beside(kept).exists()):
            return self.build(how, kept)
        peer = self._type()
        peer.load(Path(kept))
        self._peer = peer
        built = json.loads(_beside(kept).read_text())
        self._when_built = built["gib"]
        return {"seconds": built["seconds"]}

    def recall(self, setting: dict[str, Any], queries: str) -> dict[str, Any]:
        self._peer.use(**setting)
        asked, truth = self._asked(queries)
        start = time.perf_counter()
        found = np.asarray(self._peer.search(asked, K))
        took = time.perf_counter() - start
        if found.shape != (len(asked), K):
            raise ValueError(f"it gave answers of shape {found.shape} to {len(asked)} queries.")
        recall = wp.recall(found.astype(np.int64), truth)
        return {"recall": recall, "qps": len(asked) / took, "products": self._peer.products(asked[:200], K)}

    def batch(self, setting: dict[str, Any], queries: str, seconds: float) -> dict[str, Any]:
        """Queries a second, many asked in one call, again and again for so many seconds: all of them where that takes
        no longer, else as many as it allows."""
        self._peer.use(**setting)
        asked = self._asked(queries)[0]
        start = time.perf_counter()
        self._peer.search(asked[:FEWEST_QUERIES], K)
        each = (time.perf_counter() - start) / len(asked[:FEWEST_QUERIES])
        asked = asked[: max(FEWEST_QUERIES, int(seconds / each))]
        passes, start = 0, time.perf_counter()
        while passes == 0 or time.perf_counter() - start < seconds:
            self._peer.search(asked, K)
            passes += 1
        return {"qps": passes * len(asked) / (time.perf_counter() - start)}

    def single(self, setting: dict[str, Any], queries: str, calls: int, seconds: float) -> dict[str, Any]:
        """Microseconds of a call with one query: the 50th and the 99th percentile of so many calls, or of fewer where
        they take longer than so many seconds."""
        self._peer.use(**setting)
        asked = list(self._asked(queries)[0])
        search, clock, took = self._peer.search_one, time.perf_counter_ns, []
        for query in asked[:WARM_CALLS]:
            search(query, K)
        end = clock() + int(1e9 * seconds)
        for at in range(calls):
            query = asked[at % len(asked)]
            start = clock()
            search(query, K)
            stop = clock()
            took.append(stop - start)
            if stop > end and at + 1 >= FEWEST_CALLS:
                break
        p50, p99 = np.percentile(np.array(took) / 1e3, [50, 99])
        return {"p50": float(p50), "p99": float(p99), "calls": len(took)}

    def alike(self, setting: dict[str, Any], queries: str) -> dict[str, Any]:
        """The share of a query's answers that it gets as well when it is asked alone."""
        self._peer.use(**setting)
        asked = self._asked(queries)[0]
        alone = np.array([self._peer.search_one(query, K) for query in asked], np.int64)
        return {"share": wp.recall(alone, np.asarray(self._peer.search(asked, K)).astype(np.int64))}

    def memory(self) -> dict[str, Any]:
        """GiB at the peak, beyond the bare interpreter with the library: items, index, and what building took."""
        return {"gib": max(self._when_built, peak_gib() - self._bare)}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints must not get among the answers
    name, folder = sys.argv[1:]
    _stay_on_one_core()
    worker: Worker | None = None
    for line in sys.stdin:
        request = json.loads(line)
        do = request.pop("do")
        try:
            worker = worker or Worker(PEERS[name], Path(folder))
            answer = _method(worker, do)(**request)
        except Unusable as reason:
            answer = {"unusable": str(reason)}
        except Exception as error:  # a library's refusal of one setting: its next may do
            answer = {"failed": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def _beside(path: str) -> Path:
    """The file that says what building took."""
    return Path(f"{path}.json")


def _method(worker: Worker, do: str) -> Callable[..., dict[str, Any]]:
    method: Callable[..., dict[str, Any]] = getattr(worker, do)
    return method


def _stay_on_one_core() -> None:
    """So that a library that starts threads all the same gains nothing by them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


if __name__ == "__main__":
    main()
