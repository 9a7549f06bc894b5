"""Fixtures of the tests that fetch: a local site, and a workspace to put its pages."""

import pytest
from server import serving

from pipeline.store import Workspace


@pytest.fixture
def site():
    with serving() as site:
        yield site


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    return Workspace(tmp_path)
