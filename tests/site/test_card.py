"""What the page says about a word: as a card over a puzzle, and in the section for looking words up."""

from __future__ import annotations

import datetime
import re

import pytest
from browsing import RELEASE, expect, module, record
from test_game import LETTERS, type_word

from pipeline import reader
from pipeline.play import glosses
from pipeline.words import NOT_FOR_FAMILIES


@pytest.fixture(scope="module")
def records() -> dict[str, dict[str, str]]:
    rows = reader.rows((RELEASE / "words.csv").read_bytes(), "words.csv")
    return {row["word"]: row for row in rows if row["offered"] != "0"}


def dated(date: str) -> str:
    """A date as the page writes it."""
    day = datetime.date.fromisoformat(date)
    return f"{day:%B} {day.day}, {day.year}"


def first(released, **cells_: str) -> dict[str, str]:
    """The first word that nobody finds offensive and that has these cells."""
    return next(
        row
        for row in released
        if all(row[name] == cell for name, cell in cells_.items())
        if not set(NOT_FOR_FAMILIES) & set(row["flags"].split())
    )


def test_the_verdict_comes_first_then_the_definition_the_record_and_the_facts(tab, records):
    tab.page.clock.set_fixed_time("2100-01-01T12:00:00Z")  # so that all dates are of earlier years
    page = tab.open("/why/luff")
    page.locator(".verdict").wait_for()
    known = records["luff"]
    counts = f"{known['accepted']} of {known['offered']}"
    assert page.locator("#why-card").inner_text().split()[:4] == ["luff", "On", "the", "list"]
    expect(page.locator(".verdict")).to_have_text(f"Accepted {counts} times, last on {dated(known['last_accepted'])}.")
    senses = [f"{sense.pos}: {sense.gloss}" for sense in glosses.load(RELEASE, {"luff"})["luff"].senses]
    assert page.locator("#why-card .plain li").all_inner_texts() == senses
    expect(page.locator(".record b")).to_have_text(counts)
    expect(page.locator(".record")).to_contain_text(f"first accepted {dated(known['first_accepted'])}")
    facts = page.locator("#why-card > div > .facts")
    expect(facts).to_contain_text("Worth1 point")
    facts.locator("a", has_text=re.compile("^luffs$")).click()
    expect(page.locator("#why-card h2")).to_have_text("luffs")
    page.locator("#why-card .plain a", has_text="luff").first.click()
    expect(page.locator("#why-card h2")).to_have_text("luff")


VERDICTS = [
    ({"tier": "likely", "offered": "0"}, "No official puzzle had its letters yet."),
    ({"tier": "review", "offered": "0"}, "No official puzzle had its letters yet."),
    ({"tier": "refused", "offered": "0", "kind": "estimate"}, "No official puzzle had its letters yet."),
    ({"tier": "refused", "offered": "1", "accepted": "0"}, "Refused once, on {refused}."),
    ({"tier": "refused", "offered": "2", "accepted": "0"}, "Refused 2 times, last on {refused}."),
    ({"tier": "core", "offered": "1", "accepted": "1"}, "Accepted once, on {accepted}."),
    ({"word": "artefact", "kind": "verdict"}, ""),
    ({"tier": "refused", "accepted": "1"},
     "Accepted 1 of {offered} times, last on {accepted}, but refused on {refused}."),
]  # fmt: skip
STATUS = {"core": "On the list", "likely": "On the list", "review": "Doubtful", "refused": "Not on the list"}


def test_each_kind_of_word_has_its_verdict(tab, released, records):
    page = tab.open()
    for cells_, says in VERDICTS:
        row = first(released, **cells_)
        known = records.get(row["word"], {"last_accepted": "", "last_refused": ""})
        values = {
            "offered": row["offered"],
            "accepted": known["last_accepted"] and dated(known["last_accepted"]),
            "refused": known["last_refused"] and dated(known["last_refused"]),
        }
        page.evaluate(f"location.hash = '/why/{row['word']}'")
        expect(page.locator("#why-card h2")).to_have_text(row["word"])
        expect(page.locator(".verdict")).to_have_text([says.format(**values)] if says else [])
        expect(page.locator(".status")).to_have_text(STATUS[row["tier"]])
        facts = page.locator("#why-card > div > .facts")
        if row["kind"] in ("verdict", "estimate"):
            expect(facts).to_contain_text(f"Because{row['because'].removesuffix('.')}.")
        if row["kind"] == "estimate":
            p = float(row["p"])
            chance = "more than 99%" if p > 0.99 else "less than 1%" if p < 0.01 else f"{round(100 * p)}%"
            expect(facts).to_contain_text(f"Chance {chance} to be accepted")


