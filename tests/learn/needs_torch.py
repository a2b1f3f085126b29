"""Imported first by tests that train: without torch they are skipped on a user's machine, and fail in CI."""

import os
from importlib.util import find_spec

import pytest

if find_spec("torch") is None:
    if os.environ.get("CI") == "true":
        pytest.fail("torch is missing; CI installs the train extra", pytrace=False)
    pytest.skip("torch is missing; pip install 'waypost[train]' to test training", allow_module_level=True)

import torch

torch.set_num_threads(1)  # on graphs this small, threads only wait for each other
