"""Verdicts in a real Jupyter: a headless browser clicks, and the line appears in verdicts.csv."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PROJECT

from pipeline.tables import frames


@pytest.fixture
def lab(ran, tmp_path):
    """A Jupyter on this machine with copies of the notebooks, in the workspace of a run; yields its address."""
    home = tmp_path / "home"
    shutil.copytree(PROJECT / "notebooks", home / "work")
    environment = {**os.environ, "BEE_DATA": str(ran), "PYTHONPATH": str(PROJECT), "HOME": str(home)}
    environment |= {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    options = ["--no-browser", "--allow-root", "--port=0", "--LabApp.news_url="]
    options += ["--IdentityProvider.token=", f"--ServerApp.root_dir={home / 'work'}"]
    command = [sys.executable, "-m", "jupyterlab", *options]
    with (home / "log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    server_info = home / f"RUNTIME/jpserver-{server.pid}.json"  # written when the port is open
    try:
        port = 0
        for _ in range(1200):
            with contextlib.suppress(OSError, ValueError):  # not there yet, or not all of it
                port = json.loads(server_info.read_text())["port"]
                break
            assert server.poll() is None, (home / "log").read_text()
            time.sleep(0.05)
        assert port, (home / "log").read_text()
        yield f"http://127.0.0.1:{port}/lab/tree/01_review_diffs.ipynb"
    finally:
        server.terminate()
        server.wait(20)


def verdicts(data: Path) -> list[tuple[str, ...]]:
    path = data / "custom/verdicts.csv"
    rows = frames.rows(frames.read_csv(path.read_bytes(), path)) if path.exists() else []
    return [(row["word"], row["verdict"], row["reason"], row["by"]) for row in rows]


def test_clicks_in_the_first_notebook_write_a_verdict_and_take_it_back(lab, ran, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 1200})
    page.set_default_timeout(60_000)
    page.goto(lab)
    page.locator(".jp-StatusBar-Widget").get_by_text("Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    row = page.locator("[class*='bee-verdict-']").first
    row.wait_for()
    word = re.search("bee-verdict-([a-z]+)", row.get_attribute("class"))[1]
    page.locator(".bee-by:visible input").last.fill("ann")
    row.get_by_role("button", name="keep").click()
    row.get_by_text("Nothing was written").wait_for()
    assert verdicts(ran) == []
    row.locator("input").fill("a common word")
    row.locator("input").press("Tab")
    row.get_by_role("button", name="keep").click()
    row.get_by_text(f"keep {word}: saved").wait_for()
    assert verdicts(ran) == [(word, "keep", "a common word", "ann")]
    page.locator(".bee-undo:visible").first.click()
    page.get_by_text(f"{word}: removed").first.wait_for()
    assert verdicts(ran) == []
    page.close()
