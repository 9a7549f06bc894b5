"""What the page says about a word: as a card over a puzzle, and on the page for looking words up."""

from __future__ import annotations

import datetime
import json
import re

import pytest
from browsing import RELEASE, expect
from test_game import LETTERS, show, type_word

from pipeline import reader
from pipeline.play import glosses
from pipeline.words import NOT_FOR_FAMILIES


@pytest.fixture(scope="module")
def record() -> dict[str, dict[str, str]]:
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


def test_the_verdict_comes_first_then_the_definition_and_the_record(tab, record):
    tab.page.clock.set_fixed_time("2100-01-01T12:00:00Z")  # so that all dates are of earlier years
    page = tab.open("/why/luff")
    page.locator(".verdict").wait_for()
    known = record["luff"]
    said = page.locator("#why-card").inner_text().split("\n")
    counts = f"{known['accepted']} of {known['offered']} times"
    assert said[0] == "luff"
    assert said[2] == f"Accepted {counts}, last on {dated(known['last_accepted'])}."
    senses = [f"{sense.pos}: {sense.gloss}" for sense in glosses.load(RELEASE, {"luff"})["luff"].senses]
    assert page.locator("#why-card .plain li").all_inner_texts() == senses
    facts = page.locator("#why-card > div > .facts").inner_text().split("\n")
    assert facts[:2] == ["First accepted", dated(known["first_accepted"])]
    expect(page.locator("#why-card details .facts")).to_be_hidden()
    page.locator("#why-card summary").click()
    expect(page.locator("#why-card details .facts")).to_contain_text("1 point", use_inner_text=True)


VERDICTS = [
    ({"tier": "likely", "offered": "0"}, "Probably accepted: no official puzzle had its letters yet."),
    ({"tier": "review", "offered": "0"}, "Doubtful, not on the list: no official puzzle had its letters yet."),
    ({"tier": "refused", "offered": "0", "kind": "estimate"},
     "Not on the list: no official puzzle had its letters yet, and it is unlikely."),
    ({"tier": "core", "offered": "0", "kind": "verdict"}, "On the list."),
    ({"word": "artefact", "kind": "verdict"}, "Not on the list."),
    ({"tier": "refused", "offered": "1", "accepted": "0"}, "Not on the list: refused once, on {refused}."),
    ({"tier": "refused", "offered": "2", "accepted": "0"}, "Not on the list: refused 2 times, last on {refused}."),
    ({"tier": "core", "offered": "1", "accepted": "1"}, "Accepted once, on {accepted}."),
]  # fmt: skip


def test_each_kind_of_word_has_its_verdict(tab, released, record):
    tab.page.clock.set_fixed_time("2100-01-01T12:00:00Z")
    page = tab.open()
    for cells_, says in VERDICTS:
        row = first(released, **cells_)
        known = record.get(row["word"], {"last_accepted": "", "last_refused": ""})
        values = {
            "accepted": known["last_accepted"] and dated(known["last_accepted"]),
            "refused": known["last_refused"] and dated(known["last_refused"]),
        }
        page.evaluate(f"location.hash = '/why/{row['word']}'")
        expect(page.locator("#why-card h2")).to_have_text(row["word"])
        expect(page.locator(".verdict")).to_have_text(says.format(**values), use_inner_text=True)
        if row["kind"] == "verdict":
            page.get_by_text(f"Because: {row['because'].removesuffix('.')}.").wait_for()
        if row["kind"] == "estimate":
            p = float(row["p"])
            says = "more than 99%" if p > 0.99 else "less than 1%" if p < 0.01 else f"{round(100 * p)}%"
            expect(page.locator("#why-card > div > .facts")).to_have_text(f"Chance of being accepted{says}")
            expect(page.locator("#why-card details")).to_contain_text(f"{row['because']}.")


