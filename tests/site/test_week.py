"""The puzzle of the day in a browser whose clock is turned: a week of playing, the archive, Back, what is stored, and
paper."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from browsing import RELEASE, Tab, expect, kept, record, type_words

import pipeline
from pipeline import reader
from pipeline.play import daily
from pipeline.words import ranks, score


@pytest.fixture(scope="module")
def days() -> dict[str, str]:
    """The published puzzles of the day."""
    return daily.published(reader.read(RELEASE))


@pytest.fixture
def player(open_tab, serve, hosted) -> Callable[..., Tab]:
    """Open the site at a time, as a player with a browser of his own."""
    home = serve(hosted)

    def start(time: str, **options: object) -> Tab:
        tab = open_tab(home, service_workers="allow", **options)
        tab.page.clock.install(time=time)
        return tab

    return start


def at(tab: Tab, time: str, address: str = "") -> None:
    """Turn the clock, and load the page again."""
    tab.page.clock.set_system_time(time)
    tab.open(address)


def ring(page) -> str:
    """The letters of the puzzle that is open."""
    return "".join(page.locator("#ring .node").all_text_contents())


def find(page, count: int) -> list[str]:
    """Find some words of the puzzle that is open."""
    words = pipeline.solve(ring(page))[:count]
    expect(page.locator("#sheet:modal")).to_have_count(0)
    type_words(page, words)
    expect(page.locator("#said")).to_contain_text(words[-1])
    return words


def test_a_week_of_playing(player, days, tmp_path):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    tab = player("2026-11-22T20:00:00Z", first=True, timezone_id="Asia/Tokyo", **phone)
    size = len(pipeline.solve(days["2026-11-22"]))
    page = tab.open()
    expect(page.locator("#today")).to_have_text(re.compile(rf"Sunday, November 22\s*Easy, {size} words\s*Play\s*$"))
    expect(page.locator("#yesterday")).to_contain_text("words, not played")
    page.locator("#today").tap()
    page.locator("#rules-close").tap()  # the rules come before the first puzzle of all
    expect(page.locator("#game-title")).to_have_text("Sun, Nov 22 easy", use_inner_text=True, ignore_case=True)
    assert page.title() == "Sunday, November 22 – Bee Words"
    assert ring(page) == days["2026-11-22"]
    page.locator(".tabs [data-panel=hints]").tap()
    page.locator("#several summary").tap()
    page.locator("#several-words").fill(" ".join(pipeline.solve(days["2026-11-22"])))
    page.get_by_role("button", name="Add them").tap()
    expect(page.locator("#ending-said")).to_contain_text(f"Queen Bee: {size} of {size} words")
    expect(page.locator("#ending-facts")).to_have_text("HintsnoneStreak1 dayNext puzzlein 12 hours")

    # In New York it is 02:59 on Monday, and then 03:00. In Tokyo, where the player is, it is afternoon.
    at(tab, "2026-11-23T07:59:30Z")
    expect(page.locator("#today-date")).to_have_text("Sunday, November 22")
    expect(page.locator("#today-go")).to_have_text("See the words")
    page.clock.set_system_time("2026-11-23T08:00:00Z")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    expect(page.locator("#today-date")).to_have_text("Monday, November 23")
    expect(page.locator("#yesterday")).to_contain_text(f"Queen Bee, {size} of {size}")
    page.locator("#today").tap()
    page.locator("#game").wait_for()
    expect(page.locator("#sheet"), "the rules come only once").to_be_hidden()
    monday = find(page, 5)
    at(tab, "2026-11-23T23:00:00Z")
    expect(page.locator("#days-said")).to_have_text("54 puzzles, 2 days in a row")
    expect(page.locator("#today-go")).to_have_text("Continue")

    # A day is left out, and played later: it is on the calendar, but not in the streak.
    at(tab, "2026-11-25T12:00:00Z")
    page.locator("#yesterday a", has_text="Yesterday").tap()
    expect(page.locator("#game-name")).to_have_text("Tue, Nov 24", use_inner_text=True)
    at(tab, "2026-11-25T12:00:30Z")
    page.locator("#yesterday a", has_text="Answers").tap()
    expect(page.locator("#words"), "nothing is told before it is asked for").to_be_empty()
    page.locator("#sheet-close").tap()
    late = find(page, 3)
    at(tab, "2026-11-25T12:01:00Z")
    missed = len(pipeline.solve(days["2026-11-24"])) - len(late)
    page.locator("#yesterday a", has_text=f"You missed {missed}").tap()
    page.locator("#reveal").tap()
    expect(page.locator("#words h3")).to_have_text([f"You missed {missed}", "You found 3"])
    at(tab, "2026-11-25T12:05:00Z", "daily")
    find(page, 2)
    at(tab, "2026-11-25T12:10:00Z", "/days")
    figures = dict(line.split("\n") for line in page.locator("#figures div").all_inner_texts())
    assert (figures["Streak"], figures["Longest streak"]) == ("1 day", "2 days")
    assert (figures["Played"], figures["Words found"]) == ("4 puzzles", str(size + 10))
    expect(page.locator("#histogram tr").first).to_have_text("Queen Bee1")
    marks = page.locator(".month a").evaluate_all("links => links.map(link => [link.textContent, link.className])")
    assert [mark for mark in marks if mark[1]] == [["22", "queen"], ["23", "begun"], ["24", "begun"], ["25", "begun"]]
    assert [number for number, _ in marks] == [str(day) for day in range(1, 26)], "of each day up to today"

    # Without a network, on a train.
    kept(page)
    page.context.set_offline(True)
    at(tab, "2026-11-26T12:00:00Z", "daily")
    assert ring(page) == days["2026-11-26"]
    find(page, 4)
    at(tab, "2026-11-26T13:00:00Z", "daily/2026-11-23")
    assert record(page, "2026-11-23")["found"] == monday
    expect(page.locator("#rank-points")).to_have_text(str(sum(map(score, monday))))
    tab.open("/settings")
    with page.expect_download() as download:
        page.locator("#export").tap()
    download.value.save_as(tmp_path / "words.json")

    other = player("2026-11-28T12:00:00Z")
    there = other.open("daily")
    find(there, 1)
    other.open("/settings")
    there.locator("#import-file").set_input_files(tmp_path / "words.json")
    there.get_by_text("Imported: 5 puzzles.").wait_for()
    other.open("/days")
    expect(there.locator(".month a.begun")).to_have_count(5)
    expect(there.locator(".month a.queen")).to_have_count(1)
    assert tab.complaints == other.complaints == []


def test_a_day_without_a_puzzle_gets_a_sentence(tab):
    page = tab.page
    page.clock.install(time="2026-11-25T12:00:00Z")
    for address, says in {
        "daily/2026-09-30": "The first puzzle of the day is for Thursday, October 1.",
        "daily/2026-11-26": "The puzzle for Thursday, November 26 appears on that day.",
        "daily/2026-02-30/hints": "“2026-02-30” is not a date like 2026-11-25.",
    }.items():
        tab.open(address)
        expect(page.locator("#notices")).to_contain_text(says)
        expect(page.locator("#start")).to_be_visible()
        expect(page.locator("#letters-wrong")).to_have_text("")
    page.clock.set_system_time("2031-12-31T12:00:00Z")  # long after the last puzzle of the release
    tab.open()
    says = "This release of the list has no puzzle for Wednesday, December 31."
    expect(page.locator("#today-says")).to_have_text(says)
    expect(page.locator("#today-go")).to_be_hidden()


def test_the_archive_has_a_month_at_a_time_and_says_where_it_begins(tab):
    page = tab.page
    page.clock.install(time="2026-12-05T12:00:00Z")
    tab.open("daily/2026-11-24")
    find(page, 3)
    tab.open("daily/2026-11-20/answers")
    page.locator("#reveal").click()
    tab.open("/solve/cptamhu")  # which is no game
    page.locator("#words li").first.wait_for()
    tab.open("vctaoen/hints")
    page.locator("#nudge-more").click()
    page.locator("#pinned").wait_for()
    find(page, 5)
    tab.open("/days")

    def shows(month: str, days: int) -> None:
        expect(page.locator("#month caption")).to_have_text(month)
        expect(page.locator("#month a")).to_have_count(days)

    shows("December 2026", 5)
    for hidden in ("#later", "#played"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#archive-begins")).to_contain_text("October 1")
    expect(page.locator("#figures"), "others count, too").to_contain_text("Played2 puzzlesWithout hints1 puzzle")
    expect(page.locator("#others-list li")).to_have_text(["V CTAOEN  Nice, 5 of 29"])
    page.locator("#earlier").click()
    shows("November 2026", 30)
    played = [re.compile("^Nov 24"), re.compile(r"^Nov 20\s+Beginner, 0 of \d+, answers seen$")]
    expect(page.locator("#played-list li")).to_have_text(played)
    expect(page.locator("#month .begun")).to_have_count(2)
    page.locator("#earlier").press("Enter")
    shows("October 2026", 31)
    expect(page.locator("#month-aloud")).to_have_text("October 2026")
    expect(page.locator("#days-title")).to_be_focused()
    expect(page.locator("#earlier")).to_be_hidden()
    page.locator("#later").click()
    shows("November 2026", 30)
    page.go_back()
    shows("October 2026", 31)
    page.evaluate("location.hash = '/days/2026-13'")
    shows("December 2026", 5)


def test_a_random_puzzle_is_one_that_was_not_played(tab):
    page = tab.page
    page.clock.install(time="2026-10-02T12:00:00Z")
    tab.open("daily/2026-10-01/answers")
    page.locator("#reveal").click()
    tab.open("/days")
    page.locator("#random").click()
    page.get_by_role("heading", name="Friday, October 2").wait_for()
    page.locator(".tabs [data-panel=answers]").click()
    page.locator("#reveal").click()
    page.go_back()
    page.go_back()
    expect(page.locator("#month .begun")).to_have_count(2)
    expect(page.locator("#random")).to_be_hidden()


def test_a_player_is_told_of_the_new_day_in_the_middle_of_a_puzzle(tab):
    tab.page.clock.install(time="2026-11-25T12:00:00Z")
    page = tab.open("daily")
    page.keyboard.type("cov")
    page.clock.set_system_time("2026-11-26T12:00:00Z")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    page.locator("#notices a", has_text="Thursday, November 26").wait_for()
    expect(page.locator("#typed")).to_have_text("cov")
    page.locator("#notices a").click()
    page.get_by_role("heading", name="Thursday, November 26").wait_for()
    expect(page.locator("#notices")).to_be_empty()


# ---------------------------------------------------------------- Back


def is_shown(page, address: str, sheet: str = "", card: bool = False) -> None:
    """Wait until this is the address, and this is open over the game."""
    state = """() => JSON.stringify([location.hash, document.querySelector('#card').open,
        ...[...document.querySelectorAll('#sheet[open] .panel:not([hidden])')].map(({ id }) => id)])"""
    shown = json.dumps([address, card, *([f"panel-{sheet}"] if sheet else [])], separators=(",", ":"))
    page.wait_for_function(f"shown => ({state})() === shown", arg=shown)


def test_back_closes_what_is_open_before_it_leaves_the_puzzle(phone):
    page = phone.open()
    page.locator("#letters").fill("vctaoen")
    page.locator("#letters").press("Enter")
    is_shown(page, "#vctaoen/hints", "hints")
    page.locator("[data-step=grid]").tap()
    is_shown(page, "#vctaoen/hints/grid", "hints")
    page.locator("#sheet-close").tap()
    page.locator(".tabs [data-panel=answers]").tap()
    page.locator("#reveal").tap()
    page.locator("#words a", has_text="covenant").tap()
    is_shown(page, "#vctaoen/answers/why/covenant", "answers", card=True)
    page.go_back()
    is_shown(page, "#vctaoen/answers", "answers")
    page.locator("#words a", has_text="covenant").tap()
    page.locator("#card-close").dblclick()
    is_shown(page, "#vctaoen/answers", "answers")
    page.go_back()
    is_shown(page, "#vctaoen")
    page.locator(".tabs [data-panel=found]").tap()
    is_shown(page, "#vctaoen/found", "found")
    page.keyboard.press("Escape")
    is_shown(page, "#vctaoen")
    page.go_back()
    is_shown(page, "")
    expect(page.locator("#start")).to_be_visible()


# ---------------------------------------------------------------- what is stored, and paper


def test_damaged_data_is_kept_aside_and_said(tab):
    page = tab.open("/settings")
    damaged = '{"found": ["cove", "oc#ave"]}'
    page.evaluate("damaged => { localStorage['bee:game:vacenot'] = damaged; }", damaged)
    tab.open("/solve/vctaoen")  # which keeps that the letters were solved
    page.locator("#words li").first.wait_for()
    expect(page.locator("#notices")).to_contain_text("cannot be read: words of VACENOT.")
    tab.open("/settings")
    expect(page.locator("#notices"), "it is said once").to_be_empty()
    with page.expect_download() as download:
        page.locator("#export").click()
    assert json.loads(download.value.path().read_text())["kept"]["damaged:game:vacenot"] == damaged


def test_a_puzzle_is_printed_with_its_answers_on_another_page(tab):
    tab.page.clock.install(time="2026-11-22T12:00:00Z")
    page = tab.open("daily")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    sheet, answers = page.locator("#paper .page").all()
    expect(sheet.locator("h1")).to_have_text(re.compile("^Sunday, November 22"))
    assert sheet.locator("text").all_text_contents() == list("MCEGINT")
    words = pipeline.solve("mcegint")
    expect(sheet.locator(".blanks li")).to_have_count(len(words))
    needed = ranks(sum(map(score, words)))["Genius"]
    assert f"Genius {needed}" in sheet.locator(".needed li").all_text_contents()
    assert not set(sheet.inner_text().lower().split()) & set(words)
    assert answers.locator("li").all_inner_texts() == sorted(words)
    expect(page.locator("main")).to_be_hidden()
    tab.open("/about")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#about")).to_be_visible()
    expect(page.locator("#paper .page")).to_have_count(0)
