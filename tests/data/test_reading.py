"""Files in each publisher's form load to the exact matrix expected."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from publishers import (
    AMAZON_2014,
    AMAZON_2018,
    ECHONEST,
    FIRST,
    MOVIELENS,
    REVIEWS,
    SECOND,
    table,
    write,
    write_reviews,
    write_zip,
)

from waypost.data import Ratings, read_ratings

sparse = pytest.importorskip("scipy.sparse")
arrow = pytest.importorskip("pyarrow")

AMAZON = {
    ("A3R5OBKS7OM2IR", "0000143502"): 5,
    ("A3R5OBKS7OM2IR", "0000143529"): 4,
    ("AH3QC2PC1VTGP", "0000143502"): 1,
}


def test_movielens(tmp_path: Path) -> None:
    ratings = read_ratings(write(tmp_path / "ratings.csv", MOVIELENS))
    assert ratings.users.tolist() == [1, 2, 10]
    assert ratings.items.tolist() == [296, 306, 5952]
    assert ratings.users.dtype == ratings.items.dtype == np.int64
    assert ratings.matrix.dtype == np.float32
    assert ratings.matrix.toarray().tolist() == [[5, 3.5, 0], [0.5, 0, 0], [0, 0, 4]]
    assert ratings.notes == ()


def test_the_movielens_zip(tmp_path: Path) -> None:
    others = {"ml-25m__movies": "movieId,title,genres\n1,Toy Story (1995),Comedy\n", "ml-25m__ratings": MOVIELENS}
    plain = read_ratings(write(tmp_path / "ratings.csv", MOVIELENS))
    assert table(read_ratings(write_zip(tmp_path / "ml-25m.zip", **others))) == table(plain)


@pytest.mark.parametrize("content", [AMAZON_2014, AMAZON_2018])
def test_amazon_in_the_order_of_either_release(tmp_path: Path, content: str) -> None:
    ratings = read_ratings(write(tmp_path / "Movies_and_TV.csv", content), min_user=1, min_item=1)
    assert table(ratings) == AMAZON


def test_amazon_users_with_names_as_short_as_items(tmp_path: Path) -> None:
    content = "A123456789,0000143502,5.0,1358380800\n" + AMAZON_2014
    ratings = read_ratings(write(tmp_path / "ratings.csv", content), min_user=1, min_item=1)
    assert table(ratings) == {**AMAZON, ("A123456789", "0000143502"): 5}


def test_amazon_reviews(tmp_path: Path) -> None:
    path = write_reviews(tmp_path / "reviews_Movies_and_TV_5.json.gz", REVIEWS)
    expected = {("A3R5", "0005019281"): 4, ("A3R5", "0005119367"): 3, ("AVM9", "0005019281"): 5}
    assert table(read_ratings(path, min_user=1, min_item=1)) == expected


def test_reviews_in_pythons_notation(tmp_path: Path) -> None:
    path = write(tmp_path / "reviews.json", "".join(f"{review!r}\n" for review in REVIEWS))
    assert len(table(read_ratings(path, min_user=1, min_item=1))) == 3


@pytest.mark.parametrize("packed", [False, True])
def test_echonest_sums_plays(tmp_path: Path, packed: bool) -> None:
    if packed:
        path = write_zip(tmp_path / "train_triplets.txt.zip", train_triplets=ECHONEST)
    else:
        path = write(tmp_path / "train_triplets.txt", ECHONEST)
    ratings = read_ratings(path, min_user=1)
    expected = {(FIRST, "SOAKIMP12A8C130995"): 5, (FIRST, "SOAPDEY12A81C210A9"): 3, (SECOND, "SOAKIMP12A8C130995"): 2}
    assert table(ratings) == expected
    assert ratings.notes == ("Merged 1 repeated ratings of the same user and item (sum).",)


def test_echonest_keeps_users_of_five(tmp_path: Path) -> None:
    lines = [f"{FIRST}\tSO{song}\t1\n" for song in range(5)] + [f"{SECOND}\tSO{song}\t1\n" for song in range(4)]
    ratings = read_ratings(write(tmp_path / "train_triplets.txt", "".join(lines)))
    assert ratings.users.tolist() == [FIRST]
    assert ratings.matrix.shape == (1, 5)
    assert "1 users with fewer than 5 items" in ratings.notes[0]


def test_amazon_filters_until_all_have_five(tmp_path: Path) -> None:
    """Five users with the same five items stay; a user of five whose fifth item has too few users goes, too."""
    pairs = [(f"A{user:013d}", f"{item:010d}") for user in range(5) for item in range(5)]
    pairs += [("A9999999999999", f"{item:010d}") for item in (0, 1, 2, 3, 9)]
    content = "".join(f"{user},{item},5.0,1358380800\n" for user, item in pairs)
    path = write(tmp_path / "ratings_Movies_and_TV.csv", content)
    assert read_ratings(path).matrix.shape == (5, 5)
    assert read_ratings(path, passes=1).matrix.shape == (6, 5)


@pytest.mark.parametrize(
    ("name", "delimiter"), [("a.csv", ","), ("a.tsv", "\t"), ("a.txt", ";"), ("a.csv", "|"), ("with space.csv", "^")]
)
def test_any_table_with_named_columns(tmp_path: Path, name: str, delimiter: str) -> None:
    rows = [["when", "song", "who", "plays"], ["x", "q", "ä", "2"], ["y", "r", "b", "3.5"]]
    path = write(tmp_path / name, "".join(delimiter.join(row) + "\r\n" for row in rows))
    given = delimiter if delimiter == "^" else None
    ratings = read_ratings(path, user="who", item="song", rating="plays", delimiter=given)
    assert table(ratings) == {("ä", "q"): 2, ("b", "r"): 3.5}


def test_usual_names_of_columns_are_known(tmp_path: Path) -> None:
    ratings = read_ratings(write(tmp_path / "a.csv", "product_id,Customer_ID,stars\nq,a,4\n"))
    assert table(ratings) == {("a", "q"): 4}


def test_without_a_rating_each_line_counts_one(tmp_path: Path) -> None:
    ratings = read_ratings(write(tmp_path / "a.csv", "user,item\na,q\na,q\nb,q\n"))
    assert table(ratings) == {("a", "q"): 2, ("b", "q"): 1}


def test_columns_by_position_need_no_header(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "7,q,1\n8,r,2\n")
    assert table(read_ratings(path, user=0, item=1, rating=2)) == {(7, "q"): 1, (8, "r"): 2}
    assert table(read_ratings(path, user=0, item=1)) == {(7, "q"): 1, (8, "r"): 1}


def test_quoted_fields_may_hold_delimiters(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", 'user,item,rating\n"a,b","say ""hi""",2\nc,d,1\n')
    assert table(read_ratings(path)) == {("a,b", 'say "hi"'): 2, ("c", "d"): 1}


