"""The suite runs a sample of tests that take long; `make faults` runs all of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest


def sampled(names: Collection[str], sample: Collection[str]) -> list[Any]:
    """Parameters of a test: those of the sample as they are, all others only for `make faults`."""
    assert set(sample) <= set(names)
    return [name if name in sample else pytest.param(name, marks=pytest.mark.faults) for name in names]


def short_and_long(short: Any, long: Any) -> list[Any]:
    """Parameters of a test: a short form for the suite and the long one for `make faults`."""
    return [short, pytest.param(long, marks=pytest.mark.faults)]
