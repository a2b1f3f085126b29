"""Replacing a file whole or not at all."""

from pathlib import Path

import pytest

from waypost.atomic import replacing


def write(path: Path, content: bytes) -> None:
    with replacing(path) as file:
        file.write(content)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_new_content_takes_the_place_of_the_old(tmp_path: Path) -> None:
    write(tmp_path / "a", b"old")
    write(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert names(tmp_path) == ["a"]


def test_the_old_content_stays_until_all_is_written(tmp_path: Path) -> None:
    write(tmp_path / "a", b"old")
    with replacing(tmp_path / "a") as file:
        file.write(b"new")
        file.flush()
        assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    write(tmp_path / "a", b"old")

    def fail() -> None:
        with replacing(tmp_path / "a") as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        fail()
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_two_writers_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    with replacing(tmp_path / "a") as slow:
        slow.write(b"slow")
        write(tmp_path / "a", b"quick")
        assert (tmp_path / "a").read_bytes() == b"quick"
    assert (tmp_path / "a").read_bytes() == b"slow"
    assert names(tmp_path) == ["a"]


def test_what_a_killed_writer_left_is_tidied_away_and_nothing_else_is(tmp_path: Path) -> None:
    (tmp_path / ".a.0123456789abcdef.tmp").write_bytes(b"abandoned")
    others = [".a.backup.tmp", ".b.0123456789abcdef.tmp", "a.0123456789abcdef.tmp"]
    for name in others:
        (tmp_path / name).write_bytes(b"mine")
    write(tmp_path / "a", b"new")
    assert names(tmp_path) == sorted(["a", *others])


def test_the_umask_decides_who_may_read(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    write(tmp_path / "a", b"new")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode
