"""Each public name of waypost.data is documented by an example that works."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from typing import Any

import pytest

import waypost.data

for library in ("scipy", "implicit", "pyarrow"):
    pytest.importorskip(library)

MODULES = [module.name for module in pkgutil.iter_modules(waypost.data.__path__)]
NAMES = [name for name in waypost.data.__all__ if callable(getattr(waypost.data, name))]
METHODS = [
    (kind, name)
    for kind in (waypost.data.Factors, waypost.data.Ratings)
    for name, member in vars(kind).items()
    if not name.startswith("_") and (callable(member) or isinstance(member, classmethod))
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_work(module: str) -> None:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):  # the library implicit warns of more
        assert doctest.testmod(importlib.import_module(f"waypost.data.{module}")).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_each_public_name_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(waypost.data, name)) or "")


@pytest.mark.parametrize(("kind", "name"), METHODS, ids=lambda part: getattr(part, "__name__", part))
def test_each_public_method_has_an_example(kind: Any, name: str) -> None:
    assert ">>> " in (getattr(kind, name).__doc__ or "")
