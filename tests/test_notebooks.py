"""The notebooks: the command of `make notebooks` runs each on the sample and writes a page that needs no network."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from browsing import PATIENCE
from conftest import PROJECT, SAMPLE, reseal
from once import made_once, succeed

from pipeline.review import verdicts
from pipeline.sources import SOURCES
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import pangram

pytestmark = pytest.mark.slow
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))
PLOTS = {"01_review_diffs": 1, "04_puzzles": 3, "05_one_word": 1}
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def render(data: Path, pages: Path) -> None:
    """Run the command of `make notebooks` on a workspace."""
    makefile = (PROJECT / "Makefile").read_text()
    [line] = re.findall(r"^\t\$\(BIN\)/jupyter (nbconvert .*) notebooks/\*\.ipynb$", makefile, re.MULTILINE)
    options = shlex.split(line.replace("site/notebooks", str(pages)))
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "BEE_DATA": str(data)}
    command = [sys.executable, "-m", *options, *map(str, NOTEBOOKS)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=PROJECT, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def rendered(tmp_path_factory, small_lexicon) -> Path:
    """A folder with `days.csv` (the two weeks of the sample, and a day that refuses every second answer of the first
    day), `data` (a workspace with these days) and `pages` (the pages of all notebooks, run on it).

    After the first release, a person dropped some words; then every tenth word became crude, and the release got a row
    of the track record for each day."""

    def make(folder: Path) -> None:
        dates = write_days(folder / "days.csv")
        data = Path(shutil.copytree(small_lexicon, folder / "data/raw/lexicon")).parents[1]
        (data / "custom").mkdir()
        succeed("--data", data, "import", folder / "days.csv", "--as", "table")
        succeed("--data", data, "run")
        all_words = words(data)
        dropped = {"verdict": "drop", "reason": "odd", "by": "ann", "after": ""}
        verdicts.write_verdicts(Workspace(data), [{"word": word, **dropped} for word in all_words[::60]])
        succeed("--data", data, "run")
        crude = {"grade": "crude", "reason": "rude", "by": "ann"}
        verdicts.write(Workspace(data), "grades", [{"word": word, **crude} for word in all_words[::10]])
        rows = frames.rows(frames.read_csv((PROJECT / "data/custom/track.csv").read_bytes(), "track.csv"))
        track = [
            {**row, "date": date, "without_trial": "", "differs": ""} for row, date in zip(rows, dates, strict=False)
        ]
        (data / "custom/track.csv").write_bytes(frames.csv_bytes(pd.DataFrame(track)))
        reseal(data / "custom")
        render(data, folder / "pages")

    return made_once(tmp_path_factory, "notebooks", make)


def write_days(path: Path) -> list[str]:
    """Write the days of the workspace, and return their dates."""
    header, *lines = SAMPLE.read_text().splitlines()
    first = [line for line in lines if line.startswith("2025-02-20")]
    accepted = [line for at, line in enumerate(first) if at % 2 or pangram(line.rpartition(",")[2])]
    again = [line.replace("2025-02-20", "2025-03-06") for line in accepted]
    path.write_text("\n".join([header, *lines, *again]) + "\n")
    return sorted({line[:10] for line in [*lines, *again]})


def words(data: Path) -> list[str]:
    """The words of a release that were or may be accepted."""
    table = frames.read_csv((data / "custom/words.csv").read_bytes(), "words.csv")
    return table["word"][table["tier"] != "refused"].tolist()


def tables(page: Path) -> list[list[list[str]]]:
    """The rows of all tables of a page, those on later pages of a table, too; the cells are text."""
    found = re.findall(r'"data_json": (".*")', page.read_text("utf-8"))
    return [[[str(cell) for cell in row] for row in json.loads(json.loads(table))] for table in found]


@each_notebook
def test_a_notebook_has_one_question_and_no_outputs(path):
    notebook = json.loads(path.read_text("utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"], [*notebook["metadata"]]) == (4, 5, ["kernelspec"])
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["source"] for cell in code if cell["outputs"] or cell["execution_count"] or cell["metadata"]] == []
    text = "".join(line for cell in notebook["cells"] if cell["cell_type"] == "markdown" for line in cell["source"])
    assert len(re.findall(r"^# .*\?$", text, re.MULTILINE)) == 1
    assert "Not affiliated with The New York Times." in notebook["cells"][0]["source"][-1]


@each_notebook
def test_a_page_opened_without_a_network_asks_for_nothing_and_shows_its_tables_and_plots(path, rendered, browser):
    asked, errors = [], []
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((rendered / f"pages/{path.stem}.html").as_uri())
    expected = len(tables(rendered / f"pages/{path.stem}.html"))
    assert expected > 1
    page.wait_for_function(f"document.querySelectorAll('table.dataTable tbody').length === {expected}")
    assert page.locator("h1").inner_text().startswith(json.loads(path.read_text())["cells"][0]["source"][0][2:].strip())
    assert page.locator("table.dataTable").first.locator("tbody tr:not(:has(.dt-empty))").count() > 0
    widths = page.locator("main img").evaluate_all("images => images.map(image => image.naturalWidth)")
    assert [width > 300 for width in widths] == [True] * PLOTS.get(path.stem, 0)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert (errors, page.get_by_text("Out[").count()) == ([], 0)
    context.close()


@each_notebook
def test_a_page_shows_no_offensive_word_and_no_answers_of_a_day(path, rendered):
    grades = frames.read_csv((rendered / "data/custom/offensive.csv").read_bytes(), "offensive.csv")
    crude = set(grades["word"])
    rules = path.stem == "02_review_flags"  # the sentences of its first table are ours
    rows = [" ".join(row) for table in tables(rendered / f"pages/{path.stem}.html")[rules:] for row in table]
    assert [row for row in rows if crude & set(re.findall("[a-z]+", row))] == []
    table = frames.read_csv((rendered / "data/custom/words.csv").read_bytes(), "words.csv")
    known = set(table["word"]) - {source.name for source in SOURCES}
    dated = [row for row in rows if re.search(r"\d{4}-\d\d-\d\d", row)]
    if path.stem != "05_one_word":  # the first and last dates of a word are facts about it
        assert [row for row in dated if known & set(re.findall("[a-z]+", row))] == []


def test_the_numbers_of_a_page_are_those_of_the_workspace(rendered):
    answers = (rendered / "days.csv").read_text().splitlines()[1:]
    assert f"{len(answers) / 15:.1f}" in " ".join(tables(rendered / "pages/04_puzzles.html")[0][0])
    listed = (rendered / "data/custom/wordlist.txt").read_text().split()
    assert f"{len(listed):,} words on the list." in (rendered / "pages/03_release.html").read_text("utf-8")
