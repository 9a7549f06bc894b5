"""The notebooks: each runs on the sample, pairs with its text, and its page needs nothing but itself."""

import ast
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT, SAMPLE

from pipeline import flag, frames, store
from pipeline.store import Workspace

FOLDER = PROJECT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("[0-9][0-9]_*.py"))
PAGES = PROJECT / "docs/notebooks"

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run Python on this checkout, as `make notebooks` does, so that warnings of the kernel stay outside of pytest."""
    pytest.importorskip("nbclient")
    pytest.importorskip("nbconvert")
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    environment.pop("BEE_DATA", None)
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240, check=False)


def render(data: Path, to: Path) -> subprocess.CompletedProcess[str]:
    return run(FOLDER / "render.py", "--data", data, "--to", to)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, small_lexicon: Path) -> Path:
    """A workspace in which all stages ran on the two weeks of the sample."""
    data = tmp_path_factory.mktemp("notebooks") / "data"
    shutil.copytree(small_lexicon, data / "raw/lexicon")
    (data / "custom").mkdir()
    for command in (["fetch", "--from", SAMPLE], ["run"]):
        done = run("-m", "pipeline", *command, "--data", data)
        assert done.returncode == 0, done.stderr
    return data


@pytest.fixture(scope="session")
def pages(sample: Path) -> Path:
    """The pages of all notebooks, run on the sample."""
    to = sample.parent / "pages"
    done = render(sample, to)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return to


def text_of(page: Path) -> str:
    """What a reader sees of a page: neither tags nor code."""
    body = re.sub(r"<(style|script|details|svg)\b.*?</\1>", " ", page.read_text("utf-8"), flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", body))


def cells(page: Path) -> set[str]:
    """The cells of all tables of a page."""
    return {html.unescape(cell) for cell in re.findall(r"<td[^>]*>([^<]*)</td>", page.read_text("utf-8"))}


def question(path: Path) -> str:
    return re.findall(r"^# # (.*)$", path.read_text(), re.MULTILINE)[0]


def test_there_are_four_notebooks_and_each_asks_one_question():
    assert [path.stem for path in NOTEBOOKS] == ["01_review_diffs", "02_review_flags", "03_release", "04_puzzles"]
    for path in NOTEBOOKS:
        assert path.read_text().count("\n# # ") == 1
        assert question(path).endswith("?")


@each_notebook
def test_a_notebook_runs_top_to_bottom_on_the_sample(path, pages):
    page = pages / f"{path.stem}.html"
    assert f"<title>{html.escape(question(path))}</title>" in page.read_text()
    assert "Not affiliated with The New York Times" in text_of(page)
    assert len(cells(page)) > 5


def test_what_the_sample_is_too_small_for_is_said(pages):
    assert "too few for this plot" in text_of(pages / "01_review_diffs.html")
    assert "14 puzzles on disk are too few to freeze a list" in text_of(pages / "03_release.html")
    assert "<svg" in (pages / "04_puzzles.html").read_text()


def test_the_figures_of_a_page_are_those_of_the_workspace(pages, sample, sample_days):
    answers = sum(len(day.answers) for day in sample_days)
    assert f"{answers / len(sample_days):.1f}" in cells(pages / "04_puzzles.html")
    words = (sample / "custom/wordlist.txt").read_text().split()
    assert f"The release: {len(words):,} words on the list" in text_of(pages / "03_release.html")
    worst = frames.read_csv((sample / "custom/diffs.csv").read_bytes(), "diffs.csv")["word"]
    assert set(worst) <= cells(pages / "01_review_diffs.html")


def test_an_assumption_that_does_not_hold_stops_the_notebook_and_says_what_to_do(sample, tmp_path):
    data = shutil.copytree(sample, tmp_path / "data")
    workspace = Workspace(data)
    decisions = store.read_table(workspace, "decisions", "bee flag")
    accepted = decisions["tier"] == "core"
    store.write_table(workspace, "decisions", decisions.assign(tier=decisions["tier"].mask(accepted, "refused")))
    stopped = render(data, tmp_path / "pages")
    assert stopped.returncode == 1
    assert stopped.stderr == "01_review_diffs.py: AssertionError: The tables do not belong together: bee run.\n"


@each_notebook
def test_a_notebook_imports_from_the_package_and_pandas_alone(path):
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        assert {name.partition(".")[0] for name in names} <= {"pipeline", "pandas", "os"}
    assert [node for node in ast.walk(tree) if isinstance(node, ast.Assert)], "it asserts what it assumes"


@each_notebook
def test_text_and_notebook_are_the_same_cells_without_outputs(path):
    jupytext = pytest.importorskip("jupytext")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path.with_suffix(".ipynb"), as_version=4)
    written = jupytext.read(path)
    assert [(cell.cell_type, cell.source) for cell in notebook.cells] == [
        (cell.cell_type, cell.source) for cell in written.cells
    ], "make notebooks writes the .ipynb anew"
    assert notebook.metadata.jupytext.formats == "ipynb,py:percent"
    for cell in notebook.cells:
        assert (cell.get("outputs", []), cell.get("execution_count")) == ([], None)


@each_notebook
def test_the_committed_page_was_made_from_this_notebook(path):
    jupytext = pytest.importorskip("jupytext")
    page = (PAGES / f"{path.stem}.html").read_text("utf-8")
    for cell in jupytext.read(path).cells:
        if cell.cell_type == "code":
            assert html.escape(cell.source) in page, "make notebooks renders it anew"


def all_pages(made: Path) -> list[Path]:
    found = [*PAGES.glob("*.html"), *made.glob("*.html")]
    assert len(found) == 2 * len(NOTEBOOKS)
    return found


def test_pages_need_no_network_and_tell_nothing_of_the_machine(pages):
    for page in all_pages(pages):
        text = page.read_text("utf-8")
        for link in re.findall(r"""(?:src|href|data|action)=["']([^"']*)""", text):
            assert link.startswith("#") or (PAGES / link).is_file(), f"{page}: {link}"
        assert not re.findall(r"@import|url\((?!#)|<link|<iframe|\bimport\b *\(|fetch\(", _without_code(text)), page
        assert set(re.findall(r"https?://[^\"'<> ]*", text)) <= {
            "http://www.w3.org/2000/svg",
            "http://www.w3.org/1999/xlink",
        }, page
        for told in (str(PROJECT), str(Path.home()), str(pages.parent), "/tmp/"):
            assert told not in text, page
        assert page.stat().st_size < 1_500_000, page


def _without_code(text: str) -> str:
    return re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)


