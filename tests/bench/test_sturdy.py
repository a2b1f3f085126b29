"""What an index takes in a process of its own."""

import numpy as np
import pytest

import waypost as wp
from waypost.bench import sturdy


def test_a_process_holds_what_the_index_needs_and_little_more() -> None:
    items = np.random.default_rng(0).standard_normal((20_000, 96), dtype=np.float32)
    graph = wp.build_graph(items, kind="ip-nsw", degree=16, candidates=16, repair=True)
    index = wp.Index(items, graph, codes="int8").reordered()
    held, bare = sturdy.measured_apart(index, items[:500]), sturdy.least_bytes(index)
    assert bare == 20_000 * (384 + 96 + 4 + 64)
    assert 0.9 * bare < held < 2 * bare


def test_rounds_that_measure_nothing_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        sturdy.main(["--repeats", "0"])
    assert "pass 1 or more" in capsys.readouterr().err
