"""One call chooses everything, keeps its promise, and says where it cannot."""

import doctest
import importlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import waypost as wp
from waypost.fitting.ways import Way

N, D = 2_000, 16
RNG = np.random.default_rng(0)
ITEMS = (RNG.standard_normal((N, D)) * RNG.lognormal(0, 0.4, (N, 1))).astype(np.float32)
QUERIES = RNG.standard_normal((3_500, D)).astype(np.float32)
KNOWN, UNSEEN = QUERIES[:2_500], QUERIES[2_500:]
TRUTH = wp.exact_search(ITEMS, UNSEEN, k=10).ids


def of(index: wp.Index) -> float:
    return wp.recall(index.search(UNSEEN).ids, TRUTH)


@pytest.mark.parametrize("module", ["choose", "sides", "ways", "workshop"])
def test_the_examples_work(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"waypost.fitting.{module}")).failed == 0


@pytest.fixture(scope="module")
def fitted() -> tuple[wp.Index, list[wp.Trial]]:
    trials: list[wp.Trial] = []
    return wp.fit(ITEMS, KNOWN, 0.95, watch=trials.append), trials


def test_the_promise_holds_on_unseen_queries(fitted: tuple[wp.Index, list[wp.Trial]]) -> None:
    assert of(fitted[0]) >= 0.94


def test_what_was_tried_is_shown(fitted: tuple[wp.Index, list[wp.Trial]]) -> None:
    tried = {trial.what for trial in fitted[1]}
    for word in ("united", "ip-nsw", "moebius", "int8", "learned", "32 entries"):
        assert any(word in what for what in tried), word
    timed = [trial for trial in fitted[1] if trial.microseconds is not None]
    assert any(trial.settings == fitted[0].settings for trial in timed)


def test_no_item_is_lost(fitted: tuple[wp.Index, list[wp.Trial]]) -> None:
    assert fitted[0].graph.reachable() == 1.0


def test_the_choice_is_kept_in_the_file(fitted: tuple[wp.Index, list[wp.Trial]], tmp_path: object) -> None:
    index = fitted[0]
    index.save(f"{tmp_path}/fitted.waypost")
    again = wp.Index.load(f"{tmp_path}/fitted.waypost")
    assert again.settings == index.settings
    np.testing.assert_array_equal(again.search(UNSEEN).ids, index.search(UNSEEN).ids)


def test_a_learned_router_only_where_it_wins(fitted: tuple[wp.Index, list[wp.Trial]]) -> None:
    index, trials = fitted
    chosen = next(t for t in trials if t.microseconds is not None and t.settings == index.settings)
    assert (index.router.bias is not None) == ("learned" in chosen.what)
    assert wp.fit(ITEMS, KNOWN, 0.95, learned=False).router.bias is None


def test_very_many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kinds are screened on some of the items, and what learns goes without true answers."""
    monkeypatch.setattr("waypost.fitting.choose.MOST_SCREENED", 500)
    monkeypatch.setattr("waypost.fitting.workshop.MOST_EXACT", 0)
    assert of(wp.fit(ITEMS, KNOWN, 0.9)) >= 0.89


def test_own_ids() -> None:
    index = wp.fit(ITEMS, KNOWN, 0.8, ids=[f"item {row}" for row in range(N)], learned=False)
    assert index.search(UNSEEN[:1]).ids[0, 0].startswith("item ")


def test_memory_is_kept_to() -> None:
    least = Way("united", 12, 100).bytes(N, D)
    index = wp.fit(ITEMS, KNOWN, 0.8, max_bytes=least)
    assert index.items.nbytes + index.graph.bytes <= least
    assert index.router.bias is None


def test_too_little_memory_is_told() -> None:
    with pytest.raises(
        ValueError, match="^max_bytes is 1000, below the 256000 of these items with the sparsest graph; "
    ):
        wp.fit(ITEMS, KNOWN, max_bytes=1000)


def test_a_time_out_of_reach_is_told() -> None:
    with pytest.warns(UserWarning, match="^no search keeps to 0.001 microseconds: the quickest takes "):
        wp.fit(ITEMS, KNOWN, 0.95, max_time_us=0.001, learned=False)


def test_too_few_queries_are_told() -> None:
    with pytest.warns(UserWarning, match="^30 different validation queries tell the recall of "):
        wp.fit(ITEMS, KNOWN[:30], 0.9)


@pytest.mark.parametrize("n", [1, 2, 5, 30])
@pytest.mark.filterwarnings("ignore")
def test_few_items(n: int) -> None:
    index = wp.fit(ITEMS[:n], KNOWN[:600], 0.95, k=min(n, 10))
    assert wp.recall(index.search(UNSEEN, k=1).ids, index.exact(UNSEEN, k=1).ids) >= 0.94


@pytest.mark.parametrize("queries", [np.zeros((400, D)), np.ones((400, D))], ids=["zero", "constant"])
@pytest.mark.filterwarnings("ignore")
def test_constant_and_zero_queries(queries: np.ndarray) -> None:
    index = wp.fit(ITEMS[:300], queries, 0.95)
    assert index.search(queries[:1]).ids.min() >= 0


def test_a_zero_query_among_others() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        index = wp.fit(ITEMS[:300], np.concatenate([np.zeros((5, D), np.float32), KNOWN[:700]]), 0.95)
    assert len(index) == 300


def test_a_wrong_width() -> None:
    with pytest.raises(ValueError, match="^queries has 15 columns where items has 16; give both the same width.$"):
        wp.fit(ITEMS, KNOWN[:, 1:])


RUN = """
import os, signal, threading, time
import numpy as np
import waypost as wp
rng = np.random.default_rng(0)
items = rng.standard_normal((60_000, 48), dtype=np.float32)
queries = rng.standard_normal((5_000, 48), dtype=np.float32)
sent = []
def interrupt():
    time.sleep(1.5)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    wp.fit(items, queries, 0.99)
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
"""


def test_ctrl_c_stops_it() -> None:
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout, "the fit ended before it was interrupted"
    assert float(done.stdout) < 2
