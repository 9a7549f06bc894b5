"""What some tests need besides Python and its packages, and the command that installs it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest


def _archive() -> bool:
    return (Path(os.environ.get("BEE_SHARED", "")) / "archive").is_dir() and "BEE_SHARED" in os.environ


def _program(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


TOOLS: dict[str, tuple[Callable[[], bool], str]] = {
    "the archive of answers": (_archive, "BEE_SHARED=FOLDER make test"),
    "a browser": (_program("chromium", "chromium-browser", "google-chrome"), "make tools"),
    "g++": (_program("g++"), "make tools"),
    "gcc": (_program("gcc"), "make tools"),
    "git": (_program("git"), "make tools"),
    "hunspell": (_program("hunspell"), "make tools"),
    "node": (_program("node"), "make tools"),
    "npm": (_program("npm"), "make tools"),
    "sqlite3": (_program("sqlite3"), "make tools"),
    "uv": (_program("uv"), "pip install uv"),
    "a second browser engine": (lambda: Path("/usr/bin/WebKitWebDriver").exists(), "make engines"),
    "the validator of Croissant": (lambda: _importable("mlcroissant"), "make validators"),
    "a git checkout": (lambda: (Path(__file__).parents[1] / ".git").exists(), "git clone"),
}
"""For each tool, whether it is here, and what installs it."""


def _importable(package: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(package) is not None


def require(*tools: str) -> None:
    """Skip the test that runs unless all tools are here."""
    for tool in tools:
        present, command = TOOLS[tool]
        if not present():
            pytest.skip(f"needs {tool}: {command}")


def skipped_for_want_of(reasons: Iterable[str]) -> str:
    """One line that sums up the reasons of skipped tests: what was not tested, and the commands that install it."""
    wanting: dict[str, set[str]] = {}
    for reason in reasons:
        if match := re.search(r"needs (.+): (.+)$", reason):
            wanting.setdefault(match[2], set()).add(match[1])
    parts = [f"{', '.join(sorted(tools))} (`{command}`)" for command, tools in sorted(wanting.items())]
    return f"Not tested here, for want of: {'; '.join(parts)}." if parts else ""
