"""Each public name is documented by an example that works."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import waypost as wp

MODULES = [module.name for module in pkgutil.iter_modules(wp.__path__) if not module.ispkg and module.name != "_core"]
NAMES = [name for name in wp.__all__ if inspect.isclass(getattr(wp, name)) or callable(getattr(wp, name))]
METHODS = [f"{name}.{method}" for name in ("Index", "Graph", "Router") for method in vars(getattr(wp, name))]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_work(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"waypost.{module}")).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_each_public_name_has_an_example(name: str) -> None:
    assert ">>> " in (getattr(wp, name).__doc__ or "")


@pytest.mark.parametrize("method", [method for method in METHODS if "._" not in method])
def test_each_public_method_has_an_example(method: str) -> None:
    name, member = method.split(".")
    found = inspect.getattr_static(getattr(wp, name), member)
    documented = callable(found) or isinstance(found, (property, classmethod))
    assert not documented or ">>> " in (found.__doc__ or "")


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert wp.__version__ == version("waypost")


def test_unknown_names_are_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        wp.nothing  # noqa: B018
