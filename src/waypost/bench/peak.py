"""The most memory that a process has held."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak_gib() -> float:
    """Of this process, in GiB."""
    found = _status("VmHWM")  # Linux's ru_maxrss counts what the parent held when it forked; this is the program's own
    if found is not None:
        return found
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**30 if sys.platform == "darwin" else peak / 2**20  # bytes there, KiB elsewhere


def held_gib() -> float:
    """What this process holds now; where the system does not say, the most that it has held."""
    found = _status("VmRSS")
    return peak_gib() if found is None else found


def _status(name: str) -> float | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 2**20 for line in lines if line.startswith(f"{name}:")), None)
