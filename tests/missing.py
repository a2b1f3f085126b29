"""What a test needs and a user's machine may lack: there the test is skipped, with the reason; in CI it fails."""

import os
from typing import NoReturn

import pytest


def skips_fail() -> bool:
    return os.environ.get("CI") == "true" or os.environ.get("WAYPOST_NO_SKIPS") == "1"


def missing(what: str, *, module: bool = False) -> NoReturn:
    """Says what is missing and what brings it; `module` where a whole file of tests needs it."""
    if skips_fail():
        pytest.fail(what, pytrace=False)
    pytest.skip(what, allow_module_level=module)
