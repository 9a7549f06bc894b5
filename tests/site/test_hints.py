"""Hints and answers of a puzzle on the page."""

from __future__ import annotations

import re

import pytest
from browsing import RELEASE, expect, module, record, shown_words, type_words
from test_game import LETTERS, add, named, played, show, type_word

import pipeline
from pipeline import solver, words
from pipeline.play import difficulty, glosses, hints
from pipeline.words import ranks, score


def start_over(page) -> None:
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#panel-answers [data-start-over]").click()


# ---------------------------------------------------------------- agreement with the package


def test_the_page_and_the_package_solve_the_sample_and_give_hints_alike(tab, sample_days):
    page = tab.open()
    for day in (sample_days[3], sample_days[9]):
        letters, expected = day.puzzle.letters, pipeline.solve(day.puzzle)
        page.evaluate("letters => { location.hash = `${letters}/hints/grid`; }", letters)
        page.get_by_role("heading", name=named(letters)).wait_for()
        tab.whole()
        expect(page.locator("#board .slot")).to_have_count(len(expected))
        cells = page.locator("#grid tr").all_inner_texts()
        assert " ".join(cells).upper().split() == hints.grid_text(hints.grid(expected)).split()
        lines = page.locator("#pairs li").all_inner_texts()
        assert "\n".join(line.strip() for line in lines) == hints.two_letters_text(hints.two_letters(expected))
        expect(page.locator("#ranks tr.here th")).to_have_text("Beginner, your rank")
        needed = page.locator("#ranks td").all_text_contents()
        assert list(map(int, needed)) == list(ranks(sum(map(score, expected))).values())
        page.evaluate("letters => { location.hash = `/solve/${letters}`; }", letters)
        expect(page.locator("#words li[data-word]")).to_have_count(len(expected))
        assert shown_words(page, "#words") == expected
        said = page.locator("#answers-said").inner_text()
        assert said.startswith(f"{len(expected)} words, {sum(map(score, expected))} points, ")
        assert ("Every letter starts" in said) == words.bingo(day.puzzle, expected)
        page.locator("#maybe").evaluate("part => { part.open = true; }")
        page.locator("#maybe .body > *").first.wait_for()
        assert shown_words(page, "#maybe") == [row["word"] for row in solver.load_doubtful_words(day.puzzle)]


# ---------------------------------------------------------------- hints


def test_nothing_is_told_before_it_is_asked_for(tab):
    page = tab.open(f"{LETTERS}/answers")
    answers = set(pipeline.solve(LETTERS))
    for name in ("answers", "hints", "ranks"):
        show(page, name)
        assert not set(re.findall("[a-z]+", page.locator("#game").inner_text().lower())) & answers, name
    assert record(page, "vacenot") == {}
    show(page, "answers")
    page.locator("#reveal").press("Enter")
    page.locator("#words li").first.wait_for()
    assert set(shown_words(page, "#words")) == answers
    assert page.evaluate("document.activeElement.id") == "sheet-title", "the focus is not lost"
    tab.open("cptamhu/answers")
    expect(page.locator("#guarded")).to_be_visible()


def test_the_field_for_words_of_another_game_is_opened_once_and_not_for_a_puzzle_of_the_day(tab):
    page = tab.open("daily/2026-11-22/hints")
    expect(page.locator("#several[open]")).to_have_count(0)
    tab.open(f"{LETTERS}/hints")
    expect(page.locator("#several[open]")).to_have_count(1)
    page.locator("#several summary").click()
    page.locator("[data-step=grid]").click()
    page.locator("#grid .cell").first.wait_for()
    expect(page.locator("#several[open]")).to_have_count(0)


def test_a_nudge_is_about_one_word_and_tells_a_clue_then_two_letters_then_all(tab):
    page = tab.open(LETTERS)
    answers = pipeline.solve(LETTERS)
    show(page, "hints")
    told = page.locator("#nudge p")
    more, other = page.locator("#nudge-more"), page.locator("#nudge-other")
    expect(other).to_be_disabled()
    for count, label in enumerate(("Clue", "Two letters", "All its letters"), 1):
        expect(more).to_have_text(label)
        more.dblclick() if count < 3 else more.press("Enter")  # each tells one step
        expect(told).to_have_count(count)
    expect(more).to_be_disabled()
    expect(other, "the focus is not lost").to_be_focused()
    clue, start, letters = told.all_inner_texts()
    word = record(page, "vacenot")["pinned"]
    assert word in answers
    assert re.match(r"\w+( \w+)*: ", clue)
    assert start == f"It starts with {word[:2].upper()} and has {len(word)} letters."
    assert letters.split(": ")[1].lower() == "".join(sorted(word))
    expect(page.locator("#pinned-clue"), "it stays above the letters").to_contain_text(clue)
    page.reload()
    expect(told).to_have_text([clue, start, letters], use_inner_text=True)
    other.click()
    expect(more).to_have_text("Two letters")
    another = record(page, "vacenot")["pinned"]
    assert another != word
    told.first.evaluate("line => { line.dataset.seen = 'yes'; }")
    type_word(page, next(word for word in answers if word != another))
    expect(page.locator("#nudge [data-seen]"), "it is not made, and read out, again").to_have_count(1)
    type_word(page, another)
    expect(told).to_have_count(0)
    expect(more).to_have_text("Clue")


