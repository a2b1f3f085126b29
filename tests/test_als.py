"""An index that folds new users in by itself."""

from pathlib import Path

import numpy as np
import pytest

import waypost as wp
from waypost.data import Factors

ALS = wp.AlsNumbers(scale=0.5, alpha=10.0, regularization=0.01)


def an_index(ids: object = None, als: wp.AlsNumbers | None = ALS) -> wp.Index:
    items = np.random.default_rng(0).standard_normal((40, 6), dtype=np.float32)
    return wp.Index(items, wp.build_graph(items, "ip-nsw", degree=4), ids=ids, als=als)  # type: ignore[arg-type]


@pytest.mark.parametrize("ids", [None, list(range(100, 140)), [f"n{row}" for row in range(40)]])
@pytest.mark.parametrize("mmap", [False, True])
def test_it_folds_in_as_the_factors_do_also_from_a_file(ids: list[object] | None, mmap: bool, tmp_path: Path) -> None:
    index = an_index(ids)
    index.save(tmp_path / "x.waypost")
    loaded = wp.Index.load(tmp_path / "x.waypost", mmap=mmap)
    assert loaded.als == ALS
    factors = Factors(index.items, index.items, item_ids=ids, scale=0.5, alpha=10.0, regularization=0.01)  # type: ignore[arg-type]
    liked = [[3, 5], [7]] if ids is None else [[ids[3], ids[5]], [ids[7]]]
    np.testing.assert_array_equal(loaded.fold_in(liked), factors.fold_in(liked))


def test_another_router_keeps_the_rest() -> None:
    index = an_index([f"n{row}" for row in range(40)])
    other = index.with_router(wp.Router(bias=np.ones(40), entry=7))
    assert other.als == ALS
    assert other.search(index.items[:1], k=1, budget=1).ids.tolist() == [["n7"]]
    with pytest.raises(ValueError, match="bias has shape"):
        index.with_router(wp.Router(bias=np.ones(3)))


def test_without_its_numbers_it_says_so() -> None:
    with pytest.raises(ValueError, match="does not know how an ALS model made its items"):
        an_index(als=None).fold_in([1])


def test_odd_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="alpha is nan"):
        an_index(als=wp.AlsNumbers(1.0, float("nan"), 0.01))
    with pytest.raises(TypeError, match="als is of type tuple"):
        an_index(als=(1.0, 1.0, 1.0))  # type: ignore[arg-type]


def test_a_name_that_is_not_known_is_refused_or_left_out() -> None:
    index = an_index([f"n{row}" for row in range(40)])
    with pytest.raises(ValueError, match="'m1', which is no known item"):
        index.fold_in(["n1", "m1"])
    np.testing.assert_array_equal(index.fold_in(["n1", "m1"], unknown="skip"), index.fold_in(["n1"]))
