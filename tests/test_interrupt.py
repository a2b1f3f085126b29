"""Ctrl-C stops long native work within a second, and nothing is left running."""

import subprocess
import sys

import pytest

WORK = {
    "build": 'wp.build_graph(items, "l2-nsw")',
    "exact search": "wp.exact_search(items, items, k=10)",
    "search": "wp.Index(items, wp.Graph('any', 4, links, entry=0)).search(items, budget=5000)",
}

RUN = """
import os, signal, threading, time
import numpy as np
import waypost as wp

rng = np.random.default_rng(0)
items = rng.standard_normal((200_000, 64), dtype=np.float32)
links = rng.integers(0, len(items), (len(items), 4)).astype(np.int32)
sent = []

def interrupt():
    time.sleep(0.7)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    {work}
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
"""


@pytest.mark.parametrize("work", WORK)
def test_ctrl_c_stops_within_a_second(work: str) -> None:
    run = RUN.replace("{work}", WORK[work])
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout, "the work ended before it was interrupted"
    assert float(done.stdout) < 1