def test_pages_show_no_offensive_word_and_no_answers_of_a_day(pages):
    release = PROJECT / "data/custom"
    flags = frames.read_csv((release / "flags.csv").read_bytes(), "flags.csv")
    offensive = set(flags["word"][flags["flag"].isin(flag.OFFENSIVE)])
    assert len(offensive) > 100
    for page in all_pages(pages):
        shown = {word for cell in cells(page) for word in re.findall("[a-z]+", cell.partition(":")[0])}
        assert not shown & offensive, page
        assert not [cell for cell in cells(page) if re.fullmatch(r"\d{4}-\d\d-\d\d", cell)], page


@pytest.fixture(scope="module")
def browser():
    """Chromium without a network: a page that asks for anything but files fails its test."""
    sync_api = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("no chromium here: make tools installs it")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@each_notebook
def test_a_page_opens_offline_and_is_accessible(path, browser):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = browser.new_page()
    asked, broken = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto((PAGES / f"{path.stem}.html").as_uri())
    assert [url for url in asked if not url.startswith("file:")] == []
    assert broken == []
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.close()


def test_a_long_table_can_be_filtered_and_sorted(browser):
    page = browser.new_page()
    page.goto((PAGES / "01_review_diffs.html").as_uri())
    table = page.locator("figure.bee-table").filter(has_text="most points at stake first").first
    rows = table.locator("tbody tr")
    everything = rows.count()
    table.locator("input").fill("extra bee drop")
    sides = rows.locator("visible=true").locator("td:nth-child(2)").all_inner_texts()
    assert set(sides) == {"extra"}
    assert 0 < len(sides) < everything
    assert table.locator("[role=status]").inner_text().strip() == f"{len(sides)} of {everything} rows"
    table.get_by_role("button", name="puzzles").click()
    counts = [int(text.replace(",", "")) for text in rows.locator("td:nth-child(3)").all_inner_texts()]
    assert counts == sorted(counts)
    table.get_by_role("button", name="puzzles").click()
    turned = [int(text.replace(",", "")) for text in rows.locator("td:nth-child(3)").all_inner_texts()]
    assert turned == sorted(counts, reverse=True)
    page.close()
