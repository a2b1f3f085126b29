"""What is gathered is what the indexes do."""

import doctest
import importlib
import pkgutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sample_indexes import indexes

import waypost as wp
import waypost.report
from waypost.comparison import compare
from waypost.report import Report, gather, write_figures
from waypost.report.page import page

MODULES = [module.name for module in pkgutil.iter_modules(waypost.report.__path__)]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_work(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"waypost.report.{module}")).failed == 0


def test_recalls_are_those_of_the_searches(report: Report) -> None:
    plain, learned, queries = indexes()
    truth = plain.exact(queries)
    for at in report.recalls:
        assert at.unlearned == pytest.approx(wp.recall(plain.search(queries, budget=at.budget).ids, truth.ids))
        assert at.learned == pytest.approx(wp.recall(learned.search(queries, budget=at.budget).ids, truth.ids))
    assert {at.unlearned != at.learned for at in report.recalls} == {True}
    named = {(at.name, at.budget): at for at in report.speeds}
    assert named["learned", 64].recall == report.recalls[1].learned
    assert named["exact", 0].recall == 1
    assert all(at.batched > 0 and at.single > 0 for at in report.speeds)


def test_what_was_measured_before_is_not_measured_again(report: Report) -> None:
    plain, learned, queries = indexes()
    measured = compare(plain, learned, queries, k=4, budgets=(50, 100))
    found = gather(plain, learned, queries, measured=measured)
    assert (found.k, [at.budget for at in found.recalls]) == (4, [50, 100])
    for at in measured.rows:
        assert (at.batched_qps, at.single_qps) in [(one.batched, one.single) for one in found.speeds]
    with pytest.raises(ValueError, match="measured is of 80 queries and 600 items, not of these 79 and 600"):
        gather(plain, learned, queries[1:], measured=measured)
    alone = gather(plain, plain, queries, measured=compare(plain, None, queries, budgets=(50,)))
    assert alone.recalls[0].gain == 0


def test_path_lengths_count_every_true_answer(report: Report) -> None:
    plain, learned, queries = indexes()
    truth = plain.exact(queries).ids
    lengths = report.lengths
    for index, counts, missed in (
        (plain, lengths.unlearned, lengths.unlearned_missed),
        (learned, lengths.learned, lengths.learned_missed),
    ):
        traces = index.search(queries, budget=lengths.budget, trace=True).trace
        assert traces is not None
        unseen = sum(len(set(true) - set(trace.rows)) for true, trace in zip(truth.tolist(), traces, strict=True))
        at_entry = sum(int(true == trace.rows[0]) for row, trace in zip(truth, traces, strict=True) for true in row)
        assert (missed, counts[0], sum(counts)) == (unseen, at_entry, truth.size - unseen)


def test_a_picture_is_the_walk_of_its_query(report: Report) -> None:
    plain, learned, queries = indexes()
    for picture in report.pictures:
        for index, sights in ((plain, picture.unlearned), (learned, picture.learned)):
            trace = index.search(queries[[picture.query]], budget=picture.budget, trace=True).trace
            assert trace is not None
            scores = index.items[trace[0].rows] @ queries[picture.query]
            shown = [picture.spots[sight.spot].score for sight in sights]
            assert shown == pytest.approx(scores.tolist(), abs=1e-4)
            assert [sight.step for sight in sights] == (trace[0].hops + 1).tolist()
            for sight in sights:
                parent = trace[0].path[sight.step - 1] if sight.parent >= 0 else None
                assert parent is None or trace[0].rows[sight.parent] == parent
        assert picture.answers == report.k


def test_true_answers_lie_in_the_middle(report: Report) -> None:
    for picture in report.pictures:
        far = {spot.true_rank is not None: [] for spot in picture.spots}
        for spot in picture.spots:
            far[spot.true_rank is not None].append(np.hypot(spot.x, spot.y))
        assert max(far[True]) < min(far[False])
        assert max(far[False]) <= 1


def test_pictures_show_gain_and_loss(report: Report) -> None:
    gains = {picture.why: picture.seen("learned") - picture.seen("unlearned") for picture in report.pictures}
    assert gains["helps most"] > 0 > gains["hurts most"]
    assert gains["helps most"] >= gains["typical"] >= gains["hurts most"]