def test_a_record_that_does_not_decide_is_told_as_well(tab):
    verdicts = {
        (
            "refused",
            1,
        ): "Not on the list: accepted 1 of 2 times, last on January 2, 2020, but refused on March 4, 2021.",
        ("core", 0): "On the list, although refused 2 times, last on March 4, 2021.",
        (
            "core",
            1,
        ): "On the list, although accepted 1 of 2 times, last on January 2, 2020, but refused on March 4, 2021.",
        ("core", 2): "Accepted 2 of 2 times, last on January 2.",
        ("refused", 2): "Not on the list, although accepted 2 of 2 times, last on January 2.",
    }
    tab.page.clock.set_fixed_time("2020-06-01T12:00:00Z")
    page = tab.open()
    for (tier, accepted), says in verdicts.items():
        record = {"offered": 2, "accepted": accepted, "last_accepted": "2020-01-02"}
        if accepted < 2:
            record["last_refused"] = "2021-03-04"
        assert page.evaluate("verdictOf", {"tier": tier, "record": record}) == says


def test_the_filter_hides_a_word_here_as_well(tab, released):
    rude = next(row["word"] for row in released if "crude" in row["flags"] and row["tier"] == "refused")
    tab.open(f"/why/{rude}")
    tab.page.locator(".verdict", has_text="Not on the list").wait_for()
    tab.open("/settings").locator("#filter").select_option("family")
    page = tab.open(f"/why/{rude}")
    expect(page.locator("#why-card > div").first).to_have_text("Your filter hides this word.")


UNKNOWN = {
    "bee": "it is too short",
    "background": "more than seven different letters",
    "<b>x": "characters other than",
    "aaaab": "No official puzzle has accepted it, and no ordinary dictionary has it.",
    "zzzzzzzz": "No official puzzle has accepted it",
    "valueof": "No official puzzle has accepted it",
}


def test_a_word_that_no_puzzle_can_have_or_that_nobody_knows_says_so(tab):
    page = tab.open("/why")
    for word, says in UNKNOWN.items():
        page.locator("#word").fill(word.upper())
        page.locator("#word").press("Enter")
        expect(page.locator("#why-card h2")).to_have_text(word)
        expect(page.locator("#why-card")).to_contain_text(says, use_inner_text=True)
        expect(page.locator(".verdict")).to_have_text("Not on the list.")


def test_details_name_flags_puzzles_and_the_way_to_report_a_word(tab, released):
    row = next(row for row in released if row["flags"].split()[:1] == ["rare"] and row["tier"] == "refused")
    page = tab.open(f"/why/{row['word']}")
    page.locator("#why-card summary").click()
    expect(page.locator("#why-card details .facts")).to_contain_text("rare in texts: ", use_inner_text=True)
    tab.open(LETTERS)
    tab.open("/why/covenant")
    page.locator("#why-card summary").click()
    expect(page.locator("#why-card details")).to_contain_text("15 points, as a pangram", use_inner_text=True)
    centers = page.locator("#why-card details a[href^='#']").all_inner_texts()
    assert centers == list("ACENOTV")
    link = page.get_by_text("Report this word").get_attribute("href")
    assert link.startswith("https://example.org/bee/issues/new?title=Word%3A+covenant&body=")
    assert "Tier%3A+core" in link


def test_a_card_opens_over_the_game_and_loads_one_small_file(tab, home):
    page = tab.open(LETTERS)
    page.wait_for_function("() => release.more")
    type_word(page, "covenat")
    before = len(tab.asked)
    page.locator("#said a").click()
    expect(page.locator("#card-title")).to_have_text("covenat")
    page.locator("#card .verdict").wait_for()
    assert page.evaluate("document.activeElement.id") == "card-title"
    (file,) = [url.removeprefix(home.removesuffix("index.html")) for url in tab.asked[before:]]
    assert re.fullmatch(r"words/co\w*\.json\?v=\w+", file)
    expect(page.locator("#game .ring")).to_be_visible()
    page.keyboard.type("cove\n")  # not typed into the game below
    page.keyboard.press("Escape")
    expect(page.locator("#card")).to_be_hidden()
    expect(page.locator("#typed")).to_have_text("")
    assert page.evaluate("[location.hash, game.found.size]") == [f"#{LETTERS}", 0]


