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
from once import succeed

from pipeline.errors import BeeError
from pipeline.review import verdicts
from pipeline.sources import SOURCES
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import pangram

pytestmark = pytest.mark.slow
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))
PLOTS = {"01_review_diffs": 1, "04_puzzles": 3, "05_one_word": 1}
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def render(data: Path, pages: Path, paths: list[Path]) -> subprocess.CompletedProcess[str]:
    """Run the command of `make notebooks` on a workspace."""
    makefile = (PROJECT / "Makefile").read_text()
    [line] = re.findall(r"^\t\$\(BIN\)/jupyter (nbconvert .*) notebooks/\*\.ipynb$", makefile, re.MULTILINE)
    options = shlex.split(line.replace("site/notebooks", str(pages)))
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "BEE_DATA": str(data)}
    command = [sys.executable, "-m", *options, *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=PROJECT, check=False)


@pytest.fixture(scope="session")
def days(tmp_path_factory) -> Path:
    """The two weeks of the sample, and a day that refuses every second answer of the first day."""
    header, *lines = SAMPLE.read_text().splitlines()
    first = [line for line in lines if line.startswith("2025-02-20")]
    accepted = [line for at, line in enumerate(first) if at % 2 or pangram(line.rpartition(",")[2])]
    file = tmp_path_factory.mktemp("days") / "days.csv"
    again = [line.replace("2025-02-20", "2025-03-06") for line in accepted]
    file.write_text("\n".join([header, *lines, *again]) + "\n")
    return file


@pytest.fixture(scope="session")
def sample(tmp_path_factory, small_lexicon, days) -> Path:
    """A workspace with these days. After its first release, a person dropped some words; then every tenth word became
    crude, and the release got a row of the track record for each day."""
    data = Path(shutil.copytree(small_lexicon, tmp_path_factory.mktemp("notebooks") / "data/raw/lexicon")).parents[1]
    (data / "custom").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEE_DATA", str(data))
        succeed("import", days, "--as", "table")
        succeed("run")
        all_words = words(data)
        dropped = {"verdict": "drop", "reason": "odd", "by": "ann", "after": ""}
        verdicts.decide_all(Workspace(data), [{"word": word, **dropped} for word in all_words[::60]])
        succeed("run")
    crude = {"grade": "crude", "reason": "rude", "by": "ann"}
    verdicts.write(Workspace(data), "grades", [{"word": word, **crude} for word in all_words[::10]])
    dates = sorted({line[:10] for line in days.read_text().splitlines()[1:]})
    rows = frames.rows(frames.read_csv((PROJECT / "data/custom/track.csv").read_bytes(), "track.csv"))
    track = [{**row, "date": date, "without_trial": "", "differs": ""} for row, date in zip(rows, dates, strict=False)]
    (data / "custom/track.csv").write_bytes(frames.csv_bytes(pd.DataFrame(track)))
    reseal(data / "custom")
    return data


def words(data: Path) -> list[str]:
    """The words of a release that were or may be accepted."""
    table = frames.read_csv((data / "custom/words.csv").read_bytes(), "words.csv")
    return table["word"][table["tier"] != "refused"].tolist()


@pytest.fixture(scope="session")
def pages(sample) -> Path:
    """The pages of all notebooks, run on the sample."""
    rendered = render(sample, sample.parent / "pages", NOTEBOOKS)
    assert rendered.returncode == 0, rendered.stderr
    return sample.parent / "pages"


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
def test_a_page_opened_without_a_network_asks_for_nothing_and_shows_its_tables_and_plots(path, pages, browser):
    asked, errors = [], []
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((pages / f"{path.stem}.html").as_uri())
    expected = len(tables(pages / f"{path.stem}.html"))
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
def test_a_page_shows_no_offensive_word_and_no_answers_of_a_day(path, pages, sample):
    grades = frames.read_csv((sample / "custom/offensive.csv").read_bytes(), "offensive.csv")
    crude = set(grades["word"])
    rules = path.stem == "02_review_flags"  # the sentences of its first table are ours
    rows = [" ".join(row) for table in tables(pages / f"{path.stem}.html")[rules:] for row in table]
    assert [row for row in rows if crude & set(re.findall("[a-z]+", row))] == []
    table = frames.read_csv((sample / "custom/words.csv").read_bytes(), "words.csv")
    known = set(table["word"]) - {source.name for source in SOURCES}
    dated = [row for row in rows if re.search(r"\d{4}-\d\d-\d\d", row)]
    if path.stem != "05_one_word":  # the first and last dates of a word are facts about it
        assert [row for row in dated if known & set(re.findall("[a-z]+", row))] == []


def test_the_numbers_of_a_page_are_those_of_the_workspace(pages, sample, days):
    answers = days.read_text().splitlines()[1:]
    assert f"{len(answers) / 15:.1f}" in " ".join(tables(pages / "04_puzzles.html")[0][0])
    listed = (sample / "custom/wordlist.txt").read_text().split()
    assert f"{len(listed):,} words on the list." in (pages / "03_release.html").read_text("utf-8")


def test_a_cell_that_fails_stops_the_command_and_says_what_to_do(sample, tmp_path):
    data = Path(shutil.copytree(sample, tmp_path / "data"))
    (data / "custom/verdicts.csv").write_text("word,verdict,reason,by,after\nzine,perhaps,a,ann,\n")
    [release] = [path for path in NOTEBOOKS if path.stem == "03_release"]
    stopped = render(data, tmp_path / "pages", [release])
    assert stopped.returncode == 1
    assert 'custom/verdicts.csv, line 2: "perhaps" is not a valid verdict' in stopped.stderr
    assert not (tmp_path / "pages/03_release.html").exists()


@pytest.mark.parametrize("verdict", ["keep", "drop"])
def test_a_cell_decides_as_the_command_does(verdict, ran, bee, monkeypatch):
    monkeypatch.setenv("BEE_DATA", str(ran))
    file = ran / "custom/verdicts.csv"
    word = (ran / "custom/wordlist.txt").read_text().split()[0]
    assert word not in (file.read_text() if file.exists() else "")
    said = getattr(verdicts, verdict)(word, "says a test", by="ann")
    by_cell = file.read_bytes()
    assert f"\n{word},{verdict},says a test,ann,".encode() in by_cell
    assert verdicts.undo(word).startswith("Removed: ")
    assert word not in file.read_text()
    command = bee(verdict, word, "--reason", "says a test", "--by", "ann")
    assert (command.code, file.read_bytes()) == (0, by_cell)
    assert said in command.err
    with pytest.raises(BeeError) as refused:
        getattr(verdicts, verdict)("zzzz", "says a test", by="ann")
    assert str(refused.value) in bee(verdict, "zzzz", "--reason", "says a test", "--by", "ann").err
