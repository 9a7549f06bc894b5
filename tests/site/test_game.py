"""The page in a browser: playing, on a desktop and on a phone, and what the browser keeps."""

from __future__ import annotations

import json
import re

import pytest
from browsing import FAR_DAY, RELEASE, expect, module, record, shown_words, type_words
from sampling import short_and_long

import pipeline
from pipeline import reader, words
from pipeline.play import daily, difficulty, glosses
from pipeline.words import ranks, score

LETTERS = "vctaoen"


def type_word(page, word: str) -> None:
    type_words(page, [word])


def show(page, name: str) -> None:
    """Open a panel, unless it is open."""
    if page.locator(f"#panel-{name}").is_visible():
        return
    if page.locator("#sheet:modal").count():
        page.locator("#sheet-close").click()
        expect(page.locator("#sheet")).to_be_hidden()
    page.locator(f"[data-panel={name}]").click()


def named(letters: str) -> str:
    """Return what the page calls a puzzle that is given by its letters."""
    return f"{letters[0]} {letters[1:]}".upper()


def add(page, text: str) -> str:
    """Add words in the panel of hints; returns what the page says."""
    show(page, "hints")
    page.locator("#several").evaluate("several => { several.open = true; }")
    page.locator("#several-words").fill(text)
    page.locator("#several-form button").click()
    return page.locator("#several-said").text_content()


def played(page, puzzle: str, **parts: object) -> None:
    """Let the browser keep a record of a puzzle."""
    new = {"found": [], "told": {}, "pinned": "", "grid": False, "seen": "", "on": "", **parts}
    page.evaluate("([key, value]) => { localStorage[key] = value; }", [f"bee:game:{puzzle}", json.dumps(new)])


def to_genius(letters: str) -> tuple[list[str], list[str]]:
    """The answers of a puzzle, the most points first: those that reach Genius, and the others."""
    answers = sorted(pipeline.solve(letters), key=score, reverse=True)
    needed = ranks(sum(map(score, answers)))["Genius"]
    count = next(at for at in range(len(answers)) if sum(map(score, answers[:at])) >= needed)
    return answers[:count], answers[count:]


# ---------------------------------------------------------------- playing


def test_a_puzzle_can_be_played_with_the_keyboard_alone(tab):
    page = tab.open()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    while page.evaluate("document.activeElement.id") != "letters":
        page.keyboard.press("Tab")
    page.keyboard.type(LETTERS)
    page.keyboard.press("Enter")
    page.locator("#game").wait_for()
    page.keyboard.type("octavex")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("octave: 6 points. New rank: Moving Up.", use_inner_text=True)
    page.locator(".node.center").press("Enter")  # on a letter it takes the letter
    expect(page.locator("#typed")).to_have_text("v", ignore_case=True)
    page.keyboard.press("Backspace")
    type_word(page, "cove")  # after a letter it is about the word
    assert shown_words(page, "#board") == ["cove", "octave"]


