"""What holds for every command: errors in one line, exit codes, and warnings as notes."""

import errno
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

BAD_INPUT = 2
INTERRUPTED = 130
DEBUG = "WAYPOST_DEBUG"  # set, it shows where an error comes from


class Shell(TyperGroup):
    """Runs a command; whatever is wrong with what it was given becomes one line on stderr and the exit code 2."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        extra["standalone_mode"] = False
        try:
            with _warnings_as_notes():
                code = super().main(args, prog_name, **extra)
                sys.stdout.flush()
        except Exception as error:
            if isinstance(error, BrokenPipeError) or getattr(error, "errno", None) == errno.EPIPE:
                _leave_quietly()
            if os.environ.get(DEBUG):
                raise
            code = _code_of(error)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise stopped("stopped.") from None


def _code_of(error: Exception) -> int:
    if hasattr(error, "format_message"):  # an option or argument that typer refuses
        return _said(_usage(error), BAD_INPUT)
    if isinstance(error, OSError) and error.strerror:
        named = f"{error.filename}: " if error.filename is not None else ""
        return _said(f"{named}{error.strerror}.", BAD_INPUT)
    if isinstance(error, MemoryError):
        return _said("there is not enough memory for this.", 1)
    if isinstance(error, (ValueError, TypeError, ImportError, OSError)):
        return _said(str(error), BAD_INPUT)
    raise error


def _usage(error: Any) -> str:
    message = " ".join(error.format_message().split())
    path = error.ctx.command_path if getattr(error, "ctx", None) is not None else "waypost"
    return f"{message.rstrip('.')}; see {path} --help."


def _said(message: str, code: int) -> int:
    line = _in_options(" ".join(message.split()))
    print(f"waypost: {line}", file=sys.stderr)
    return code


def _in_options(message: str) -> str:
    """The library speaks of arguments where the shell has options: user= is --user.

    >>> _in_options("no column is known as the user; pass user= one of a, b.")
    'no column is known as the user; pass --user one of a, b.'
    """
    return re.sub(
        r"\b(user|item|rating|column|key|delimiter|format|min_user|min_item|strict)=(?=[ ,])", _option, message
    )


def _option(argument: re.Match[str]) -> str:
    return f"--{argument[1].replace('_', '-')}"


def _leave_quietly() -> None:
    """Whoever read our output has enough, as `head` has; nothing more can be said."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _note_warning
        yield


def _note_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"note: {message}", file=sys.stderr)


def stopped(message: str) -> typer.Exit:
    """To be raised after work was kept."""
    return typer.Exit(_said(message, INTERRUPTED))
