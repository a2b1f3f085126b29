"""Every instruction set this processor has: the same graphs and answers, up to rounding."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from waypost import _core

RUN = """
import sys
import numpy as np
import waypost as wp
from waypost import _core

assert _core.kernels() == sys.argv[1]
rng = np.random.default_rng(0)
items = (rng.standard_normal((1500, 27)) * rng.lognormal(0, 0.4, (1500, 1))).astype(np.float32)
queries = rng.standard_normal((100, 27), dtype=np.float32)
truth = wp.exact_search(items, queries, k=10)
found = {"exact": truth.ids, "exact_scores": truth.scores}
for kind in wp.KINDS:
    graph = wp.build_graph(items, kind, degree=12, candidates=40, repair=True)
    answer = wp.Index(items, graph).search(queries, k=10, budget=300)
    found |= {f"{kind}_graph": graph.neighbors, f"{kind}_ids": answer.ids, f"{kind}_scores": answer.scores}
np.savez(sys.argv[2], **found)
"""


def run_with(kernels: str, folder: Path) -> dict[str, np.ndarray]:
    path = folder / f"{kernels}.npz"
    subprocess.run(
        [sys.executable, "-c", RUN, kernels, str(path)], check=True, env=os.environ | {"WAYPOST_KERNELS": kernels}
    )
    with np.load(path) as stored:
        return dict(stored)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, np.ndarray]]:
    folder = tmp_path_factory.mktemp("kernels")
    return {name: run_with(name, folder) for name in _core.available_kernels()}


def test_generic_kernels_run_everywhere() -> None:
    assert _core.available_kernels()[0] == "generic"


def test_all_kernels_give_the_same_answers_up_to_rounding(results: dict[str, dict[str, np.ndarray]]) -> None:
    plain = results["generic"]
    for name, found in results.items():
        for key, expected in plain.items():
            if key.endswith("scores"):
                np.testing.assert_allclose(found[key], expected, rtol=1e-4, atol=1e-4, err_msg=f"{name} {key}")
            else:
                assert np.mean(found[key] == expected) > 0.99, f"{name} {key}"


def test_those_that_fuse_multiplication_and_addition_agree_to_the_last_bit(
    results: dict[str, dict[str, np.ndarray]],
) -> None:
    fused = [found for name, found in results.items() if name != "generic"]
    if len(fused) < 2:
        pytest.skip("this processor has fewer than two such instruction sets")
    for key, expected in fused[0].items():
        for found in fused[1:]:
            np.testing.assert_array_equal(found[key], expected, err_msg=key)


def test_unknown_kernels_are_refused_in_one_sentence() -> None:
    script = "from waypost import _core\ntry:\n    _core.kernels()\nexcept ValueError as error:\n    print(error)"
    environment = os.environ | {"WAYPOST_KERNELS": "mmx"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert "WAYPOST_KERNELS names 'mmx', which this processor does not run" in done.stdout