def test_hints_end_with_the_last_word(tab):
    page = tab.open()
    *most, last = pipeline.solve(LETTERS)
    played(page, "vacenot", found=most)
    tab.open(f"{LETTERS}/hints/nudge")
    for count in (1, 2, 3):
        page.locator("#nudge-more").press("Enter")
        expect(page.locator("#nudge p")).to_have_count(count)
    expect(page.locator("#nudge p").nth(1)).to_contain_text(f"starts with {last[:2].upper()}")
    expect(page.locator("#nudge-other"), "there is no other word").to_be_disabled()
    expect(page.locator("#sheet-title")).to_be_focused()
    expect(page.locator("#pinned-clue")).to_contain_text("".join(sorted(last)).upper())
    expect(page.locator("#pinned-more")).to_be_hidden()
    type_word(page, last)
    expect(page.locator("#ending-facts")).to_have_text("Hints1 hint")
    show(page, "hints")
    expect(page.locator("#left-said")).to_have_text("No words remain.")


def test_hints_go_on_without_a_network_and_can_be_tried_again(tab):
    page = tab.open(LETTERS)
    tab.whole()
    page.route("**/words/*.json*", lambda route: route.abort())
    show(page, "hints")
    page.locator("#nudge-more").click()
    expect(page.locator("#nudge .wrong")).to_contain_text("Check the network connection")
    expect(page.locator("#pinned-clue"), "it has one").not_to_contain_text("no clue")
    page.locator("#nudge-more").click()
    expect(page.locator("#nudge p").last).to_contain_text("It starts with ")
    page.locator("[data-step=clues]").click()
    expect(page.locator("#step-clues li").filter(has_text="no clue")).to_have_count(0)
    expect(page.locator("#step-clues li b")).to_have_count(len(pipeline.solve(LETTERS)))
    page.unroute("**/words/*.json*")
    page.locator("#step-clues").get_by_role("button", name="Try again").click()
    expect(page.locator("#step-clues .wrong")).to_have_count(0)
    expect(page.locator("#step-clues li").filter(has_text=": ")).to_have_count(len(pipeline.solve(LETTERS)))
    page.locator("[data-step=nudge]").click()
    expect(page.locator("#pinned-clue")).to_contain_text(": ")
    tab.complaints.clear()  # the browser tells of the requests that failed


def test_a_nudge_that_comes_late_tells_nothing_about_another_puzzle(tab):
    page, held = tab.page, []
    page.route("**/words/*.json*", lambda route: held.append(route))
    tab.open(f"{LETTERS}/hints/nudge")
    with page.expect_request("**/words/*.json*"):
        page.locator("#nudge-more").click()
    page.evaluate("location.hash = 'cptamhu/hints/nudge'")
    page.get_by_role("heading", name=named("cptamhu")).wait_for()
    for route in held:
        route.continue_()
    page.unroute("**/words/*.json*")
    page.locator("#nudge-more").press("Enter")  # another click so soon would be a double click
    expect(page.locator("#nudge p")).to_contain_text(": ")
    assert record(page, "vacenot") == {}
    assert list(record(page, "cahmptu")["told"].values()) == [1]


def test_clues_of_the_number_that_was_opened_last_are_shown(tab):
    page, held = tab.open(f"{LETTERS}/hints/grid"), []
    page.route("**/words/ca*.json*", lambda route: held.append(route))
    page.locator(".cell[data-cell=ca]").click()
    page.locator(".cell[data-cell=av]").click()
    expect(page.locator("#cell-clues h3")).to_have_text("AV")
    expect(page.locator("#cell-clues li")).to_have_count(1)
    for route in held:
        route.continue_()
    late = [word for word in pipeline.solve(LETTERS) if word.startswith("ca")]
    page.evaluate(f"async (words) => {{ await ({module('list')}).factsOf(words); }}", late)
    expect(page.locator("#cell-clues h3")).to_have_text("AV")
    page.locator(".cell[data-cell=a6]").click()  # the same word, under another title
    expect(page.locator("#cell-clues h3")).to_have_text("A, 6 letters")
    expect(page.locator("#cell-clues li")).to_have_count(1)
    tab.open(f"cptamhu/hints/grid-{pipeline.solve('cptamhu')[0][:2]}")
    page.locator("#cell-clues li").first.wait_for()
    kept = record(page, "cahmptu")
    assert (kept["grid"], bool(kept["told"])) == (True, True), "it counts as hints also by its address"


