"""Bad lines are skipped, counted and shown; a file that cannot be used is refused in one line that says where."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from publishers import MOVIELENS, REVIEWS, table, write, write_reviews, write_zip

from waypost import UnreadableFileError
from waypost.data import Ratings, read_ratings

sparse = pytest.importorskip("scipy.sparse")
arrow = pytest.importorskip("pyarrow")

GOOD = "user,item,rating\n" + "".join(f"a,{item},1\n" for item in range(10))  # the bad line is line 12


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"a,x,nan", "NaN"),
        (b"a,x,-2", "negative"),
        (b"a,x,1e60", "too large"),
        (b"a,x,inf", "too large"),
        (b"a,x,five", "'five' is no number"),
        (b"a,x,1_0", "'1_0' is no number"),
        (b"a,x,", "no rating"),
        (b",x,1", "no user"),
        (b"a,,1", "no item"),
        (b"a,x", "2 fields where 3 belong"),
        (b"a,x,1,1", "4 fields where 3 belong"),
        (b"a,\xe4,1", "not UTF-8"),
        (b'a,"x,1', "quotes"),
    ],
)
@pytest.mark.parametrize("last", [False, True])
def test_a_bad_line_is_skipped_and_shown(tmp_path: Path, line: bytes, why: str, last: bool) -> None:
    content = GOOD.encode() + line + (b"" if last else b"\na,y,2\n")
    path = write(tmp_path / "a.csv", content)
    ratings = read_ratings(path)
    expected = {("a", str(item)): 1 for item in range(10)} | ({} if last else {("a", "y"): 2})
    assert {(user, str(item)): rating for (user, item), rating in table(ratings).items()} == expected
    [note] = ratings.notes
    assert note.startswith(f"Skipped 1 of {11 if last else 12} lines. line 12: ")
    assert why in note
    with pytest.raises(ValueError, match=r"a\.csv, line 12: "):
        read_ratings(path, strict=True)


def test_blank_lines_are_no_flaw(tmp_path: Path) -> None:
    assert read_ratings(write(tmp_path / "a.csv", GOOD + "\n\r\n\na,y,1\n\n")).notes == ()


def test_movielens_ids_are_numbers(tmp_path: Path) -> None:
    ratings = read_ratings(write(tmp_path / "ratings.csv", MOVIELENS + "me,296,1.0,5\n"))
    assert len(table(ratings)) == 4
    assert ratings.notes == ("Skipped 1 of 5 lines. line 6: the user 'me' is no whole number.",)


def test_only_the_first_few_bad_lines_are_shown(tmp_path: Path) -> None:
    content = GOOD + "".join(f"a,{item},2\n" for item in range(100, 200)) + "bad\n" * 50
    [note] = read_ratings(write(tmp_path / "a.csv", content)).notes
    assert note.count("line ") == 5
    assert note.endswith("; and 45 more.")


def test_zeros_are_no_interaction(tmp_path: Path) -> None:
    ratings = read_ratings(write(tmp_path / "a.csv", GOOD + "b,0,0\n"))
    assert ratings.users.tolist() == ["a"]
    assert "1 ratings of zero" in ratings.notes[0]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "empty"),
        ("\n", "empty"),
        ("user,item,rating\n", "no rating that can be used"),
        ("user,item,rating\na,b,x\n", "no rating that can be used: line 2: the rating 'x' is no number"),
        ("who,what\na,b\n", "pass user= one of who, what"),
        ("user,what\na,b\n", "pass item= one of user, what"),
        (GOOD + "bad\n" * 20, "20 of 30 lines cannot be used, the first being line 12"),
        (GOOD.encode("utf-16"), "UTF-16"),
        (b"us\xe4r,item\n", "line 1: it is not UTF-8"),
        (b"a\0b,c\n", "zero bytes"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, content: str | bytes, why: str) -> None:
    path = write(tmp_path / "a.csv", content)
    with pytest.raises(ValueError, match=why) as refused:
        read_ratings(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"line 1: there is no column 'stars'; pass rating= one of user, item, rating"):
        read_ratings(write(tmp_path / "a.csv", GOOD), rating="stars")
    with pytest.raises(ValueError, match="user is column 5 where there are 3"):
        read_ratings(tmp_path / "a.csv", user=5, item=0)
    with pytest.raises(ValueError, match="one column twice"):
        read_ratings(tmp_path / "a.csv", user="item", item="item")


def test_a_filter_that_leaves_nothing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="min_user"):
        read_ratings(write(tmp_path / "a.csv", GOOD), min_user=99)


@pytest.mark.parametrize(
    ("settings", "named"),
    [({"format": "excel"}, "format"), ({"delimiter": ",,"}, "delimiter"), ({"min_user": 0}, "min_user")],
)
def test_bad_arguments_are_named(tmp_path: Path, settings: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read_ratings(write(tmp_path / "a.csv", GOOD), **settings)  # type: ignore[arg-type]


def test_the_wrong_format_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="line 1: the first line 'user,item,rating' is not of the form echonest"):
        read_ratings(write(tmp_path / "a.csv", GOOD), format="echonest")


def test_a_compressed_file_that_was_cut_off(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    lines = "".join(f"{user},{item}\n" for user, item in rng.integers(0, 10**6, (50_000, 2)).tolist())
    packed = gzip.compress(("user,item\n" + lines).encode())
    with pytest.raises(UnreadableFileError, match="cut off"):
        read_ratings(write(tmp_path / "a.csv.gz", packed[:-1000]))


def test_a_zip_that_is_none_or_holds_no_ratings(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="damaged"):
        read_ratings(write(tmp_path / "a.zip", b"nothing"))
    with pytest.raises(ValueError, match="holds one.csv, two.csv"):
        read_ratings(write_zip(tmp_path / "b.zip", one="a", two="b"))


def test_bad_reviews_are_skipped_and_shown(tmp_path: Path) -> None:
    bad = [{"reviewerID": "A", "asin": "B", "overall": "x"}, {"asin": "B", "overall": 1.0}, 7]
    ratings = read_ratings(write_reviews(tmp_path / "a.json.gz", REVIEWS * 2 + bad), min_user=1, min_item=1)
    assert len(table(ratings)) == 3
    shown = "line 7: it has no overall that is a number; line 8: it has no reviewerID; line 9: it is no JSON object."
    assert ratings.notes[0] == f"Skipped 3 of 9 lines. {shown}"


def test_bad_rows_of_parquet_are_skipped_and_shown(tmp_path: Path) -> None:
    from pyarrow import parquet

    columns = {
        "user": ["a", "b", None, "d", "e", "f", "", "h", "i", "j", "k"],
        "item": [1] * 4 + [None] + [1] * 6,
        "rating": [1.0, float("nan"), 1.0, -1.0, 1.0, None, 1.0, 1.0, 1.0, 1.0, 1.0],
    }
    parquet.write_table(arrow.table(columns), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=r"6 of 11 rows cannot be used, the first being row 2: the rating is NaN"):
        read_ratings(tmp_path / "a.parquet")
    more = {name: values + values[-1:] * 5 for name, values in columns.items()}
    parquet.write_table(arrow.table(more), tmp_path / "a.parquet")
    ratings = read_ratings(tmp_path / "a.parquet")
    assert table(ratings) == {(user, 1): 1 for user in "ahijk"}
    assert "row 3: it has no user; row 4: the rating -1 is negative; row 5: it has no item" in ratings.notes[0]


def test_parquet_of_the_wrong_kind(tmp_path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(arrow.table({"user": [1.5], "item": [1], "rating": ["x"]}), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="ids are whole numbers or strings"):
        read_ratings(tmp_path / "a.parquet")
    with pytest.raises(UnreadableFileError, match="no Parquet file"):
        read_ratings(write(tmp_path / "b.parquet", b"nothing"))


def test_a_damaged_matrix_is_refused(tmp_path: Path) -> None:
    matrix = sparse.random(40, 30, 0.5, format="csr", random_state=0, dtype=np.float32)
    Ratings(matrix, items=[str(item) for item in range(30)]).save(tmp_path / "a.npz")
    whole = (tmp_path / "a.npz").read_bytes()
    rng = np.random.default_rng(0)
    for cut in (0, 10, len(whole) // 2, len(whole) - 1):
        with pytest.raises(UnreadableFileError, match=r"b\.npz"):
            Ratings.load(write(tmp_path / "b.npz", whole[:cut]))
    for place in rng.integers(0, len(whole), 60).tolist():
        changed = bytearray(whole)
        changed[place] ^= 0xFF
        try:
            loaded = Ratings.load(write(tmp_path / "b.npz", bytes(changed)))
        except UnreadableFileError:
            continue
        assert (loaded.matrix != matrix).nnz == 0  # the byte was one that nothing depends on


def test_a_matrix_whose_columns_do_not_exist(tmp_path: Path) -> None:
    parts = {"data": np.ones(1), "indices": np.array([7]), "indptr": np.array([0, 1]), "shape": np.array([1, 3])}
    np.savez(tmp_path / "a.npz", **parts)
    with pytest.raises(UnreadableFileError, match="damaged"):
        read_ratings(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", something=np.ones(3))
    with pytest.raises(UnreadableFileError, match="lacks arrays named data"):
        read_ratings(tmp_path / "b.npz")


def test_nothing_is_left_of_a_save_that_failed(tmp_path: Path) -> None:
    ratings = Ratings(sparse.eye(2, format="csr"))
    with pytest.raises(FileNotFoundError):
        ratings.save(tmp_path / "nowhere" / "a.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_quote_that_does_not_close_at_the_end(tmp_path: Path) -> None:
    """The last field of the last line: nothing after it is missing, and pyarrow would take it."""
    ratings = read_ratings(write(tmp_path / "a.csv", 'user,item\na,b\na,c\na,"d'))
    assert ratings.items.tolist() == ["b", "c"]
    assert "line 4: its quotes do not close" in ratings.notes[0]


@pytest.mark.parametrize("odd", ['"1",2,9', "1,2,9 ", "1,2,+9"])
def test_odd_lines_keep_their_place_among_the_others(tmp_path: Path, odd: str) -> None:
    """Of repeated ratings the last one stands, whichever way each was read."""
    before = read_ratings(write(tmp_path / "a.csv", f"user,item,rating\n{odd}\n1,2,5\n1,3,1\nbad\n"))
    assert table(before) == {(1, 2): 5, (1, 3): 1}
    after = read_ratings(write(tmp_path / "a.csv", f"user,item,rating\n1,2,5\n{odd}\n1,3,1\nbad\n"))
    assert table(after) == {(1, 2): 9, (1, 3): 1}


def test_a_zip_that_is_locked(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", ratings=MOVIELENS)
    locked = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # the flag that says "encrypted", in both headers
        locked[locked.index(mark) + place] |= 1
    with pytest.raises(UnreadableFileError, match="cannot be unpacked"):
        read_ratings(write(path, bytes(locked)))


def test_a_matrix_keeps_its_rows_unless_a_filter_is_asked_for(tmp_path: Path) -> None:
    Ratings(sparse.csr_matrix([[0, 0, 0], [1, 0, 2]]), users=["a", "b"]).save(tmp_path / "a.npz")
    assert read_ratings(tmp_path / "a.npz").matrix.shape == (2, 3)
    ratings = read_ratings(tmp_path / "a.npz", min_user=1)
    assert ratings.users.tolist() == ["b"]
    assert ratings.items.tolist() == [0, 2]  # it had no names: these are the columns that are left
    assert ratings.notes == ("Left out 1 users and 1 items without a rating.",)
