"""Bars with the time left, on stderr and on a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int | None], None]


@contextmanager
def bar(what: str, *, bytes: bool = False) -> Iterator[Progress]:
    """A function of (done, total) that moves a bar; where nobody looks, one that does nothing."""
    if not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    counted = DownloadColumn() if bytes else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), counted, TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None)

        def move(done: int, total: int | None) -> None:
            bars.update(task, completed=done, total=total)

        yield move


def _nothing(done: int, total: int | None) -> None:
    pass
