"""Downloads against a server on this machine: whole, cut off, resumed, changed, refused, and nowhere to put them."""

from __future__ import annotations

import errno
import hashlib
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from waypost.data import Factors, Ratings
from waypost.data.catalog import CATALOG, Entry, cache_folder, describe, fetch
from waypost.data.download import DownloadError, Source
from waypost.data.embedded import EMBEDDED

CONTENT = np.random.default_rng(0).bytes(700_000)
SHA = "sha256:" + hashlib.sha256(CONTENT).hexdigest()
OLD = b"old"


class Server(ThreadingHTTPServer):
    """Hands out CONTENT; `cut` ends an answer early, `ranges` allows a part of it, `status` refuses."""

    cut: int | None = None
    ranges = True
    says_length = True
    status = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str | None] = []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.asked.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.server.ranges else 0
        if self.server.status != 200 or start >= len(CONTENT):
            self.send_error(self.server.status if self.server.status != 200 else 416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")
        if self.server.says_length:
            self.send_header("Content-Length", str(len(CONTENT) - start))
        self.end_headers()
        self.wfile.write(CONTENT[start : self.server.cut])

    def log_message(self, *_: Any) -> None:
        """Nothing: a test's output is for what went wrong."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def get(server: Server, folder: Path, checksum: str | None = SHA, **settings: Any) -> Path:
    entry = Entry("it", "", "", Source(f"http://127.0.0.1:{server.server_port}/file", "it.bin", checksum))
    return fetch("it", folder, catalog={"it": entry}, **settings)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_file_is_fetched_once(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    path = get(server, tmp_path / "new" / "folder", progress=lambda done, total: seen.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert names(path.parent) == ["it.bin"]
    assert get(server, path.parent) == path
    assert len(server.asked) == 1


def test_what_was_cut_off_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.cut = 300_000
    with pytest.raises(DownloadError, match="cut off at 300,000 of 700,000 bytes; fetch it again"):
        get(server, tmp_path)
    assert names(tmp_path) == ["it.bin.part"]
    server.cut = None
    assert get(server, tmp_path).read_bytes() == CONTENT
    assert server.asked == [None, "bytes=300000-"]
    assert names(tmp_path) == ["it.bin"]


def test_a_server_that_sends_all_again(server: Server, tmp_path: Path) -> None:
    server.cut, server.ranges = 300_000, False
    with pytest.raises(DownloadError, match="cut off"):
        get(server, tmp_path)
    server.cut = None
    assert get(server, tmp_path).read_bytes() == CONTENT


def test_all_was_there_but_its_name(server: Server, tmp_path: Path) -> None:
    (tmp_path / "it.bin.part").write_bytes(CONTENT)
    assert get(server, tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize("checksum", ["sha256:" + "0" * 64, "md5:" + "0" * 32])
def test_a_wrong_checksum_leaves_nothing(server: Server, tmp_path: Path, checksum: str) -> None:
    with pytest.raises(DownloadError, match="it was removed, fetch it again"):
        get(server, tmp_path, checksum)
    assert names(tmp_path) == []


def test_a_part_of_another_file_is_found_out(server: Server, tmp_path: Path) -> None:
    (tmp_path / "it.bin.part").write_bytes(OLD)
    with pytest.raises(DownloadError, match="it was removed"):
        get(server, tmp_path)
    assert get(server, tmp_path).read_bytes() == CONTENT


def test_a_server_that_says_no_length(server: Server, tmp_path: Path) -> None:
    server.says_length = False
    assert get(server, tmp_path, None).read_bytes() == CONTENT


@pytest.mark.parametrize("status", [404, 503])
def test_a_refusal_says_where_to_put_the_file(server: Server, tmp_path: Path, status: int) -> None:
    server.status = status
    with pytest.raises(DownloadError, match=rf"answers {status} .*put it at {tmp_path}/it\.bin\.$") as refused:
        get(server, tmp_path)
    assert "\n" not in str(refused.value)
    assert names(tmp_path) == []


def test_without_a_network_the_error_says_where_to_put_the_file(server: Server, tmp_path: Path) -> None:
    server.shutdown()
    server.server_close()
    with pytest.raises(DownloadError, match=rf"cannot be reached .*put it at {tmp_path}/it\.bin\.$") as refused:
        get(server, tmp_path)
    assert "\n" not in str(refused.value)


def test_no_room(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(answer: Any, file: Any, *_: Any) -> None:
        file.write(answer.read(1000))
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("waypost.data.download._copy", full)
    with pytest.raises(DownloadError, match=rf"no room left in {tmp_path}; pass another folder"):
        get(server, tmp_path)
    assert names(tmp_path) == []


def test_no_rights(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DownloadError, match="cannot be written to"):
        get(server, tmp_path / "file" / "folder")

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(DownloadError, match="may not be written to; pass another folder"):
        get(server, tmp_path / "other")


def test_two_at_once_do_not_mix(server: Server, tmp_path: Path) -> None:
    import fcntl

    with open(tmp_path / "it.bin.part", "ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(DownloadError, match="another process"):
            get(server, tmp_path)
    assert get(server, tmp_path).read_bytes() == CONTENT


def test_what_cannot_be_fetched_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="pass one of npm_deps, movielens-25m"):
        fetch("netflix", tmp_path)
    with pytest.raises(ValueError, match="ships with waypost"):
        fetch("npm_deps", tmp_path)


def test_the_catalogue_is_whole() -> None:
    assert {name for name, entry in CATALOG.items() if entry.source is None} == set(EMBEDDED)
    assert all(name == entry.name and entry.title and entry.terms for name, entry in CATALOG.items())
    files = [entry.source.file for entry in CATALOG.values() if entry.source]
    assert len(set(files)) == len(files)


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("WAYPOST_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "waypost"


def test_files_are_described(tmp_path: Path) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    pytest.importorskip("pyarrow")
    Ratings(sparse.eye(3, format="csr"), items=["a", "b", "c"], notes=("n.",)).save(tmp_path / "r.npz")
    about = describe(tmp_path / "r.npz")
    assert (about["kind"], about["users"], about["ratings"], about["notes"]) == ("ratings", 3, 3, ["n."])
    assert about["named"] == {"users": False, "items": True}
    Factors(np.eye(3, dtype=np.float32), np.eye(3, dtype=np.float32)).save(tmp_path / "f.npz")
    about = describe(tmp_path / "f.npz")
    assert (about["kind"], about["items"], about["width"], about["folds_in"]) == ("factors", 3, 3, False)
    np.savez(tmp_path / "a.npz", x=np.ones(4, np.float32))
    assert describe(tmp_path / "a.npz")["arrays"] == {"x": ["float32", 4]}
    (tmp_path / "t.csv").write_text("user,item,rating\n1,2,3\n1,3,4\n")
    about = describe(tmp_path / "t.csv")
    assert (about["kind"], about["items"], about["least"], about["greatest"]) == ("ratings", 2, 3, 4)
    with pytest.raises(FileNotFoundError):
        describe(tmp_path / "none.csv")
