"""Filters: what a query may not be answered with, what alone it may be, and that it gets its k answers all the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import waypost as wp

N, M, D = 600, 30, 8
RNG = np.random.default_rng(0)
ITEMS = RNG.integers(-3, 4, (N, D)).astype(np.float32)
QUERIES = RNG.integers(-3, 4, (M, D)).astype(np.float32)
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=8, repair=True)
INDEX = wp.Index(ITEMS, GRAPH)
NUMBERS = np.arange(N) * 10 + 5
NUMBERED = wp.Index(ITEMS, GRAPH, ids=NUMBERS)
SCATTERED = wp.Index(ITEMS, GRAPH, ids=RNG.permutation(N) * 10**12)
NAMED = wp.Index(ITEMS, GRAPH, ids=[f"item {row}" for row in range(N)])
SEEN = [np.sort(RNG.choice(N, RNG.integers(0, 200), replace=False)) for _ in range(M)]


def as_csr(lists: list[np.ndarray]) -> sparse.csr_matrix:
    offsets = np.cumsum([0, *map(len, lists)])
    rows = np.concatenate(lists)
    return sparse.csr_matrix((np.ones(len(rows)), rows, offsets), shape=(len(lists), N))


def assert_same(one: wp.Answer, other: wp.Answer) -> None:
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.cost, other.cost)


def best_allowed(allowed: Callable[[int], np.ndarray], k: int) -> tuple[list[list[int]], np.ndarray]:
    """By all the products, in plain NumPy: the lower row of equals, -1 where there are no more."""
    ids, scores = [], np.full((M, k), -np.inf, np.float32)
    for at, query in enumerate(QUERIES):
        rows = np.flatnonzero(allowed(at))
        products = ITEMS[rows] @ query
        best = np.lexsort((rows, -products))[:k]
        ids.append(rows[best].tolist() + [-1] * (k - len(best)))
        scores[at, : len(best)] = products[best]
    return ids, scores


def unseen(at: int) -> np.ndarray:
    mask = np.ones(N, bool)
    mask[SEEN[at]] = False
    return mask


def test_no_excluded_item_is_an_answer_and_there_are_k() -> None:
    for budget in (1, 20, 64, 256, 599, 600):
        answer = INDEX.search(QUERIES, k=10, budget=budget, exclude=SEEN)
        for at in range(M):
            assert (answer.ids[at] >= 0).all()
            assert len(set(answer.ids[at].tolist())) == 10
            assert not np.isin(answer.ids[at], SEEN[at]).any()
            np.testing.assert_array_equal(answer.scores[at], ITEMS[answer.ids[at]] @ QUERIES[at])


def test_the_walk_goes_through_what_is_excluded() -> None:
    """Within the budget, the answers are the best allowed ones of those that the plain search visits."""
    plain = INDEX.search(QUERIES, k=100, budget=100)
    answer = INDEX.search(QUERIES, k=10, budget=100, exclude=SEEN, complete=False)
    for at in range(M):
        kept = plain.ids[at][~np.isin(plain.ids[at], SEEN[at])][:10]
        assert answer.ids[at][: len(kept)].tolist() == kept.tolist()
    assert answer.cost.tolist() == [100] * M


@pytest.mark.parametrize("budget", [N, 2 * N])
def test_a_budget_for_everything_gives_the_true_answers(budget: int) -> None:
    ids, scores = best_allowed(unseen, 10)
    answer = INDEX.search(QUERIES, k=10, budget=budget, exclude=SEEN)
    assert answer.ids.tolist() == ids
    np.testing.assert_array_equal(answer.scores, scores)
    assert answer.cost.tolist() == [N - len(seen) for seen in SEEN]


def test_exact_answers_under_a_filter() -> None:
    ids, scores = best_allowed(lambda at: unseen(at) & (np.arange(N) % 3 == 0), 10)
    truth = INDEX.exact(QUERIES, k=10, exclude=SEEN, allow=range(0, N, 3))
    assert truth.ids.tolist() == ids
    np.testing.assert_array_equal(truth.scores, scores)


def test_little_that_is_allowed_is_scanned() -> None:
    allow = RNG.choice(N, 25, replace=False)
    answer = INDEX.search(QUERIES, k=10, budget=64, allow=allow)
    assert answer.ids.tolist() == best_allowed(lambda _: np.isin(np.arange(N), allow), 10)[0]
    assert answer.cost.tolist() == [25] * M


def test_fewer_allowed_than_k() -> None:
    answer = INDEX.search(QUERIES, k=10, budget=64, allow=[7, 9, 11])
    assert (np.sort(answer.ids[:, :3], axis=1) == [7, 9, 11]).all()
    assert (answer.ids[:, 3:] == -1).all()
    assert (answer.scores[:, 3:] == -np.inf).all()
    nothing = INDEX.search(QUERIES, k=10, budget=64, allow=[])
    assert (nothing.ids == -1).all()
    assert nothing.cost.tolist() == [0] * M


def test_too_small_a_budget_is_exceeded_for_k_answers_alone() -> None:
    """All that a small walk sees is excluded; the cost of going on is told."""
    near = [INDEX.search(QUERIES[at : at + 1], k=60, budget=60).ids[0] for at in range(M)]
    answer = INDEX.search(QUERIES, k=10, budget=60, exclude=near)
    assert (answer.ids >= 0).all()
    assert (answer.cost == 60 + 240).all()
    kept = INDEX.search(QUERIES, k=10, budget=60, exclude=near, complete=False)
    assert (kept.ids == -1).all()
    assert (kept.cost == 60).all()


def test_what_no_walk_reaches_is_found() -> None:
    neighbors = np.full((N, 4), -1, np.int32)
    neighbors[:50, 0] = np.arange(1, 51) % 50
    index = wp.Index(ITEMS, wp.Graph("by-hand", 4, neighbors, entry=0))
    allow = np.arange(45, 400)
    answer = index.search(QUERIES, k=10, budget=100, allow=allow)
    assert answer.ids.tolist() == best_allowed(lambda _: np.isin(np.arange(N), allow), 10)[0]
    assert answer.cost.tolist() == [50 + 355] * M


@pytest.mark.parametrize("options", [{}, {"allow": range(0, N, 2)}, {"rerank": 20}], ids=str)
def test_one_by_one_and_on_any_number_of_threads_the_same(options: dict[str, Any]) -> None:
    many = np.tile(QUERIES, (10, 1))
    batch = INDEX.search(many, budget=60, exclude=SEEN * 10, threads=3, **options)
    assert_same(INDEX.search(many, budget=60, exclude=SEEN * 10, threads=1, **options), batch)
    for at in range(M):
        one = INDEX.search(many[at : at + 1], budget=60, exclude=SEEN[at : at + 1], **options)
        assert_same(one, wp.Answer(*(part[at : at + 1] for part in batch[:3])))


def test_filters_leave_no_marks_behind() -> None:
    before = INDEX.search(QUERIES, budget=60)
    INDEX.search(QUERIES, budget=60, exclude=SEEN, threads=1)
    assert_same(INDEX.search(QUERIES, budget=60, exclude=[[]] * M, complete=False, threads=1), before)
    assert_same(INDEX.search(QUERIES, budget=60), before)


class DuckMatrix:
    """What a CSR matrix needs to be told by, without scipy."""

    def __init__(self, matrix: sparse.csr_matrix) -> None:
        self.indptr, self.indices, self.shape = matrix.indptr, matrix.indices, matrix.shape


CSR = as_csr(SEEN)
SAME_AS_LISTS: dict[str, Any] = {
    "CSR": CSR,
    "CSR array": sparse.csr_array(CSR),
    "CSR of 64 bits": (lambda c: (setattr(c, "indices", c.indices.astype(np.int64)), c)[1])(CSR.copy()),
    "CSC": CSR.tocsc(),
    "COO": CSR.tocoo(),
    "without scipy": DuckMatrix(CSR),
    "lists": [seen.tolist() for seen in SEEN],
    "tuples": tuple(tuple(seen.tolist()) for seen in SEEN),
    "sets": [set(seen.tolist()) for seen in SEEN],
    "small types": [seen.astype(np.uint16) for seen in SEEN],
    "mixed types": [seen.astype(np.uint64 if at % 2 else np.int32) for at, seen in enumerate(SEEN)],
    "twice": [np.concatenate([seen, seen[::-1]]) for seen in SEEN],
    "with marks of missing answers": [[-1, *seen.tolist(), -1] for seen in SEEN],
}


@pytest.mark.parametrize("form", SAME_AS_LISTS)
def test_forms_of_exclusion(form: str) -> None:
    assert_same(INDEX.search(QUERIES, exclude=SAME_AS_LISTS[form]), INDEX.search(QUERIES, exclude=SEEN))


def test_a_matrix_of_earlier_answers_gives_the_next_ones() -> None:
    for index in (INDEX, NUMBERED, SCATTERED, NAMED):
        first = index.exact(QUERIES, k=10)
        second = index.exact(QUERIES, k=10, exclude=first.ids)
        np.testing.assert_array_equal(second.ids, index.exact(QUERIES, k=20).ids[:, 10:])
    few = INDEX.search(QUERIES, k=10, budget=3)
    assert (INDEX.search(QUERIES, k=10, exclude=few.ids).ids >= 0).all()


@pytest.mark.parametrize("flat", [[3, 500, 40], (3, 500, 40), {3, 500, 40}, np.array([3, 500, 40]), iter([3, 500, 40])])
def test_one_flat_list_holds_for_all_queries(flat: Any) -> None:
    assert_same(INDEX.search(QUERIES, exclude=flat), INDEX.search(QUERIES, exclude=[[3, 40, 500]] * M))


def test_ids_of_ones_own() -> None:
    rows = INDEX.search(QUERIES, exclude=SEEN, allow=np.arange(0, N, 2))
    for index in (NUMBERED, SCATTERED, NAMED):
        ids = index.ids
        assert ids is not None
        answer = index.search(QUERIES, exclude=[ids[seen] for seen in SEEN], allow=ids[::2])
        np.testing.assert_array_equal(answer.ids, ids[rows.ids])
        # The columns of a matrix are rows of the items, whatever they are called.
        np.testing.assert_array_equal(index.search(QUERIES, exclude=CSR, allow=ids[::2]).ids, answer.ids)


def test_a_reordered_index_keeps_the_columns_of_a_matrix() -> None:
    answer = INDEX.reordered().search(QUERIES, k=10, pool=200, exclude=CSR)
    assert all(not np.isin(answer.ids[at], SEEN[at]).any() for at in range(M))
    assert wp.recall(answer.ids, INDEX.exact(QUERIES, k=10, exclude=CSR).ids) > 0.9


def test_routers_filter_too() -> None:
    vectors = ITEMS + RNG.normal(0, 0.1, ITEMS.shape).astype(np.float32)
    for router in (wp.Router(vectors=vectors), wp.Router(bias=RNG.normal(0, 1, N).astype(np.float32))):
        index = wp.Index(ITEMS, GRAPH, router)
        for rerank in (0, 20):
            answer = index.search(QUERIES, k=10, budget=80, rerank=rerank, exclude=SEEN)
            assert all(not np.isin(answer.ids[at], SEEN[at]).any() for at in range(M))
            assert (answer.ids >= 0).all()
        truth = INDEX.exact(QUERIES, k=10, exclude=SEEN)
        np.testing.assert_array_equal(index.exact(QUERIES, k=10, exclude=SEEN).ids, truth.ids)


def test_a_plain_manner_filters_too() -> None:
    router = wp.Router(vectors=-ITEMS, manners=[wp.Manner(256, plain=True)])
    answer = wp.Index(ITEMS, GRAPH, router).search(QUERIES, exclude=SEEN)
    assert_same(answer, INDEX.search(QUERIES, exclude=SEEN))


@pytest.mark.parametrize(("excluded", "recall"), [(15, 0.9), (60, 0.9)])
def test_a_walk_goes_on_where_the_excluded_fill_its_pool(excluded: int, recall: float) -> None:
    best = INDEX.exact(QUERIES, k=excluded).ids
    answer = INDEX.search(QUERIES, k=10, pool=20, exclude=best)
    assert wp.recall(answer.ids, INDEX.exact(QUERIES, k=10, exclude=best).ids) > recall
    narrow = INDEX.search(QUERIES, k=10, pool=20, exclude=best, complete=False)
    assert narrow.cost.tolist() == INDEX.search(QUERIES, k=10, pool=20).cost.tolist()
    assert (narrow.cost < answer.cost).all()


@pytest.mark.parametrize("codes", [None, "int8"])
def test_pools_filter_as_walks_do(codes: str | None) -> None:
    index = wp.Index(ITEMS, GRAPH, codes=codes)
    answer = index.search(QUERIES, k=10, pool=40, exclude=SEEN, allow=np.arange(0, N, 2))
    assert (answer.ids >= 0).all()
    assert (answer.ids % 2 == 0).all()
    assert all(not np.isin(answer.ids[at], SEEN[at]).any() for at in range(M))
    for at in range(M):
        one = index.search(QUERIES[at : at + 1], k=10, pool=40, exclude=SEEN[at : at + 1], allow=np.arange(0, N, 2))
        assert_same(one, wp.Answer(*(part[at : at + 1] for part in answer[:3])))


def test_a_trace_is_of_the_last_walk() -> None:
    near = [INDEX.search(QUERIES[at : at + 1], k=60, budget=60).ids[0] for at in range(M)]
    answer = INDEX.search(QUERIES, k=10, budget=60, exclude=near, trace=True)
    assert answer.trace is not None
    assert {len(trace.rows) for trace in answer.trace} == {240}


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "an id that is none": (
        {"exclude": [[N]] * M},
        ValueError,
        "exclude holds 600, which is no id of the index; leave it out.",
    ),
    "a negative id": ({"exclude": [-2]}, ValueError, "exclude holds -2, which is no id of the index; leave it out."),
    "an allowed id that is none": (
        {"allow": [N]},
        ValueError,
        "allow holds 600, which is no id of the index; leave it out.",
    ),
    "a huge id": (
        {"exclude": [2**70]},
        ValueError,
        "exclude holds a number beyond int64, which is no id of the index; leave it out.",
    ),
    "too few lists": (
        {"exclude": [[1]]},
        ValueError,
        "exclude has 1 lists for 30 queries; pass one a query, or one flat list for all of them.",
    ),
    "a matrix of other queries": (
        {"exclude": CSR[:5]},
        ValueError,
        "exclude has shape (5, 600) for 30 queries and 600 items; pass a row a query and a column an item.",
    ),
    "ids and lists": (
        {"exclude": [1, [2]]},
        TypeError,
        "exclude mixes ids and lists of ids; pass a list a query, or one flat list for all of them.",
    ),
    "lists of lists of lists": (
        {"exclude": np.zeros((M, 2, 2), int)},
        ValueError,
        "exclude has 3 dimensions; pass a list of ids a query.",
    ),
    "lists to allow": (
        {"allow": np.zeros((M, 2), int)},
        ValueError,
        "allow has 2 dimensions; pass one flat list of ids for all queries.",
    ),
    "a matrix to allow": (
        {"allow": CSR},
        TypeError,
        "allow is a sparse matrix; pass one flat list of ids for all queries.",
    ),
    "a number": ({"exclude": 5}, TypeError, "exclude is of type int; pass ids in a list, an array or a sparse matrix."),
    "a word": ({"allow": "tea"}, TypeError, "allow is of type str; pass ids in a list, an array or a sparse matrix."),
    "fractions": (
        {"exclude": np.array([0.5])},
        TypeError,
        "exclude holds float64 where the index has whole numbers for ids; pass whole numbers.",
    ),
    "a mask": (
        {"exclude": np.ones(N, bool)},
        TypeError,
        "exclude holds bool where the index has whole numbers for ids; pass whole numbers.",
    ),
    "text": (
        {"exclude": ["tea"]},
        TypeError,
        "exclude holds text or other objects where the index has whole numbers for ids; pass whole numbers.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_filters(case: str) -> None:
    options, error, sentence = BAD[case]
    with pytest.raises(error) as caught:
        INDEX.search(QUERIES, **options)
    assert str(caught.value) == sentence


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match="^exclude holds 'tea', which is no id of the index; leave it out.$"):
        NAMED.search(QUERIES, exclude=["tea"])
    with pytest.raises(ValueError, match="^exclude holds 3, which is no id of the index; leave it out.$"):
        NUMBERED.search(QUERIES, exclude=[3])


@pytest.mark.parametrize(
    "damage",
    [
        lambda m: m.indices.__setitem__(0, N),
        lambda m: m.indices.__setitem__(0, -1),
        lambda m: m.indptr.__setitem__(1, 10**6),
        lambda m: m.indptr.__setitem__(0, 1),
        lambda m: setattr(m, "indptr", m.indptr[:-1]),
        lambda m: setattr(m, "indptr", np.append(m.indptr, m.indptr[-1])),
        lambda m: setattr(m, "indices", m.indices.astype(float)),
        lambda m: setattr(m, "indices", m.indices[:, None]),
        lambda m: delattr(m, "indices"),
    ],
)
def test_a_damaged_matrix_is_refused(damage: Callable[[Any], object]) -> None:
    matrix = DuckMatrix(CSR.copy())
    damage(matrix)
    with pytest.raises(ValueError, match="^exclude is no sound sparse matrix; pass a scipy CSR matrix whose "):
        INDEX.search(QUERIES, exclude=matrix)


def test_a_call_like_one_before_filters_alike() -> None:
    index = wp.Index(ITEMS, GRAPH, codes="int8").reordered()
    lists = [row.tolist() for row in SEEN]
    for exclude, allow in (
        (SEEN, None),
        (lists, None),
        (SEEN[0], None),
        (None, np.arange(50)),
        (SEEN, np.arange(0, N, 3)),
    ):
        first, again = (index.search(QUERIES, 10, pool=20, exclude=exclude, allow=allow) for _ in range(2))
        careful = index.search(QUERIES.astype(np.float64), 10, pool=20, exclude=exclude, allow=allow)
        assert_same(again, first)
        assert_same(again, careful)
    spent = index.search(QUERIES, 10, pool=20, exclude=iter(lists))
    assert_same(spent, index.search(QUERIES, 10, pool=20, exclude=lists))
    with pytest.raises(ValueError, match="no id of the index"):
        index.search(QUERIES, 10, pool=20, exclude=[N + 5])
