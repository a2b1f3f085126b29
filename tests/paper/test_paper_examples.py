"""The examples in the modules of the paper work."""

import doctest
import importlib
import pkgutil

import pytest

import waypost.paper

MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(waypost.paper.__path__, "waypost.paper.")
    if not name.endswith("__main__")
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_work(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0
