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
import pandas as pd
import pytest
from axe_playwright_python import sync_playwright as axe
from browsing import expect
from conftest import PROJECT, copy_of_the_project, reseal

from pipeline.measure.score import interval
from pipeline.sources import SOURCES
from pipeline.tables import frames
from pipeline.words import OFFENSIVE

FOLDER = PROJECT / "notebooks"
NOTEBOOKS = [
    FOLDER / f"{name}.py" for name in ("01_review_diffs", "02_review_flags", "03_release", "04_puzzles", "05_one_word")
]
pytestmark = pytest.mark.slow
# Packages of notebooks are imported where they are used: that takes a second, and every worker reads this file.
NAMES_OF_SOURCES = {source.name for source in SOURCES}
"""Names of sources, some of which are words."""

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def render(data: Path, pages: Path) -> subprocess.CompletedProcess[str]:
    """Render the notebooks of this checkout, as `make notebooks` does, so that warnings of the kernel stay outside of
    pytest."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "BEE_DATA": str(data)}
    command = [sys.executable, str(FOLDER / "render.py"), "--to", str(pages)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240, check=False)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, ran_once: Path, sample_days) -> Path:
    """A workspace on which `bee run` ran on the two weeks of the sample; the release has a row of the track record for
    each day."""
    data = Path(shutil.copytree(ran_once, tmp_path_factory.mktemp("notebooks") / "data"))
    days = sorted({day.date for day in sample_days})
    rows = frames.rows(frames.read_csv((PROJECT / "data/custom/track.csv").read_bytes(), "track.csv"))
    track = [{**row, "date": day, "without_trial": "", "differs": ""} for row, day in zip(rows, days, strict=False)]
    (data / "custom/track.csv").write_bytes(frames.csv_bytes(pd.DataFrame(track)))
    reseal(data / "custom")
    return data


@pytest.fixture(scope="session")
def pages(sample: Path) -> Path:
    """The pages of all notebooks, run on the sample."""
    folder = sample.parent / "pages"
    rendered = render(sample, folder)
    assert rendered.returncode == 0, rendered.stderr
    assert rendered.stderr == ""
    return folder


def test_the_first_screen_has_what_is_new_one_table_of_words_to_decide_on_and_one_plot(pages, open_page):
    page = open_page(pages / "01_review_diffs.html")
    assert "No day is newer than release" in page.locator("pre.printed").first.inner_text()
    queue, plot = page.locator("figure.bee-table").first, page.locator("figure.bee-plot").first
    assert "The first words of the queue" in queue.inner_text()
    assert 10 < queue.locator(".dataTable tbody tr").count() <= 40
    assert "Missing and extra words, by day" in plot.get_attribute("aria-label")
    for figure in (queue, plot):
        box = figure.bounding_box()
        assert box["y"] + box["height"] <= 900
    assert page.locator("h2").first.bounding_box()["y"] > plot.bounding_box()["y"]


def test_a_page_shows_the_track_record_with_its_intervals(pages, sample):
    page = (pages / "03_release.html").read_text("utf-8")
    figure = page.partition("<figcaption>Accuracy on days before they were counted")[2].partition("</figure>")[0]
    table = figure.partition("_fallback")[2]
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in re.findall(r"<tr>.*?</tr>", table)]
    track = frames.read_csv((sample / "custom/track.csv").read_bytes(), "track.csv")
    exact = int((track["missing"] + track["extra"]).eq("00").sum())
    ends = (f"{end:.0%}" for end in interval(exact, 14))
    assert [row[1:5] for row in rows if row][-1] == ["14", f"{exact / 14:.0%}", *ends]


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
    assert len(cells(page)) > 5 or "luff: unknown" in text_of(page)


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
    data = Path(shutil.copytree(sample, tmp_path / "data"))
    verdict = "word,verdict,reason,by,after\nzine,drop,hardly used,ann,2025-03-06\n"
    (data / "custom/verdicts.csv").write_text(verdict)
    stopped = render(data, tmp_path / "pages")
    assert (stopped.returncode, stopped.stderr) == (
        1,
        "03_release.py: AssertionError: The release is not made from these decisions: `bee run` makes it.\n",
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
        assert not re.findall(r"@import|url\((?!#)|<link|<iframe|fetch\(", _without_code(text)), page
        imports = [line.strip() for line in _without_code(text).splitlines() if re.search(r"\bimport *\(", line)]
        assert imports == ["const module = await import(url);"], "the one of the library, from the page itself"
        assert set(re.findall(r"https?://[^\"'<> ]*", text)) <= {
            "http://www.w3.org/2000/svg",
            "http://www.w3.org/1999/xlink",
            "https://itables.org/",
            "https://itables.org/fallbacks/static_preview.html",
            "https://itables.org/troubleshooting.html",
        }, page
        assert text.count("function injectModule") == 1, "the library is in a page once"
        ids = re.findall(r'<table id="([^"]*)"', text)
        assert len(ids) == len(set(ids)), page
        for private_path in (str(PROJECT), str(Path.home()), str(pages.parent), "/tmp/"):
            assert private_path not in text, page
        assert page.stat().st_size < 1_500_000, page


def _without_code(text: str) -> str:
    return re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)


def test_pages_show_no_offensive_word_and_no_answers_of_a_day(pages):
    release = PROJECT / "data/custom"
    words = frames.read_csv((release / "words.csv").read_bytes(), "words.csv")
    offensive = set(words["word"][words["flags"].str.contains("|".join(OFFENSIVE))])
    assert len(offensive) > 100
    judged = set(frames.read_csv((release / "verdicts.csv").read_bytes(), "verdicts.csv")["after"])
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
                assert not (dates and set(row_cells) & listed - NAMES_OF_SOURCES), page


@pytest.fixture
def open_page(browser):
    """Open a page without a network and wait for its tables; it must ask for nothing and have no errors."""
    opened, requests, errors = [], [], []

    def start(path: Path, **options: object):
        context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}, **options)
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        if options.get("java_script_enabled", True):
            unfinished = "document.querySelectorAll('.bee-table table[id]:not(.dataTable)').length"
            page.wait_for_function(f"() => {unfinished} === 0")
        return page

    yield start
    assert [url for url in requests if not url.startswith(("file:", "blob:", "data:"))] == []
    assert errors == []
    for context in opened:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@each_notebook
def test_a_page_opens_offline_and_is_accessible(path, scheme, pages, open_page):
    page = open_page(pages / f"{path.stem}.html", color_scheme=scheme)
    # Of hundreds of rows of one table, axe needs to see a few.
    page.locator("tbody").evaluate_all(
        "all => all.forEach(body => [...body.rows].slice(20).forEach(row => row.remove()))"
    )
    report = axe.Axe().run(page)
    assert report.violations_count == 0, report.generate_report()


@pytest.fixture
def queue(pages, open_page):
    """The first table of the first page, in a browser."""
    return open_page(pages / "01_review_diffs.html").locator("figure.bee-table").first


def column(table, name: str):
    """The cells of a column of a table."""
    at = table.locator(".dataTable th").all_inner_texts().index(name)
    return table.locator(f".dataTable tbody tr td:nth-child({at + 1})")


def test_a_long_table_can_be_searched(queue):
    words = column(queue, "word").all_inner_texts()
    queue.get_by_role("searchbox").fill(f"bee {words[-1]}")
    expect(column(queue, "word").filter(has_text=words[0])).to_have_count(0)
    assert words[-1] in column(queue, "word").all_inner_texts()
    shown = column(queue, "word").count()
    expect(queue.get_by_role("status")).to_have_text(re.compile(rf"{shown} rows\s+of {len(words)}"))
    queue.get_by_role("searchbox").fill("")
    expect(column(queue, "word")).to_have_text(words)


def test_a_click_or_a_key_on_a_header_sorts_words_as_text_and_numbers_as_numbers(queue):
    words = column(queue, "word").all_inner_texts()
    points = column(queue, "points").all_inner_texts()
    ascending = sorted(points, key=float)
    assert points not in (ascending, ascending[::-1], sorted(points))
    queue.get_by_role("columnheader", name="points").click()
    expect(column(queue, "points")).to_have_text(ascending)
    queue.get_by_role("columnheader", name="points").click()
    expect(column(queue, "points")).to_have_text(ascending[::-1])
    queue.get_by_role("button", name="word").focus()
    queue.page.keyboard.press("Enter")
    expect(column(queue, "word")).to_have_text(sorted(words))
    expect(queue.locator("th[aria-sort=ascending]")).to_have_text("word")


def test_numbers_are_on_the_right_and_commands_look_like_code(queue):
    def style(name: str, attribute: str) -> str:
        return column(queue, name).first.evaluate(f"cell => getComputedStyle(cell).{attribute}")

    assert (style("points", "textAlign"), style("word", "textAlign")) == ("right", "left")
    assert (style("command", "fontFamily"), style("word", "position")) == ("monospace", "sticky")


def test_on_a_phone_a_table_scrolls_and_the_page_does_not(pages, open_page):
    page = open_page(pages / "01_review_diffs.html")
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    box = page.locator("figure.bee-table .dt-layout-table .dt-layout-cell").first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth && box.scrollHeight > box.clientHeight")
    box.evaluate("box => { box.scrollTop = 500; }")
    assert page.locator(".dataTable th").first.bounding_box()["y"] == pytest.approx(box.bounding_box()["y"], abs=1)


def test_text_that_looks_like_html_or_like_a_missing_value_is_shown_as_it_is(tmp_path, open_page):
    import html_tables
    import itables
    from itables.javascript import generate_init_offline_itables_html

    texts = ["null", "nan", "NA", "<script>document.title = 'ran'</script>", "</script><b>&amp;", '"quoted" ' * 30]
    frame = pd.DataFrame({"kind": texts, "what": texts, "says": texts})
    table = html_tables.as_table(frame, "</script><b>A caption", "facts").data
    library = generate_init_offline_itables_html(itables.options.dt_bundle)
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><title>still</title>{library}{table}", "utf-8")
    page = open_page(path)
    figure = page.locator("figure.bee-table")
    assert [text.strip() for text in column(figure, "says").all_inner_texts()] == [text.strip() for text in texts]
    assert figure.locator("figcaption").inner_text() == "</script><b>A caption"
    assert (page.title(), figure.locator("b").count()) == ("still", 0)
    figure.get_by_role("columnheader", name="says").click()
    assert page.title() == "still"


def test_without_scripts_a_table_is_shown_whole(pages, open_page):
    page = open_page(pages / "01_review_diffs.html", java_script_enabled=False)
    tables = page.locator("figure.bee-table").first.locator("table")
    assert [table.is_visible() for table in tables.all()] == [False, True]
    assert tables.last.locator("tbody tr").count() > 10