def test_numbers_of_the_grid_and_the_pairs_open_clues_that_survive_a_reload(tab):
    page = tab.open(f"{LETTERS}/hints/grid")
    answers = pipeline.solve(LETTERS)
    total = page.locator("#grid tr").last.locator("th, td").last
    expect(total).to_have_text(f"{len(answers)}")
    type_word(page, "covenant")
    answers.remove("covenant")
    expect(page.locator("#left-said")).to_contain_text(f"Remaining: {len(answers)} words")
    expect(page.locator("#grid td.none", has_text="0").first).to_be_visible()
    page.locator("#left-only").uncheck()
    expect(total).to_have_text(f"{len(answers) + 1}")
    page.locator(".cell[data-cell=c8]").click()
    expect(page.locator("#cell-clues")).to_have_text("C, 8 letters: you found them all.")
    page.locator("#left-only").check()
    clues = page.locator("#cell-clues li")
    c7 = [word for word in answers if word[0] == "c" and len(word) == 7]
    co = [word for word in answers if word[:2] == "co"]
    for cell, counted in {"c7": c7, "co": co}.items():
        page.locator(f".cell[data-cell={cell}]").press("Enter")
        expect(clues).to_have_count(len(counted))
        expect(page.locator(f".cell[data-cell={cell}]")).to_be_focused()
    expect(page.locator("#cell-clues"), "it is scrolled into view").to_be_in_viewport()
    assert record(page, "vacenot")["told"] == dict.fromkeys({*c7, *co}, 1)
    before = clues.all_inner_texts()
    page.reload()
    expect(clues).to_have_text(before, use_inner_text=True)
    type_word(page, "cove")
    expect(clues).to_have_count(len(before) - 1)
    page.locator(".cell[data-cell=co]").click()
    expect(clues).to_have_count(0)


@pytest.mark.parametrize("step", ["grid", "clues"])
def test_a_step_counts_as_hints_and_only_the_grid_is_open_the_next_time(tab, step):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    show(page, "hints")
    page.locator(f"[data-step={step}]").click()
    rest = sorted({*pipeline.solve(LETTERS)} - {"octave"}, key=lambda word: (word[0], len(word)))
    if step == "clues":
        expect(page.locator("#step-clues li b")).to_have_text([f"{word[0].upper()} {len(word)}" for word in rest])
        type_word(page, "cove")
        expect(page.locator("#step-clues li")).to_have_count(len(rest) - 1)
    tab.open("cptamhu")
    show(page, "hints")
    expect(page.locator(f"#step-{'grid' if step == 'grid' else 'nudge'}")).to_be_visible()
    assert record(page, "cahmptu").get("grid", False) == (step == "grid"), "what is shown counts"
    tab.open(f"cptamhu/hints/{step}")
    expect(page.locator(f"#step-{step}")).to_be_visible()
    kept = record(page, "cahmptu")
    assert kept["grid"] if step == "grid" else set(kept["told"]) == set(pipeline.solve("cptamhu"))


def test_the_grid_stays_where_it_was_scrolled_to(phone):
    page = phone.page
    page.set_viewport_size({"width": 240, "height": 640})
    phone.open("ehinopr/hints/grid")
    phone.whole()
    place = page.locator("#grid .scroll").evaluate("grid => { grid.scrollLeft = 60; return grid.scrollLeft; }")
    assert place > 0
    page.locator("#grid .cell").last.tap()
    page.locator("#cell-clues li").first.wait_for()
    assert page.locator("#grid .scroll").evaluate("grid => grid.scrollLeft") == place


# ---------------------------------------------------------------- answers


