"""The benchmark of taught graphs, on made-up vectors: every row is there, beside the prototype's, with its verdict."""

from typing import Any

import numpy as np
import pytest

import waypost as wp
from waypost.bench import taught_recall
from waypost.bench.tables import Table
from waypost.bench.taught_recall import ROWS, Setting, add_rows, run
from waypost.bench.workbench import Vectors


class Bench:
    """Vectors made up on the spot."""

    def vectors(self, name: str) -> Vectors:
        rng = np.random.default_rng(0)
        items, test, others = (rng.standard_normal((n, 6), dtype=np.float32) for n in (400, 40, 160))
        return Vectors(items, test, others, validating=60)


def test_the_fewest_products_for_a_recall_are_found() -> None:
    setting: Any = Setting(Bench(), "gowalla")  # type: ignore[arg-type]
    index = wp.Index(setting.items, wp.build_graph(setting.items, "united", degree=8, candidates=20, repair=True))
    products = setting.products_for(index, 0.9)
    assert setting.recall(index, products) >= 0.9 > setting.recall(index, products - 8)


def test_every_row_stands_beside_its_targets() -> None:
    table = Table("Taught", "", ["set", "row", "128", "256", "512", "products", "s", "reached", "met", "products met"])
    good = [((0.93, 0.99, 0.999), 240, 3.0, 1.0), ((0.95, 1.0, 0.999), 250, 5.0, 0.5)]
    add_rows(table, "gowalla", dict.fromkeys(ROWS, good))
    assert table.rows[3] == [
        "gowalla", ROWS[3], "0.9400 (0.930-0.950)", "0.9950 (0.990-1.000)", "0.9990 (0.999-0.999)", "245 (240-250)",
        "4", "0.5000", "yes", "<= 256: yes",
    ]  # fmt: skip
    assert table.rows[0][-2:] == ["", ""]
    assert [row[1] for row in table.rows[4:]] == ["prototype (b)", "prototype (d)"]
    add_rows(table, "polimi2022_tv", {name: [((0.8, 0.7, 0.985), 130, 3.0, 1.0)] for name in ROWS})
    assert table.rows[9][-2:] == ["missed at 256, 512", "<= 128: no"]


def test_it_runs_from_end_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taught_recall, "CANDIDATES", 20)
    monkeypatch.setattr(taught_recall, "_bias", lambda setting, graph, seed: wp.Router.identity(graph.start))
    (table,) = run(Bench(), ["npm_deps"], [1, 2])  # type: ignore[arg-type]
    assert [row[1] for row in table.rows] == [*ROWS, "prototype (b)", "prototype (d)"]
    assert all(row[7] == "1.0000" for row in table.rows[:4])
