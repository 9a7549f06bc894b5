"""Puzzles on paper: `bee puzzles --print`."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys

import pytest
from test_word_pages import Checked

from pipeline import reader
from pipeline.words import GAME


def pages(text: str) -> list[str]:
    """The sheets in a file, the puzzles first, then their answers."""
    return re.findall(r"<section.*?</section>", text, re.DOTALL)


def letters(sheet: str) -> str:
    """The letters in the ring of a sheet, center first."""
    *around, center = re.findall(r"<text[^>]*>(\w)</text>", sheet)
    return "".join([center, *around]).lower()


@pytest.fixture(scope="module")
def week() -> str:
    """The sheets of three days."""
    command = [sys.executable, "-m", "pipeline", "puzzles", "--daily", "2026-11-30", "--print", "3"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_each_puzzle_of_the_days_has_a_page_and_its_answers_one_at_the_end(week, bee):
    every = pages(week)
    assert len(every) == 6
    for at, date in enumerate(("2026-11-30", "2026-12-01", "2026-12-02")):
        (made,) = json.loads(bee("puzzles", "--daily", date, "--json").out)["puzzles"]
        answers = sorted(word for tier in made["answers"].values() for word in tier)
        sheet, solution = every[at], every[at + 3]
        assert letters(sheet) == made["center"] + made["outer"]
        assert f"<h2>Puzzle of {['November 30', 'December 1', 'December 2'][at]}</h2>" in sheet
        assert f"<p>{made['level']}<br>{made['words']} words, {made['points']} points" in sheet
        assert sheet.count("<li></li>") == len(answers)
        ranks = re.findall(r"<li>([\w ]+) <b>(\d+)</b></li>", sheet)
        assert {name: int(points) for name, points in ranks} == made["ranks"]
        assert list(made["ranks"]) == list(GAME.ranks)
        assert not [word for word in answers if re.search(rf"\b{word}\b", sheet.partition("<svg")[0])]
        assert re.findall(r"<li>(?:<b>)?([a-z]+)(?:</b>)?</li>", solution) == answers
        assert re.findall(r"<b>([a-z]+)</b>", solution) == made["pangrams"]


def test_the_file_is_well_formed_and_needs_nothing_from_outside(week):
    page = Checked(re.sub("<(circle|path)[^>]*/>", "", week))
    assert (page.links, page.ids) == ([], [])
    assert "<script" not in week
    assert "url(" not in week
    assert " style=" not in week
    style = base64.b64encode(hashlib.sha256(re.search(r"<style>(.*)</style>", week, re.DOTALL)[1].encode()).digest())
    assert f"content=\"default-src 'none'; style-src 'sha256-{style.decode()}'; base-uri 'none'" in week
    version = reader.read(reader.RELEASE, reader.PACKAGE).version
    assert week.count(f"Release {version}. Not affiliated with The New York Times.") == 6
    assert week.count("Bee Words. ") == 6


def test_each_puzzle_is_one_page_of_letter_paper_and_of_a4(browser, week):
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.set_content(week)
    for size in ("Letter", "A4"):
        document = page.pdf(format=size, prefer_css_page_size=False)
        assert len(re.findall(rb"/Type\s*/Page\b", document)) == 6, size
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert said == []
    page.close()


def test_filters_choose_and_letters_name_the_sheets(bee):
    options = ("--own", "--random", "--seed", "3", "--difficulty", "medium")
    done = bee("puzzles", *options, "--print", "2")
    rows = bee("puzzles", *options, "--limit", "2", "--csv").out.splitlines()[1:]
    chosen = ["".join(row.split(",")[:2]) for row in rows]
    assert [letters(sheet) for sheet in pages(done.out)[:2]] == chosen
    assert [f"<h2>{name[0].upper()} {name[1:].upper()}</h2>" in done.out for name in chosen] == [True, True]
    assert done.out.count("<p>medium<br>") == 4


def test_the_sheets_of_any_list_name_no_release_and_a_long_puzzle_fits_its_page(bee, tmp_path):
    (tmp_path / "words.txt").write_text("covenant\n" + "".join(f"{'cove' * n}ant\n" for n in range(1, 5)))
    done = bee("puzzles", "--list", tmp_path / "words.txt", "--center", "v", "--print", "5")
    assert "Bee Words. A list of your own. Not affiliated" in done.out
    assert "Release" not in done.out
    assert bee("puzzles", "--best", "words", "--print", "1").out.count("<li></li>") == 72
    empty = bee("puzzles", "--min-words", "5000", "--print", "1")
    assert (empty.code, empty.out) == (1, "")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--print 0", "--print"),
        ("--print 2 --json", "leave out --json"),
        ("--print 2 --csv", "Print either --csv or --print"),
        ("--print 2 --limit 5", "leave out --limit"),
    ],
)
def test_options_that_do_not_fit_are_refused(bee, options, says):
    failed = bee("puzzles", *options.split())
    assert (failed.code, failed.out) == (2, "")
    assert says in failed.err
