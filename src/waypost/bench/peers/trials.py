"""Tries the builds and the ladder of one backend on validation queries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from waypost.bench.peers.apart import Apart, Lost, Refused
from waypost.bench.peers.choosing import Tried

Say = Callable[[str], None]
BUILDING = 1800.0  # seconds, at most
PASS = 0.03  # seconds of a timing
FAR_BELOW = 0.9  # a rung of less recall is not timed with care


def try_out(name: str, folder: Path, kept: Path, say: Say) -> tuple[list[Tried], list[str]]:
    """What each rung of each build gave, and what went wrong on the way. `Lost` if there is nothing to try."""
    tried: list[Tried] = []
    notes: list[str] = []
    with Apart(name, folder) as peer:
        builds = peer.ask("builds")["builds"]
    for how in builds:
        with Apart(name, folder) as peer:  # a process a build: what one of them crashes, the next does not miss
            try:
                tried += _rungs(peer, how, place(kept, name, how), notes)
            except Lost as lost:
                notes.append(f"{_named(how)}: {lost}")
            except Refused as refused:
                notes.append(f"{_named(how)}: {refused}")
        say(f"{name} {_named(how)}: {_summary([one for one in tried if one.build == how])}")
    if not tried:
        raise Lost("; ".join(notes))
    return tried, notes


def _rungs(peer: Apart, how: dict[str, Any], keep: Path, notes: list[str]) -> list[Tried]:
    found = []
    for setting in peer.ask("build", timeout=BUILDING, how=how, keep=str(keep))["ladder"]:
        try:
            first = peer.ask("recall", setting=setting, queries="valid")
            speed = first["qps"]
            if first["recall"] >= FAR_BELOW:
                again = [peer.ask("batch", setting=setting, queries="valid", seconds=PASS)["qps"] for _ in range(2)]
                speed = max(speed, *again)
        except Refused as refused:
            notes.append(f"{_named(how)}, {_named(setting)}: {refused}")
            continue
        found.append(Tried(how, setting, first["recall"], speed))
    return found


def place(kept: Path, name: str, how: dict[str, Any]) -> Path:
    """Where a build of a backend is stored between the trials and the test."""
    marks = "-".join(str(value) for value in how.values())
    return kept / "-".join(filter(None, [name, marks]))


def _named(setting: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in setting.items()) or "as it is"


def _summary(tried: list[Tried]) -> str:
    if not tried:
        return "nothing"
    best = max(tried, key=lambda one: one.recall)
    return f"{len(tried)} settings, recall up to {best.recall:.3f}"