def test_graph_facts(report: Report) -> None:
    plain, _, queries = indexes()
    graph, truth = plain.graph, plain.exact(queries).ids
    facts = report.graph
    assert facts.degrees == graph.degree_histogram().tolist()
    assert sum(facts.hops) / len(plain) == pytest.approx(graph.reachable())
    assert sum(facts.answer_hops) / truth.size == pytest.approx(graph.reachable_answers(truth))
    assert sum(facts.hops) + facts.unreachable == sum(one.being for one in facts.degree_bins) == len(plain)
    assert facts.most_popular == np.bincount(graph.neighbors[graph.neighbors >= 0]).max()


def test_own_ids_change_nothing_but_names(report: Report) -> None:
    plain, learned, queries = indexes()
    ids = [f"own {row}" for row in range(len(plain))]
    named = [wp.Index(index.items, index.graph, index.router, ids=ids) for index in (plain, learned)]
    found = gather(*named, queries, truth=named[0].exact(queries), budgets=(32, 64, 128))
    assert found.recalls == report.recalls
    assert found.lengths == report.lengths
    assert found.graph == report.graph
    assert found.pictures[0].spots[0].name.startswith("own ")


def test_the_number_of_threads_changes_nothing_but_speed(report: Report) -> None:
    plain, learned, queries = indexes()
    one, two = (gather(plain, learned, queries, budgets=(32, 64), threads=threads) for threads in (1, 2))
    assert replace(one, speeds=[]) == replace(two, speeds=[])


@pytest.mark.parametrize(
    ("n", "k", "budgets", "kind"), [(3, 1, (1,), "ip-nsw"), (40, 3, (5, 1000), "moebius"), (12, 12, (4,), "l2-nsw")]
)
def test_small_worlds(n: int, k: int, budgets: tuple[int, ...], kind: str) -> None:
    rng = np.random.default_rng(1)
    items = rng.standard_normal((n, 2), dtype=np.float32)
    index = wp.Index(items, wp.build_graph(items, kind, degree=2, candidates=4))
    report = gather(index, index, items[:2], k=k, budgets=budgets)
    assert not report.routed
    assert report.recalls[0].learned == report.recalls[0].unlearned
    assert "nothing better" in page(report)


def test_one_factor_and_equal_items() -> None:
    items = np.ones((20, 1), np.float32)
    index = wp.Index(items, wp.build_graph(items, "ip-nsw", degree=4, candidates=8))
    assert "</html>" in page(gather(index, index, items[:1], k=2, budgets=(8,)))


def test_an_agent_that_ranks_apart() -> None:
    plain, _, queries = indexes(n=200)
    rng = np.random.default_rng(0)
    vectors = plain.items + 0.1 * rng.standard_normal(plain.items.shape, dtype=np.float32)
    router = wp.Router(vectors=vectors, manners=[wp.Manner(64, rerank=16)])
    found = gather(plain, wp.Index(plain.items, plain.graph, router), queries, budgets=(64,))
    assert len(found.pictures[0].learned) == 48  # the re-rank's products are no visits
    assert found.routed


def test_bad_input() -> None:
    plain, learned, queries = indexes()
    other = indexes(n=500)[0]
    with pytest.raises(ValueError, match="different items or graphs; pass two indexes of the same"):
        gather(plain, other, queries)
    with pytest.raises(ValueError, match="names has 1 entries for 600 items; pass one name an item."):
        gather(plain, learned, queries, names=["one"])
    with pytest.raises(ValueError, match="budgets is empty"):
        gather(plain, learned, queries, budgets=())
    with pytest.raises(ValueError, match=r"truth has shape \(80, 2\); pass 10 answers or more"):
        gather(plain, learned, queries, truth=np.zeros((80, 2), np.int64))
    with pytest.raises(ValueError, match="queries has 3 columns"):
        gather(plain, learned, queries[:, :3])
    with pytest.raises(FileNotFoundError):
        gather(plain, learned, queries, log="no such log")


def test_figures_are_written_and_stay_the_same(report: Report, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    few = replace(report, training=report.training[:1], pictures=report.pictures[:1])
    first, second = (write_figures(few, tmp_path / name) for name in ("one", "two"))
    names = {path.stem for path in first}
    assert names == {
        "recall-by-products",
        "recall-by-speed",
        "path-lengths",
        "degrees",
        "training-loss",
        "search-helps-most",
    }
    for one, two in zip(first, second, strict=True):
        assert one.read_bytes() == two.read_bytes()
    assert {path.suffix for path in first} == {".svg", ".png"}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in first if path.suffix == ".png")


def test_figures_name_the_extra(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'waypost\[report\]'"):
        write_figures(report, tmp_path)