def test_after_a_click_space_and_enter_are_about_the_word(tab):
    page = tab.open(LETTERS)
    page.locator("#board .slot").first.click()
    page.locator("#pinned-more").click()
    told = record(page, "vacenot")["told"]
    assert list(told.values()) == [2]
    order = page.locator(".node").all_inner_texts()
    page.keyboard.press("Space")
    assert page.locator(".node").all_inner_texts() != order, "it shuffles"
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("Type or tap a word first.")
    page.keyboard.type("octave")
    page.locator("#board .slot").first.click()
    page.keyboard.press("Enter")
    page.locator("#board a").click()
    page.locator("#card-close").click()
    expect(page.locator("#card")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#said"), "it does not open the card again").to_have_text("Type or tap a word first.")
    page.locator("[data-start-over]").first.focus()
    type_word(page, "cove")
    page.keyboard.press("Enter")  # no question whether to start over, which would fail the test
    assert set(record(page, "vacenot")["found"]) == {"octave", "cove"}
    assert record(page, "vacenot")["told"] == told
    tab.open(f"{LETTERS}/hints/grid")
    page.locator("#left-only").click()
    type_word(page, "cave")
    expect(page.locator("#said")).to_contain_text("cave: 1 point.")
    assert page.locator("#left-only").is_checked() is False


def test_letters_stay_as_they_were_given_until_they_are_shuffled(tab):
    page = tab.open(LETTERS)
    before = page.locator(".node").all_inner_texts()
    assert before == [*LETTERS.upper()]
    type_word(page, "cove")
    page.locator("#shuffle").click()
    after = page.locator(".node").all_inner_texts()
    assert before != after
    assert (before[0], sorted(before)) == (after[0], sorted(after))
    tab.open("v" + LETTERS[:0:-1])
    assert shown_words(page, "#board") == ["cove"]


@pytest.mark.parametrize(("width", "height"), [(844, 390), (320, 640)])
def test_everything_needed_to_play_fits_one_screen_of_a_phone(open_tab, home, width, height):
    tab = open_tab(home, viewport={"width": width, "height": height}, has_touch=True)
    page = tab.open()
    played(page, "vacenot", pinned="octave", told={"octave": 1})
    tab.open(LETTERS)
    parts = ("#game-title", "#rank-button", "#pinned", "#typed", ".node.n1", ".node.n4", "#enter", "#share")
    for part in parts:
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    for control in page.locator(":is(.node, .keys button, .tabs button):visible").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 44, control.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.complaints == []


def test_tapping_letters_never_opens_the_keyboard(phone):
    page = phone.open(LETTERS)
    for letter in "octave":
        page.locator(".node", has_text=letter).tap()
    expect(page.locator("#typed")).to_have_text("octave", ignore_case=True)
    assert page.evaluate("!document.activeElement.matches('input, textarea, [contenteditable]')")
    page.locator("#enter").tap()
    expect(page.locator("#strip")).to_have_text("octave", use_inner_text=True)
    expect(page.locator(".tabs .found-count")).to_have_text("1", use_inner_text=True)
    page.locator("#strip").tap()
    assert shown_words(page, "#board") == ["octave"]
    page.locator("#board .slot[aria-label^='A,']").tap()
    page.locator("#pinned-more").tap()
    expect(page.locator("#pinned-clue")).to_have_text(re.compile("^AV, 6 "))
    expect(page.locator("#sheet")).to_be_hidden()


def test_every_guess_gets_an_answer_of_its_own_and_a_wrong_one_shakes(tab):
    page = tab.open(LETTERS)
    shakes = "getComputedStyle(document.querySelector('#said')).animationName"
    for guess, says, animation in (
        ("cov", "cov: too short.", "shake"),
        ("cotton", "cotton: no center letter.", "shake"),
        ("convex", "convex: no X here.", "shake"),
        ("vvvv", "vvvv: not on the list. Why?", "shake"),
        ("", "Type or tap a word first.", "none"),
        ("covenant", "Pangram! covenant: 15 points. New rank: Good.", "none"),
        ("covenant", "covenant: already found.", "shake"),
    ):
        type_word(page, guess)
        expect(page.locator("#said")).to_have_text(says, use_inner_text=True)
        assert page.evaluate(shakes) == animation, says
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(shakes) == "none"
    page.keyboard.type("c" * 25)
    expect(page.locator("#typed")).to_have_text("c" * 24, ignore_case=True)


def test_many_words_can_be_added_at_once(tab):
    page = tab.open(LETTERS)
    wrong = [f"zz{letter}z" for letter in "abcdefghijk"]
    assert add(page, "\n".join(wrong)) == f"0 new words of 11. Not added: {', '.join(wrong[:10])} and others."
    assert add(page, " ,;* ") == "Enter some words first."
    assert add(page, "Octave*octave") == "1 new word of 1. New rank: Moving Up."
    told = add(page, '["octave", "cove"]; (zzaz).')
    assert told == "1 new word of 3. Already found: octave. Not added: zzaz."
    assert shown_words(page, "#board") == ["cove", "octave"]
    expect(page.locator("#several-words")).to_have_value("")


# ---------------------------------------------------------------- the board


def test_the_board_has_a_slot_for_each_word_and_a_slot_tells_its_clue(tab):
    page = tab.open(LETTERS)
    answers = pipeline.solve(LETTERS)
    type_word(page, "octave")
    of_o = page.locator("#board .group", has=page.get_by_role("heading", name=re.compile("^O ")))
    starts_with_o = sorted((word for word in answers if word[0] == "o" and word != "octave"), key=len)
    expect(of_o.get_by_role("heading")).to_have_text(f"O 1 of {len(starts_with_o) + 1}")
    expect(of_o.locator(".slot")).to_have_text([f"{len(word)}" for word in starts_with_o])
    expect(page.locator("#board .slot")).to_have_count(len(answers) - 1)
    page.locator("#board .slot[aria-label^='A,']").press("Enter")
    clue, more = page.locator("#pinned-clue"), page.locator("#pinned-more")
    expect(clue).to_have_text(re.compile(r"^A 6 \w+: "))
    expect(page.locator("#board .slot[aria-pressed=true]")).to_have_text("6")
    assert page.evaluate("document.activeElement.className") == "slot", "the focus is not lost"
    more.dblclick()
    expect(clue).to_have_text(re.compile("^AV, 6 "))
    expect(page.locator("#board .slot[aria-pressed=true]")).to_have_text("AV")
    more.click()
    tab.open(LETTERS)
    expect(clue).to_contain_text("ACEOTV")
    type_word(page, "avocet")
    expect(clue).to_have_text("avocet: found")
    more.click()
    expect(clue).not_to_contain_text("avocet")
    assert record(page, "vacenot")["pinned"] in {*answers} - {"avocet", "octave"}


def test_a_doubtful_word_is_kept_without_points_while_words_count(tab, released):
    spelled = [row for row in released if row["tier"] == "review" and row["p"] and set(row["word"]) <= set("ehinopr")]
    word, late, *_ = (row["word"] for row in spelled if "e" in row["word"])
    page = tab.open("ehinopr/answers")
    tab.whole()
    type_word(page, word)
    expect(page.locator("#said")).to_contain_text("saved without points")
    assert shown_words(page, "#doubtful") == [word]
    expect(page.locator("#rank-points")).to_have_text("0")
    page.locator("#reveal").click()
    type_word(page, late)
    expect(page.locator("#said")).to_contain_text("words no longer count")
    assert record(page, "ehinopr")["found"] == [word]


def test_an_offensive_word_has_no_clue(tab, released):
    listed = (row for row in released if row["tier"] in words.LISTED and words.pangram(row["word"]))
    rude = {row["word"] for row in listed if set(words.NOT_FOR_FAMILIES) & set(row["flags"].split())}
    offensive = min(glosses.load(RELEASE, rude))
    for word, clue in ((offensive, "no clue"), ("covenant", "noun: ")):
        letters = "".join(dict.fromkeys(word))
        page = tab.open()
        played(page, letters[0] + "".join(sorted(letters[1:])), pinned=word, told={word: 1})
        tab.open(letters)
        expect(page.locator("#pinned-clue")).to_contain_text(f"{word[0].upper()} {len(word)} {clue}")


# ---------------------------------------------------------------- the ending


def test_genius_is_celebrated_once_and_the_game_goes_on(phone):
    page = phone.open(LETTERS)
    (*before, last), (other, *_) = to_genius(LETTERS)
    type_words(page, before)
    expect(page.locator("#rank")).to_have_text("Amazing")
    expect(page.locator("#sheet")).to_be_hidden()
    page.clock.install()
    type_word(page, last)
    expect(page.locator("#sheet-title")).to_have_text("Genius!")
    total = len(pipeline.solve(LETTERS))
    expect(page.locator("#ending-said")).to_contain_text(f"Genius: {len(before) + 1} of {total} words, ")
    expect(page.locator("#ending-next")).to_be_hidden()
    expect(page.locator("#guarded"), "the other words are told only if asked for").to_be_visible()
    expect(page.locator(".sparks i")).to_have_count(28)
    page.clock.fast_forward(4000)
    expect(page.locator(".sparks")).to_have_count(0)
    dots = page.locator("#track-dots i")
    assert dots.evaluate_all("dots => dots.map(dot => dot.matches('.reached'))") == [True] * 9 + [False]
    page.locator("#keep-going").tap()
    expect(page.locator("#sheet")).to_be_hidden()
    type_word(page, other)
    expect(page.locator("#said")).to_contain_text(other)
    expect(page.locator("#sheet"), "it is celebrated once").to_be_hidden()


def test_finding_every_word_ends_the_game(open_tab, home):
    tab = open_tab(home, reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    page = tab.open(LETTERS)
    *most, last = pipeline.solve(LETTERS)
    told = f"{len(most)} new words of {len(most) + 1}."
    assert add(page, " ".join([*most, "junk"])) == f"{told} Not added: junk. Genius!"
    expect(page.locator("#said")).to_have_text(told)
    expect(page.locator("#sheet-title")).to_have_text("Genius!")
    tab.open(LETTERS)
    type_word(page, last)
    expect(page.locator("#said")).to_have_text(re.compile(re.escape("Queen Bee!") + "$"), use_inner_text=True)
    expect(page.locator("#sheet-title")).to_have_text("Queen Bee!")
    expect(page.locator("#keep-going")).to_be_hidden()
    hard = difficulty.load_hardness([*most, last], difficulty.load_accepted_counts(RELEASE, {*most, last}))
    rarest = page.locator("#rarest b").inner_text()
    assert hard[rarest] == max(hard.values())
    expect(page.locator("#words h3")).to_have_text(f"You found {len(most) + 1}")
    assert page.locator("#rank").evaluate("node => getComputedStyle(node).animationName") == "none"
    expect(page.locator(".sparks"), "motion is not forced on anybody").to_have_count(0)
    page.locator("#ending-next").click()
    page.wait_for_url("**#daily/*")
    expect(page.locator("#panel-answers")).to_be_hidden()
    assert tab.complaints == []


def test_nothing_is_celebrated_before_all_words_are_loaded(tab):
    page, held = tab.page, []
    page.route("**/more.json*", lambda route: held.append(route))
    tab.open("ehinopr")
    type_words(page, [word for word in pipeline.solve("ehinopr") if not {"e", "r"} <= set(word)])
    expect(page.locator("#rank")).to_have_text("Queen Bee")
    expect(page.locator("#panel-answers")).to_be_hidden()
    held[0].continue_()
    tab.whole()
    expect(page.locator("#rank")).not_to_have_text("Queen Bee")
    show(page, "answers")
    expect(page.locator("#guarded")).to_be_visible()


def test_sharing_gives_no_word_away_and_has_a_link_to_the_puzzle(open_tab, home):
    tab = open_tab(home, permissions=["clipboard-read", "clipboard-write"])
    page = tab.open(LETTERS)
    type_word(page, "covenant")
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    page.get_by_text("Copied: your rank").first.wait_for()
    text, link = page.evaluate("navigator.clipboard.readText()").split("\n")
    total = len(pipeline.solve(LETTERS))
    assert text.startswith(f"Bee Words, V CTAOEN: Good, 1 of {total} words, 15 of ")
    assert text.endswith("1 pangram, no hints")
    assert not set(re.findall("[a-z]{4,}", text)) & set(pipeline.solve(LETTERS))
    assert link == f"{home}#{LETTERS}"


# ---------------------------------------------------------------- keys and taps


def test_escape_first_clears_what_was_typed_and_then_closes_the_panel(tab):
    page = tab.open(LETTERS)
    show(page, "hints")
    page.keyboard.type("cove")
    page.keyboard.down("Escape")
    page.keyboard.down("Escape")  # as while it is held
    expect(page.locator("#typed")).to_have_text("")
    expect(page.locator("#panel-hints")).to_be_visible()
    page.keyboard.up("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#panel-hints")).to_be_hidden()


def test_delete_repeats_while_it_is_held(tab):
    tab.page.clock.install(time="2026-11-25T12:00:00Z")
    page = tab.open(LETTERS)
    page.clock.pause_at("2026-11-25T12:10:00Z")
    page.keyboard.type("covenantcove")
    for held, left, stop in (
        (440, "covenantcov", page.mouse.up),
        (450 + 2 * 90, "covenant", page.mouse.up),
        (450, "covenan", lambda: page.mouse.move(5, 5)),
        (450, "covena", lambda: page.evaluate("dispatchEvent(new Event('blur'))")),  # as when another window opens
    ):
        page.locator("#delete").hover()
        page.mouse.down()
        page.clock.run_for(held)
        stop()
        page.clock.run_for(1000)
        page.mouse.up()
        expect(page.locator("#typed")).to_have_text(left, ignore_case=True)
    page.locator("#delete").press("Enter")
    expect(page.locator("#typed")).to_have_text("coven", ignore_case=True)


def test_the_second_tap_of_a_double_tap_does_not_reach_what_the_first_one_opened_or_closed(phone):
    page = phone.open(LETTERS)
    (*before, last), _ = to_genius(LETTERS)
    type_words(page, before)
    tapped = """([outer, inner]) => {
        const { left, top, width, height } = document.querySelector(outer).getBoundingClientRect();
        const at = { bubbles: true, cancelable: true, detail: 1, clientX: left + width / 2, clientY: top + height / 2 };
        document.querySelector(outer).dispatchEvent(new MouseEvent("click", at));
        document.querySelector(inner).dispatchEvent(new MouseEvent("click", at));
    }"""
    page.evaluate(tapped, [".tabs [data-panel=answers]", "#reveal"])
    expect(page.locator("#guarded")).to_be_visible()
    page.locator("#sheet-close").tap()
    expect(page.locator("#sheet")).to_be_hidden()
    page.keyboard.type(last)
    page.evaluate(tapped, ["#enter", "#sheet-close"])
    expect(page.locator("#sheet-title")).to_have_text("Genius!")
    page.locator("#sheet-close").evaluate("close => [close.click(), close.click()]")
    expect(page.locator("#sheet")).to_be_hidden()
    assert page.evaluate("location.hash") == f"#{LETTERS}", "it goes back only once"


# ---------------------------------------------------------------- sections and addresses


def test_back_finds_the_place_again(phone):
    page = phone.open("/about")
    page.evaluate("scrollTo(0, 400)")
    page.evaluate(f"location.hash = '{LETTERS}'")
    show(page, "hints")
    for shown in ("#game", "#about"):
        page.go_back()
        page.locator(shown).wait_for()
    page.wait_for_function("() => scrollY === 400")


def test_a_wrong_address_says_so(tab):
    for section in ("nonsense", "constructor"):
        page = tab.open(f"/{section}/rare")
        expect(page.locator("#notices")).to_contain_text(f"This page has no section “{section}”.")
        expect(page.locator("#start")).to_be_visible()


def test_the_menu_of_a_phone_closes_when_a_section_opens(phone):
    page = phone.open()
    page.locator("#menu").tap()
    page.get_by_role("link", name="Settings").tap()
    expect(page.locator("#settings-title")).to_be_focused()
    expect(page.locator("#sections")).to_be_hidden()
    page.go_back()
    page.get_by_role("link", name="How they are made").tap()
    expect(page.locator("#about-puzzles")).to_be_focused()
    page.wait_for_function("() => Math.abs(document.querySelector('#about-puzzles').getBoundingClientRect().top) < 5")


def test_letters_that_are_no_puzzle_get_a_sentence(tab):
    page = tab.open()
    page.locator("#letters").type("vctao")
    expect(page.locator("#letters-count")).to_have_text("2 more letters")
    for letters, says in {"vctaoe": '"vctaoe" has 6', "zqxjkvw": "has no words for Z QXJKVW"}.items():
        page.locator("#letters").fill(letters)
        page.locator("#letters").press("Enter")
        expect(page.locator("#letters-wrong")).to_contain_text(says)
        expect(page.locator("#start")).to_be_visible()


# ---------------------------------------------------------------- a desktop


def test_on_a_desktop_found_words_are_always_visible(open_tab, home):
    for width in (900, 1280):
        page = open_tab(home, viewport={"width": width, "height": 800}).open(LETTERS)
        entries = page.evaluate("history.length")
        for name in ("hints", "answers"):
            show(page, name)
            expect(page.locator("#board")).to_be_visible()
        assert page.evaluate("history.length") == entries + 1, "Back closes what is open"
        page.locator("[data-panel=answers]").dblclick()
        expect(page.locator("#panel-answers")).to_be_hidden()
        page.locator("[data-panel=answers]").dblclick()
        expect(page.locator("#panel-answers")).to_be_visible()
        page.locator("[data-panel=answers]").click()
        expect(page.locator("#panel-answers"), "a tab closes what it opened").to_be_hidden()
        expect(page.locator("#panel-ranks")).to_be_visible(visible=width == 1280)
        expect(page.locator("#sheet-close")).to_be_hidden()


def test_a_wide_grid_and_large_text_stay_in_their_place(open_tab, home):
    """Longer words make more columns: the grid scrolls, and covers nothing."""
    for width, size in ((900, "200%"), (320, "100%")):
        page = open_tab(home, viewport={"width": width, "height": 800}).open("ehinopr/hints/grid")
        page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
        sheet = page.locator("#sheet").bounding_box()
        assert page.locator("#grid").bounding_box()["width"] <= sheet["width"]
        assert page.locator("#sheet").evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth"), (width, size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, size)


def test_the_focus_stays_where_it_was(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    page.locator("#board a").press("Enter")
    page.locator("#card .verdict").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("#board a")).to_be_focused()
    page.locator(".tabs [data-panel=hints]").press("Enter")
    page.locator("#sheet-close").press("Enter")
    expect(page.locator(".tabs [data-panel=hints]")).to_be_focused()
    show(page, "hints")
    page.locator("#several summary").click()
    page.locator("#several-words").fill("co")
    page.set_viewport_size({"width": 600, "height": 900})
    expect(page.locator("#sheet:modal #several-words")).to_have_value("co")
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.locator("#beside #board")).to_be_visible()
    expect(page.locator("#several-words")).to_have_value("co")


