"""The page in a browser: playing, on a desktop and on a phone, and what the browser keeps."""

from __future__ import annotations

import re

import pytest
from browsing import FAR_DAY, RELEASE, expect, shown_words
from sampling import short_and_long

import pipeline
from pipeline import reader, words
from pipeline.play import daily, difficulty, glosses
from pipeline.words import ranks, score

LETTERS = "vctaoen"


def type_word(page, word: str) -> None:
    page.keyboard.type(word)
    page.keyboard.press("Enter")


def show(page, name: str) -> None:
    """Open a panel of the sheet, closing the one that lies over the game."""
    if page.locator("#sheet-close").is_visible():
        page.locator("#sheet-close").click()
    page.locator(f".tabs [data-sheet={name}]").click()


def named(letters: str) -> str:
    """Return what the page calls a puzzle that is given by its letters."""
    return f"{letters[0]} {letters[1:]}".upper()


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
    assert shown_words(page, "#found") == ["octave"]
    page.locator(".node.center").focus()
    type_word(page, "cove")  # Enter on a letter takes the letter; the word is still there
    expect(page.locator("#typed")).to_have_text("covev", ignore_case=True)
    page.keyboard.press("Backspace")
    page.locator("#enter").focus()
    page.keyboard.press("Enter")
    assert shown_words(page, "#found") == ["cove", "octave"]


def test_letters_stay_in_the_order_in_which_they_were_given(tab):
    page = tab.open(LETTERS)
    assert "".join(page.locator(".node").all_inner_texts()).lower() == LETTERS
    assert page.evaluate("location.hash") == f"#{LETTERS}"
    assert page.title() == f"{named(LETTERS)} – Bee Words"
    type_word(page, "octave")
    other = tab.open("v" + LETTERS[:0:-1])
    assert shown_words(other, "#found") == ["octave"]


def test_letters_can_be_clicked_and_shuffled(tab):
    page = tab.open(LETTERS)
    for letter in "cove":
        page.locator(".node", has_text=letter).click()
    page.locator("#delete").click()
    expect(page.locator("#typed")).to_have_text("cov", ignore_case=True)
    page.keyboard.type("e")
    page.keyboard.press("Enter")
    assert shown_words(page, "#found") == ["cove"]
    before = page.locator(".node").all_inner_texts()
    page.locator("#shuffle").click()
    after = page.locator(".node").all_inner_texts()
    assert before != after
    assert before[0] == after[0] == "V"
    assert sorted(before) == sorted(after)


@pytest.mark.parametrize(("width", "height"), [(844, 390), (320, 640)])
def test_everything_needed_to_play_fits_one_screen_of_a_phone(open_tab, home, width, height):
    tab = open_tab(home, viewport={"width": width, "height": height}, has_touch=True)
    page = tab.open(LETTERS)
    for part in (
        "#game-title",
        "#rank-button",
        "#typed",
        ".node.n1",
        ".node.n4",
        "#enter",
        "#strip",
        ".tabs [data-sheet=found]",
        "#share",
    ):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= height, part
        assert box["x"] + box["width"] <= width, part
    for control in page.locator("#game button:visible").all():
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
    expect(page.locator("#said")).to_have_text("octave: 6 points. New rank: Moving Up.", use_inner_text=True)
    expect(page.locator("#strip")).to_have_text("octave", use_inner_text=True)
    expect(page.locator("#found-count")).to_have_text("1", use_inner_text=True)
    page.locator("#strip").tap()
    assert shown_words(page, "#found") == ["octave"]
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()


def test_every_guess_gets_an_answer_of_its_own(tab):
    page = tab.open(LETTERS)
    for guess, says in {
        "cov": "cov: too short.",
        "cotton": "cotton: no center letter.",
        "convex": "convex: no X here.",
        "vvvv": "vvvv: not on the list. Why?",
        "": "Type or tap a word first.",
        "covenant": "Pangram! covenant: 15 points. New rank: Good.",
    }.items():
        type_word(page, guess)
        expect(page.locator("#said")).to_have_text(says, use_inner_text=True)
    type_word(page, "covenant")
    expect(page.locator("#said")).to_have_text("covenant: already found.", use_inner_text=True)


