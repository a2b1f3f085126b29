"""Chromium without a window, driven by its own protocol."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

from websocket import WebSocketTimeoutException, create_connection

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--hide-scrollbars",
    "--mute-audio",
    "--remote-debugging-port=0",
]
PATIENCE = 60  # seconds; a machine may be busy


def find_chromium() -> str | None:
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Browser:
    """A running browser with a profile of its own; opens pages."""

    def __init__(self, program: str, profile: Path) -> None:
        self.profile = profile
        self.process = subprocess.Popen(
            [program, *QUIET, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _port(self) -> int:
        """The free port that the browser chose; it writes it down once it listens."""
        told, until = self.profile / "DevToolsActivePort", time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(OSError, ValueError, IndexError):
                return int(told.read_text().splitlines()[0])
            if self.process.poll() is not None:
                raise RuntimeError(f"the browser ended with code {self.process.returncode} before it could be asked")
            time.sleep(0.05)
        raise TimeoutError("the browser did not say where it listens")

    def open(
        self, file: Path, width: int = 1200, height: int = 900, *, dark: bool = False, phone: bool = False
    ) -> Page:
        request = urllib.request.Request(f"http://127.0.0.1:{self._port()}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            target = json.load(answer)
        page = Page(target["webSocketDebuggerUrl"])
        page.prepare(width, height, dark, phone)
        page.go(file)
        return page


class Page:
    """One page: sends commands, and keeps what the page said meanwhile."""

    def __init__(self, address: str) -> None:
        self.socket = create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self.number = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.send("Page.close")
        self.socket.close()

    def prepare(self, width: int, height: int, dark: bool, phone: bool) -> None:
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        self.send("Emulation.setTouchEmulationEnabled", enabled=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def go(self, file: Path) -> None:
        self.send("Page.navigate", url=file.as_uri())
        self._until(lambda event: event["method"] == "Page.loadEventFired")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def _until(self, wanted: Any) -> None:
        while not any(wanted(event) for event in self.events):
            try:
                self.events.append(json.loads(self.socket.recv()))
            except WebSocketTimeoutException:
                raise TimeoutError("the page did not finish loading") from None

    def run(self, script: str) -> Any:
        """What an expression comes to, in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def point_at(self, x: float, y: float) -> None:
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def touch(self, x: float, y: float) -> None:
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    @property
    def complaints(self) -> list[str]:
        """Errors and warnings on the console, and scripts that failed."""
        told = {"Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"}
        return [json.dumps(event["params"]) for event in self.events if event["method"] in told]

    @property
    def fetched(self) -> list[str]:
        sent = [event["params"] for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in sent]
