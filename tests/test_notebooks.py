"""The notebooks: each runs on the sample, matches its text form, and has a page without external resources."""

import ast
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import history
import pytest
from axe_playwright_python import sync_playwright as axe
from conftest import PROJECT, copy_of_the_project

from pipeline.measure.score import interval
from pipeline.run import registry
from pipeline.sources import TRUST_RANK
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import OFFENSIVE

FOLDER = PROJECT / "notebooks"
NOTEBOOKS = [
    FOLDER / f"{name}.py" for name in ("01_review_diffs", "02_review_flags", "03_release", "04_puzzles", "05_one_word")
]
pytestmark = pytest.mark.slow
# Packages of notebooks are imported where they are used: that takes a second, and every worker reads this file.
SOURCES = set(TRUST_RANK)
"""Names of sources, some of which are words."""

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def render(data: Path, pages: Path) -> subprocess.CompletedProcess[str]:
    """Render the notebooks of this checkout, as `make notebooks` does, so that warnings of the kernel stay outside of
    pytest."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "BEE_DATA": str(data)}
    command = [sys.executable, str(FOLDER / "render.py"), "--to", str(pages)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240, check=False)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, ran_once: Path) -> Path:
    """A workspace in which all stages ran on the two weeks of the sample, with the track record of the project."""
    data = Path(shutil.copytree(ran_once, tmp_path_factory.mktemp("notebooks") / "data"))
    shutil.copy(PROJECT / "data/custom/track.csv", data / "custom")
    return data


@pytest.fixture(scope="session")
def pages(sample: Path) -> Path:
    """The pages of all notebooks, run on the sample."""
    folder = sample.parent / "pages"
    rendered = render(sample, folder)
    assert rendered.returncode == 0, rendered.stderr
    assert rendered.stderr == ""
    return folder


def test_the_first_page_leads_with_the_days_that_are_new(pages):
    text = text_of(pages / "01_review_diffs.html")
    start = text.index("None is newer than release")
    questions = ("Which days are held?", "Which words were missing or extra?", "How did the list change", "at stake?")
    places = [text.index(question, start) for question in questions]
    assert places == sorted(places)


def test_a_page_shows_the_track_record_with_its_intervals(pages):
    page = (pages / "03_release.html").read_text("utf-8")
    table = page.partition("<figcaption>Accuracy on days before they were counted")[2].partition("</table>")[0]
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in re.findall(r"<tr>.*?</tr>", table)]
    track = frames.read_csv((PROJECT / "data/custom/track.csv").read_bytes(), "track.csv").sort_values("date")
    for row, count in zip(filter(None, rows), (30, 90, 365, len(track)), strict=True):
        exact = int((track["exact"].tail(count) == "1").sum())
        ends = (f"{end:.0%}" for end in interval(exact, count))
        assert row[1:5] == [f"{count:,}", f"{exact / count:.0%}", *ends]


@pytest.mark.parametrize(
    ("outcomes", "keep", "drop"),
    [
        ("", True, True),
        ("+", True, False),
        ("+-", True, True),
        ("++---", False, True),
        ("+++--", True, False),
        ("-----+++--", True, False),
        ("+++++--+--", False, True),
    ],
)
def test_a_command_never_speaks_against_most_of_the_last_five_trials(outcomes, keep, drop):
    assert history.agrees_with_outcomes("keep", outcomes) == keep
    assert history.agrees_with_outcomes("drop", outcomes) == drop


def text_of(page: Path) -> str:
    """The visible text of a page, without tags and code."""
    body = re.sub(r"<(style|script|details|svg)\b.*?</\1>", " ", page.read_text("utf-8"), flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", body))


def cells(page: Path) -> set[str]:
    """The cells of all tables of a page."""
    return {html.unescape(cell) for cell in re.findall(r"<td[^>]*>([^<]*)</td>", page.read_text("utf-8"))}


@each_notebook
def test_a_notebook_asks_one_question_and_runs_top_to_bottom_on_the_sample(path, pages):
    question = re.findall(r"^# # (.*)$", path.read_text(), re.MULTILINE)
    page = pages / f"{path.stem}.html"
    assert f"<title>{html.escape(*question)}</title>" in page.read_text()
    assert question[0].endswith("?")
    assert "Not affiliated with The New York Times" in text_of(page)
    assert len(cells(page)) > 5 or "luff: unknown, by none" in text_of(page)


def test_the_figures_of_a_page_are_those_of_the_workspace_and_what_it_is_too_small_for_is_said(
    pages, sample, sample_days
):
    answers = sum(len(day.answers) for day in sample_days)
    assert f"{answers / len(sample_days):.1f}" in cells(pages / "04_puzzles.html")
    words = (sample / "custom/wordlist.txt").read_text().split()
    release = text_of(pages / "03_release.html")
    assert f"The release: {len(words):,} words on the list" in release
    worst = frames.read_csv((sample / "custom/diffs.csv").read_bytes(), "diffs.csv")["word"]
    assert set(worst) <= cells(pages / "01_review_diffs.html")
    assert "too few for this plot" in text_of(pages / "04_puzzles.html")


def test_an_assumption_that_does_not_hold_stops_the_notebook_and_says_what_to_do(sample, tmp_path):
    data = shutil.copytree(sample, tmp_path / "data")
    workspace = Workspace(data)
    decisions = registry.load(workspace, "decisions")
    accepted = decisions["tier"] == "core"
    registry.save(workspace, "decisions", decisions.assign(tier=decisions["tier"].mask(accepted, "refused")))
    stopped = render(data, tmp_path / "pages")
    assert stopped.returncode == 1
    assert (
        stopped.stderr
        == "01_review_diffs.py: AssertionError: The tables do not come from one run: `bee run` makes them, "
        "then run all cells.\n"
    )


@pytest.mark.faults
def test_on_all_puzzles_no_plot_or_table_lacks_data(shared, tmp_path, bee):
    data = copy_of_the_project(tmp_path / "data")
    for name in ("nyt_puzzles_plus", "nyt_puzzles_plus_2026"):
        assert bee("import", shared / f"archive/{name}.txt", "--as", "plus", "--data", data).code == 0
    assert bee("run", "--data", data).code == 0
    rendered = render(data, tmp_path / "pages")
    assert (rendered.returncode, rendered.stderr) == (0, "")
    for path in NOTEBOOKS:
        assert "too few" not in text_of(tmp_path / f"pages/{path.stem}.html"), path


@each_notebook
def test_a_notebook_imports_from_the_package_and_the_modules_beside_it_alone(path):
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        assert {name.partition(".")[0] for name in names} <= {
            "pipeline",
            *(module.stem for module in FOLDER.glob("[a-z]*.py")),
        }
    assert [node for node in ast.walk(tree) if isinstance(node, ast.Assert)], "it asserts what it assumes"


@each_notebook
def test_a_cell_is_a_question_in_words_and_at_most_ten_lines_of_code(path):
    import jupytext

    cells = jupytext.read(path).cells
    code = [cell.source.splitlines() for cell in cells if cell.cell_type == "code"]
    assert max(len(lines) for lines in code) <= 10
    headings = [line for cell in cells if cell.cell_type == "markdown" for line in cell.source.splitlines()[:1]]
    assert [line for line in headings if line.startswith("#") and not line.endswith("?")] == []
    assert not [lines for lines in code if any(line.startswith(("def ", "class ")) for line in lines)]


def test_the_contract_of_shown_tables_explains_each_column_and_names_no_table_that_is_not_shown():
    rows = frames.rows(frames.read_csv((FOLDER / "columns.csv").read_bytes(), "columns.csv"))
    assert [row for row in rows if not row["meaning"].endswith(".")] == []
    code = "".join(path.read_text() for path in FOLDER.glob("*.py"))
    assert {row["table"] for row in rows if f'"{row["table"]}"' not in code} == set()


@each_notebook
def test_text_notebook_and_page_have_the_same_cells(path, pages):
    import jupytext
    import nbformat

    notebook = nbformat.read(path.with_suffix(".ipynb"), as_version=4)
    cells = [(cell.cell_type, cell.source) for cell in jupytext.read(path).cells]
    assert [(cell.cell_type, cell.source) for cell in notebook.cells] == cells, "make notebooks writes the .ipynb anew"
    assert notebook.metadata.jupytext.formats == "ipynb,py:percent"
    for cell in notebook.cells:
        assert (cell.get("outputs", []), cell.get("execution_count")) == ([], None)
    page = (pages / f"{path.stem}.html").read_text("utf-8")
    assert [source for kind, source in cells if kind == "code" and html.escape(source) not in page] == []


def test_pages_need_no_network_and_tell_nothing_of_the_machine(pages):
    for page in sorted(pages.glob("*.html")):
        text = page.read_text("utf-8")
        for link in re.findall(r"""(?:src|href|data|action)=["']([^"']*)""", text):
            assert link.startswith("#") or (pages / link).is_file(), f"{page}: {link}"
        assert not re.findall(r"@import|url\((?!#)|<link|<iframe|\bimport\b *\(|fetch\(", _without_code(text)), page
        assert set(re.findall(r"https?://[^\"'<> ]*", text)) <= {
            "http://www.w3.org/2000/svg",
            "http://www.w3.org/1999/xlink",
        }, page
        for private_path in (str(PROJECT), str(Path.home()), str(pages.parent), "/tmp/"):
            assert private_path not in text, page
        assert page.stat().st_size < 1_500_000, page


def _without_code(text: str) -> str:
    return re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)


