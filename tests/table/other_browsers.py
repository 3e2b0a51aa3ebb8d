"""Firefox and WebKit, driven by what Debian has of them: Marionette, which is in Firefox itself, and the
driver of WebKitGTK. Standard library alone."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FIREFOX = ("firefox-esr", "firefox")
WEBKIT = "WebKitWebDriver"
PATIENCE = 30.0


class Browser:
    """One window. `ask` sends a command of WebDriver's, by the name that each of them has for it."""

    def open(self, address: str) -> None:
        raise NotImplementedError

    def run(self, script: str) -> Any:
        """The value of a function body in the page."""
        raise NotImplementedError

    def resize(self, width: int, height: int) -> None:
        raise NotImplementedError

    def picture(self) -> bytes:
        """What is to be seen, as a PNG."""
        raise NotImplementedError

    def wait(self, script: str, seconds: float = 10.0) -> None:
        """Until an expression is true in the page."""
        deadline = time.monotonic() + seconds
        while not self.run(f"return Boolean({script})"):
            assert time.monotonic() < deadline, f"never so: {script}"
            time.sleep(0.05)


class Firefox(Browser):
    """Firefox by Marionette: `length:[0, id, command, parameters]`, `length:[1, id, error, value]`."""

    def __init__(self, port: int) -> None:
        self._socket = _connected(port)
        self._buffer = b""
        self._number = 0
        self._receive()  # it says who it is
        self._ask("WebDriver:NewSession", {})

    def _ask(self, command: str, parameters: dict[str, Any]) -> Any:
        self._number += 1
        sent = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(sent), sent))
        _, _, error, value = self._receive()
        assert error is None, error
        return value.get("value") if isinstance(value, dict) and set(value) == {"value"} else value

    def _receive(self) -> Any:
        while b":" not in self._buffer:
            self._buffer += self._piece()
        length, _, rest = self._buffer.partition(b":")
        while len(rest) < int(length):
            rest += self._piece()
        self._buffer = rest[int(length) :]
        return json.loads(rest[: int(length)])

    def _piece(self) -> bytes:
        piece = self._socket.recv(65536)
        assert piece, "Firefox has ended"
        return piece

    def open(self, address: str) -> None:
        self._ask("WebDriver:Navigate", {"url": address})

    def run(self, script: str) -> Any:
        return self._ask("WebDriver:ExecuteScript", {"script": script, "args": []})

    def resize(self, width: int, height: int) -> None:
        frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        size = {"width": width + frame[0], "height": height + frame[1]}
        self._ask("WebDriver:SetWindowRect", size)

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("WebDriver:TakeScreenshot", {"full": False}))


class WebKit(Browser):
    """WebKitGTK by its driver, over HTTP."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}/session"
        _connected(port).close()
        asked = {"capabilities": {"alwaysMatch": {}}}
        self._address += f"/{self._ask('', asked)['sessionId']}"

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, {"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def open(self, address: str) -> None:
        self._ask("/url", {"url": address})

    def run(self, script: str) -> Any:
        return self._ask("/execute/sync", {"script": script, "args": []})

    def resize(self, width: int, height: int) -> None:
        frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self._ask("/window/rect", {"width": width + frame[0], "height": height + frame[1]})

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("/screenshot"))


@contextlib.contextmanager
def firefox() -> Iterator[Browser]:
    """Firefox without a screen, with a profile of its own."""
    program = next(filter(None, map(shutil.which, FIREFOX)), None)
    assert program, "there is no Firefox: apt-get install firefox-esr"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        port = _free_port()
        settings = {
            "marionette.port": port,
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
            "app.update.disabledForTesting": True,
            "ui.prefersReducedMotion": 1,
        }
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in settings.items())
        (Path(profile) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [program, "--headless", "--marionette", "--no-remote", "--profile", profile]
        with _running(command, {"HOME": profile}):
            yield Firefox(port)


@contextlib.contextmanager
def webkit() -> Iterator[Browser]:
    """WebKitGTK; its driver wants a screen, which Xvfb makes up."""
    assert shutil.which(WEBKIT), f"there is no {WEBKIT}: apt-get install webkit2gtk-driver xvfb"
    port = _free_port()
    screen = f":{90 + os.getpid() % 900}"
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        _running(["Xvfb", screen, "-screen", "0", "3840x2160x24"], {}),
    ):
        here = {"DISPLAY": screen, "HOME": home, "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "GDK_BACKEND": "x11",
                "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}  # fmt: skip
        with _running([WEBKIT, f"--port={port}"], here):
            yield WebKit(port)


@contextlib.contextmanager
def _running(command: list[str], environment: dict[str, str]) -> Iterator[None]:
    """A program, and all that it starts, for as long as the block."""
    quiet = subprocess.DEVNULL
    started = subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGTERM)
        try:
            started.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _connected(port: int) -> socket.socket:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, f"nobody listens on {port}"
            time.sleep(0.1)
