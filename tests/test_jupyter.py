"""Verdicts in a real Jupyter: a headless browser clicks, and the line appears in verdicts.csv."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PROJECT

from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames

NOTEBOOK = """
import os
import one_word
import reviewing
import widgets
from pipeline import store
from pipeline.run import registry
workspace = store.find_workspace(os.environ["BEE_DATA"])
review = reviewing.Review(workspace, "ann")
decisions = registry.load(workspace, "decisions")
frame = decisions[decisions["tier"] == "review"][["word"]].head(2).assign(p=[0.4, 0.6], command="bee keep …")
columns = {"word": "The word.", "p": "Its p.", "command": "The command."}
tables = {**registry.opinions(workspace), "trials": registry.load(workspace, "trials")}
display(widgets.Verdicts(review, frame, "Two words", columns))
widgets.Asked("covenant", lambda word: one_word.story(word, tables))
"""


@pytest.fixture
def lab(ran, tmp_path):
    """A Jupyter on this machine with a notebook of one cell, in the workspace of a run; yields its address."""
    pytest.importorskip("jupyterlab", reason="jupyterlab is not installed")
    nbformat = pytest.importorskip("nbformat")
    home = tmp_path / "home"
    (home / "work").mkdir(parents=True)
    cell = nbformat.v4.new_code_cell(NOTEBOOK.strip())
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=kernel), home / "work/verdicts.ipynb")
    environment = {
        **os.environ,
        "BEE_DATA": str(ran),
        "PYTHONPATH": f"{PROJECT}{os.pathsep}{PROJECT / 'notebooks'}",
        "HOME": str(home),
    }
    environment |= {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    options = ["--no-browser", "--allow-root", "--port=0", "--LabApp.news_url="]
    options += ["--IdentityProvider.token=", f"--ServerApp.root_dir={home / 'work'}"]
    command = [sys.executable, "-m", "jupyterlab", *options]
    with (home / "log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    told = home / f"RUNTIME/jpserver-{server.pid}.json"  # written when the port is open
    try:
        port = 0
        for _ in range(1200):
            with contextlib.suppress(OSError, ValueError):  # not there yet, or not all of it
                port = json.loads(told.read_text())["port"]
                break
            assert server.poll() is None, (home / "log").read_text()
            time.sleep(0.05)
        assert port, (home / "log").read_text()
        yield f"http://127.0.0.1:{port}/lab/tree/verdicts.ipynb"
    finally:
        server.terminate()
        server.wait(20)


def verdicts(data: Path) -> list[tuple[str, ...]]:
    path = data / "custom/verdicts.csv"
    rows = frames.rows(frames.read_csv(path.read_bytes(), path)) if path.exists() else []
    return [(row["word"], row["verdict"], row["reason"], row["by"]) for row in rows]


def until(page, what, wanted) -> None:
    """Wait until a condition is true."""
    for _ in range(100):
        if what() == wanted:
            return
        page.wait_for_timeout(100)
    assert what() == wanted


def test_clicks_in_a_real_jupyter_write_a_verdict_and_take_it_back_and_a_word_is_told(lab, ran, browser):
    decisions = registry.load(Workspace(ran), "decisions")
    word, other = decisions["word"][decisions["tier"] == "review"].head(2)
    page = browser.new_page()
    page.set_default_timeout(60_000)
    page.goto(lab)
    page.locator(".jp-StatusBar-Widget").get_by_text("Idle").wait_for()
    page.locator(".jp-NotebookPanel .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    row = page.locator(f".bee-verdict-{word}")
    row.get_by_role("button", name="keep").click()
    page.get_by_text("It needs a reason").wait_for()
    assert verdicts(ran) == []
    row.locator("input").fill("a common word")
    row.locator("input").press("Tab")
    row.get_by_role("button", name="keep").click()
    until(page, lambda: verdicts(ran), [(word, "keep", "a common word", "ann")])
    page.get_by_text(f"keep {word}: written").wait_for()
    page.locator(".bee-undo").click()
    until(page, lambda: verdicts(ran), [])
    page.get_by_placeholder("filter", exact=True).fill(other)
    until(page, lambda: page.locator(".bee-verdict").count(), 1)
    box = page.locator(".bee-word input")
    box.fill(other)
    box.press("Enter")
    page.locator(".bee-story h2").get_by_text(f"{other}: review, by estimate").wait_for()
    assert page.locator(".bee-story svg").count() == 1
    page.close()
