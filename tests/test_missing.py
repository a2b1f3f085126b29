"""A test that cannot run is skipped on a user's machine, and fails where nothing may be skipped."""

import pytest
from missing import missing


@pytest.fixture(autouse=True)
def _no_word_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("WAYPOST_NO_SKIPS", raising=False)


def test_it_is_a_skip_with_the_reason() -> None:
    with pytest.raises(pytest.skip.Exception, match="no chromium"):
        missing("no chromium")


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("WAYPOST_NO_SKIPS", "1")])
def test_it_is_a_failure_where_nothing_may_be_skipped(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(pytest.fail.Exception, match="no chromium"):
        missing("no chromium")