NOBODY_KNOWS = "No official puzzle has accepted it, and no ordinary dictionary has it."


def test_a_word_that_no_puzzle_can_have_or_that_nobody_knows_says_so(tab):
    page = tab.open("/why")
    unplayable = "No puzzle can have it: < is no letter of the game."
    for word, says in (("<b>x", unplayable), ("aaaab", NOBODY_KNOWS), ("valueof", NOBODY_KNOWS)):
        page.locator("#word").fill(word.upper())
        page.locator("#word").press("Enter")
        expect(page.locator("#why-card h2")).to_have_text(word)
        expect(page.locator(".verdict")).to_have_text(says)
        expect(page.locator(".status")).to_have_text("Not on the list")


def test_details_name_flags_puzzles_and_the_way_to_report_a_word(tab, released):
    row = next(row for row in released if row["flags"].split()[:1] == ["rare"] and row["tier"] == "refused")
    page = tab.open(f"/why/{row['word']}")
    page.locator("#why-card summary").click()
    expect(page.locator("#why-card details .facts")).to_contain_text("rare in texts: ", use_inner_text=True)
    page.evaluate("location.hash = '/why/covenant'")
    expect(page.locator("#why-card > div > .facts")).to_contain_text("15 points, as a pangram")
    page.locator("#why-card summary").click()
    centers = page.locator("#why-card details a[href^='#']")
    assert centers.all_inner_texts() == list("ACENOTV")
    link = page.get_by_text("Report this word").get_attribute("href")
    assert link.startswith("https://example.org/bee/issues/new?title=Word%3A+covenant&body=")
    assert "Tier%3A+core" in link
    centers.last.click()
    page.get_by_role("heading", name="V ACENOT").wait_for()


# ---------------------------------------------------------------- over a puzzle


def test_a_card_opens_over_the_game_and_loads_one_small_file(tab):
    page = tab.open(LETTERS)
    tab.whole()
    type_word(page, "covenat")
    before = len(tab.asked)
    page.locator("#said a").click()
    expect(page.locator("#card-title")).to_have_text("covenat")
    expect(page.locator("#card-title")).to_be_focused()
    expect(page.locator("#card .verdict")).to_have_text(NOBODY_KNOWS)
    expect(page.locator("#card a"), "the card of a game tells no answer").to_have_count(0)
    (file,) = [url for url in tab.asked[before:] if "/words/" in url]
    assert re.search(r"/words/co\w*\.json\?v=\w+$", file)
    assert page.evaluate("location.hash") == f"#{LETTERS}/why/covenat"
    page.keyboard.type("cove\n")  # not typed into the game below
    page.keyboard.press("Escape")
    page.wait_for_url(f"**#{LETTERS}")
    expect(page.locator("#typed")).to_have_text("")
    assert record(page, "vacenot") == {}


