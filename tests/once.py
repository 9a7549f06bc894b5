"""Folders that a session makes once, for all its workers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import filelock
import pytest

from pipeline import cli


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that `make` fills, made once for all workers of a session; tests only read it."""
    base = factory.getbasetemp()
    target = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with filelock.FileLock(f"{target}.lock"):
        if not target.exists():
            begun = Path(f"{target}.begun")
            shutil.rmtree(begun, ignore_errors=True)  # what another worker could not finish
            begun.mkdir()
            make(begun)
            begun.rename(target)
    return target


def succeed(*arguments: object) -> None:
    """Run `bee` in this process; it must succeed. For fixtures that are made once."""
    with pytest.raises(SystemExit) as stop:
        cli.main([str(argument) for argument in arguments])
    assert not stop.value.code
