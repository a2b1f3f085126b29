"""Telling that Ctrl-C was pressed, where the work itself takes it as a wish to end well."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interruption:
    """Whether Ctrl-C was pressed inside `noticed_interruption`."""

    happened = False


@contextmanager
def noticed_interruption() -> Iterator[Interruption]:
    """For work that ends well on Ctrl-C and so does not tell of it.

    >>> with noticed_interruption() as interruption:
    ...     pass  # such as a training, which returns the best so far
    >>> interruption.happened
    False
    """
    noticed = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield noticed
        return
    before = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: FrameType | None) -> None:
        noticed.happened = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handle)
    try:
        yield noticed
    finally:
        signal.signal(signal.SIGINT, before)
