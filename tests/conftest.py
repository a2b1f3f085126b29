"""What all tests share."""

import os
from pathlib import Path

import pytest
from missing import missing


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real ratings that WAYPOST_DATA names. Without it such tests are skipped, but in CI they fail."""
    named = os.environ.get("WAYPOST_DATA", "")
    if named and Path(named).is_dir():
        return Path(named)
    reason = f"WAYPOST_DATA is {named!r}, which is no folder" if named else "WAYPOST_DATA is not set"
    missing(f"{reason}; set it to the folder that holds the real ratings")