def test_rules_are_shown_once_and_yield_to_the_first_accepted_word(open_tab, home):
    tab = open_tab(home, first=True, viewport={"width": 1280, "height": 900})
    page = tab.open(LETTERS)
    type_word(page, "cotton")
    expect(page.locator("#said")).to_contain_text("no center letter")
    expect(page.locator("#panel-rules")).to_be_visible()
    type_word(page, "cove")
    expect(page.locator("#panel-rules")).to_be_hidden()
    tab.open("cptamhu")
    expect(page.locator("#panel-rules")).to_be_hidden()


# ---------------------------------------------------------------- what this browser keeps


def test_found_words_survive_a_reload_and_can_be_deleted(tab):
    page = tab.open(LETTERS)
    type_words(page, ["octave", "covenant"])
    tab.open(LETTERS)
    assert shown_words(page, "#board") == ["covenant", "octave"]
    expect(page.locator("#rank-points")).to_have_text("21", use_inner_text=True)
    tab.open("uoctarf")
    tab.open()
    total = len(pipeline.solve(LETTERS))
    items = page.locator("#unfinished-list li").all_inner_texts()
    assert [" ".join(item.split()) for item in items] == [f"{named(LETTERS)} Solid, 2 of {total}"]
    page.locator("#unfinished-list a").click()
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.locator("#panel-found [data-start-over]").click()
    assert shown_words(page, "#board") == ["covenant", "octave"]
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#panel-found [data-start-over]").click()
    tab.open(LETTERS)
    assert shown_words(page, "#board") == []


