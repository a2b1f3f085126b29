"""Seconds and memory of whole trainings, each in a process of its own: `python -m waypost.bench.training_cost`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time

import waypost as wp
from waypost.bench.finished import Finished
from waypost.bench.peak import peak_gib
from waypost.bench.tables import Table
from waypost.bench.trial import Trial, agent, train
from waypost.bench.workbench import Workbench

MOST_SECONDS = {"gowalla": 180, "npm_deps": 480}
MOST_GIB = 4.0


def trial(name: str, learner: str) -> Trial:
    """The paper's agent, or the default recipe, with 30% of truth."""
    if learner == "agent":
        return agent(name, "ip-nsw", "random", 0.3)
    return Trial(name, "ip-nsw", wp.TrainConfig(entry="largest-norm", seed=1), 0.3, 10)


def run(bench: Workbench, kept: Finished) -> list[Table]:
    return [kept.table("training cost", _table)]


def _table() -> Table:
    table = Table(
        "A whole training",
        "Seconds of `train_router` with 30% of truth on all cores, the exact search for the truth, the breadth-first "
        "search for the potentials and all validations included; the most memory of its process, factors and graph "
        "included. `agent` is the paper's agent as in the tables above, `default` is `TrainConfig()`.",
        ["set", "recipe", "s", "peak GiB", "target", "met"],
    )
    for name, most in MOST_SECONDS.items():
        for learner in ("agent", "default"):
            seconds, gib = _apart(name, learner)
            met = "yes" if seconds <= most and gib <= MOST_GIB else "no"
            table.add(name, learner, f"{seconds:.1f}", f"{gib:.2f}", f"at most {most} s, {MOST_GIB:.0f} GiB", met)
    return table


def _apart(name: str, learner: str) -> tuple[float, float]:
    command = [sys.executable, "-m", "waypost.bench.training_cost", name, learner]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    seconds, gib = json.loads(done.stdout)
    return seconds, gib


def _one(name: str, learner: str) -> tuple[float, float]:
    bench, told = Workbench(), trial(name, learner)
    vectors, graph = bench.vectors(name), bench.graph(name, told.kind)
    start = time.perf_counter()
    train(vectors, graph, told)
    return time.perf_counter() - start, peak_gib()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m waypost.bench.training_cost", description=__doc__)
    parser.add_argument("one", nargs="*", help="a set and a recipe (agent or default); left out, all of them")
    given = parser.parse_args()
    print(json.dumps(_one(*given.one)) if given.one else _table().as_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