def test_a_solver_gets_the_answers_at_once_in_every_order(open_tab, home):
    tab = open_tab(home, permissions=["clipboard-read", "clipboard-write"])
    page = tab.open(LETTERS)  # to look at a puzzle is not to play it
    page.get_by_role("link", name="Bee Words").click()
    page.locator("#letters").fill(LETTERS)
    page.locator("#letters-form [value=all]").click()
    expected = pipeline.solve(LETTERS)
    page.locator("#words li").first.wait_for()
    assert shown_words(page, "#words") == expected
    assert page.evaluate("location.hash") == f"#{LETTERS}/answers"
    expect(page.locator("#ending")).to_be_hidden()
    expect(page.locator("#board")).to_be_hidden()
    page.locator("[data-order=alpha]").click()
    page.locator("#copy").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").split("\n") == sorted(expected)
    page.locator("#define").check()
    said = page.locator("#words li[data-word=covenant] .glosses")
    expect(said).to_have_text(glosses.line(glosses.load(RELEASE, {"covenant"})["covenant"]))
    start_over(page)
    expect(page.locator("#revealed")).to_be_hidden()
    type_word(page, "cove")
    show(page, "hints")
    page.reload()
    tab.ready()
    expect(page.locator("#panel-hints"), "what was open stays open").to_be_visible()
    type_word(page, "octave")
    assert record(page, "vacenot")["found"] == ["cove", "octave"], "starting over lasts"


def test_after_a_game_missed_and_found_words_are_shown_with_definitions(tab):
    page = tab.open()
    answers = pipeline.solve(LETTERS)
    found = answers[::2]
    played(page, "vacenot", found=found)
    tab.open(f"{LETTERS}/answers")
    page.locator("#reveal").click()
    expect(page.locator("#words h3")).to_have_text(
        [f"You missed {len(answers) - len(found)}", f"You found {len(found)}"]
    )
    hard = difficulty.load_hardness(answers, difficulty.load_accepted_counts(RELEASE, set(answers)))
    for place, some in enumerate((set(answers) - set(found), set(found)), 1):
        shown = shown_words(page, f"#words h3:nth-of-type({place}) + ul")
        assert set(shown) == some
        assert [hard[word] for word in shown] == sorted(hard[word] for word in some)
    expect(page.locator("#answers-choices")).to_be_hidden()
    expect(page.locator("#board .missed")).to_have_count(len(answers) - len(found))
    expect(page.locator("#board .slot")).to_have_count(0)


def test_words_no_longer_count_after_the_answers_were_shown(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    show(page, "answers")
    page.locator("#reveal").click()
    for _ in range(2):
        type_word(page, "cove")
        expect(page.locator("#said")).to_contain_text("cove: right, but words no longer count")
        assert record(page, "vacenot")["found"] == ["octave"]
        page.reload()
        tab.ready()
        expect(page.locator("#words")).to_be_visible()
    show(page, "hints")
    expect(page.locator("#left-said")).to_have_text("You have seen the answers.")
    expect(page.locator("#hinting")).to_be_hidden()
    expect(page.locator("#several-form")).to_be_hidden()
    show(page, "answers")
    start_over(page)
    expect(page.locator("#panel-answers")).to_be_hidden()
    show(page, "answers")
    expect(page.locator("#guarded")).to_be_visible()


def test_answers_are_shown_without_a_network_and_definitions_can_be_tried_again(tab):
    page = tab.open(LETTERS)
    page.route("**/words/*.json*", lambda route: route.abort())
    type_word(page, "octave")
    show(page, "answers")
    page.locator("#reveal").click()
    expect(page.locator("#words .wrong")).to_contain_text("Check the network connection")
    assert set(shown_words(page, "#words h3:nth-of-type(1) + ul")) == set(pipeline.solve(LETTERS)) - {"octave"}
    expect(page.locator("#words")).not_to_contain_text("no definition")
    page.unroute("**/words/*.json*")
    page.locator("#words").get_by_role("button", name="Try again").click()
    expect(page.locator("#words li[data-word=covenant] .glosses")).not_to_be_empty()
    tab.complaints.clear()  # the browser tells of the requests that failed


def test_no_address_ends_a_game(tab):
    tab.page.clock.set_fixed_time("2026-11-25T12:00:00Z")
    page = tab.open(LETTERS)
    type_word(page, "octave")
    for address in (f"/solve/{LETTERS}", "daily/answers", "/solve/daily/2026-11-24"):
        tab.open(address)
        expect(page.locator("#reveal"), address).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('bee:game:'))") == ["bee:game:vacenot"]
    type_words(page, pipeline.solve("".join(page.locator(".node").all_text_contents())))
    tab.open("daily/2026-11-24/answers")
    expect(page.locator("#words h3")).to_have_text(re.compile("^You found"))