def test_finding_every_word_is_celebrated_and_motion_is_not_forced_on_anybody(open_tab, home):
    tab = open_tab(home, reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    page = tab.open(LETTERS)
    *most, last = pipeline.solve(LETTERS)
    page.locator("#several summary").click()
    page.locator("#several-words").fill(" ".join([*most, "junk"]))
    page.locator("#several-form button").click()
    said = page.locator("#several-said").inner_text()
    assert said == f"{len(most)} new words of {len(most) + 1}. Not added: junk. Genius!"
    expect(page.locator("#said")).to_have_text(f"{len(most)} new words of {len(most) + 1}.")
    page.evaluate("openPuzzle(readPuzzle('cptamhu'))")
    expect(page.locator("#several-said")).to_have_text("")
    page.evaluate(f"openPuzzle(readPuzzle('{LETTERS}'))")
    expect(page.locator("#sheet-title")).to_have_text("Genius!")
    page = tab.open(LETTERS)  # words from paper are kept, too
    assert shown_words(page, "#found") == sorted(most)
    page.locator("#game-title").focus()
    type_word(page, last)
    expect(page.locator("#rank")).to_have_text("Queen Bee", use_inner_text=True)
    expect(page.locator("#said")).to_have_text(re.compile(re.escape("Queen Bee!") + "$"), use_inner_text=True)
    assert page.locator("#rank").evaluate("node => getComputedStyle(node).animationName") == "none"
    expect(page.locator(".sparks")).to_have_count(0)
    expect(page.locator("#sheet-title")).to_have_text("Queen Bee!", use_inner_text=True)
    for shown in ("#next", "#done-share", "#done-answers"):
        expect(page.locator(shown), shown).to_be_visible()
    expect(page.locator("#keep-going")).to_be_hidden()
    page.emulate_media(reduced_motion="no-preference")
    assert page.locator("#rank").evaluate("node => getComputedStyle(node).animationName") == "raised"
    page.clock.install()
    page.evaluate("celebrate()")
    assert page.locator(".sparks i").count() > 20
    page.clock.fast_forward(4000)
    expect(page.locator(".sparks")).to_have_count(0)
    page.locator("#done-answers").click()
    expect(page.locator("#words h3")).to_have_text(f"You found {len(most) + 1}")
    assert set(shown_words(page, "#words")) == {*most, last}
    page.evaluate("celebrate()")
    page.locator("#next").click()
    page.wait_for_function("() => location.hash.startsWith('#daily/')")
    expect(page.locator("#sheet")).to_be_hidden()
    page.go_back()
    page.get_by_role("heading", name=named(LETTERS)).wait_for()
    expect(page.locator("#sheet"), "nothing is celebrated again").to_be_hidden()
    assert tab.complaints == []


def test_genius_is_celebrated_and_the_game_goes_on(phone):
    page = phone.open(LETTERS)
    words = sorted(pipeline.solve(LETTERS), key=score, reverse=True)
    points = [sum(map(score, words[:count])) for count in range(1, len(words))]
    needed = ranks(sum(map(score, words)))["Genius"]
    count = next(at for at, reached in enumerate(points, 1) if reached >= needed)
    page.evaluate("words => addSeveral(words.join(' '))", words[: count - 1])
    expect(page.locator("#sheet")).to_be_hidden()
    type_word(page, words[count - 1])
    expect(page.locator("#sheet-title")).to_have_text("Genius!")
    expect(page.locator("#done-said")).to_contain_text(f"you found {count} of {len(words)} words")
    expect(page.locator("#done-share")).to_be_visible()
    expect(page.locator("#next")).to_be_hidden()
    dots = page.locator("#track-dots i")
    assert dots.evaluate_all("dots => dots.map(dot => dot.matches('.reached'))") == [True] * 9 + [False]
    assert dots.all_text_contents() == [""] * 8 + ["G", ""]
    page.locator("#keep-going").tap()
    expect(page.locator("#sheet")).to_be_hidden()
    type_word(page, words[count])
    expect(page.locator("#said")).to_contain_text(words[count])
    expect(page.locator("#sheet"), "it is celebrated once").to_be_hidden()


def test_nothing_is_celebrated_before_all_words_are_loaded(tab):
    page = tab.open()
    page.route("**/more.json*", lambda _: None)
    page.evaluate("location.hash = 'ehinopr'")
    page.locator("#game").wait_for()
    page.evaluate("addSeveral(textOf(current().answers).join(' '))")
    expect(page.locator("#rank")).to_have_text("Queen Bee")
    expect(page.locator("#sheet")).to_be_hidden()


def test_the_track_grows_to_the_next_dot(tab):
    page = tab.open(LETTERS)
    far = "parseFloat(document.querySelector('#track-done').style.width)"
    assert page.evaluate(far) == 0
    words = pipeline.solve(LETTERS)
    type_word(page, "octave")
    steps = list(ranks(sum(map(score, words))).values())
    at = max(place for place, needed in enumerate(steps) if needed <= 6)
    share = (6 - steps[at]) / (steps[at + 1] - steps[at])
    assert page.evaluate(far) == pytest.approx(100 * (at + share) / 9, abs=0.01)
    page.evaluate("words => addSeveral(words.join(' '))", words)
    assert page.evaluate(far) == 100


# ---------------------------------------------------------------- keys


def test_typed_letters_press_the_ring_and_escape_clears_them(tab):
    page = tab.open(LETTERS)
    page.keyboard.type("c")
    pressed = """[...document.querySelectorAll('.node')]
        .filter(node => node.getAnimations().length).map(node => node.textContent)"""
    assert page.evaluate(f"(press('c'), {pressed})") == ["c"]
    page.keyboard.type("ove")
    page.keyboard.press("Escape")
    expect(page.locator("#typed")).to_have_text("")
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
    page.locator("#delete").hover()
    page.mouse.down()
    page.clock.run_for(440)
    expect(page.locator("#typed")).to_have_text("covenantcove", ignore_case=True)
    page.clock.run_for(10 + 2 * 90)
    expect(page.locator("#typed")).to_have_text("covenantc", ignore_case=True)
    page.mouse.up()
    page.clock.run_for(1000)
    expect(page.locator("#typed")).to_have_text("covenantc", ignore_case=True)
    page.locator("#delete").click()
    expect(page.locator("#typed")).to_have_text("covenant", ignore_case=True)
    page.mouse.down(button="right")
    page.clock.run_for(1000)
    page.mouse.up(button="right")
    expect(page.locator("#typed")).to_have_text("covenant", ignore_case=True)
    page.mouse.down()
    page.clock.run_for(450)
    page.mouse.move(5, 5)
    page.clock.run_for(1000)
    page.mouse.up()
    expect(page.locator("#typed")).to_have_text("covenan", ignore_case=True)
    page.keyboard.type("t")
    page.locator("#delete").hover()
    page.mouse.down()
    page.clock.run_for(450)
    page.evaluate("dispatchEvent(new Event('blur'))")  # as when another window opens
    page.clock.run_for(1000)
    page.mouse.up()
    expect(page.locator("#typed")).to_have_text("covenan", ignore_case=True)
    page.locator("#delete").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#typed")).to_have_text("covena", ignore_case=True)


def test_a_wrong_word_shakes_unless_the_player_prefers_less_motion(tab):
    page = tab.open(LETTERS)
    shakes = "getComputedStyle(document.querySelector('#said')).animationName"
    for word, animation in {"cove": "none", "cotton": "shake", "cav": "shake", "vvvv": "shake"}.items():
        type_word(page, word)
        expect(page.locator("#said")).to_contain_text(word)
        assert page.evaluate(shakes) == animation, word
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(shakes) == "none"


def test_enter_submits_a_word_that_was_typed_after_a_click(tab):
    page = tab.open(LETTERS)
    show(page, "hints")
    page.locator("#nudge-more").click()
    page.locator("#nudge p:not(.soft)").wait_for()
    type_word(page, "cave")
    expect(page.locator("#said")).to_have_text(re.compile("^" + re.escape("cave: 1 point.")), use_inner_text=True)
    page.locator("[data-step=grid]").click()
    page.locator("#left-only").click()
    type_word(page, "cove")
    expect(page.locator("#said")).to_have_text(re.compile("^" + re.escape("cove: 1 point.")), use_inner_text=True)
    assert page.locator("#left-only").is_checked() is False
    page.keyboard.type("oven")
    page.locator("#delete").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#typed")).to_have_text("ove", ignore_case=True)


def test_a_word_has_no_end_of_letters_and_ten_that_were_missed_are_named(tab):
    page = tab.open(LETTERS)
    page.keyboard.type("c" * 25)
    expect(page.locator("#typed")).to_have_text("c" * 24, ignore_case=True)
    wrong = [f"zz{letter}z" for letter in "abcdefghijk"]
    says = page.evaluate("words => [9, 10, 11].map(count => addSeveral(words.slice(0, count).join(', ')))", wrong)
    assert says == [
        f"0 new words of 9. Not added: {', '.join(wrong[:9])}.",
        f"0 new words of 10. Not added: {', '.join(wrong[:10])}.",
        f"0 new words of 11. Not added: {', '.join(wrong[:10])} and others.",
    ]
    assert page.evaluate("addSeveral(' ,;* ')") == "Enter some words first."
    assert page.evaluate("addSeveral('Octave*octave')") == "1 new word of 2. New rank: Moving Up."
    told = page.evaluate("""addSeveral('["octave", "cove"]; (zzaz).')""")
    assert told == "1 new word of 3. Already found: octave. Not added: zzaz."


def test_back_finds_the_place_again(phone):
    page = phone.open("/about")
    page.evaluate("scrollTo(0, 400)")
    page.wait_for_function("() => history.state?.y === 400")
    page.evaluate("location.hash = '/settings'")
    page.locator("#settings").wait_for()
    page.go_back()
    page.locator("#about").wait_for()
    page.wait_for_function("() => scrollY === 400")


def test_an_address_without_a_page_says_so(tab):
    for address in ("/nonsense", "/flags/rare", "/game"):
        page = tab.open(address)
        section = address.split("/")[1]
        page.locator("#notices").get_by_text(f"This page has no section “{section}”.").wait_for()
        expect(page.locator("#start")).to_be_visible()
        expect(page.locator("#letters")).to_have_value("")


def test_an_address_can_name_a_part_of_about(phone):
    page = phone.open()
    page.get_by_role("link", name="How they are made").click()
    page.wait_for_function("() => Math.abs($('about-puzzles').getBoundingClientRect().top) < 5")
    expect(page.locator("#about-puzzles")).to_be_focused()


def test_a_menu_that_was_opened_on_a_phone_closes_in_a_wide_window(open_tab, home):
    page = open_tab(home, viewport={"width": 390, "height": 844}).open("/about")
    page.locator("#menu").click()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("() => !history.state?.menu && !document.body.classList.contains('menu')")


# ---------------------------------------------------------------- double taps


def test_the_second_tap_of_a_double_tap_does_not_reach_what_the_first_one_opened_or_closed(phone):
    page = phone.open(LETTERS)
    *most, last = pipeline.solve(LETTERS)
    page.evaluate("words => addSeveral(words.join(' '))", most)
    tapped = """([outer, inner]) => {
        const { left, top, width, height } = document.querySelector(outer).getBoundingClientRect();
        const at = { bubbles: true, cancelable: true, detail: 1, clientX: left + width / 2, clientY: top + height / 2 };
        document.querySelector(outer).dispatchEvent(new MouseEvent("click", at));
        document.querySelector(inner).dispatchEvent(new MouseEvent("click", at));
    }"""
    page.evaluate(tapped, ["#done-answers", "#reveal"])
    expect(page.locator("#guarded")).to_be_visible()
    page.locator("#sheet-close").tap()
    page.wait_for_function("() => !history.state?.sheet")
    page.keyboard.type(last)
    page.evaluate(tapped, ["#enter", "#sheet-close"])
    expect(page.locator("#sheet-title")).to_have_text("Queen Bee!")
    page.evaluate(tapped, ["#sheet-close", ".node.n1"])
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#typed")).to_have_text("")
    page.locator(".node.n1").tap()
    expect(page.locator("#typed")).to_have_text(LETTERS[1], ignore_case=True)


# ---------------------------------------------------------------- a desktop


def test_on_a_desktop_found_words_are_always_visible_next_to_hints_and_answers(open_tab, home):
    for width in (900, 1280):
        page = open_tab(home, viewport={"width": width, "height": 800}).open(LETTERS)
        page.evaluate("addSeveral('covenant octave')")
        for name in ("hints", "answers"):
            page.locator(f".tabs [data-sheet={name}]").click()
            sheet, found = page.locator("#sheet").bounding_box(), page.locator("#found").bounding_box()
            assert found["x"] >= sheet["x"] + sheet["width"]
        page.locator("#reveal").click()
        page.locator("#words .glosses").first.wait_for()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert page.locator("#found a").first.evaluate("link => link.getBoundingClientRect().top") >= 0
        page.locator(".tabs [data-sheet=answers]").click()
        expect(page.locator("#sheet"), "a tab closes what it opened").to_be_hidden()


def test_a_wide_grid_and_large_text_stay_in_their_place(open_tab, home):
    """Longer words make more columns: the grid scrolls, and covers nothing."""
    for width, size in ((900, "200%"), (320, "100%")):
        page = open_tab(home, viewport={"width": width, "height": 800}).open("ehinopr")
        page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
        page.locator(".tabs [data-sheet=hints]").click()
        page.locator("[data-step=grid]").click()
        sheet = page.locator("#sheet").bounding_box()
        assert page.locator("#grid").bounding_box()["width"] <= sheet["width"]
        assert page.locator("#sheet").evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth"), (width, size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, size)


def test_the_focus_stays_where_it_was(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    page.locator("#found a").focus()
    page.keyboard.press("Enter")
    page.locator("#card .verdict").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_function("() => !history.state?.card && document.activeElement.textContent === 'octave'")
    page.locator(".tabs [data-sheet=hints]").focus()
    page.keyboard.press("Enter")
    page.locator("#sheet-close").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.sheet") == "hints"
    page.locator("#several summary").click()
    page.locator("#several-words").fill("co")
    page.set_viewport_size({"width": 600, "height": 900})
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function("() => $('beside').contains($('found'))")
    expect(page.locator("#several-words")).to_be_visible()


def test_rules_yield_to_the_first_accepted_word(open_tab, home):
    page = open_tab(home, first=True, viewport={"width": 1280, "height": 900}).open(LETTERS)
    expect(page.locator("#panel-rules")).to_be_visible()
    expect(page.locator("#found-none")).to_be_visible()
    type_word(page, "cotton")
    expect(page.locator("#said")).to_contain_text("no center letter")
    expect(page.locator("#panel-rules")).to_be_visible()
    type_word(page, "cove")
    expect(page.locator("#panel-rules")).to_be_hidden()
    assert shown_words(page, "#found") == ["cove"]


# ---------------------------------------------------------------- what this browser keeps


def test_found_words_survive_a_reload_and_can_be_forgotten(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    type_word(page, "covenant")
    tab.open(LETTERS)
    assert shown_words(page, "#found") == ["covenant", "octave"]
    expect(page.locator("#rank-points")).to_have_text("21", use_inner_text=True)
    tab.open()
    tab.open("uoctarf")
    tab.open()
    total = len(pipeline.solve(LETTERS))
    assert page.locator("#unfinished-list li").all_inner_texts() == [f"{named(LETTERS)}\nSolid, 2 of {total}"]
    tab.open(LETTERS)
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#several summary").click()
    page.locator("#several [data-start-over]").click()
    assert shown_words(page, "#found") == []
    tab.open(LETTERS)
    assert shown_words(page, "#found") == []


def test_all_that_is_kept_is_forgotten_on_request_and_a_file_of_others_is_not_imported(tab, tmp_path):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    page.evaluate("localStorage.setItem('of another page', 'x')")
    tab.open("/settings")
    (tmp_path / "other.json").write_text('{"a": 1}')
    page.locator("#import-file").set_input_files(tmp_path / "other.json")
    page.get_by_text("not an export of this page").wait_for()
    assert "other page" not in page.evaluate("exportText()")
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#forget-all").click()
    tab.open(LETTERS)
    assert shown_words(page, "#found") == []
    left = "Object.keys(localStorage).filter(key => !['bee:recent', 'bee:set:rules'].includes(key))"
    assert page.evaluate(left) == ["of another page"]


def test_letters_that_are_no_puzzle_get_a_sentence(tab):
    page = tab.open()
    for letters, says in {
        "vctaoe": "has 6",
        "vctaoee": "occurs twice",
        "vctaoe7": "is not a letter from a to z",
        "zqxjkvw": "has no words for Z QXJKVW",
        "": "you gave none",
    }.items():
        page.locator("#letters").fill(letters)
        page.locator("#letters").press("Enter")
        page.locator("#letters-wrong").get_by_text(says).wait_for()
        expect(page.locator("#start")).to_be_visible()


def test_it_works_where_the_browser_keeps_nothing(tab):
    denied = "get() { throw new DOMException('denied', 'SecurityError'); }"
    tab.page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ {denied} }})")
    page = tab.open(LETTERS)
    type_word(page, "octave")
    expect(page.locator("#strip")).to_have_text("octave", use_inner_text=True)
    expect(page.locator("#notices")).to_contain_text("does not let the page store", use_inner_text=True)


