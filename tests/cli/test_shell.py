"""As a shell sees it: real processes, pipes, terminals and Ctrl-C."""

from __future__ import annotations

import http.server
import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import waypost as wp

WAYPOST = (sys.executable, "-m", "waypost")


def start(*arguments: Any, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*WAYPOST, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)


def interrupt(process: subprocess.Popen[str]) -> tuple[str, str]:
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=60)


def test_a_pipe_gets_data_alone(shop: Path) -> None:
    process = start("evaluate", shop / "shop.learned.waypost", shop / "shop.factors.npz", "--budgets", "64")
    out, err = process.communicate(timeout=60)
    lines = [line.split("\t") for line in out.splitlines()]
    assert process.returncode == 0
    assert [line[0] for line in lines] == ["search", "exact", "unlearned", "learned"]
    assert {len(line) for line in lines} == {8}
    assert "\x1b" not in out + err
    assert all(line.startswith("note: ") for line in err.splitlines())


def test_a_reader_may_leave_early(shop: Path) -> None:
    command = f"{sys.executable} -m waypost search shop.waypost shop.factors.npz --part all | head -1"
    done = subprocess.run(command, shell=True, cwd=shop, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("query\trank\tid\tscore\n", "")


def on_a_terminal(*arguments: Any) -> str:
    """What a process writes that has a terminal for its output."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": "120", "TERM": "xterm"}
    process = subprocess.Popen([*WAYPOST, *map(str, arguments)], stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    written = b""
    try:
        while block := os.read(ours, 4096):
            written += block
    except OSError:
        pass  # the process has gone
    assert process.wait(60) == 0, written.decode()
    return written.decode()


def test_a_terminal_gets_a_table_and_bars(shop: Path, tmp_path: Path) -> None:
    built = on_a_terminal("build", shop / "shop.factors.npz", tmp_path / "x.waypost")
    assert "building ip-nsw" in built
    assert "━" in built
    table = on_a_terminal("search", shop / "shop.waypost", "--like", "product-3", "-k", 2)
    assert "inner products a query" in table
    assert "\t" not in table
    assert "━" not in on_a_terminal("info", shop / "shop.waypost", "--json")


def train(shop: Path, out: Path) -> subprocess.Popen[str]:
    settings = ("--budget", 64, "--steps", 1_000_000, "--set", "check_every=5", "--set", "patience=1000000")
    return start("train", shop / "shop.waypost", shop / "shop.factors.npz", out, *settings)


def test_ctrl_c_keeps_the_best_and_the_training_goes_on_later(shop: Path, tmp_path: Path) -> None:
    out, kept, log = tmp_path / "x.waypost", tmp_path / "x.training", tmp_path / "x.jsonl"
    process = train(shop, out)
    wait_for(lambda: kept.exists() and log.read_text().count("validation_recall") > 4, process)
    stdout, stderr = interrupt(process)
    assert process.returncode == 130
    assert stdout == ""
    assert f"the best so far is {out}; the same command again goes on from {kept}." in stderr
    assert not wp.Index.load(out).router.is_identity
    before = len(log.read_text().splitlines())
    process = train(shop, out)
    wait_for(lambda: len(log.read_text().splitlines()) > before, process)
    interrupt(process)
    assert process.returncode == 130
    steps = [json.loads(line)["step"] for line in log.read_text().splitlines()]
    assert steps == list(range(1, len(steps) + 1))


SLOWLY = """
import sys
from waypost.data import catalog
from waypost.data.download import Source

catalog.CATALOG["slow"] = catalog.Entry("slow", "", "", Source(sys.argv.pop(1), "slow.csv"))
from waypost.cli import run

run()
"""


@contextmanager
def stalling_server() -> Iterator[str]:
    """Sends a half of what it promises, then nothing."""
    over = threading.Event()

    class Half(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "2000000")
            self.end_headers()
            self.wfile.write(b"x" * 1_000_000)
            self.wfile.flush()
            over.wait(60)

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Half)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/slow.csv"
    finally:
        over.set()
        server.shutdown()
        server.server_close()


def test_ctrl_c_keeps_what_was_fetched(tmp_path: Path) -> None:
    part = tmp_path / "slow.csv.part"
    with stalling_server() as url:
        process = subprocess.Popen(
            [sys.executable, "-c", SLOWLY, url, "data", "fetch", "slow", "--folder", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_for(lambda: part.exists() and part.stat().st_size > 500_000, process)
        stdout, stderr = interrupt(process)
    assert process.returncode == 130
    assert (stdout, stderr) == (
        "",
        "waypost: stopped; what came is kept, and the same command again goes on from there.\n",
    )
    assert part.stat().st_size > 500_000


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    process = start("--show-completion", shell, env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"})
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "_WAYPOST_COMPLETE" in out


def test_completion_completes() -> None:
    given = {"_WAYPOST_COMPLETE": "complete_bash", "COMP_WORDS": "waypost ev", "COMP_CWORD": "1"}
    out, err = start(env=os.environ | given).communicate(timeout=60)
    assert (out.split(), err) == (["evaluate"], "")


COMMANDS = ("factorize", "build", "train", "search", "evaluate", "info", "bench", "demo")
COMMANDS += ("data list", "data fetch", "data info")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(run: Any, command: str) -> None:
    shown = " ".join(run(*command.split(), "--help").stdout.split())
    assert f"Example: waypost {command}" in shown


def test_help_loads_nothing_heavy() -> None:
    program = "import sys; sys.argv = ['waypost', '--help']\nfrom waypost.cli import run\ntry: run()\nfinally: "
    program += "print(*sys.modules, sep='\\n', file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "waypost" in loaded
    assert loaded.isdisjoint({"torch", "scipy", "implicit", "pyarrow", "matplotlib", "pandas"})


def test_without_the_extra_one_line_says_what_to_install() -> None:
    program = "import sys; sys.modules['typer'] = None\nfrom waypost.cli import run\nrun()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "waypost: the command line needs typer; run pip install 'waypost[cli]'.\n"


def threads_of(process: subprocess.Popen[str]) -> int:
    return len(list(Path(f"/proc/{process.pid}/task").iterdir()))


def test_ctrl_c_on_other_work_leaves_nothing(tmp_path: Path) -> None:
    import numpy as np

    np.save(tmp_path / "items.npy", np.random.default_rng(0).standard_normal((60_000, 64), dtype=np.float32))
    given = ("build", tmp_path / "items.npy", tmp_path / "x.waypost", "--candidates", 400, "--threads", 2)
    process = start(*given, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    wait_for(lambda: threads_of(process) > 1, process)  # the build has begun
    _, stderr = interrupt(process)
    assert (process.returncode, stderr) == (130, "waypost: stopped.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["items.npy"]


def test_ctrl_c_on_the_demo_keeps_what_was_finished(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    process = start("demo", tmp_path, "--users", 1000)
    wait_for(lambda: (tmp_path / "npm.factors.npz").exists(), process)
    stdout, stderr = interrupt(process)
    assert (process.returncode, stdout) == (130, "")
    assert stderr == f"waypost: stopped; what was finished is in {tmp_path}, and the same command again goes on.\n"
    assert (tmp_path / "npm.factors.npz").exists()
    assert not (tmp_path / "report.html").exists()
