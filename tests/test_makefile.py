"""The chores: each that is named has something to do."""

import re
from pathlib import Path

MAKEFILE = (Path(__file__).parents[1] / "Makefile").read_text()


def test_every_chore_has_a_rule_and_says_what_it_does() -> None:
    named = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[0].split()
    told = re.findall(r"^([a-z-]+):.*## \S", MAKEFILE, re.MULTILINE)
    parts = {"sanitize-address", "sanitize-thread", "portable-clang", "portable-arm"}  # of chores that are told
    assert set(named) - parts == set(told)
    for part in parts:
        assert re.search(rf"^{part}.*:.*$", MAKEFILE, re.MULTILINE)