def test_found_words_and_answers_have_cards_and_back_returns_from_a_base_to_its_form(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    page.locator("#found a").click()
    expect(page.locator("#card-title")).to_have_text("octave")
    expect(page.locator("#card-said > .facts")).to_contain_text("an answer", use_inner_text=True)
    page.locator("#card-close").click()
    show(page, "answers")
    page.locator("#reveal").click()
    page.locator("#words li a", has_text="covenant").click()
    expect(page.locator("#card-title")).to_have_text("covenant")
    page.evaluate("openCard('luffs')")
    page.locator("#card .plain a").first.click()
    expect(page.locator("#card-title")).to_have_text("luff")
    page.reload()
    tab.ready()
    expect(page.locator("#card-title")).to_have_text("luff")  # what is open stays open
    page.go_back()
    expect(page.locator("#card-title")).to_have_text("luffs")
    page.go_forward()
    expect(page.locator("#card-title")).to_have_text("luff")
    page.locator("#card-close").click()
    page.wait_for_function("() => !history.state?.card")
    expect(page.locator("#card")).to_be_hidden()
    expect(page.locator("#game")).to_be_visible()


def test_a_card_that_does_not_load_says_what_to_do_and_loads_the_next_time(tab):
    page = tab.open(LETTERS)
    page.wait_for_function("() => release.more")
    page.route("**/words/*.json*", lambda route: route.abort())
    page.evaluate("openCard('covenant')")
    expect(page.locator("#card .wrong")).to_contain_text("Check the network connection")
    page.locator("#card-close").click()
    page.wait_for_function("() => !history.state?.card")
    page.evaluate("location.hash = '/why/covenant'")
    page.locator("#why-card .wrong").wait_for()
    page.unroute("**/words/*.json*")
    page.locator("#why-form button").click()
    page.locator("#why-card .verdict").wait_for()
    page.go_back()
    page.evaluate("openCard('covenant')")
    page.locator("#card .verdict").wait_for()
    tab.complaints.clear()  # the browser tells of the request that failed


def test_a_card_whose_file_comes_late_does_not_replace_the_next_one(tab):
    page = tab.open(LETTERS)
    page.wait_for_function("() => release.more")
    held = []
    page.route("**/words/co*.json*", lambda route: held.append(route))
    page.evaluate("openCard('covenant')")
    page.evaluate("openCard('luff')")
    page.locator("#card .verdict").wait_for()
    held[0].continue_()
    page.evaluate("knownOf('covenant')")
    expect(page.locator("#card-said")).to_contain_text("front edge of a sail")


def test_a_press_outside_closes_the_card_and_one_inside_or_a_selection_does_not(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    show(page, "hints")  # so that found words are on the right
    last = page.locator("#found a")
    place = last.bounding_box()
    last.dblclick()
    page.locator("#card .verdict").wait_for()
    box = page.locator("#card").bounding_box()
    assert place["x"] > box["x"] + box["width"], "the second click is outside of the card"
    page.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    page.locator("#card .verdict").hover()
    page.mouse.down()
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(page.locator("#card")).to_be_visible()
    page.mouse.click(5, 5)
    expect(page.locator("#card")).to_be_hidden()
    page.wait_for_function("() => !history.state?.card")


def test_on_a_phone_the_card_stays_above_the_sheet_after_a_reload_or_a_turn(phone):
    page = phone.open(LETTERS)
    type_word(page, "octave")
    page.locator(".tabs [data-sheet=found]").tap()
    page.locator("#found a").tap()
    page.locator("#card .verdict").wait_for()
    page.reload()
    phone.ready()
    page.locator("#card .verdict").wait_for()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function(
            "isModal => document.querySelector('#sheet').matches(':modal') === isModal", arg=width < 900
        )
    page.locator("#card-close").tap()  # it would be covered by the sheet
    page.wait_for_function("() => !history.state?.card")
    page.locator("#sheet-close").tap()
    page.wait_for_function("() => !history.state?.sheet")
    expect(page.locator("#sheet")).to_be_hidden()


def test_a_link_to_a_word_opens_in_a_new_tab_as_usual(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    with page.context.expect_page() as opened:
        page.locator("#found a").click(modifiers=["ControlOrMeta"])
    opened.value.locator("#why .verdict").wait_for()
    expect(page.locator("#card")).to_be_hidden()
    assert json.loads(page.evaluate("JSON.stringify(history.state?.card ?? null)")) is None
