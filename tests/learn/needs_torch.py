"""Imported first by tests that train: without torch they are skipped on a user's machine, and fail in CI."""

from importlib.util import find_spec

from missing import missing

if find_spec("torch") is None:
    missing("torch is missing; pip install 'waypost[train]' to test training", module=True)

import torch

torch.set_num_threads(1)  # on graphs this small, threads only wait for each other
