"""docs/benchmarks.md: several commands measure, each writes its own part of the page and leaves the others alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from waypost.bench.tables import Table

HEAD = """# Benchmarks

Each part is written by the command that it names; edits within a part are lost when it is measured again.
"""


def write_part(path: Path, name: str, about: str, tables: Sequence[Table]) -> None:
    """Puts the part `name` in its place on the page: where it stood before, or at the end.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = Path(folder) / "benchmarks.md"
    ...     for mark in ("first", "second"):
    ...         write_part(page, "core", f"# Core\\n\\nThe {mark} run.", [])
    ...     page.read_text().count("# Core"), "second" in page.read_text()
    (1, True)
    """
    page = path.read_text() if path.exists() else HEAD
    body = "\n\n".join([about.strip(), *(table.as_markdown() for table in tables)])
    part = f"<!-- begin {name} -->\n\n{body}\n\n<!-- end {name} -->\n"
    place = re.compile(rf"<!-- begin {re.escape(name)} -->\n.*<!-- end {re.escape(name)} -->\n", re.DOTALL)
    page = place.sub(lambda _: part, page) if place.search(page) else f"{page.rstrip()}\n\n{part}"
    path.write_text(page)
