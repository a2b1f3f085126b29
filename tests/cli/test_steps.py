"""Each command does its step, and what it writes the next one and Python read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import waypost as wp
from waypost.data import Factors, Ratings, read_ratings

COLUMNS = ("--user", "customer", "--item", "product", "--rating", "stars")


def test_factorize_writes_factors_that_know_who_tests(shop: Path, run: Any, tmp_path: Path) -> None:
    kept, out = tmp_path / "kept.npz", tmp_path / "again.npz"
    result = run(
        "factorize",
        shop / "ratings.csv",
        out,
        *COLUMNS,
        "--factors",
        16,
        "--iterations",
        5,
        "--keep-ratings",
        kept,
        "--json",
    )
    said, factors = json.loads(result.stdout), Factors.load(out)
    ratings = read_ratings(shop / "ratings.csv", user="customer", item="product", rating="stars")
    assert (said["users"], said["items"]) == ratings.matrix.shape == Ratings.load(kept).matrix.shape
    assert factors.item_ids is not None
    assert factors.item_ids.tolist() == ratings.items.tolist()
    assert {part: len(factors.queries(part)) for part in ("train", "valid", "test")} == {
        part: said[part] for part in ("train", "valid", "test")
    }
    assert "Merged" in said["notes"][0]
    np.testing.assert_array_equal(factors.items, Factors.load(shop / "shop.factors.npz").items)


def test_factorize_takes_what_python_saved(shop: Path, run: Any, tmp_path: Path) -> None:
    ratings = read_ratings(shop / "ratings.csv", user="customer", item="product", rating="stars")
    ratings.save(tmp_path / "ratings.npz")
    out = tmp_path / "f.npz"
    run("factorize", tmp_path / "ratings.npz", out, "--factors", 16, "--iterations", 5)
    np.testing.assert_array_equal(Factors.load(out).items, Factors.load(shop / "shop.factors.npz").items)


def test_build_writes_the_graph_that_python_builds(shop: Path) -> None:
    index, factors = wp.Index.load(shop / "shop.waypost"), Factors.load(shop / "shop.factors.npz")
    graph = wp.build_graph(factors.items, "ip-nsw", degree=6, candidates=30)
    np.testing.assert_array_equal(index.graph.neighbors, graph.neighbors)
    assert index.als == factors.als
    np.testing.assert_allclose(index.fold_in(["product-3"]), factors.fold_in(["product-3"]))


def test_build_takes_vectors_with_ids(run: Any, tmp_path: Path) -> None:
    items = np.random.default_rng(0).standard_normal((60, 4)).astype(np.float32)
    np.save(tmp_path / "items.npy", items)
    (tmp_path / "ids.txt").write_text("".join(f"name {row}\n" for row in range(60)))
    out = tmp_path / "x.waypost"
    run(
        "build",
        tmp_path / "items.npy",
        out,
        "--ids",
        tmp_path / "ids.txt",
        "--kind",
        "moebius",
        "--degree",
        4,
        "--entry",
        "3",
    )
    index = wp.Index.load(out)
    assert index.graph.kind == "moebius"
    assert index.graph.entry == 3
    assert index.ids[5] == "name 5"  # type: ignore[index]


def test_train_raises_recall_and_keeps_names(shop: Path) -> None:
    plain, learned = wp.Index.load(shop / "shop.waypost"), wp.Index.load(shop / "shop.learned.waypost")
    queries = Factors.load(shop / "shop.factors.npz").queries("test")
    truth = plain.exact(queries)
    before, after = (wp.recall(index.search(queries, budget=64).ids, truth.ids) for index in (plain, learned))
    assert after > before + 0.02
    assert learned.als == plain.als
    assert not (shop / "shop.learned.training").exists()
    assert len((shop / "shop.learned.jsonl").read_text().splitlines()) == 50


def test_a_checkpoint_that_was_asked_for_stays(shop: Path, run: Any, tmp_path: Path) -> None:
    kept, out = tmp_path / "kept.training", tmp_path / "x.waypost"
    given = (
        "train",
        shop / "shop.waypost",
        shop / "shop.factors.npz",
        out,
        "--budgets",
        "32,64",
        "--truth",
        "unlearned",
    )
    said = json.loads(run(*given, "--steps", 10, "--set", "check_every=5", "--checkpoint", kept, "--json").stdout)
    assert kept.exists()
    assert set(said["validation_recall_learned"]) == {"32", "64"}


def test_search_likes_by_name(shop: Path, run: Any) -> None:
    index = wp.Index.load(shop / "shop.waypost")
    result = run("search", shop / "shop.waypost", "--like", "product-3, product-4", "-k", 3, "--budget", 200, "--json")
    [said] = json.loads(result.stdout)
    expected = index.search(index.fold_in(["product-3", "product-4"]), k=5, budget=200)
    ids = [one for one in expected.ids[0].tolist() if one not in ("product-3", "product-4")][:3]
    assert [answer["id"] for answer in said["answers"]] == ids
    assert said["cost"] == expected.cost[0]


def test_search_shows_the_same_however_it_is_asked(shop: Path, run: Any) -> None:
    given = ("search", shop / "shop.learned.waypost", shop / "shop.factors.npz", "-k", 2)
    document = json.loads(run(*given, "--json").stdout)
    lines = [line.split("\t") for line in run(*given).stdout.splitlines()]
    assert lines[0] == ["query", "rank", "id", "score"]
    assert [line[2] for line in lines[1:]] == [answer["id"] for one in document for answer in one["answers"]]


def test_search_can_be_exact_or_unlearned(shop: Path, run: Any) -> None:
    index, queries = (
        wp.Index.load(shop / "shop.learned.waypost"),
        Factors.load(shop / "shop.factors.npz").queries("test"),
    )
    given = ("search", shop / "shop.learned.waypost", shop / "shop.factors.npz", "-k", 5, "--budget", 40, "--json")
    exact = [[a["id"] for a in one["answers"]] for one in json.loads(run(*given, "--exact").stdout)]
    assert exact == index.exact(queries, 5).ids.tolist()
    plain = [[a["id"] for a in one["answers"]] for one in json.loads(run(*given, "--unlearned").stdout)]
    assert plain == wp.Index.load(shop / "shop.waypost").search(queries, 5, 40).ids.tolist()


def test_evaluate_prints_what_python_measures(shop: Path, run: Any) -> None:
    result = run("evaluate", shop / "shop.learned.waypost", shop / "shop.factors.npz", "--budgets", "40,80", "--json")
    document = json.loads(result.stdout)
    index, queries = (
        wp.Index.load(shop / "shop.learned.waypost"),
        Factors.load(shop / "shop.factors.npz").queries("test"),
    )
    by_name = {(row["search"], row["budget"]): row for row in document["rows"]}
    assert list(by_name) == [("exact", None), *((s, b) for b in (40, 80) for s in ("unlearned", "learned"))]
    for budget in (40, 80):
        expected = wp.recall(index.search(queries, budget=budget).ids, index.exact(queries).ids)
        assert by_name["learned", budget]["recall"] == pytest.approx(expected)
        assert by_name["learned", budget]["batched_qps"] > 0


@pytest.mark.parametrize("name", ["ratings.csv", "shop.factors.npz", "shop.waypost", "shop.learned.waypost"])
def test_info_knows_every_file(shop: Path, run: Any, name: str) -> None:
    command = ("data", "info") if name == "ratings.csv" else ("info",)
    columns = COLUMNS if name == "ratings.csv" else ()
    document = json.loads(run(*command, shop / name, *columns, "--json").stdout)
    assert document["kind"] == {"ratings.csv": "ratings", "shop.factors.npz": "factors"}.get(name, "index")
    assert run(*command, shop / name, *columns).stdout.startswith("file\t")


def test_info_alone_tells_the_version(run: Any) -> None:
    assert json.loads(run("info", "--json").stdout)["version"] == wp.__version__ == run("--version").stdout.strip()


def test_data_list_names_all(run: Any) -> None:
    from waypost.data.catalog import CATALOG

    assert [entry["name"] for entry in json.loads(run("data", "list", "--json").stdout)] == list(CATALOG)
