"""WebKitGTK, whose engine is that of Safari, driven by its WebDriver over HTTP."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
INSTALLED = shutil.which("WebKitWebDriver") and shutil.which("Xvfb")
WAIT = 60.0
"""How long something may take to appear, in seconds; a test ends sooner when it does."""


class Driver:
    """One window of the browser. The protocol is https://www.w3.org/TR/webdriver2/."""

    def __init__(self, address: str) -> None:
        self.session = address
        self.session += "/session/" + self.ask("POST", "/session", {"capabilities": {}})["sessionId"]

    def ask(self, method: str, path: str, body: object | None = None) -> Any:
        """Send a command and return its value; fails with what the driver says."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.session + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            pytest.fail(f"{path}: {error.read().decode()}")

    def open(self, address: str) -> None:
        """Load an address and wait until the list is there."""
        self.ask("POST", "/url", {"url": "about:blank"})
        self.ask("POST", "/url", {"url": address})
        self.until("document.body.dataset.ready")

    def resize(self, width: int, height: int) -> None:
        """Give the window a size; it may have a least one."""
        self.ask("POST", "/window/rect", {"width": width, "height": height})

    def reload(self) -> None:
        """Load the page again and wait until the list is there."""
        self.ask("POST", "/refresh", {})
        self.until("document.body.dataset.ready")

    def back(self) -> None:
        """Go back, as the button of the browser does."""
        self.ask("POST", "/back", {})

    def run(self, script: str, *arguments: object) -> Any:
        """Return the value of an expression."""
        return self.ask("POST", "/execute/sync", {"script": f"return ({script})", "args": arguments})

    def until(self, script: str) -> Any:
        """Return the value of an expression as soon as it is true."""
        end = time.monotonic() + WAIT
        while not (value := self.run(script)):
            if time.monotonic() > end:
                pytest.fail(f"{script} is still {value!r}; the page says {self.run('document.body.innerText')[:500]}")
        return value

    def text(self, part: str) -> str:
        """Return what a part shows."""
        return self.run(f"document.querySelector({part!r}).innerText.trim()")

    def shown(self, part: str) -> bool:
        """Tell whether a part is visible."""
        return self.run(f"document.querySelector({part!r}).checkVisibility()")

    def click(self, part: str) -> None:
        """Click on a part, as a finger or a mouse does."""
        element = self.ask("POST", "/element", {"using": "css selector", "value": part})
        self.ask("POST", f"/element/{element[ELEMENT]}/click", {})

    def press(self, text: str) -> None:
        """Press keys, one after the other; "\\n" is Enter."""
        keys = [key.replace("\n", "\ue007") for key in text]
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def running(*command: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program until the end of the block."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options) as program:
        try:
            yield program
        finally:
            program.terminate()


@contextlib.contextmanager
def screen() -> Iterator[dict[str, str]]:
    """A screen in memory: the environment of programs that draw on it."""
    read, write = os.pipe()
    with running("Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1000x24", pass_fds=[write]):
        os.close(write)
        with os.fdopen(read) as number:
            yield {**os.environ, "DISPLAY": f":{number.readline().strip()}", "GDK_BACKEND": "x11"}


@contextlib.contextmanager
def webkit(home: Path) -> Iterator[Driver]:
    """Start the browser with an empty home."""
    port = free_port()
    with (
        screen() as environment,
        running(
            "WebKitWebDriver", f"--port={port}", env={**environment, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
        ),
    ):
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
        driver = Driver(f"http://127.0.0.1:{port}")
        yield driver
        driver.ask("DELETE", "")