def test_words_and_hints_of_two_tabs_add_up(tab):
    page = tab.open(LETTERS)
    other = page.context.new_page()
    other.goto(f"{tab.home}#{LETTERS}")
    other.locator("body[data-ready]").wait_for()
    type_word(page, "octave")
    expect(other.locator("#board li[data-word]")).to_have_count(1)
    type_word(other, "cove")
    other.locator("#board .slot[aria-label^='A,']").click()
    expect(page.locator("#board li[data-word]")).to_have_count(2)
    expect(page.locator("#pinned-clue")).to_contain_text("A 6")
    page.locator("#pinned-more").click()
    kept = record(page, "vacenot")
    assert (kept["found"], kept["told"]) == (["octave", "cove"], {"avocet": 2})


def test_all_that_is_kept_is_deleted_on_request_and_a_file_of_others_is_not_imported(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    page.evaluate("localStorage.setItem('of another page', 'x')")
    tab.open("/settings")
    page.locator("#import-file").set_input_files(RELEASE / "datapackage.json")
    page.get_by_text("not an export of this page").wait_for()
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#forget-all").click()
    expect(page.locator("#settings-said")).to_have_text("Everything is deleted.")
    assert page.evaluate("Object.keys(localStorage)") == ["of another page"]


def test_it_works_where_the_browser_keeps_nothing(tab):
    denied = "get() { throw new DOMException('denied', 'SecurityError'); }"
    tab.page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ {denied} }})")
    page = tab.open(LETTERS)
    type_words(page, ["octave", "cove"])
    assert shown_words(page, "#board") == ["cove", "octave"]
    expect(page.locator("#notices")).to_contain_text("does not let the page store", use_inner_text=True)


