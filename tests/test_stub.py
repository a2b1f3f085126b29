"""_core.pyi is written by hand, so that it reads well; the compiled module says whether it tells the truth."""

import ast
import inspect
import operator
import re
from pathlib import Path

import pytest

import waypost
from waypost import _core

STUB = ast.parse((Path(waypost.__file__).parent / "_core.pyi").read_text())
Function = ast.FunctionDef


def functions_of(body: list[ast.stmt]) -> dict[str, list[Function]]:
    """Name to overloads."""
    found: dict[str, list[Function]] = {}
    for statement in body:
        if isinstance(statement, Function):
            found.setdefault(statement.name, []).append(statement)
    return found


def classes_of(body: list[ast.stmt]) -> dict[str, ast.ClassDef]:
    return {statement.name: statement for statement in body if isinstance(statement, ast.ClassDef)}


def is_public(name: str) -> bool:
    return not name.startswith("_") or name == "__init__"


def test_the_same_functions() -> None:
    compiled = {name for name, value in vars(_core).items() if is_public(name) and callable(value)}
    compiled -= {name for name, value in vars(_core).items() if inspect.isclass(value)}
    assert compiled == set(functions_of(STUB.body))


def test_the_same_classes_with_the_same_methods() -> None:
    compiled = {name: value for name, value in vars(_core).items() if inspect.isclass(value) and is_public(name)}
    stubbed = classes_of(STUB.body)
    assert set(compiled) == set(stubbed)
    for name, value in compiled.items():
        methods = {method for method in vars(value) if is_public(method)}
        assert methods == set(functions_of(stubbed[name].body)), f"methods of {name}"


Arguments = list[tuple[str, object]]
NO_DEFAULT = "no default"


def arguments_of(function: Function) -> Arguments:
    spec = function.args
    positional: list[ast.expr | None] = [None] * (len(spec.args) - len(spec.defaults)) + list(spec.defaults)
    pairs = zip([*spec.args, *spec.kwonlyargs], [*positional, *spec.kw_defaults], strict=True)
    return [(name.arg, NO_DEFAULT if default is None else ast.literal_eval(default)) for name, default in pairs]


def compiled_arguments_of(function: object) -> Arguments:
    """What nanobind itself says: a signature with the types in brackets, and \\N for the N-th default."""
    (text, _, defaults), *overloads = function.__nb_signature__  # type: ignore[attr-defined]
    assert not overloads
    while (plain := re.sub(r"\[[^\[\]]*\]", "", text)) != text:
        text = plain
    signature = ast.parse(re.sub(r"\\(\d+)", r"\1", text) + ": ...").body[0]
    assert isinstance(signature, Function)
    numbered = arguments_of(signature)
    return [(name, NO_DEFAULT if at == NO_DEFAULT else (defaults or ())[int(str(at))]) for name, at in numbered]


def stubbed() -> dict[str, list[Function]]:
    """Functions and, as "Class.method", methods."""
    found = functions_of(STUB.body)
    for owner, stub in classes_of(STUB.body).items():
        found |= {f"{owner}.{name}": overloads for name, overloads in functions_of(stub.body).items()}
    return found


@pytest.mark.parametrize("name", sorted(stubbed()))
def test_the_same_arguments_and_defaults(name: str) -> None:
    first, *others = stubbed()[name]
    compiled = operator.attrgetter(name)(_core)
    assert arguments_of(first) == compiled_arguments_of(compiled)
    for overload in others:
        assert [argument for argument, _ in arguments_of(overload)] == [argument for argument, _ in arguments_of(first)]