def test_pages_show_no_offensive_word_and_no_answers_of_a_day(pages):
    release = PROJECT / "data/custom"
    flags = frames.read_csv((release / "flags.csv").read_bytes(), "flags.csv")
    offensive = set(flags["word"][flags["flag"].isin(OFFENSIVE)])
    assert len(offensive) > 100
    judged = set(frames.read_csv((release / "verdicts.csv").read_bytes(), "verdicts.csv")["on"])
    listed = set((release / "wordlist.txt").read_text().split())
    for page in sorted(pages.glob("*.html")):
        words = {word for cell in cells(page) for word in re.findall("[a-z]+", cell.partition(":")[0])}
        assert not words & offensive, page
        for row in re.findall(r"<tr>.*?</tr>", page.read_text("utf-8"), re.DOTALL):
            row_cells = re.findall(r"<td[^>]*>([^<]*)</td>", row)
            dates = {cell for cell in row_cells if re.fullmatch(r"\d{4}-\d\d-\d\d", cell)} - judged
            if page.stem == "05_one_word":  # the first and last dates of a word are facts about it
                assert len(dates) <= 1, page
            else:
                assert not (dates and set(row_cells) & listed - SOURCES), page


@each_notebook
def test_a_page_opens_offline_and_is_accessible(path, pages, browser):
    page = browser.new_page()
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((pages / f"{path.stem}.html").as_uri())
    assert [url for url in requests if not url.startswith("file:")] == []
    assert errors == []
    # Of hundreds of rows of one table, axe needs to see a few.
    page.locator("tbody").evaluate_all(
        "all => all.forEach(body => [...body.rows].slice(20).forEach(row => row.remove()))"
    )
    report = axe.Axe().run(page)
    assert report.violations_count == 0, report.generate_report()
    page.close()


def test_a_long_table_can_be_filtered_and_sorted(pages, browser):
    page = browser.new_page()
    page.goto((pages / "01_review_diffs.html").as_uri())
    table = page.locator("figure.bee-table").filter(has_text="first words of the queue").first
    rows = table.locator("tbody tr")
    everything = rows.count()
    words = rows.locator("td:first-child").all_inner_texts()
    table.locator("input").fill(f"{words[-1]} bee")
    matching = rows.locator("visible=true").locator("td:first-child").all_inner_texts()
    assert words[-1] in matching
    assert len(matching) < everything
    assert table.locator("[role=status]").inner_text().strip() == f"{len(matching)} of {everything} rows"
    table.locator("input").fill("")

    def gains() -> list[float]:
        return [float(text) for text in rows.locator("td:nth-child(5)").all_inner_texts()]

    assert gains() not in (sorted(gains()), sorted(gains(), reverse=True))
    table.get_by_role("button", name="points").click()
    assert gains() == sorted(gains())
    table.get_by_role("button", name="points").click()
    assert gains() == sorted(gains(), reverse=True)
    page.close()