# ---------------------------------------------------------------- the puzzles


@pytest.mark.parametrize("size", short_and_long("small", "whole"))
def test_puzzles_of_our_own_and_of_the_day_are_those_of_the_package(open_tab, serve, request, bee, size):
    release = request.getfixturevalue("small_release") if size == "small" else RELEASE
    site = request.getfixturevalue("folder" if size == "small" else "whole_site")
    rows = list(reader.rows((release / "words.csv").read_bytes(), "words.csv"))
    listed = [row["word"] for row in rows if row["tier"] in words.LISTED]
    accepted = {row["word"]: int(row["accepted"]) for row in rows}
    tab = open_tab(serve(site))
    page = tab.page
    page.clock.set_fixed_time(f"{FAR_DAY}T23:30:00Z")
    tab.open("daily")
    shown = dict(line.split() for line in bee("--data", release.parent, "daily", FAR_DAY).out.splitlines())
    assert page.evaluate("location.hash") == f"#daily/{FAR_DAY}"
    assert "".join(page.locator(".node").all_text_contents()) == shown["center"] + shown["outer"]
    expect(page.locator("#game-level")).to_have_text(shown["level"])
    least, most = daily.BANDS["words"]
    for kind in difficulty.LEVELS:
        tab.open()
        page.locator(f"[data-practice={kind}]").click()
        page.locator("#game").wait_for()
        expect(page.locator("#game-level")).to_have_text(kind)
        answers = pipeline.solve(page.evaluate("location.hash.slice(1)"), listed)
        hard = difficulty.load_hardness(answers, accepted)
        assert any(map(words.pangram, answers))
        assert least <= len(answers) <= most
        assert difficulty.level(difficulty.difficulty(answers, hard)) == kind
    assert tab.complaints == []