def test_sharing_gives_no_word_away_and_the_link_opens_the_puzzle(open_tab, home):
    tab = open_tab(home, permissions=["clipboard-read", "clipboard-write"])
    page = tab.open(LETTERS)
    type_word(page, "covenant")
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    page.get_by_text("Copied: your rank").first.wait_for()
    text, link = page.evaluate("navigator.clipboard.readText()").split("\n")
    total = len(pipeline.solve(LETTERS))
    assert text.startswith(f"Bee Words, V CTAOEN: Good, 1 of {total} words, 15 of ")
    assert text.endswith("1 pangram")
    assert not set(re.findall("[a-z]{4,}", text)) & set(pipeline.solve(LETTERS))
    page.goto("about:blank")
    page.goto(link)
    page.locator("#game").wait_for()
    assert "".join(page.locator(".node").all_inner_texts()).lower() == LETTERS


# ---------------------------------------------------------------- the list
@pytest.mark.parametrize("size", short_and_long("small", "whole"))
def test_puzzles_of_our_own_and_of_the_day_are_those_of_the_package(open_tab, serve, request, bee, size):
    release = request.getfixturevalue("small_release") if size == "small" else RELEASE
    site = request.getfixturevalue("folder" if size == "small" else "whole_site")
    rows = list(reader.rows((release / "words.csv").read_bytes(), "words.csv"))
    listed = [row["word"] for row in rows if row["tier"] in words.LISTED]
    tab = open_tab(serve(site))
    page = tab.open()
    for date in ("2026-11-22", FAR_DAY):
        page.clock.set_fixed_time(f"{date}T23:30:00Z")
        tab.open("daily")
        page.locator("#game").wait_for()
        shown = dict(line.split() for line in bee("--data", release.parent, "daily", date).out.splitlines())
        center, outer, level = shown["center"], shown["outer"], shown["level"]
        told = page.evaluate("[game.puzzle.date, game.puzzle.given, game.puzzle.level, addressOf(game.puzzle)]")
        assert told == [date, center + outer, level, f"daily/{date}"]
    least, most = daily.BANDS["words"]
    for kind in difficulty.LEVELS:
        tab.open()
        page.locator(f"[data-practice={kind}]").click()
        page.locator("#game").wait_for()
        expect(page.locator("#game-level")).to_have_text(kind, ignore_case=True)
        answers = pipeline.solve(page.evaluate("location.hash.slice(1)"), listed)
        hard = difficulty.load_hardness(answers, difficulty.load_accepted(RELEASE))
        assert any(map(words.pangram, answers))
        assert least <= len(answers) <= most
        assert difficulty.level(difficulty.difficulty(answers, hard)) == kind
    assert tab.complaints == []


