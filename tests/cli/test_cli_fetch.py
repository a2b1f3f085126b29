"""`waypost data fetch` from a server on this machine: cut off, gone on with, changed on the way, out of reach."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from waypost.data import catalog
from waypost.data.download import Source

CONTENT = b"userId,movieId,rating,timestamp\n" + b"".join(
    b"%d,%d,4,0\n" % (u, u * i % 50) for u in range(90) for i in range(9)
)


class Handler(BaseHTTPRequestHandler):
    cut: int | None = None

    def do_GET(self) -> None:
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(CONTENT) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")
        self.end_headers()
        self.wfile.write(CONTENT[start : self.cut])

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """A data set "films" in the catalogue; its `checksum` and where it is `cut` can be set."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path / "cache"))
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

        def offer(
            checksum: str | None = hashlib.md5(CONTENT).hexdigest(), cut: int | None = None, port: int = 0
        ) -> None:
            Handler.cut = cut
            url = f"http://127.0.0.1:{port or server.server_port}/films.csv"
            source = Source(url, "films.csv", f"md5:{checksum}")
            monkeypatch.setitem(catalog.CATALOG, "films", catalog.Entry("films", "", "", source, "movielens"))

        yield {"offer": offer, "file": tmp_path / "cache" / "data" / "films.csv"}
        server.shutdown()


def test_what_was_fetched_is_known_by_name(films: Any, run: Any, tmp_path: Path) -> None:
    films["offer"]()
    assert "run waypost data fetch films" in run("factorize", "films", tmp_path / "f.npz", code=2).stderr
    assert run("data", "fetch", "films").stdout.splitlines()[0] == f"file\t{films['file']}"
    run("factorize", "films", tmp_path / "f.npz", "--factors", 4, "--iterations", 2)
    assert f"films\t{films['file']}" in run("data", "list").stdout


def test_a_download_that_was_cut_off_goes_on(films: Any, run: Any) -> None:
    films["offer"](cut=1000)
    line = run("data", "fetch", "films", code=2).stderr
    assert "was cut off at 1,000 of" in line
    assert line.count("\n") == 1
    assert not films["file"].exists()
    films["offer"]()
    run("data", "fetch", "films")
    assert films["file"].read_bytes() == CONTENT


def test_a_wrong_checksum_leaves_nothing(films: Any, run: Any) -> None:
    films["offer"](checksum="0" * 32)
    line = run("data", "fetch", "films", code=2).stderr
    assert "is published; it was removed, fetch it again" in line
    assert list(films["file"].parent.iterdir()) == []


def test_without_a_network_it_says_where_to_put_the_file(films: Any, run: Any) -> None:
    films["offer"](port=9)
    line = run("data", "fetch", "films", code=2).stderr
    assert f"elsewhere and put it at {films['file']}." in line
    assert line.count("\n") == 1