def practice(page, level: str) -> list[str]:
    """The letters for practice of a level."""
    return page.evaluate(f"async () => (await ({module('list')}).practice()).{level}")


def test_practice_leads_to_another_puzzle_of_the_level_until_all_were_begun(tab):
    page = tab.open()
    first, second, *others = practice(page, "easy")
    for letters in others:
        played(page, letters, found=["word"])
    played(page, second, seen="shown")
    page.locator("[data-practice=easy]").click()
    page.locator("#game").wait_for()
    assert page.evaluate("location.hash") == f"#{first}"
    page.locator("#another").get_by_text("Next easy puzzle").click()
    expect(page.locator("#said")).to_contain_text("You have begun all easy puzzles")
    page.evaluate("letters => localStorage.removeItem(`bee:game:${letters}`)", second)
    page.locator("#another").click()
    page.wait_for_url(f"**#{second}")
    page.locator("[data-panel=answers]").click()
    page.locator("#reveal").click()
    page.locator("#ending-next").get_by_text("Next easy puzzle").click()  # no word of the first one was found
    page.wait_for_url(f"**#{first}")
    played(page, first, found=["word"])
    tab.open()
    page.locator("[data-practice=easy]").click()
    expect(page.locator("#practice-said")).to_contain_text("You have begun all easy puzzles")
    page.locator("[data-practice=hard]").evaluate("button => [button.click(), button.click()]")
    expect(page.locator("#game-level")).to_have_text("hard")
    page.go_back()
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("#practice-said")).to_have_text("")