def test_an_ending_goes_away_when_another_tab_starts_over(tab):
    page = tab.open(LETTERS)
    assert add(page, " ".join(pipeline.solve(LETTERS))).endswith("Queen Bee!")
    other = page.context.new_page()
    other.goto(f"{tab.home}#{LETTERS}/answers")
    start_over(other)
    expect(page.locator("#rank")).to_have_text("Beginner")
    expect(page.locator("#ending")).to_be_hidden()
    expect(page.locator("#words")).to_be_hidden()


# ---------------------------------------------------------------- what is added to the answers, or left out


def test_a_puzzle_without_a_listed_pangram_gets_a_guess_that_is_marked(tab, released):
    every = [row["word"] for row in released if row["tier"] in words.LISTED]
    listed = {frozenset(word) for word in every if words.pangram(word)}
    doubtful = {row["word"]: float(row["p"]) for row in released if row["tier"] == "review" and row["p"]}
    guessed = (word for word in doubtful if words.pangram(word) and frozenset(word) not in listed)
    letters = next(made for word in guessed if pipeline.solve(made := "".join(dict.fromkeys(word)), every))
    best = min((word for word in doubtful if set(word) == set(letters)), key=lambda word: (-doubtful[word], word))
    page = tab.open(f"/solve/{letters}")
    tab.whole()
    expect(page.locator("#words li").first).to_have_text(re.compile(rf"^{best} \*.* \? a guess$"))
    assert shown_words(page, "#words") == [best, *pipeline.solve(letters, every)]
    expect(page.locator("#pangramless")).to_contain_text("marked with ?")
    page.locator("#words a").first.click()
    expect(page.locator("#card-said")).to_contain_text("a guess: the most likely pangram")
    expect(tab.open(LETTERS).locator("#pangramless")).to_be_hidden()


def test_a_filter_leaves_words_out_and_says_so(tab, released):
    listed = [row for row in released if row["tier"] in words.LISTED]
    rude, mild = (
        {row["word"] for row in listed if set(words.FILTERS[name]) & set(row["flags"].split())}
        for name in ("family", "safe")
    )
    letters = next("".join(dict.fromkeys(word)) for word in sorted(rude - mild) if words.pangram(word))
    expected = pipeline.solve(letters, [row["word"] for row in listed])
    page = tab.page
    for chosen, hidden in (("", set()), ("family", rude), ("safe", mild)):
        tab.open("/settings")
        page.locator("#filter").select_option(chosen)
        tab.open(f"/solve/{letters}")
        tab.whole()
        shown = [word for word in expected if word not in hidden]
        expect(page.locator("#words li[data-word]")).to_have_count(len(shown))
        assert shown_words(page, "#words") == shown
        left_out = f"hides {len(rude & set(expected))} word" if chosen == "family" else ""
        expect(page.locator("#panel-answers .filter-said")).to_contain_text(left_out)


def test_definitions_that_come_late_never_stand_under_another_puzzle(tab):
    page, held = tab.page, []
    played(tab.open(), "vacenot", seen="shown")
    page.route("**/words/*.json*", lambda route: held.append(route))
    with page.expect_request("**/words/*.json*"):
        tab.open(f"{LETTERS}/answers")
    page.evaluate("location.hash = 'cptamhu'")
    page.get_by_role("heading", name=named("cptamhu")).wait_for()
    for route in held:
        route.continue_()
    page.unroute("**/words/*.json*")
    page.evaluate(f"async (words) => {{ await ({module('list')}).factsOf(words); }}", pipeline.solve(LETTERS))
    page.go_back()
    page.get_by_role("heading", name=named(LETTERS)).wait_for()
    expect(page.locator("#words li[data-word=covenant]")).to_be_visible()
    assert set(shown_words(page, "#words")) == set(pipeline.solve(LETTERS))


def test_words_that_are_not_loaded_yet_stay_where_they_were_typed(tab):
    page, held = tab.page, []
    page.route("**/more.json*", lambda route: held.append(route))
    with page.expect_request("**/more.json*"):
        tab.open("ehinopr/hints")
    word = pipeline.solve("ehinopr")[0]
    type_word(page, word)
    expect(page.locator("#said")).to_contain_text("the rest of the list is not loaded yet")
    expect(page.locator("#typed")).to_have_text(word, ignore_case=True)
    page.locator("#several-words").fill(word)  # which is open for letters of another game
    page.get_by_role("button", name="Add them").click()
    expect(page.locator("#several-words")).to_have_value(word)
    held[0].continue_()
    tab.whole()
    page.get_by_role("button", name="Add them").click()
    expect(page.locator("#several-words")).to_have_value("")
    assert record(page, "ehinopr")["found"] == [word]
