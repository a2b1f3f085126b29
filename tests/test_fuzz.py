"""A few rounds of the fuzz run; `make fuzz` does ten minutes of it."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz", Path(__file__).parent.parent / "tools" / "fuzz.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_random_calls_are_answered_or_refused_in_a_sentence() -> None:
    rounds, answered = tool().fuzz(seconds=0, seed=1, rounds=12)
    assert rounds == 12
    assert answered > 20


def test_a_wrong_answer_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    fuzz = tool()
    plain = fuzz.wp.Index.search

    def unfiltered(self: object, *given: object, **options: object) -> object:
        options.pop("exclude", None)
        return plain(self, *given, **options)

    monkeypatch.setattr(fuzz.wp.Index, "search", unfiltered)
    with pytest.raises(AssertionError, match="an excluded item is answered"):
        fuzz.fuzz(seconds=0, seed=1, rounds=40)
