"""Makes the cells that are missing, one after another or several at once; what is finished stays finished."""

from __future__ import annotations

import multiprocessing.connection
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from waypost.paper.cases import Case
from waypost.paper.estimate import Clock
from waypost.paper.measuring import measure
from waypost.paper.store import Result, Store

Say = Callable[[str], None]


def distinct(cases: Iterable[Case]) -> list[Case]:
    """Each case once: a first seed of everything before the second, and those of one set and graph together."""
    by_key = {case.key: case for case in cases}
    sets = list(dict.fromkeys(case.data for case in by_key.values()))

    def place(case: Case) -> tuple[int, int, str, str, str]:
        return case.seed, sets.index(case.data), case.graph, case.entry, case.name

    return sorted(by_key.values(), key=place)


def missing(cases: Iterable[Case], store: Store) -> list[Case]:
    return [case for case in distinct(cases) if not store.path(case).exists()]


def run(cases: Sequence[Case], store: Store, jobs: int = 0, say: Say = print) -> None:
    """Fills the store. Killed at any point, it goes on from there when it is called again."""
    left = missing(cases, store)
    cores = os.cpu_count() or 1
    jobs = min(jobs or min(cores, 4), max(len(left), 1))
    clock = Clock(store, left, jobs)
    say(f"{len(distinct(cases)) - len(left)} of {len(distinct(cases))} cells are there; {clock.outlook()}")
    for done, (case, result) in enumerate(_made(left, jobs, max(cores // jobs, 1), store.folder / "partial"), 1):
        clock.tick(case)
        if isinstance(result, FloatingPointError):  # one training that diverged is no reason to lose the others
            say(f"[{done}/{len(left)}] {case.data} {case.name} is left out: {result}")
            continue
        store.put(case, result)
        say(f"[{done}/{len(left)}] {case.data} {case.name}: {result['seconds']:.0f} s; {clock.outlook()}")


def _made(
    cases: list[Case], jobs: int, threads: int, folder: Path
) -> Iterator[tuple[Case, Result | FloatingPointError]]:
    if jobs == 1:
        yield from ((case, attempt(case, threads, folder)) for case in cases)
        return
    with _threads_of_children(threads):
        # Not a fork: a copy of a process whose libraries run threads may wait for them for ever.
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _end_with_parent)
        try:
            pending = {pool.submit(attempt, case, threads, folder): case for case in cases}
            for future in as_completed(pending):
                yield pending[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def attempt(case: Case, threads: int, folder: Path) -> Result | FloatingPointError:
    """The cell, or how its training came to nothing."""
    try:
        return measure(case, threads, folder)
    except FloatingPointError as error:
        return error


def _end_with_parent() -> None:
    """A worker whose parent was killed would otherwise finish its cell for nobody, and then wait for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _threads_of_children(threads: int) -> Iterator[None]:
    """PyTorch asks the environment, once, when it is imported."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = str(threads)
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before