def test_practice_leads_to_another_puzzle_of_the_level_until_all_were_begun(tab):
    page = tab.open()
    letters, other = page.evaluate(
        """async () => {
            const { easy } = await loadPractice();
            for (const letters of easy.slice(2)) shelf.set(`found:${letters}`, letters);
            shelf.set(`answers:${easy[1]}`, "shown");
            return [easy[0], easy[1]];
        }"""
    )
    page.locator("[data-practice=easy]").click()
    page.locator("#game").wait_for()
    assert page.evaluate("game.puzzle.letters") == letters
    page.locator("#found-next").get_by_text("Next easy puzzle").click()
    page.locator("#said", has_text="You have begun all easy puzzles").wait_for()
    page.evaluate("letters => shelf.drop(`answers:${letters}`)", other)
    page.locator("#found-next").click()
    page.wait_for_function("letters => game.puzzle.letters === letters", arg=other)
    page.locator("#found-next").click()  # although no word was found
    page.wait_for_function("letters => game.puzzle.letters === letters", arg=letters)
    page.evaluate("addSeveral(textOf(current().answers).join(' '))")
    page.locator("#next").get_by_text("Next easy puzzle").click()
    page.wait_for_function("letters => game.puzzle.letters === letters", arg=other)
    expect(page.locator("#game-level")).to_have_text("easy")
    page.evaluate("addSeveral(textOf(current().answers)[0])")
    tab.open()
    page.locator("[data-practice=easy]").click()
    expect(page.locator("#practice-said")).to_contain_text("You have begun all easy puzzles")
    tab.open("/about")
    page.evaluate("location.hash = '/'")
    expect(page.locator("#practice-said")).to_have_text("")
    page.locator("[data-practice=hard]").evaluate("button => [button.click(), button.click()]")
    expect(page.locator("#game-level")).to_have_text("hard")
    page.go_back()
    expect(page.locator("#start")).to_be_visible()
    assert tab.complaints == []


