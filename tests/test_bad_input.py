"""Each kind of bad input, and the one sentence that its giver reads: which argument it is, and what to do."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import waypost as wp

N, D = 50, 4
ITEMS = np.random.default_rng(0).integers(-3, 4, (N, D)).astype(np.float32)
QUERIES = ITEMS[:3]
GRAPH = wp.build_graph(ITEMS, "ip-nsw", degree=4, candidates=10)
INDEX = wp.Index(ITEMS, GRAPH)
ROUTED = wp.Index(ITEMS, GRAPH, wp.Router(ITEMS))

KINDS = "ip-nsw, ipdg, moebius, moebius-printed, l2-nsw, cos-nsw, united, auto"


def with_value(value: float) -> np.ndarray:
    spoilt = ITEMS.copy()
    spoilt[2, 1] = value
    return spoilt


def too_many() -> np.ndarray:
    return np.broadcast_to(np.float32(0), (2**31 - 1, D))


Case = tuple[Callable[[], Any], type[Exception], str]

# Every way in for a matrix refuses the same faults in the same words.
WAYS_IN: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "exact_search, items": ("items", lambda bad: wp.exact_search(bad, QUERIES)),
    "exact_search, queries": ("queries", lambda bad: wp.exact_search(ITEMS, bad)),
    "build_graph": ("items", lambda bad: wp.build_graph(bad, "ip-nsw")),
    "Index": ("items", lambda bad: wp.Index(bad, GRAPH)),
    "Index.search": ("queries", lambda bad: INDEX.search(bad)),
    "Index.search with a router": ("queries", lambda bad: ROUTED.search(bad)),
    "Index.exact": ("queries", lambda bad: INDEX.exact(bad)),
    "recall_against_budget": ("queries", lambda bad: wp.recall_against_budget(INDEX, bad, [[1]], [9])),
    "recall_against_speed": ("queries", lambda bad: wp.recall_against_speed(INDEX, bad, [[1]], [9])),
    "Router": ("vectors", lambda bad: wp.Index(ITEMS, GRAPH, wp.Router(bad))),
    "Router, query_matrix": (
        "query_matrix",
        lambda bad: wp.Index(ITEMS[:D], SMALL_GRAPH, wp.Router(query_matrix=bad[:D])),
    ),
}
SMALL_GRAPH = wp.build_graph(ITEMS[:D], "ip-nsw", degree=2, candidates=2)

BAD_MATRICES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "NaN": (
        lambda: with_value(np.nan),
        ValueError,
        "{name} holds NaN or infinity, first in row 2; remove or repair such rows.",
    ),
    "infinity": (
        lambda: with_value(-np.inf),
        ValueError,
        "{name} holds NaN or infinity, first in row 2; remove or repair such rows.",
    ),
    "float64 that would be rounded": (
        lambda: with_value(0).astype(np.float64) + 0.1,
        TypeError,
        "{name} is float64 and would lose precision as float32; pass {name}.astype(np.float32).",
    ),
    "text": (
        lambda: ITEMS.astype(str),
        TypeError,
        "{name} has dtype <U32; pass a dense matrix of numbers, best of float32.",
    ),
    "complex numbers": (
        lambda: ITEMS.astype(np.complex64),
        TypeError,
        "{name} has dtype complex64; pass a dense matrix of numbers, best of float32.",
    ),
    "one vector": (
        lambda: ITEMS[:, 0],
        ValueError,
        "{name} has 1 dimensions; pass a matrix, one vector a row, such as {name}[None, :].",
    ),
    "rows of different lengths": (
        lambda: [[1.0, 2.0], [3.0]] * D,
        ValueError,
        "{name} has rows of different lengths; pass a matrix, one vector a row.",
    ),
    "three dimensions": (
        lambda: ITEMS[:, :, None],
        ValueError,
        "{name} has 3 dimensions; pass a matrix, one vector a row.",
    ),
    "no columns": (
        lambda: ITEMS[:, :0],
        ValueError,
        "{name} is empty (shape ({rows}, 0)); pass at least one row and one column.",
    ),
    "no rows": (
        lambda: ITEMS[:0],
        ValueError,
        "{name} is empty (shape (0, 4)); pass at least one row and one column.",
    ),
}


@pytest.mark.parametrize("fault", BAD_MATRICES)
@pytest.mark.parametrize("way_in", WAYS_IN)
def test_bad_matrices(way_in: str, fault: str) -> None:
    name, call = WAYS_IN[way_in]
    make, error, sentence = BAD_MATRICES[fault]
    with pytest.raises(error) as caught:
        call(make())
    rows = D if name == "query_matrix" else N
    assert str(caught.value) == sentence.format(name=name, rows=rows)


CASES: dict[str, Case] = {
    "d that differs, exact_search": (
        lambda: wp.exact_search(ITEMS, QUERIES[:, :3]),
        ValueError,
        "queries has 3 columns where items has 4; give both the same width.",
    ),
    "d that differs, search": (
        lambda: INDEX.search(QUERIES[:, :3]),
        ValueError,
        "queries has 3 columns where the index has 4; give both the same width.",
    ),
    "k below 1": (lambda: INDEX.search(QUERIES, k=0), ValueError, "k is 0; pass 1 or more."),
    "k below 1, exact": (lambda: wp.exact_search(ITEMS, QUERIES, k=-2), ValueError, "k is -2; pass 1 or more."),
    "k above n": (
        lambda: INDEX.search(QUERIES, k=51),
        ValueError,
        "k is 51 but there are only 50 items; pass k=50 or less.",
    ),
    "k above n, exact": (
        lambda: wp.exact_search(ITEMS, QUERIES, k=51),
        ValueError,
        "k is 51 but there are only 50 items; pass k=50 or less.",
    ),
    "k of a wrong type": (
        lambda: INDEX.search(QUERIES, k=2.5),
        TypeError,
        "k is of type float; pass a whole number.",
    ),
    "budget below 1": (lambda: INDEX.search(QUERIES, budget=0), ValueError, "budget is 0; pass 1 or more."),
    "budget of a wrong type": (
        lambda: INDEX.search(QUERIES, budget="many"),
        TypeError,
        "budget is of type str; pass a whole number.",
    ),
    "budget below the number of entries": (
        lambda: INDEX.search(QUERIES, budget=2, entry=np.arange(9).reshape(3, 3)),
        ValueError,
        "budget is 2, below the 3 entries of a query; pass budget=3 or more.",
    ),
    "rerank below k": (
        lambda: ROUTED.search(QUERIES, k=10, rerank=9),
        ValueError,
        "rerank is 9, below k=10; pass 0 or at least 10.",
    ),
    "rerank below 0": (lambda: ROUTED.search(QUERIES, rerank=-1), ValueError, "rerank is -1; pass 0 or more."),
    "rerank that leaves nothing to walk": (
        lambda: ROUTED.search(QUERIES, budget=30, rerank=30),
        ValueError,
        "rerank is 30 of a budget of 30, which leaves too little to walk; pass a budget of at least 31.",
    ),
    "an unknown entry rule": (
        lambda: INDEX.search(QUERIES, entry="biggest"),
        ValueError,
        "entry is 'biggest'; pass one of largest-norm, first, random, or a row.",
    ),
    "an entry outside": (
        lambda: INDEX.search(QUERIES, entry=50),
        ValueError,
        "entry is row 50 but there are only 50 items; pass a row from 0 to 49.",
    ),
    "too few entries": (
        lambda: INDEX.search(QUERIES, entry=[1, 2]),
        ValueError,
        "entry has shape (2,) for 3 queries; pass one row a query, or a matrix of several a query.",
    ),
    "a seed below 0": (
        lambda: INDEX.search(QUERIES, entry="random", seed=-1),
        ValueError,
        "seed is -1; pass 0 or more.",
    ),
    "threads below 0": (lambda: INDEX.search(QUERIES, threads=-1), ValueError, "threads is -1; pass 0 or more."),
    "threads of a wrong type": (
        lambda: wp.exact_search(ITEMS, QUERIES, threads=None),
        TypeError,
        "threads is of type NoneType; pass a whole number.",
    ),
    "an unknown repair": (
        lambda: wp.build_graph(ITEMS, "ip-nsw", repair="yes"),
        ValueError,
        "repair is 'yes'; pass True, False or 'within-degree'.",
    ),
    "an unknown kind": (
        lambda: wp.build_graph(ITEMS, "hnsw"),
        ValueError,
        f"kind is 'hnsw'; did you mean 'l2-nsw'? pass one of {KINDS}.",
    ),
    "a misspelt kind": (
        lambda: wp.build_graph(ITEMS, "Mobius"),
        ValueError,
        f"kind is 'Mobius'; did you mean 'moebius'? pass one of {KINDS}.",
    ),
    "a kind like no other": (
        lambda: wp.build_graph(ITEMS, "???"),
        ValueError,
        f"kind is '???'; pass one of {KINDS}.",
    ),
    "a kind that is no text": (
        lambda: wp.build_graph(ITEMS, 3),
        TypeError,
        f"kind is of type int; pass one of {KINDS}.",
    ),
    "degree below 1": (
        lambda: wp.build_graph(ITEMS, "ipdg", degree=0),
        ValueError,
        "degree is 0; pass 1 or more.",
    ),
    "candidates below 1": (
        lambda: wp.build_graph(ITEMS, "ipdg", candidates=0),
        ValueError,
        "candidates is 0; pass 1 or more.",
    ),
    "degree beyond reason": (
        lambda: wp.build_graph(ITEMS, "ipdg", degree=2**31, candidates=2**31),
        ValueError,
        "degree is 2147483648; pass 65535 or less.",
    ),
    "progress of a wrong type, build_graph": (
        lambda: wp.build_graph(ITEMS, "ipdg", progress=3),
        TypeError,
        "progress is of type int; pass a function of (done, total), or None.",
    ),
    "progress of a wrong type, exact_search": (
        lambda: wp.exact_search(ITEMS, QUERIES, progress="bar"),
        TypeError,
        "progress is of type str; pass a function of (done, total), or None.",
    ),
    "candidates below degree": (
        lambda: wp.build_graph(ITEMS, "ipdg", degree=16, candidates=15),
        ValueError,
        "candidates is 15, below degree 16; pass at least as many candidates.",
    ),
    "a batch below 1": (lambda: wp.build_graph(ITEMS, "ipdg", batch=0), ValueError, "batch is 0; pass 1 or more."),
    "more items than rows can count": (
        lambda: wp.build_graph(too_many(), "ipdg"),
        ValueError,
        "items has 2147483647 rows, too many for int32 row numbers; pass 2147483646 or fewer.",
    ),
    "a graph of other items": (
        lambda: wp.Index(ITEMS[:-1], GRAPH),
        ValueError,
        "graph has 50 rows for 49 items; pass the graph of these items.",
    ),
    "no graph": (
        lambda: wp.Index(ITEMS, GRAPH.neighbors),
        TypeError,
        "graph is of type ndarray; pass what waypost.build_graph returns.",
    ),
    "no router": (
        lambda: wp.Index(ITEMS, GRAPH, ITEMS),
        TypeError,
        "router is of type ndarray; pass a waypost.Router or None.",
    ),
    "a router of other items": (
        lambda: wp.Index(ITEMS, GRAPH, wp.Router(ITEMS[1:])),
        ValueError,
        "router has vectors of 49 rows for 50 items; pass the router of these items.",
    ),
    "ids that repeat": (
        lambda: wp.Index(ITEMS, GRAPH, ids=[0, 0, *range(48)]),
        ValueError,
        "ids holds 0 more than once; pass an id of its own for each item.",
    ),
    "ids that repeat, text": (
        lambda: wp.Index(ITEMS, GRAPH, ids=["tea", *map(str, range(48)), "tea"]),
        ValueError,
        "ids holds 'tea' more than once; pass an id of its own for each item.",
    ),
    "too few ids": (
        lambda: wp.Index(ITEMS, GRAPH, ids=range(49)),
        ValueError,
        "ids has 49 entries for 50 items; pass one id an item.",
    ),
    "an id that means missing": (
        lambda: wp.Index(ITEMS, GRAPH, ids=range(-1, 49)),
        ValueError,
        "ids holds -1, which stands for a missing answer; pass another number for that item.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_arguments(case: str) -> None:
    call, error, sentence = CASES[case]
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == sentence
    assert type(caught.value) is error