def test_cards_of_found_words_and_answers_lead_to_other_cards_and_close_together(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    with page.context.expect_page() as opened:
        page.locator("#board a").click(modifiers=["ControlOrMeta"])
    opened.value.locator("#why .verdict").wait_for()
    opened.value.close()
    expect(page.locator("#card")).to_be_hidden()
    page.locator("#board a").click()
    expect(page.locator("#card-said > .facts")).to_contain_text("In this puzzlean answer")
    page.locator("#card-close").click()
    page.wait_for_url(f"**#{LETTERS}")
    page.locator(".tabs [data-panel=answers]").click()
    page.locator("#reveal").click()
    page.locator("#words li a", has_text="convene").click()
    page.locator("#card-said .facts a", has_text="convened").click()
    expect(page.locator("#card-title")).to_have_text("convened")
    expect(page.locator("#card-said > .facts")).to_contain_text("not an answer: it has letters that the puzzle lacks")
    page.locator("#card-said .plain a").first.click()
    expect(page.locator("#card-title")).to_have_text("convene")
    page.go_back()
    expect(page.locator("#card-title")).to_have_text("convened")
    page.go_forward()
    expect(page.locator("#card-title")).to_have_text("convene")
    page.reload()
    tab.ready()
    page.locator("#card-close").click()  # what is open stays open
    page.wait_for_url(f"**#{LETTERS}/answers")
    expect(page.locator("#card")).to_be_hidden()


def test_a_card_that_does_not_load_says_what_to_do_and_loads_the_next_time(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    page.route("**/words/*.json*", lambda route: route.abort())
    page.locator("#board a").click()
    expect(page.locator("#card .wrong")).to_contain_text("Check the network connection")
    expect(page.locator("#card .status")).to_have_text("On the list")
    page.locator("#card-close").click()
    page.wait_for_url(f"**#{LETTERS}")
    page.go_forward()
    expect(page.locator("#card .wrong")).to_be_visible()
    page.unroute("**/words/*.json*")
    page.get_by_role("button", name="Try again").click()
    page.locator("#card .verdict").wait_for()
    tab.complaints.clear()  # the browser tells of the requests that failed


def test_a_card_whose_file_comes_late_does_not_replace_the_next_one(tab):
    page = tab.open(LETTERS)
    tab.whole()
    held = []
    page.route("**/words/co*.json*", lambda route: held.append(route))
    page.evaluate(f"location.hash = '{LETTERS}/why/covenant'")
    expect(page.locator("#card-said")).to_have_text("Loading …")
    page.evaluate(f"location.hash = '{LETTERS}/why/luff'")
    page.locator("#card .verdict").wait_for()
    held[0].continue_()
    page.evaluate(f"async () => {{ await ({module('list')}).relativesOf('covenant'); }}")
    expect(page.locator("#card-said")).to_contain_text("front edge of a sail")


def test_a_press_outside_closes_the_card_and_one_inside_or_a_selection_does_not(tab):
    tab.page.set_viewport_size({"width": 1280, "height": 3200})  # so that there is room above the card
    page = tab.open(f"{LETTERS}/hints")
    type_word(page, "covenat")
    link = page.locator("#said a")
    place = link.bounding_box()
    link.dblclick()
    page.locator("#card .verdict").wait_for()
    box = page.locator("#card").bounding_box()
    assert place["y"] + place["height"] < box["y"], "the second click is outside of the card"
    page.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    page.locator("#card .verdict").hover()
    page.mouse.down()
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(page.locator("#card")).to_be_visible()
    page.mouse.click(5, 5)
    expect(page.locator("#card")).to_be_hidden()
    page.wait_for_url(f"**#{LETTERS}/hints")


def test_on_a_phone_the_card_stays_above_the_sheet_after_a_reload_or_a_turn(phone):
    page = phone.open(LETTERS)
    type_word(page, "octave")
    page.locator(".tabs [data-panel=found]").tap()
    page.locator("#board a").tap()
    page.locator("#card .verdict").wait_for()
    page.reload()
    phone.ready()
    page.locator("#card .verdict").wait_for()
    for width, over in ((1280, ":not(:modal)"), (390, ":modal")):
        page.set_viewport_size({"width": width, "height": 844})
        page.locator(f"#sheet{over}").wait_for()
    page.locator("#card-close").tap()  # it would be covered by the sheet
    page.wait_for_url(f"**#{LETTERS}/found")
    page.keyboard.press("Escape")
    page.wait_for_url(f"**#{LETTERS}")
    expect(page.locator("#sheet")).to_be_hidden()


def test_in_a_game_no_relative_is_an_answer_that_is_still_to_be_found(tab):
    page = tab.open(LETTERS)
    type_word(page, "nova")
    page.locator("#board a", has_text=re.compile("^nova$")).click()
    page.locator("#card .verdict").wait_for()
    expect(page.locator("#card .facts").first).not_to_contain_text("novae")
    page.locator("#card-close").click()
    expect(page.locator("#card")).to_be_hidden()
    type_word(page, "novae")
    page.locator("#board a", has_text=re.compile("^nova$")).click()
    expect(page.locator("#card .facts").first).to_contain_text("Relativesnovae")
