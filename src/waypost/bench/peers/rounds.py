"""The measured run: every backend is built, stays alive in its own process, and all are asked by turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from waypost.bench.peers.apart import Apart, Lost, Refused
from waypost.bench.peers.trials import BUILDING, Say, place

Entry = dict[str, Any]
BATCH_SECONDS = 0.1
CALLS, CALL_SECONDS = 1_000, 0.3
SETTLING = 3  # times that a shortlist is timed
TIMED = ("qps", "p50", "p99")


class Rounds:
    """Fills in the entries of the backends, which hold their builds and points as `begun` lays them out.

    Each point gets one more figure of each kind a round; only one process computes at a time.
    """

    def __init__(self, folder: Path, kept: Path, say: Say) -> None:
        self._folder, self._kept, self._say = folder, kept, say
        self._measured: dict[str, Entry] = {}
        self._alive: dict[tuple[str, int], Apart] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Rounds:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def build(self, measured: dict[str, Entry]) -> None:
        """Builds all that `measured` names, and fills in what they find."""
        self._measured = measured
        for name in list(self._measured):
            self._guarded(name, lambda name=name: self._build(name))  # type: ignore[misc]

    def _build(self, name: str) -> None:
        entry = self._measured[name]
        for number, build in enumerate(entry["builds"]):
            peer = self._stack.enter_context(Apart(name, self._folder))
            self._alive[name, number] = peer
            kept = place(self._kept, name, build["how"])
            build["seconds"] = peer.ask("build_again", timeout=BUILDING, how=build["how"], kept=str(kept))["seconds"]
            for point in self._points(name, number):
                point |= {
                    key: peer.ask("recall", setting=point["setting"], queries="test")[key]
                    for key in ("recall", "products")
                }
            build["gib"] = peer.ask("memory")["gib"]
            self._say(f"{name} built in {build['seconds']:.1f} s")
        for target in sorted({target for point in entry["points"] for target in point["targets"]}):
            self._settle(name, target)

    def _settle(self, name: str, target: float) -> None:
        """Of the shortlist for a target the fastest keeps it, by validation queries still; who has none left goes."""
        entry = self._measured[name]
        short = [point for point in entry["points"] if target in point["targets"]]
        if len(short) == 1:
            return
        speeds = [0.0] * len(short)
        for _ in range(SETTLING):
            for at, point in enumerate(short):
                peer, setting = self._alive[name, point["build"]], point["setting"]
                took = peer.ask("batch", setting=setting, queries="valid", seconds=BATCH_SECONDS)
                speeds[at] = max(speeds[at], took["qps"])
        for point, speed in zip(short, speeds, strict=True):
            if speed < max(speeds):
                point["targets"].remove(target)
        gone = [point for point in short if not point["targets"]]
        entry["points"] = [point for point in entry["points"] if not any(point is one for one in gone)]

    def once(self) -> None:
        """One round: each point of each backend once, batched; those that were chosen for a target one by one, too."""
        for name in list(self._measured):
            self._guarded(name, lambda name=name: self._ask(name))  # type: ignore[misc]

    def _ask(self, name: str) -> None:
        for point in self._measured[name]["points"]:
            peer, how = self._alive[name, point["build"]], {"setting": point["setting"], "queries": "test"}
            took = peer.ask("batch", seconds=BATCH_SECONDS, **how)
            if point["targets"]:
                took |= peer.ask("single", calls=CALLS, seconds=CALL_SECONDS, **how)
            for kind in TIMED:
                if kind in took:
                    point[kind].append(took[kind])

    def _points(self, name: str, number: int) -> list[Entry]:
        return [point for point in self._measured[name]["points"] if point["build"] == number]

    def _guarded(self, name: str, work: Callable[[], None]) -> None:
        """Whoever fails is out, and the reason stands in its place."""
        try:
            work()
        except (Lost, Refused) as error:
            self._measured[name] = {"left_out": str(error)}
            self._say(f"{name} is left out: {error}")


def begun(chosen: Sequence[Entry]) -> Entry:
    """An empty entry for points as `choosing.Point` gives them, its builds numbered."""
    builds: list[Entry] = []
    for point in chosen:
        if point["build"] not in builds:
            builds.append(point["build"])
    points = [
        {"build": builds.index(point["build"]), "setting": point["setting"], "targets": point["targets"]}
        | {kind: [] for kind in TIMED}
        for point in chosen
    ]
    return {"builds": [{"how": how} for how in builds], "points": points}