def test_practice_and_levels_that_come_late_change_nothing_elsewhere(tab):
    page, held = tab.page, []
    page.route("**/puzzles.json*", lambda route: held.append(route))
    tab.open()
    page.locator("[data-practice=easy]").click()
    page.locator("#loading").wait_for()
    page.evaluate(f"location.hash = '{LETTERS}'")
    page.get_by_role("heading", name=named(LETTERS)).wait_for()
    page.evaluate("location.hash = 'daily/2026-11-22'")
    expect(page.locator("#game-level")).to_have_text("easy")
    held[0].continue_()
    letters = practice(page, "medium")[0]
    expect(page.locator("#loading")).to_be_hidden()
    assert page.evaluate("location.hash") == "#daily/2026-11-22"
    page.go_back()
    page.get_by_role("heading", name=named(LETTERS)).wait_for()
    expect(page.locator("#game-level")).to_have_text("")
    page.evaluate(f"location.hash = '{letters}'")
    expect(page.locator("#game-level")).to_have_text("medium")


def test_after_a_puzzle_of_a_day_comes_the_last_one_that_was_not_played_and_then_practice(tab):
    tab.page.clock.set_fixed_time("2026-11-22T12:00:00Z")
    page = tab.open("daily/2026-11-21/answers")
    page.locator("#reveal").click()
    expect(page.locator("#ending-next")).to_have_text("Today’s puzzle")
    page.locator("#ending-next").click()
    expect(page.locator("#game-name .roomy")).to_have_text("Sunday, November 22")
    show(page, "answers")
    page.locator("#reveal").click()
    expect(page.locator("#ending-next")).to_have_text("Play Nov 20")
    days = page.evaluate(f"async () => Object.keys(({module('list')}).list.daily)")
    for date in days:
        played(page, date, seen="shown")
    page.reload()
    level = page.locator("#game-level").text_content()
    expect(page.locator("#ending-next")).to_have_text(f"Next {level} puzzle")
    page.locator("#ending-next").click()
    page.wait_for_url(re.compile("#[a-z]{7}$"))
    expect(page.locator("#game-level")).to_have_text(level)
