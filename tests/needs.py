"""What some tests need besides Python and its packages, and the command that installs it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest


def browser() -> str | None:
    """The program of the browser. Without windows it needs half the time."""
    programs = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, programs)), None)


def _archive() -> bool:
    return "BEE_SHARED" in os.environ and (Path(os.environ["BEE_SHARED"]) / "archive").is_dir()


def _second_engine() -> bool:
    return bool(shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and importlib.util.find_spec("selenium"))


def _program(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


TOOLS: dict[str, tuple[Callable[[], bool], str]] = {
    "the archive of answers": (_archive, "BEE_SHARED=FOLDER make test"),
    "a browser": (lambda: bool(browser()), "make tools"),
    "gcc": (_program("gcc"), "make tools"),
    "git": (_program("git"), "apt-get install git"),
    "node": (_program("node"), "make tools"),
    "npm": (_program("npm"), "apt-get install npm"),
    "sqlite3": (_program("sqlite3"), "make tools"),
    "uv": (_program("uv"), "pip install uv"),
    "a second browser engine": (_second_engine, "make engines"),
    "a git checkout": (lambda: (Path(__file__).parents[1] / ".git").exists(), "git clone"),
}
"""For each tool, whether it is here, and what installs it."""


def require(*tools: str) -> None:
    """Skip the running test unless all tools are installed."""
    for tool in tools:
        present, command = TOOLS[tool]
        if not present():
            pytest.skip(f"needs {tool}: {command}")


def sum_of_skips(reasons: Iterable[str]) -> str:
    """One line on the tests that were skipped: what they need, the commands that install it, and any other reason."""
    wanting: dict[str, set[str]] = {}
    others = set()
    for reason in reasons:
        if match := re.search(r"needs (.+): (.+)$", reason):
            wanting.setdefault(match[2], set()).add(match[1])
        else:
            others.add(reason.removeprefix("Skipped: "))
    parts = [f"without {', '.join(sorted(tools))} (`{command}`)" for command, tools in sorted(wanting.items())]
    return f"Some tests were skipped: {'; '.join([*parts, *sorted(others)])}."