def test_practice_that_comes_late_opens_nothing_elsewhere(tab):
    page = tab.page
    held = []
    page.route("**/puzzles.json*", lambda route: held.append(route))
    tab.open()
    page.locator("[data-practice=easy]").click()
    page.locator("#loading").wait_for()
    page.evaluate("location.hash = '/about'")
    expect(page.locator("#about")).to_be_visible()
    held[0].continue_()
    page.evaluate("async () => { await loadPractice(); }")
    expect(page.locator("#loading")).to_be_hidden()
    assert page.evaluate("location.hash") == "#/about"


def test_after_a_puzzle_of_a_day_comes_the_last_one_that_was_not_played_and_then_practice(tab):
    tab.page.clock.set_fixed_time("2026-11-22T12:00:00Z")
    page = tab.open("daily")
    find_all = "addSeveral(textOf(current().answers).join(' '))"
    page.evaluate(find_all)
    expect(page.locator("#next")).to_have_text("Next puzzle: Nov 21")
    page.evaluate("shelf.set('found:2026-11-21', answersOf(dayPuzzle('2026-11-21'))[0])")
    page.evaluate("openSheet('done')")
    expect(page.locator("#next")).to_have_text("Next puzzle: Nov 20")
    page.evaluate("for (let at = 1; at < 60; at++) shelf.set(`answers:${addDays('2026-11-22', -at)}`, 'shown')")
    page.evaluate("openSheet('done')")
    level = page.evaluate("game.puzzle.level")
    expect(page.locator("#next")).to_have_text(f"Next {level} puzzle")
    page.locator("#next").click()
    page.wait_for_function("() => !game.puzzle.date")
    expect(page.locator("#game-level")).to_have_text(level)
    tab.open(LETTERS)
    page.evaluate(find_all)
    expect(page.locator("#next")).to_have_text("Next medium puzzle")


