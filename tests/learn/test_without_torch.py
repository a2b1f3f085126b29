"""What is learned without PyTorch, and what says that it needs it."""

import subprocess
import sys

PROGRAM = """
import sys, warnings
sys.modules["torch"] = None
import numpy as np
import waypost as wp
rng = np.random.default_rng(0)
items, queries = (rng.standard_normal((n, 8), dtype=np.float32) for n in (300, 200))
graph = wp.build_graph(items, "ip-nsw", degree=4, candidates=10)
warnings.simplefilter("ignore")
router = wp.train_router(items, graph, queries, None, wp.TrainConfig({settings}))
print(wp.Index(items, graph, router).search(queries, k=3, budget=40).ids.shape)
"""


def run(settings: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", PROGRAM.format(settings=settings)], capture_output=True, text=True)


def test_a_bias_is_learned_without_torch() -> None:
    done = run("steps=4, batch=32, budget=40")
    assert done.stdout == "(200, 3)\n", done.stderr


def test_an_agent_names_the_extra_that_it_needs() -> None:
    done = run("learner='reinforce', steps=4, budget=40")
    assert done.returncode != 0
    assert "ImportError: learner 'reinforce' needs torch; run pip install 'waypost[train]'." in done.stderr


def test_so_does_a_bias_that_the_gcn_computes() -> None:
    done = run("head='bias', steps=4, budget=40")
    assert done.returncode != 0
    assert "ImportError: head 'bias' needs torch; run pip install 'waypost[train]'." in done.stderr
