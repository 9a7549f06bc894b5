"""The puzzle of the day in a browser whose clock is turned: a week of playing, Back, what is stored, and paper."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from browsing import RELEASE, Tab, expect, kept

import pipeline
from pipeline import reader
from pipeline.play import daily
from pipeline.words import ranks, score

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


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


def find(page, count: int) -> list[str]:
    """Find the first words of the puzzle that is open."""
    words = pipeline.solve(page.evaluate("game.puzzle.given"))[:count]
    page.evaluate("words => addSeveral(words.join(' '))", words)
    return words


def test_a_week_of_playing(player, days, tmp_path):
    tab = player("2026-10-01T20:00:00Z")
    page = tab.open()
    expect(page.locator("#today-date")).to_have_text("Thursday, October 1")
    expect(page.locator("#yesterday"), "there was no puzzle before the first one").to_be_hidden()
    tab = player("2026-11-22T20:00:00Z", first=True, **PHONE)
    size = len(pipeline.solve(days["2026-11-22"]))
    page = tab.open()
    expect(page.locator("#today")).to_have_text(re.compile(rf"Sunday, November 22\s*Easy, {size} words\s*Play\s*$"))
    expect(page.locator("#yesterday")).to_contain_text("words, not played")
    expect(page.locator("#unfinished")).to_be_hidden()
    page.locator("#today").tap()
    page.locator("#rules-close").tap()  # the rules come before the first puzzle of all
    expect(page.locator("#game-title")).to_have_text("Sun, Nov 22 Easy", use_inner_text=True)
    assert page.title() == "Sunday, November 22 – Bee Words"
    assert page.evaluate("location.hash") == "#daily/2026-11-22"
    assert "".join(page.locator(".node").all_inner_texts()).lower() == days["2026-11-22"]
    assert len(find(page, 99)) == size
    expect(page.locator("#sheet-title")).to_have_text("Queen Bee!", use_inner_text=True)

    # In New York it is 02:59 on Monday, and then 03:00.
    at(tab, "2026-11-23T07:59:30Z")
    expect(page.locator("#today-date")).to_have_text("Sunday, November 22", use_inner_text=True)
    page.clock.set_system_time("2026-11-23T08:00:00Z")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    page.locator("#today-date").get_by_text("Monday, November 23").wait_for()
    page.locator("#yesterday").get_by_text(f"Queen Bee, {size} of {size}").wait_for()
    page.locator("#today").tap()
    page.locator("#game").wait_for()
    expect(page.locator("#sheet"), "the rules come only once").to_be_hidden()
    monday = find(page, 5)
    at(tab, "2026-11-23T23:00:00Z")
    page.locator("#days-said").get_by_text("54 puzzles, 2 days in a row").wait_for()
    expect(page.locator("#today-go")).to_have_text("Continue", use_inner_text=True)

    # A day is left out, and played later: it is on the calendar, but not in the streak.
    at(tab, "2026-11-25T12:00:00Z")
    page.locator("#yesterday a", has_text="Yesterday").tap()
    expect(page.locator("#game-name")).to_have_text("Tue, Nov 24", use_inner_text=True)
    at(tab, "2026-11-25T12:00:30Z")
    page.locator("#yesterday a", has_text="Answers").tap()
    expect(page.locator("#reveal"), "nothing is told before it is asked for").to_be_visible()
    page.locator("#sheet-close").tap()
    late = find(page, 3)
    at(tab, "2026-11-25T12:01:00Z")
    missed = len(pipeline.solve(days["2026-11-24"])) - len(late)
    page.locator("#yesterday a", has_text=f"You missed {missed}").tap()
    expect(page.locator("#words h3")).to_have_text([f"You missed {missed}", "You found 3"])
    find(page, 9)
    assert page.evaluate("[...game.found]") == late, "words no longer count"
    at(tab, "2026-11-25T12:05:00Z", "daily")
    find(page, 2)
    at(tab, "2026-11-25T12:10:00Z", "/days")
    figures = dict(line.split("\n") for line in page.locator("#figures div").all_inner_texts())
    assert figures["Streak"] == "1 day"
    assert figures["Longest streak"] == "2 days"
    assert (figures["Played"], figures["Queen Bee"], figures["Words found"]) == ("4 puzzles", "1", str(size + 10))
    marks = page.locator(".month a").evaluate_all("links => links.map(link => [link.textContent, link.className])")
    assert [mark for mark in marks if mark[1]] == [["22", "queen"], ["23", "begun"], ["24", "begun"], ["25", "begun"]]
    assert [number for number, _ in marks] == [str(day) for day in range(1, 26)], "of each day up to today"

    # Without a network, on a train.
    kept(page)
    page.context.set_offline(True)
    at(tab, "2026-11-26T12:00:00Z", "daily")
    expect(page.locator("#game-name")).to_have_text("Thu, Nov 26", use_inner_text=True)
    find(page, 4)
    at(tab, "2026-11-26T13:00:00Z", "daily/2026-11-23")
    assert page.evaluate("[...game.found]") == monday
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


NO_PUZZLES = {
    "daily/2026-09-30": "The first puzzle of the day is for Thursday, October 1.",
    "daily/2026-11-26": "The puzzle for Thursday, November 26 appears on that day.",
    "daily/2026-02-30": "“2026-02-30” is not a date like 2026-11-25.",
    "daily/x/y": "“x” is not a date like 2026-11-25.",
}


def test_a_day_without_a_puzzle_gets_a_sentence(tab):
    tab.page.clock.install(time="2026-11-25T12:00:00Z")
    for address, says in NO_PUZZLES.items():
        page = tab.open(address)
        page.locator("#notices").get_by_text(says).wait_for()
        expect(page.locator("#start")).to_be_visible()
        assert page.evaluate("document.activeElement !== $('letters')")
    tab.page.clock.set_system_time("2031-12-31T12:00:00Z")  # long after the last puzzle of the release
    page = tab.open()
    expect(page.locator("#today-says")).to_have_text(
        "This release of the list has no puzzle for Wednesday, December 31."
    )
    expect(page.locator("#today-go")).to_be_hidden()


def test_the_archive_has_a_month_at_a_time_and_says_where_it_begins(tab):
    tab.page.clock.install(time="2026-12-05T12:00:00Z")
    page = tab.open("daily/2026-11-24")
    find(page, 3)
    page.evaluate("shelf.set('answers:2026-11-20', 'shown')")
    page.evaluate("shelf.set('found:2027-01-05', 'cove')")  # a clock that was ahead
    tab.open("ehinopr")  # in which no word is found
    tab.open("/solve/cptamhu")  # which is no game
    page.locator("#words li").first.wait_for()
    tab.open("vctaoen")
    find(page, 5)
    tab.open("/days")

    def shown() -> list[object]:
        caption = page.locator("#month caption").text_content()
        return [caption, page.locator("#month a").count(), page.locator("#played-list").inner_text().split("\n")[0]]

    assert shown() == ["December 2026", 5, ""]
    expect(page.locator("#later")).to_be_hidden()
    expect(page.locator("#archive-begins")).to_contain_text("October 1")
    assert page.locator("#figures").inner_text().split("\n")[4:6] == ["Played", "2 puzzles"], "others count, too"
    expect(page.locator("#others-list li")).to_have_text(["V CTAOEN  Nice, 5 of 29"])
    page.locator("#earlier").click()
    expect(page.locator("#month caption")).to_have_text("November 2026")
    assert shown()[1:] == [30, "Nov 24"]
    expect(page.locator("#played-list li").last).to_have_text(
        re.compile(r"^Nov 20\s+Beginner, 0 of \d+, answers seen$")
    )
    expect(page.locator("#month .begun")).to_have_count(2)
    page.locator("#earlier").press("Enter")
    expect(page.locator("#month caption")).to_have_text("October 2026")
    expect(page.locator("#month-aloud")).to_have_text("October 2026")
    expect(page.locator("#days-title")).to_be_focused()
    assert shown()[1:] == [31, ""]
    expect(page.locator("#earlier")).to_be_hidden()
    page.evaluate("foundElsewhere()")
    expect(page.locator("#month caption")).to_have_text("October 2026")
    page.locator("#later").click()
    expect(page.locator("#month caption")).to_have_text("November 2026")
    page.go_back()
    expect(page.locator("#month caption")).to_have_text("October 2026")
    for other in ("2026-09", "2027-01", "2026-13", "2026-11-05", "x"):
        tab.open(f"/days/{other}")
        assert shown()[:2] == ["December 2026", 5], other


def test_a_player_is_told_of_the_new_day_in_the_middle_of_a_puzzle(tab):
    tab.page.clock.install(time="2026-11-25T12:00:00Z")
    page = tab.open("daily")
    page.clock.set_system_time("2026-11-26T12:00:00Z")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    page.locator("#notices a", has_text="Thursday, November 26").click()
    page.get_by_role("heading", name="Thursday, November 26").wait_for()


# ---------------------------------------------------------------- Back


def history(page) -> list[object]:
    return page.evaluate("[location.hash, $('sheet').open, openPanel(), document.body.classList.contains('menu')]")


def back(page, *expected: object) -> None:
    page.evaluate("history.back()")
    page.wait_for_function(
        """expected => JSON.stringify([location.hash, $('sheet').open, openPanel(),
            document.body.classList.contains('menu')]) === JSON.stringify(expected)""",
        arg=list(expected),
    )


def test_back_closes_what_is_open_before_it_leaves_the_puzzle(phone):
    page = phone.open()
    page.locator("#letters").fill("vctaoen")
    page.locator("#letters").press("Enter")
    page.locator("#game").wait_for()
    for name in ("hints", "answers"):
        page.locator(f".tabs [data-sheet={name}]").tap()
        assert history(page) == ["#vctaoen", True, name, False]
        back(page, "#vctaoen", False, "", False)
    page.locator("#menu").tap()
    assert history(page) == ["#vctaoen", False, "", True]
    back(page, "#vctaoen", False, "", False)
    page.locator("#menu").tap()
    page.locator("nav a", has_text="About").tap()
    page.locator("#about").wait_for()
    back(page, "#vctaoen", False, "", False)
    back(page, "", False, "", False)
    expect(page.locator("#start")).to_be_visible()


# ---------------------------------------------------------------- what is stored, and paper


def test_damaged_data_is_kept_aside_and_said(tab):
    page = tab.open("vctaoen")
    page.evaluate("localStorage['bee:found:vacenot'] = 'cove oc#ave'; localStorage['bee:on:2026-11-22'] = '{}'")
    page.reload()
    tab.ready()
    expect(page.locator("#notices")).to_contain_text("cannot be read: words of VACENOT.", use_inner_text=True)
    assert page.evaluate("[...game.found]") == ["cove"]
    kept_aside = json.loads(page.evaluate("exportText()"))["kept"]
    assert kept_aside["damaged:found:vacenot"] == "cove oc#ave"
    page.reload()
    tab.ready()
    expect(page.locator("#notices")).to_have_text("", use_inner_text=True)


def test_two_tabs_of_a_puzzle_lose_no_word(open_tab, home):
    tab = open_tab(home)
    page = tab.open("vctaoen")
    other = page.context.new_page()
    other.goto(tab.home + "#vctaoen")
    other.locator("body[data-ready]").wait_for()
    page.evaluate("addSeveral('cove')")
    other.locator("#found").get_by_text("cove").wait_for()
    other.evaluate("addSeveral('octave')")
    page.locator("#found").get_by_text("octave").wait_for()
    assert page.evaluate("localStorage['bee:found:vacenot']") == "cove octave"


def test_a_puzzle_is_printed_with_its_answers_on_another_page(tab):
    tab.page.clock.install(time="2026-11-22T12:00:00Z")
    page = tab.open("daily")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    sheet, answers = page.locator("#paper .page").all()
    expect(sheet.locator("h1")).to_have_text(re.compile("^" + re.escape("Sunday, November 22")), use_inner_text=True)
    assert sheet.locator("text").all_text_contents() == list("MCEGINT")
    words = pipeline.solve("mcegint")
    expect(sheet.locator(".blanks li")).to_have_count(len(words))
    needed = ranks(sum(map(score, words)))["Genius"]
    assert f"Genius {needed}" in sheet.locator(".needed li").all_text_contents()
    assert sheet.locator(".needed").evaluate("list => getComputedStyle(list).columnCount") == "2"
    assert not set(sheet.inner_text().lower().split()) & set(words)
    assert answers.locator("li").all_inner_texts() == sorted(words)
    expect(page.locator("main")).to_be_hidden()
    tab.open("/about")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#about")).to_be_visible()
    expect(page.locator("#paper .page")).to_have_count(0)


@pytest.mark.parametrize("zone", ["Pacific/Honolulu", "Asia/Tokyo"])
def test_the_day_is_the_same_all_over_the_world(open_tab, home, days, zone):
    tab = open_tab(home, timezone_id=zone)
    tab.page.clock.install(time="2026-12-01T07:59:00Z")
    page = tab.open("daily")
    expect(page.locator("#game-name")).to_have_text("Monday, November 30", use_inner_text=True)
    assert page.evaluate("game.puzzle.given") == days["2026-11-30"]


def test_back_closes_the_card_of_a_word_and_then_the_sheet_that_named_it(phone):
    page = phone.open("vctaoen")
    page.locator(".tabs [data-sheet=answers]").tap()
    page.locator("#reveal").tap()
    page.locator("#words a", has_text="covenant").tap()
    page.locator("#card .verdict").wait_for()
    back(page, "#vctaoen", True, "answers", False)
    expect(page.locator("#card")).to_be_hidden()
    page.locator("#words a", has_text="covenant").tap()
    page.locator("#card .verdict").wait_for()
    page.locator("#card-close").tap()
    page.wait_for_function("() => !history.state?.card")
    assert history(page) == ["#vctaoen", True, "answers", False]
    page.locator("#sheet-close").tap()
    page.wait_for_function("() => !history.state?.sheet")
    assert history(page) == ["#vctaoen", False, "", False]
    page.locator(".tabs [data-sheet=found]").tap()
    page.keyboard.press("Escape")
    page.wait_for_function("() => !history.state?.sheet")
    assert history(page) == ["#vctaoen", False, "", False]
