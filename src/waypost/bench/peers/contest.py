"""One set of vectors, all the backends: choose on validation queries, then measure on test queries."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from waypost.bench.held_out import Vectors
from waypost.bench.peers.apart import Lost
from waypost.bench.peers.choosing import frontier, points
from waypost.bench.peers.record import Entry, Record
from waypost.bench.peers.rounds import Rounds, begun
from waypost.bench.peers.trials import Say, try_out
from waypost.data.catalog import cache_folder


def run(
    vectors: Vectors, names: Sequence[str], repeats: int, record: Record, say: Say, *, fresh: bool = False
) -> Entry:
    """What the record lacks is measured: choices that it holds are kept, and so are rounds unless `fresh`. No repeats
    at all only choose."""
    entry = record.of(vectors.name, vectors.mark)
    entry["about"] = _about(vectors)
    missing = [name for name in names if name not in entry["choices"]]
    if fresh or missing or not set(names) <= set(entry["measured"]):
        entry["measured"], entry["rounds"] = {}, 0
    if missing or entry["rounds"] < repeats:
        kept = cache_folder() / "against" / vectors.mark
        kept.mkdir(parents=True, exist_ok=True)
        with _laid_out(vectors) as folder:
            for name in missing:
                entry["choices"][name] = choice(name, folder, kept, say)
                record.write()
            if entry["rounds"] < repeats:
                with Rounds(folder, kept, say) as rounds:
                    _measure(entry, names, repeats, rounds, record, say)
    return entry


def choice(name: str, folder: Path, kept: Path, say: Say) -> Entry:
    try:
        tried, notes = try_out(name, folder, kept, say)
    except Lost as lost:
        say(f"{name} is left out: {lost}")
        return {"left_out": str(lost)}
    return {
        "points": [point.as_dict() for point in points(tried)],
        "notes": notes,
        "tried": [asdict(one) for one in frontier(tried)],
    }


def _measure(entry: Entry, names: Sequence[str], repeats: int, rounds: Rounds, record: Record, say: Say) -> None:
    measured: dict[str, Any] = entry["measured"]
    for name in names:
        chosen = entry["choices"][name]
        measured.setdefault(name, begun(chosen["points"]) if "points" in chosen else dict(chosen))
    racing = {name: measured[name] for name in names if "points" in measured[name]}
    rounds.build(racing)
    while entry["rounds"] < repeats:
        rounds.once()
        entry["rounds"] += 1
        measured |= racing
        record.write()
        say(f"round {entry['rounds']} of {repeats}")


def _about(vectors: Vectors) -> Entry:
    counts = {name: len(getattr(vectors, name)) for name in ("items", "training", "valid", "test")}
    return counts | {"d": vectors.items.shape[1]}


@contextmanager
def _laid_out(vectors: Vectors) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        vectors.lay_out(Path(folder))
        yield Path(folder)
