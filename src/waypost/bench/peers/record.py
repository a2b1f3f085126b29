"""All that a side-by-side run found, as one JSON file: a run that was cut off goes on, and tables are made from it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

Entry = dict[str, Any]


class Record:
    """A set's entry has `mark`, `about`, `choices` by backend, `measured` by backend and the number of its `rounds`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = Record(Path(folder) / "against.json")
    ...     record.of("gowalla", mark="m")["choices"]["hnswlib"] = {"points": []}
    ...     record.write()
    ...     Record(Path(folder) / "against.json").of("gowalla", mark="m")["choices"]
    {'hnswlib': {'points': []}}
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data: Entry = json.loads(path.read_text()) if path.exists() else {"machine": [], "sets": {}}

    def of(self, name: str, mark: str) -> Entry:
        """The entry of a set; an empty one where the file has none of these very items."""
        entry: Entry = self.data["sets"].get(name, {})
        if entry.get("mark") != mark:
            entry = {"mark": mark, "about": {}, "choices": {}, "measured": {}, "rounds": 0}
            self.data["sets"][name] = entry
        return entry

    def write(self) -> None:
        unfinished = self.path.with_name(self.path.name + ".part")
        unfinished.write_text(json.dumps(self.data, indent=1) + "\n")
        os.replace(unfinished, self.path)