def test_the_level_of_letters_is_shown_if_they_are_for_practice(tab):
    page = tab.open()
    letters = page.evaluate("loadPractice().then(({ medium }) => medium[0])")
    page.route("**/puzzles.json*", lambda route: route.abort())
    tab.open(letters)
    expect(page.locator("#game-level")).to_have_text("")
    page.unroute("**/puzzles.json*")
    tab.open(letters)
    expect(page.locator("#game-level")).to_have_text("medium")
    tab.open(LETTERS)
    page.wait_for_function("() => game.puzzle.level === ''")
    expect(page.locator("#game-level")).to_have_text("")
    held = []
    page.route("**/puzzles.json*", lambda route: held.append(route))
    tab.open(letters)
    page.evaluate("location.hash = 'daily/2026-11-22'")
    page.wait_for_function("() => game.puzzle.date")
    held[0].continue_()
    page.evaluate("async () => { await loadPractice(); }")
    expect(page.locator("#game-level")).to_have_text("easy")
    tab.complaints.clear()  # the browser tells of the request that failed


def test_an_offensive_word_has_no_clue(tab, released):
    table = glosses.load(RELEASE)
    listed = [row["word"] for row in released if row["tier"] in words.LISTED]
    rude = {row["word"] for row in released if set(words.NOT_FOR_FAMILIES) & set(row["flags"].split())}
    offensive = next(word for word in listed if word in rude and words.pangram(word) and word in table)
    for word, expected in ((offensive, False), ("covenant", True)):
        page = tab.open("".join(dict.fromkeys(word)))
        (made,) = page.evaluate(
            "word => moreWords().then(() => factsOf([word])).then(({ facts }) => cluesOf([word], facts))", word
        )
        assert bool(made["clue"]) == expected, "none of an offensive word"
