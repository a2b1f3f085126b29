"""Searching by a pool: against a plain version row by row, and in every way that an index offers it."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from reference.pool_search import pool_search

import waypost as wp
from waypost import _core
from waypost.codes import Codes, encode

N = 300
RNG = np.random.default_rng(3)
ITEMS = RNG.integers(-3, 4, (N, 8)).astype(np.float32)  # many ties and duplicates
QUERIES = RNG.integers(-3, 4, (30, 8)).astype(np.float32)
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=6, candidates=20)
SOUND = wp.build_graph(ITEMS, "ip-nsw", degree=6, candidates=20, repair=True)
INDEX = wp.Index(ITEMS, GRAPH)
BIAS = RNG.integers(-6, 7, N).astype(np.float32)
CODEBOOK = wp.Codebook(QUERIES[:3], [[4, 9, 200], [17, 3, -1], [0, -1, -1]])


def assert_same(one: wp.Answer, other: wp.Answer) -> None:
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.cost, other.cost)


def assert_answers(answer: wp.Answer, at: int, rows: list[int], cost: int, k: int, items: np.ndarray = ITEMS) -> None:
    assert answer.ids[at].tolist() == rows[:k] + [-1] * (k - len(rows[:k]))
    assert answer.scores[at].tolist() == [QUERIES[at] @ items[row] for row in rows[:k]] + [-np.inf] * (k - len(rows))
    assert answer.cost[at] == cost


@pytest.mark.parametrize("pool", [1, 2, 7, 8, 9, 40, 130, 299, 300])
@pytest.mark.parametrize("k", [1, 10, 20])
def test_the_plain_version_row_by_row(pool: int, k: int) -> None:
    answer = INDEX.search(QUERIES, k, pool=pool)
    for at, query in enumerate(QUERIES):
        scores = ITEMS @ query
        rows, cost = pool_search(GRAPH.neighbors, scores, scores, [GRAPH.entry], max(pool, k), k)
        assert_answers(answer, at, rows, cost, k)


@pytest.mark.parametrize("budget", [1, 2, 30, 31, 299, 300, 10**12])
def test_a_budget_is_a_cap(budget: int) -> None:
    answer = INDEX.search(QUERIES, 5, pool=50, budget=budget)
    for at, query in enumerate(QUERIES):
        scores = ITEMS @ query
        rows, cost = pool_search(GRAPH.neighbors, scores, scores, [GRAPH.entry], 50, 5, budget)
        assert_answers(answer, at, rows, cost, 5)
    assert answer.cost.max() <= budget


@pytest.mark.parametrize("entry", [("largest-norm", 1), ("largest-norm", 100), ("first", 300), 7])
def test_entries(entry: object) -> None:
    answer = INDEX.search(QUERIES, 5, pool=12, entry=entry)
    if isinstance(entry, tuple):
        order = np.argsort(-(ITEMS**2).sum(1), kind="stable") if entry[0] == "largest-norm" else np.arange(N)
        entries = order[: entry[1]].tolist()
    else:
        entries = [entry]
    for at, query in enumerate(QUERIES):
        scores = ITEMS @ query
        rows, cost = pool_search(GRAPH.neighbors, scores, scores, entries, 12, 5)
        assert_answers(answer, at, rows, cost, 5)


@pytest.mark.parametrize("scale", [0.0, 0.5, 3.0])
@pytest.mark.parametrize("by_kind", [False, True])
def test_a_bias_leads_the_walk_and_leaves_the_scores(scale: float, by_kind: bool) -> None:
    bias = np.stack([BIAS, BIAS[::-1], 2 * BIAS, -BIAS])
    index = wp.Index(ITEMS, GRAPH, wp.Router(bias=bias, codebook=CODEBOOK, entry=GRAPH.entry))
    settings = wp.SearchSettings(pool=15, bias_scale=scale, by_kind=by_kind)
    answer = index.search(QUERIES, 4, settings=settings)
    for at, query in enumerate(QUERIES):
        scores = ITEMS @ query
        kind = int(np.argmax(CODEBOOK.centroids @ query))
        entries = CODEBOOK.seeds[kind].tolist() if by_kind else [GRAPH.entry]
        walked = scores + np.float32(scale) * bias[1 + kind if by_kind else 0]
        rows, cost = pool_search(GRAPH.neighbors, walked, scores, entries, 15, 4)
        assert_answers(answer, at, rows, cost + (3 if by_kind else 0), 4)


def test_the_manner_of_a_router_holds_where_nothing_is_set() -> None:
    router = wp.Router(bias=BIAS, entry=GRAPH.entry, manners=[wp.Manner(64, 0.25), wp.Manner(1000, 2.0)])
    index = wp.Index(ITEMS, GRAPH, router)
    for pool, scale in ((10, 0.25), (200, 2.0)):
        settings = wp.SearchSettings(pool=pool, bias_scale=scale)
        assert_same(index.search(QUERIES, pool=pool), index.search(QUERIES, settings=settings))
    plain = wp.Index(ITEMS, GRAPH, wp.Router(bias=BIAS, entry=GRAPH.entry, manners=[wp.Manner(64, plain=True)]))
    assert_same(plain.search(QUERIES, pool=20), INDEX.search(QUERIES, pool=20))


def test_learned_vectors_are_walked_and_the_items_rank() -> None:
    vectors = RNG.integers(-3, 4, (N, 5)).astype(np.float32)
    matrix = RNG.integers(-1, 2, (5, 8)).astype(np.float32)
    index = wp.Index(ITEMS, GRAPH, wp.Router(vectors, matrix, entry=3))
    for rerank, kept in ((None, 10), (12, 12), (0, 5)):
        answer = index.search(QUERIES, 5, pool=20, rerank=rerank)
        for at, query in enumerate(QUERIES):
            walked, scores = vectors @ (matrix @ query), ITEMS @ query
            rows, cost = pool_search(GRAPH.neighbors, walked, walked, [3], 20, kept)
            if rerank == 0:
                assert answer.ids[at].tolist() == rows
                assert answer.scores[at].tolist() == walked[rows].tolist()
                assert answer.cost[at] == cost
            else:
                assert_answers(answer, at, sorted(rows, key=lambda r: (-scores[r], r)), cost + kept, 5)


@pytest.mark.parametrize("looks", [0, 1, 4, 300])
def test_deferred_edges_are_looked_up_when_the_pool_has_converged(looks: int) -> None:
    deferred = np.full((N, 3), -1, np.int32)
    deferred[::2] = RNG.integers(0, N, (N // 2, 3))
    sparse = GRAPH.neighbors.copy()
    sparse[:, 2:] = -1
    graph = wp.Graph("by-hand", 6, sparse, GRAPH.entry, deferred)
    answer = wp.Index(ITEMS, graph).search(QUERIES, 5, settings=wp.SearchSettings(pool=9, second_looks=looks))
    for at, query in enumerate(QUERIES):
        scores = ITEMS @ query
        rows, cost = pool_search(sparse, scores, scores, [GRAPH.entry], 9, 5, None, deferred, looks)
        assert_answers(answer, at, rows, cost, 5)


def coded_scores(codes: Codes, query: np.ndarray) -> np.ndarray:
    one = encode(query[None], "int8")
    sums = (codes.values.astype(np.int64) - 128) @ (one.values[0].astype(np.int64) - 128)
    return sums.astype(np.float32) * (one.scales[0] * codes.scales)


@pytest.mark.parametrize("pool", [1, 16, 60])
def test_codes_are_walked_and_the_best_ranked_exactly(pool: int) -> None:
    index = wp.Index(ITEMS, GRAPH, codes="int8")
    codes = encode(ITEMS, "int8")
    answer = index.search(QUERIES, 5, pool=pool, rerank=14)
    unranked = index.search(QUERIES, 5, pool=pool, rerank=0)
    for at, query in enumerate(QUERIES):
        walked, scores = coded_scores(codes, query), ITEMS @ query
        rows, cost = pool_search(GRAPH.neighbors, walked, walked, [GRAPH.entry], max(pool, 14), 14)
        assert_answers(answer, at, sorted(rows, key=lambda r: (-scores[r], r)), cost + len(rows), 5)
        rows, cost = pool_search(GRAPH.neighbors, walked, walked, [GRAPH.entry], max(pool, 5), 5)
        assert unranked.ids[at].tolist() == rows
        assert unranked.scores[at].tolist() == walked[rows].tolist()
        assert unranked.cost[at] == cost


@pytest.mark.parametrize("d", [1, 3, 16, 63, 64, 65, 96, 200])
def test_codes_are_within_half_a_step_of_what_they_stand_for(d: int) -> None:
    vectors = (
        np.random.default_rng(d).standard_normal((50, d)).astype(np.float32) * np.geomspace(1e-6, 1e6, 50)[:, None]
    )
    vectors = vectors.astype(np.float32)
    codes = encode(vectors, "int8")
    back = codes.scales[:, None] * (codes.values - 128.0)
    np.testing.assert_allclose(codes.scales, np.abs(vectors).max(axis=1) / 127, rtol=1e-6)
    assert (np.abs(back - vectors) <= codes.scales[:, None] * 0.501).all()
    assert codes.values.min() >= 1


def test_codes_of_nothing_and_of_constants() -> None:
    vectors = np.array([[0, 0], [1e-45, -1e-45], [5, 5]], np.float32)
    codes = encode(vectors, "int8")
    assert codes.values.tolist() == [[128, 128], [128, 128], [255, 255]]
    index = wp.Index(vectors, wp.build_graph(vectors, "ip-nsw", degree=2, repair=True), codes="int8")
    assert index.search(np.zeros((1, 2)), k=3, pool=3).scores.tolist() == [[0, 0, 0]]
    assert index.search(np.ones((1, 2)), k=1, pool=3).ids.tolist() == [[2]]


@pytest.mark.parametrize("codes", [None, "int8"])
def test_a_pool_of_all_items_finds_the_exact_answers(codes: str | None) -> None:
    truth = wp.exact_search(ITEMS, QUERIES, k=10)
    answer = wp.Index(ITEMS, SOUND, codes=codes).search(QUERIES, pool=N, rerank=N)
    np.testing.assert_array_equal(answer.ids, truth.ids)
    np.testing.assert_array_equal(answer.scores, truth.scores)


@pytest.mark.parametrize("codes", [None, "int8"])
def test_one_by_one_and_on_any_number_of_threads_the_same(codes: str | None) -> None:
    index = wp.Index(ITEMS, GRAPH, codes=codes, settings=wp.SearchSettings(pool=20))
    queries = np.tile(QUERIES, (10, 1))
    batch = index.search(queries, threads=1)
    assert_same(index.search(queries, threads=2), batch)
    for at in range(len(queries)):
        one = index.search(queries[at : at + 1])
        assert_same(one, wp.Answer(*(part[at : at + 1] for part in batch[:3])))


def test_kernels_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    import os
    import subprocess
    import sys

    script = (
        "import numpy as np, waypost as wp\n"
        "r = np.random.default_rng(0); items = r.integers(-9, 10, (400, 37)).astype(np.float32)\n"
        "graph = wp.Graph('drawn', 9, r.integers(0, 400, (400, 9)).astype(np.int32), 0)\n"
        "for codes in (None, 'int8'):\n"
        "    index = wp.Index(items, graph, codes=codes)\n"
        "    for pool in (5, 33, 150):\n"
        "        answer = index.search(items, pool=pool)\n"
        "        print(answer.ids.tolist(), answer.scores.tolist(), answer.cost.tolist())\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script], env=os.environ | {"WAYPOST_KERNELS": name}, check=True, capture_output=True
        ).stdout
        for name in _core.available_kernels()
    }
    assert len(printed) == 1


def test_own_ids() -> None:
    index = wp.Index(ITEMS, GRAPH, ids=np.arange(N) + 1000)
    np.testing.assert_array_equal(index.search(QUERIES, pool=30).ids, INDEX.search(QUERIES, pool=30).ids + 1000)


def test_settings_hold_for_what_a_call_leaves_out() -> None:
    settings = wp.SearchSettings(pool=25, rerank=15, budget=60)
    index = wp.Index(ITEMS, GRAPH, codes="int8", settings=settings)
    assert index.settings == settings
    plain = wp.Index(ITEMS, GRAPH, codes="int8")
    expected = plain.search(QUERIES, pool=25, rerank=15, budget=60)
    for _ in range(2):  # once with care, once from memory
        assert_same(index.search(QUERIES), expected)
    assert_same(index.search(QUERIES, pool=7), plain.search(QUERIES, pool=7, rerank=15, budget=60))
    assert_same(index.search(QUERIES, budget=100), INDEX.search(QUERIES, budget=100))
    assert_same(index.search(QUERIES, settings=wp.SearchSettings(budget=80)), INDEX.search(QUERIES, budget=80))
    assert_same(
        wp.Index(ITEMS, GRAPH, settings=wp.SearchSettings(budget=90)).search(QUERIES), INDEX.search(QUERIES, budget=90)
    )
    assert_same(plain.search(QUERIES), INDEX.search(QUERIES, budget=256))


@pytest.mark.parametrize("mmap", [False, True])
def test_files_keep_codes_and_settings(tmp_path: Path, mmap: bool) -> None:
    settings = wp.SearchSettings(pool=25, rerank=15, second_looks=3, bias_scale=0.5, by_kind=False)
    index = wp.Index(ITEMS, GRAPH, wp.Router(bias=BIAS), codes="int8", settings=settings)
    index.save(tmp_path / "index")
    loaded = wp.Index.load(tmp_path / "index", mmap=mmap)
    assert loaded.settings == settings
    assert_same(loaded.search(QUERIES), index.search(QUERIES))
    assert_same(pickle.loads(pickle.dumps(index)).search(QUERIES), index.search(QUERIES))


def test_queries_of_other_types_give_the_same_answers() -> None:
    plain = INDEX.search(QUERIES, pool=20)
    for queries in (QUERIES.astype(np.float64), QUERIES.astype(np.int8), np.asfortranarray(QUERIES), QUERIES.tolist()):
        assert_same(INDEX.search(queries, pool=20), plain)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"pool": 0}, ValueError, "pool is 0; pass 1 or more."),
        ({"pool": 2.5}, TypeError, "pool is of type float; pass a whole number."),
        ({"pool": 9, "budget": 0}, ValueError, "budget is 0; pass 1 or more."),
        ({"pool": 9, "trace": True}, ValueError, "trace shows walks that spend a budget; pass a budget, and no pool."),
        ({"pool": 9, "rerank": 3}, ValueError, "rerank is 3, below k=10; pass 0 or at least 10."),
        (
            {"pool": 9, "rerank": 20, "budget": 20},
            ValueError,
            "budget is 20, too little .* pass a budget of at least 21",
        ),
        ({"pool": 9, "k": 301}, ValueError, "k is 301 but there are only 300 items"),
        ({"settings": {"pool": 3}}, TypeError, "settings is of type dict; pass a waypost.SearchSettings or None."),
    ],
)
def test_bad_calls(options: dict, error: type, words: str) -> None:
    index = wp.Index(ITEMS, GRAPH, codes="int8")
    with pytest.raises(error, match=words):
        index.search(QUERIES, **options)


def test_bad_codes_and_settings() -> None:
    with pytest.raises(ValueError, match="codes is 'int4'; pass None or one of 'int8'."):
        wp.Index(ITEMS, GRAPH, codes="int4")
    with pytest.raises(TypeError, match="settings is of type int"):
        wp.Index(ITEMS, GRAPH, settings=7)
    with pytest.raises(ValueError, match="second_looks is -1; pass 0 or more."):
        wp.SearchSettings(second_looks=-1)
    with pytest.raises(ValueError, match="bias_scale is nan; pass a finite number."):
        wp.SearchSettings(bias_scale=float("nan"))


def test_bad_queries() -> None:
    for queries, words in (
        (np.full((2, 8), np.nan), "NaN"),
        (np.ones((2, 7)), "7 columns"),
        (np.ones((0, 8)), "empty"),
    ):
        for _ in range(2):
            with pytest.raises(ValueError, match=words):
                INDEX.search(queries, pool=20)


def test_a_hostile_graph_is_walked_without_harm() -> None:
    neighbors = RNG.integers(-(2**31), 2**31, (N, 5)).astype(np.int32)
    neighbors[::3] = RNG.integers(0, N, (N // 3, 5))
    answer = wp.Index(ITEMS, wp.Graph("by-hand", 5, neighbors, 0)).search(QUERIES, 10, pool=40)
    for at, query in enumerate(QUERIES):
        scores = ITEMS @ query
        assert_answers(answer, at, *pool_search(neighbors, scores, scores, [0], 40, 10), 10)


@pytest.mark.parametrize("codes", [None, "int8"])
def test_excluded_items_are_walked_through(codes: str | None) -> None:
    index = wp.Index(ITEMS, GRAPH, wp.Router(bias=BIAS, entry=GRAPH.entry), codes=codes)
    excluded = [RNG.choice(N, 40, replace=False).tolist() for _ in QUERIES]
    settings = wp.SearchSettings(pool=10, bias_scale=0.5, rerank=0)
    answer = index.search(QUERIES, 5, settings=settings, exclude=excluded, complete=False)
    coded = encode(ITEMS, "int8")
    for at, query in enumerate(QUERIES):
        scores = ITEMS @ query if codes is None else coded_scores(coded, query)
        allowed = set(range(N)) - set(excluded[at])
        walked = scores + np.float32(0.5) * BIAS
        rows, cost = pool_search(GRAPH.neighbors, walked, scores, [GRAPH.entry], 10, 5, allowed=allowed)
        assert answer.ids[at].tolist() == rows + [-1] * (5 - len(rows))
        assert answer.cost[at] == cost


MANY = 1500
MANY_ITEMS = RNG.integers(-9, 10, (MANY, ITEMS.shape[1])).astype(np.float32)
MANY_NEIGHBORS = wp.build_graph(MANY_ITEMS, kind="ip-nsw", degree=6, candidates=20).neighbors


@pytest.mark.parametrize("looks", [0, 3])
@pytest.mark.parametrize("scale", [0.0, 0.5])
@pytest.mark.parametrize("count", [0, 5, 30, 90])
def test_a_walk_goes_on_where_its_own_best_are_excluded(count: int, scale: float, looks: int) -> None:
    deferred = RNG.integers(-1, MANY, (MANY, 2)).astype(np.int32)
    graph = wp.Graph("by-hand", 6, MANY_NEIGHBORS, 7, deferred, 0.0)
    bias = RNG.integers(-6, 7, MANY).astype(np.float32)
    index = wp.Index(MANY_ITEMS, graph, wp.Router(bias=bias, entry=7))
    best = index.exact(QUERIES, 100).ids[:, :count]
    settings = wp.SearchSettings(pool=15, bias_scale=scale, second_looks=looks)
    answer = index.search(QUERIES, 6, settings=settings, exclude=best)
    for at, query in enumerate(QUERIES):
        scores, allowed = MANY_ITEMS @ query, set(range(MANY)) - set(best[at].tolist())
        walked = scores + np.float32(scale) * bias
        options = {"deferred": deferred, "second_looks": looks, "allowed": allowed, "complete": True}
        rows, cost = pool_search(graph.neighbors, walked, scores, [7], 15, 6, **options)
        assert_answers(answer, at, rows, cost, 6, MANY_ITEMS)
        assert len(rows) == 6
        assert count == 90 or cost < MANY  # walked, not scanned
    for threads in (1, 3):
        assert_same(index.search(QUERIES, 6, settings=settings, exclude=best, threads=threads), answer)


@pytest.mark.parametrize("budget", [1, 2, 17, 45])
def test_a_budget_that_cut_a_walk_short_takes_nothing_from_the_one_that_goes_on(budget: int) -> None:
    best = INDEX.exact(QUERIES, 60).ids
    answer = INDEX.search(QUERIES, 10, pool=15, budget=budget, exclude=best)
    for at, query in enumerate(QUERIES):
        scores, allowed = ITEMS @ query, set(range(N)) - set(best[at].tolist())
        options = {"budget": budget, "allowed": allowed, "complete": True}
        assert_answers(answer, at, *pool_search(GRAPH.neighbors, scores, scores, [GRAPH.entry], 15, 10, **options), 10)


@pytest.mark.parametrize("codes", [None, "int8"])
@pytest.mark.parametrize("allowed", [1, 4, 60, 150, 299])
def test_allowed_items_are_found_whenever_there_are_k(codes: str | None, allowed: int) -> None:
    index = wp.Index(ITEMS, GRAPH, codes=codes, ids=[f"item {row}" for row in range(N)])
    allow = [f"item {row}" for row in RNG.choice(N, allowed, replace=False)]
    answer = index.search(QUERIES, 10, pool=12, allow=allow)
    for ids in answer.ids.tolist():
        found = [own for own in ids if own is not None]
        assert len(found) == min(allowed, 10)
        assert set(found) <= set(allow)
    if allowed <= 60:  # a scan
        truth = index.exact(QUERIES, min(allowed, 10), allow=allow)
        np.testing.assert_array_equal(answer.ids[:, : truth.ids.shape[1]], truth.ids)
        assert answer.cost.tolist() == [allowed] * len(QUERIES)


def test_a_pool_that_finds_too_little_is_widened() -> None:
    chain = np.full((N, 1), -1, np.int32)
    chain[:-1, 0] = np.arange(1, N)  # from row 0, everything comes in the order of the rows
    falling = np.arange(N, 0, -1, dtype=np.float32)[:, None]
    index = wp.Index(falling, wp.Graph("chain", 1, chain, 0))
    barred = np.arange(100)
    answer = index.search(np.ones((1, 1)), k=3, pool=2, exclude=barred)
    assert answer.ids.tolist() == [[100, 101, 102]]
    assert index.search(np.ones((1, 1)), k=3, pool=2, exclude=barred, complete=False).ids.tolist() == [[-1, -1, -1]]
    rising = wp.Index(falling[::-1], wp.Graph("chain", 1, chain, N - 1))
    few = rising.search(np.ones((1, 1)), k=3, pool=2, exclude=np.arange(200, 300), complete=False)
    assert few.ids.tolist() == [[-1, -1, -1]]
    full = rising.search(np.ones((1, 1)), k=3, pool=2, exclude=np.arange(200, 300))
    assert full.ids.tolist() == [[199, 198, 197]]


FLOATS = np.random.default_rng(5).standard_normal((N, 8), dtype=np.float32)


@pytest.mark.parametrize("ids", [None, np.arange(N) * 3, [f"é{row}" * (row % 3 + 1) for row in range(N)]])
def test_a_reordered_index_gives_the_same_answers(ids: object, tmp_path: Path) -> None:
    book = wp.Codebook(FLOATS[:3], [[4, 9, 200], [17, 3, -1], [0, -1, -1]])
    bias = RNG.standard_normal((4, N)).astype(np.float32)
    routers = [None, wp.Router(bias=bias, codebook=book), wp.Router(FLOATS[:, :4] * 2, np.eye(8)[:4], entry=77)]
    deferred = RNG.integers(-1, N, (N, 2)).astype(np.int32)
    graph = wp.build_graph(FLOATS, "ip-nsw", degree=6, entry=("largest-norm", 5))
    graph = wp.Graph("by-hand", 6, graph.neighbors, graph.entry, deferred, 0.1, graph.block)
    for router in routers:
        index = wp.Index(FLOATS, graph, router, ids, codes="int8")
        moved = index.reordered()
        moved.save(tmp_path / "moved")
        for other in (moved, moved.reordered(), wp.Index.load(tmp_path / "moved")):
            for options in ({"pool": 20}, {"budget": 60}, {"pool": 20, "exclude": index.search(FLOATS, 2).ids}):
                assert_same(other.search(FLOATS, **options), index.search(FLOATS, **options))
            np.testing.assert_array_equal(other.exact(FLOATS).ids, index.exact(FLOATS).ids)


def test_a_reordered_index_begins_with_its_entries_and_goes_on_to_their_neighbours() -> None:
    graph = wp.Graph("by-hand", 2, np.array([[3, -1], [0, -1], [1, -1], [2, 0], [-1, -1]]), 2)
    moved = wp.Index(np.eye(5), graph).reordered()
    assert moved.ids is not None
    assert moved.ids.tolist() == [2, 1, 0, 3, 4]
    assert moved.graph.neighbors.tolist() == [[1, -1], [2, -1], [3, -1], [0, 2], [-1, -1]]
    assert moved.graph.entry == 0
    assert moved.items.ctypes.data % 64 == 0


def test_a_reordered_index_folds_in_a_matrix_of_likes_as_it_did() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    index = wp.Index(ITEMS, GRAPH, als=wp.AlsNumbers(scale=1.0, alpha=10.0, regularization=0.01))
    likes = sparse.csr_matrix((np.ones(6), [4, 9, 200, 17, 3, 250], [0, 3, 6]), shape=(2, N))
    reordered = index.reordered()
    assert not np.array_equal(reordered.ids, np.arange(N))
    np.testing.assert_allclose(reordered.fold_in(likes), index.fold_in(likes), atol=1e-5)
    np.testing.assert_allclose(index.fold_in(likes), index.fold_in([[4, 9, 200], [17, 3, 250]]), atol=1e-5)
