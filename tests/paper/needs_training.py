"""Imported by tests that train: without what that needs they are skipped on a user's machine, and fail in CI."""

import os
from importlib.util import find_spec

import pytest

missing = [name for name in ("torch", "implicit", "matplotlib") if find_spec(name) is None]
if missing:
    reason = f"{', '.join(missing)} missing; pip install 'waypost[train,data,report]' to test the paper's tables"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)

import torch  # noqa: E402

torch.set_num_threads(1)  # on graphs this small, threads only wait for each other
