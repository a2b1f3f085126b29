"""The quick way of reading a block agrees with the slow one, line by line, wherever it takes the block at all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

pytest.importorskip("pyarrow")

from waypost.data.chunk import Chunk
from waypost.data.delimited import Delimited
from waypost.data.layouts import Layout

LAYOUT = Layout("table", ",", 3, 0, 1, 2)
FIELDS = [
    "1",
    "07",
    "a",
    "",
    " ",
    "ä",
    '"x"',
    '"a,b"',
    '"',
    '""',
    'x"y',
    "1.5",
    "-2",
    "nan",
    "inf",
    "1e3",
    "+4",
    ".5",
    "5.",
    "0x1",
]
MORE = ["1e99", "null", "NULL", "N/A", "true", "1_0", " 3", "3 ", "\t", "\r", "\0", "\x1f", "\u2028", "1,2", "0"]
field = st.sampled_from(FIELDS + MORE)
line = st.one_of(
    st.tuples(field, field, field).map(",".join),
    st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 5)).map(lambda ids: ",".join(map(str, ids))),
    st.text(alphabet='01a",. \r', max_size=9),
).map(str.encode)
broken = st.sampled_from([b"a,\xe4,1", b"\xff", b"1,2,3\r"])


def rows(chunk: Chunk) -> list[tuple[bytes, bytes, float]]:
    users, items = (
        [names[code] for code in codes] for names, codes in ((chunk.users, chunk.user), (chunk.items, chunk.item))
    )
    return list(zip(users, items, chunk.rating.tolist(), strict=True))


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(line, broken), min_size=1, max_size=6), st.booleans(), st.booleans())
@example([b"1,2,3", b'1,"2,3'], False, False)
@example([b"1,2,3\r", b"4,5,6\r"], True, True)
def test_both_ways_agree(lines: list[bytes], ends: bool, whole_ids: bool) -> None:
    parser = Delimited(replace(LAYOUT, whole_ids=whole_ids))
    slow = [parser.slow(one) for one in lines]
    data = b"\n".join(lines) + (b"\n" if ends else b"")
    count = len(lines) if ends or lines[-1] else len(lines) - 1
    quick = parser.quick(data, count)
    if quick is not None:
        assert rows(quick) == slow[:count]
    for place in set(range(len(lines))) - set(parser.odd(lines)):
        alone = parser.quick(lines[place], 1)
        assert alone is not None
        assert rows(alone) == [slow[place]]
