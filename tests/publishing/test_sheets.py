"""Puzzles on paper: `bee puzzles --print`."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
import shlex
import subprocess
import sys

import pytest
from test_word_pages import Checked

from pipeline import reader
from pipeline.play import daily

pytestmark = pytest.mark.slow


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
    bee = f"{shlex.quote(sys.executable)} -m pipeline"
    command = f"{bee} daily 2026-11-30 --days 3 --json | {bee} sheets"
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout


def test_each_puzzle_of_the_days_has_a_page_and_its_answers_one_at_the_end(week, bee):
    every = pages(week)
    named = [f"Puzzle of {day}" for day in ("November 30", "December 1", "December 2")]
    named += [f"{name}: answers" for name in named]
    assert [re.search("<h2>(.*)</h2>", sheet)[1] for sheet in every] == named
    assert [letters(sheet) for sheet in every[:3]] == list(daily.published(reader.read(reader.RELEASE)).values())[8:11]
    (made,) = json.loads(bee("daily", "2026-12-01", "--json").out)["puzzles"]
    answers = sorted(word for tier in made["answers"].values() for word in tier)
    sheet, solution = every[1], every[4]
    assert f"<p>{made['level']}<br>{made['words']} words, {made['points']} points" in sheet
    assert sheet.count("<li></li>") == len(answers)
    ranks = re.findall(r"<li>([\w ]+) <b>(\d+)</b></li>", sheet)
    assert {name: int(points) for name, points in ranks} == made["ranks"]
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


def test_letters_name_the_sheets_of_puzzles_without_a_date_and_a_long_puzzle_fits_its_page(bee, tmp_path):
    words = [word for word in map("".join, itertools.product("cove", repeat=4)) if "v" in word]
    (tmp_path / "words.txt").write_text("\n".join(["covenant", *words]))
    chosen = bee("puzzles", "--list", tmp_path / "words.txt", "--limit", "2", "--json").out
    (tmp_path / "puzzles.json").write_text(chosen)
    done = bee("sheets", tmp_path / "puzzles.json")
    centers = [puzzle["center"] + puzzle["outer"] for puzzle in json.loads(chosen)["puzzles"]]
    assert [letters(sheet) for sheet in pages(done.out)[:2]] == centers
    assert [f"<h2>{name[0]} {name[1:]}</h2>" in done.out for name in map(str.upper, centers)] == [True, True]
    assert [sheet.count("<li></li>") for sheet in pages(done.out)] == [72, 72, 0, 0]
    assert "Bee Words. Your own list. Not affiliated" in done.out
    assert "Release" not in done.out


@pytest.mark.parametrize(
    "content",
    ["[]", "{}", '{"puzzles": []}', '{"version": null, "puzzles": [{}]}', '{"puzzles": 3}', "[" * 100_000, "covenant"],
)
def test_what_is_no_json_of_puzzles_is_refused_in_one_sentence(bee, tmp_path, content):
    (tmp_path / "puzzles.json").write_text(content)
    refused = bee("sheets", tmp_path / "puzzles.json")
    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
