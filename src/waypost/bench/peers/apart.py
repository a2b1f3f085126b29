"""The runner's side of a backend in its own process: a crash or a silence there is named here, and does no harm."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

LIMITS = ("OMP", "MKL", "OPENBLAS", "BLIS", "NUMEXPR", "RAYON")
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in LIMITS} | {"VECLIB_MAXIMUM_THREADS": "1"}
MINUTES = 60.0


class Lost(Exception):
    """The backend takes no further part: it cannot be used here, its process has ended, or it gave no answer."""


class Refused(Exception):
    """The backend refused this one request, and is ready for another."""


class Apart:
    """A backend in a process of its own.

    >>> import tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("items", "training"):
    ...         np.save(Path(folder) / name, np.eye(10, dtype=np.float32))
    ...     with Apart("exact-blas", Path(folder)) as peer:
    ...         peer.ask("build", how={})["ladder"]
    [{}]
    """

    def __init__(self, name: str, folder: Path, quiet: bool = True) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "waypost.bench.peers.worker", name, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            env=os.environ | ONE_THREAD,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._answers, selectors.EVENT_READ)

    def ask(self, do: str, timeout: float = 5 * MINUTES, **details: Any) -> dict[str, Any]:
        try:
            self._requests.write(json.dumps({"do": do, **details}).encode() + b"\n")
        except BrokenPipeError:
            raise Lost(self._how_it_ended()) from None
        answer = json.loads(self._line(do, timeout))
        if "unusable" in answer:
            raise Lost(answer["unusable"])
        if "failed" in answer:
            raise Refused(answer["failed"])
        return dict(answer)

    def _line(self, do: str, timeout: float) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            if not self._selector.select(timeout):
                self.end()
                raise Lost(f"no answer to {do} within {timeout:.0f} s")
            part = os.read(self._answers.fileno(), 1 << 16)
            if not part:
                raise Lost(self._how_it_ended())
            line += part
        return line

    def _how_it_ended(self) -> str:
        code = self._process.wait()
        return f"its process ended by {signal.Signals(-code).name}" if code < 0 else f"its process ended with {code}"

    def end(self) -> None:
        self._selector.close()
        self._process.kill()
        self._process.wait()
        self._requests.close()
        self._answers.close()

    def __enter__(self) -> Apart:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