def test_the_last_rating_stands(tmp_path: Path) -> None:
    ratings = read_ratings(write(tmp_path / "a.csv", "user,item,rating\n1,2,5\n1,3,1\n1,2,3\n1,2,4\n"))
    assert table(ratings) == {(1, 2): 4, (1, 3): 1}
    assert ratings.notes == ("Merged 2 repeated ratings of the same user and item (last).",)


def test_ids_with_leading_zeros_stay_as_they_are(tmp_path: Path) -> None:
    ratings = read_ratings(write(tmp_path / "a.csv", "user,item\n1,007\n2,7\n"))
    assert ratings.users.tolist() == [1, 2]
    assert ratings.items.tolist() == ["007", "7"]


def test_the_order_of_the_lines_does_not_matter(tmp_path: Path) -> None:
    head, *lines = MOVIELENS.splitlines()
    turned = read_ratings(write(tmp_path / "b.csv", "\n".join([head, *lines[::-1]])))
    ratings = read_ratings(write(tmp_path / "a.csv", MOVIELENS))
    assert (ratings.matrix != turned.matrix).nnz == 0
    assert ratings.users.tolist() == turned.users.tolist()


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_compressed_tables(tmp_path: Path, ending: str, pack: Any) -> None:
    path = write(tmp_path / f"ratings.csv{ending}", pack(MOVIELENS.encode()))
    assert table(read_ratings(path))[(10, 5952)] == 4


def test_a_byte_order_mark_and_no_last_line_break(tmp_path: Path) -> None:
    path = write(tmp_path / "ratings.csv", b"\xef\xbb\xbf" + MOVIELENS.rstrip().encode())
    assert len(table(read_ratings(path))) == 4


@pytest.mark.parametrize("kind", ["plain", "dictionary"])
def test_parquet(tmp_path: Path, kind: str) -> None:
    from pyarrow import parquet

    users = arrow.array(["b", "a", "a"])
    columns = {
        "user_id": users.dictionary_encode() if kind == "dictionary" else users,
        "item_id": [3, 1, 2],
        "rating": [1.5, 2.0, 3.0],
        "more": ["x", "y", "z"],
    }
    parquet.write_table(arrow.table(columns), tmp_path / "a.parquet")
    assert table(read_ratings(tmp_path / "a.parquet")) == {("b", 3): 1.5, ("a", 1): 2, ("a", 2): 3}


def test_a_matrix_of_scipys_and_our_own(tmp_path: Path) -> None:
    matrix = sparse.csr_matrix(np.array([[0, 2], [1, 0]], np.int8))
    sparse.save_npz(tmp_path / "theirs.npz", matrix)
    theirs = read_ratings(tmp_path / "theirs.npz")
    assert theirs.matrix.toarray().tolist() == [[0, 2], [1, 0]]
    assert theirs.users is None
    named = Ratings(theirs.matrix, users=["a", "bü"], items=[5, 4], notes=("one", "two."))
    named.save(tmp_path / "ours")
    loaded = Ratings.load(tmp_path / "ours")
    assert loaded.users.tolist() == ["a", "bü"]
    assert loaded.items.tolist() == [5, 4]
    assert loaded.notes == ("one", "two.")
    assert table(loaded) == {("a", 4): 2, ("bü", 5): 1}
    (tmp_path / "ours").rename(tmp_path / "ours.npz")
    assert (sparse.load_npz(tmp_path / "ours.npz") != matrix).nnz == 0


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    path, seen = write(tmp_path / "ratings.csv", MOVIELENS), []
    read_ratings(path, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(MOVIELENS), len(MOVIELENS))


def test_many_blocks_are_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    rows = [(int(rng.integers(50)), int(rng.integers(90)), int(rng.integers(1, 6))) for _ in range(3000)]
    lines = [f"{user},{item},{rating}" for user, item, rating in rows]
    for place in (7, 1500, 2998):
        lines[place] = "bad"
    path = write(tmp_path / "a.csv", "user,item,rating\n" + "\n".join(lines))
    whole = read_ratings(path)
    monkeypatch.setattr("waypost.data.line_blocks.BLOCK", 64)
    monkeypatch.setattr("waypost.data.line_blocks.Text.blocks.__defaults__", (64,))
    split = read_ratings(path)
    expected = {(user, item): rating for place, (user, item, rating) in enumerate(rows) if place not in (7, 1500, 2998)}
    assert table(whole) == table(split) == expected
    assert split.notes == whole.notes
    assert "line 9: " in whole.notes[0]
    assert "line 3000: " in whole.notes[0]
