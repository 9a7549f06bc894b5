"""Hints and answers of a puzzle on the page."""

from __future__ import annotations

import re

from browsing import RELEASE, expect, shown_words
from test_game import LETTERS, named, show, type_word

import pipeline
from pipeline import solver, words
from pipeline.play import difficulty, glosses, hints
from pipeline.words import ranks, score


def show_step(page, step: str) -> None:
    """Open a step of the hints."""
    show(page, "hints")
    page.locator(f"[data-step={step}]").click()


def unfold(page, part: str) -> None:
    page.locator(f"#{part}").evaluate("part => { part.open = true; }")
    page.locator(f"#{part} .body > *").first.wait_for()


# ---------------------------------------------------------------- agreement with the package


def summary(expected: list[str], puzzle: words.Puzzle) -> str:
    """What the page says of all words of a puzzle."""
    pangrams, perfect = (sum(map(kind, expected)) for kind in (words.pangram, words.perfect_pangram))
    flawless = f" ({perfect} perfect)" if perfect else ""
    every = " Every letter starts an answer." if words.bingo(puzzle, expected) else ""
    numbers = [words.count(len(expected), "word"), words.count(sum(map(score, expected)), "point")]
    return f"{', '.join([*numbers, words.count(pangrams, 'pangram')])}{flawless}.{every}"


def same_hints(page, expected: list[str]) -> None:
    """Check everything that is counted of a puzzle's words against the package."""
    cells = page.locator("#grid tr").all_inner_texts()
    assert " ".join(cells).upper().split() == hints.grid_text(hints.grid(expected)).split()
    lines = page.locator("#pairs li").all_inner_texts()
    assert "\n".join(line.strip() for line in lines) == hints.two_letters_text(hints.two_letters(expected))
    needed = page.locator("#ranks td").all_text_contents()
    assert list(map(int, needed)) == list(ranks(sum(map(score, expected))).values())


def test_the_page_and_the_package_solve_the_sample_and_give_hints_alike(tab, sample_days):
    tab.open()
    for day in sample_days[::5]:
        page = tab.page
        page.evaluate("letters => { location.hash = letters; }", day.puzzle.letters)
        page.get_by_role("heading", name=named(day.puzzle.letters)).wait_for()
        expected = pipeline.solve(day.puzzle.letters)
        assert len(expected) > 15
        page.wait_for_function("() => release.more")
        show_step(page, "grid")
        same_hints(page, expected)
        page.evaluate("letters => { location.hash = '/solve/' + letters; }", day.puzzle.letters)
        page.locator("#words li").first.wait_for()
        assert shown_words(page, "#words") == expected
        expect(page.locator("#answers-said")).to_have_text(summary(expected, day.puzzle))
        unfold(page, "maybe")
        assert shown_words(page, "#maybe") == [row["word"] for row in solver.load_doubtful_words(day.puzzle)]


# ---------------------------------------------------------------- hints and answers


def test_nothing_is_told_before_it_is_asked_for(tab):
    page = tab.open(LETTERS)
    answers = set(pipeline.solve(LETTERS))
    for name in ("hints", "answers"):
        show(page, name)
        told = set(re.findall("[a-z]+", page.locator("#game").inner_text().lower()))
        assert not told & answers, name
    page.locator("#reveal").click()
    page.locator("#words li").first.wait_for()
    assert set(shown_words(page, "#words")) == answers
    tab.open("cptamhu")
    show(page, "answers")
    expect(page.locator("#guarded")).to_be_visible()
    expect(page.locator("#words")).to_be_hidden()


def test_solving_shows_the_answers_at_once_in_every_order(tab):
    page = tab.open()
    page.locator("#letters").fill(LETTERS)
    page.locator("#solve-now").click()
    page.locator("#words li").first.wait_for()
    expected = pipeline.solve(LETTERS)
    assert shown_words(page, "#words") == expected
    page.locator("#order").select_option("alpha")
    assert shown_words(page, "#words") == sorted(expected)
    page.locator("#define").check()
    page.locator("#words .glosses").first.wait_for()
    said = page.locator("#words li[data-word=covenant] .glosses").inner_text()
    assert said == glosses.line(glosses.load(RELEASE)["covenant"])


def test_answers_can_be_copied(open_tab, home):
    tab = open_tab(home, permissions=["clipboard-read", "clipboard-write"])
    page = tab.open(f"/solve/{LETTERS}")
    page.locator("#copy").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").split("\n") == pipeline.solve(LETTERS)


def test_hints_count_what_remains(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    type_word(page, "covenant")
    show_step(page, "grid")
    total = len(pipeline.solve(LETTERS))
    expect(page.locator("#grid tr").last.locator("th, td").last).to_have_text(str(total - 2))
    expect(page.locator("#left-said")).to_have_text(
        re.compile("^" + re.escape(f"Remaining: {total - 2} words")), use_inner_text=True
    )
    page.locator("#left-only").uncheck()
    expect(page.locator("#grid tr").last.locator("th, td").last).to_have_text(str(total))


def test_a_nudge_is_about_one_word_and_tells_a_clue_then_two_letters_then_all(tab):
    page = tab.open(LETTERS)
    answers = pipeline.solve(LETTERS)
    show_step(page, "nudge")
    told = page.locator("#nudge p:not(.soft)")
    more, other = page.locator("#nudge-more"), page.locator("#nudge-other")
    expect(other).to_be_disabled()
    for count, label in enumerate(("Clue", "Two letters", "All its letters"), 1):
        expect(more).to_have_text(label)
        more.click()
        expect(told).to_have_count(count)
    expect(more).to_be_disabled()
    assert page.evaluate("document.activeElement.id") == "nudge-other", "the focus is not lost"
    clue, start, letters = told.all_inner_texts()
    word = page.evaluate("game.hints.word")
    assert word in answers
    assert re.match(r"\w+( \w+)*: ", clue)
    assert start == f"It starts with {word[:2].upper()} and has {len(word)} letters."
    assert letters.split(": ")[1].lower() == "".join(sorted(word))
    page.reload()
    tab.ready()
    expect(told).to_have_text([clue, start, letters], use_inner_text=True)
    other.click()
    expect(more).to_have_text("Two letters")
    another = page.evaluate("game.hints.word")
    assert another != word
    page.evaluate("globalThis.shown_first = document.querySelector('#nudge p')")
    type_word(page, next(word for word in answers if word != another))
    assert page.evaluate("document.contains(shown_first)"), "it is not made, and read out, again"
    type_word(page, another)
    expect(told).to_have_count(0)
    expect(more).to_have_text("Clue")
    *others, last = (answer for answer in answers if answer != another)
    page.evaluate("words => addSeveral(words.join(' '))", others)
    show_step(page, "nudge")
    for count in (1, 2, 3):
        more.click()
        expect(told).to_have_count(count)
    expect(told.nth(1)).to_contain_text(f"starts with {last[:2].upper()}")
    expect(other, "there is no other word").to_be_disabled()
    assert page.evaluate("document.activeElement.id") == "sheet-title"
    page.evaluate("word => addSeveral(word)", last)
    show(page, "hints")
    expect(page.locator("#left-said")).to_have_text("No words remain.", use_inner_text=True)
    expect(page.locator("#hinting")).to_be_hidden()


def test_a_double_click_tells_one_step(tab):
    page = tab.open(LETTERS)
    show_step(page, "nudge")
    for next_one in ("Two letters", "All its letters"):
        page.locator("#nudge-more").dblclick()
        expect(page.locator("#nudge-more")).to_have_text(next_one)
        expect(page.locator("#nudge-more")).to_be_enabled()


def test_a_nudge_goes_on_without_a_network(tab):
    page = tab.open(LETTERS)
    page.wait_for_function("() => release.more")
    page.route("**/words/*.json*", lambda route: route.abort())
    show_step(page, "nudge")
    page.locator("#nudge-more").click()
    expect(page.locator("#nudge p:not(.soft)")).to_contain_text("Check the network connection")
    page.locator("#nudge-more").click()
    expect(page.locator("#nudge p:not(.soft)").last).to_contain_text("It starts with ")
    page.unroute("**/words/*.json*")
    show_step(page, "nudge")
    expect(page.locator("#nudge p:not(.soft)").first).to_contain_text(": ")
    page.evaluate("loaded.clear()")
    page.route("**/words/c*.json*", lambda route: route.abort())
    show_step(page, "clues")
    expect(page.locator("#step-clues .wrong")).to_contain_text("did not load")
    page.locator("#step-clues li b", has_text="C ").first.wait_for()
    page.route("**/words/*.json*", lambda route: route.abort())
    page.evaluate("loaded.clear()")
    show_step(page, "nudge")
    show_step(page, "clues")
    expect(page.locator("#step-clues .wrong")).to_contain_text("Check the network connection")
    page.unroute("**/words/*.json*")
    page.unroute("**/words/c*.json*")
    show_step(page, "clues")
    expect(page.locator("#step-clues li").filter(has_text="no clue")).to_have_count(0)
    expect(page.locator("#step-clues .wrong")).to_have_count(0)
    tab.complaints.clear()  # the browser tells of the requests that failed


def test_a_nudge_is_about_a_word_that_has_a_clue_and_belongs_to_its_puzzle(tab):
    page = tab.open(LETTERS)
    facts = page.evaluate(
        "words => factsOf(words).then(({ facts }) => Object.fromEntries(facts))", pipeline.solve(LETTERS)
    )
    clued = "cove"
    for word, known in facts.items():
        if word != clued:
            known.pop("senses", None)
    told = page.evaluate(
        """facts => {
            globalThis.knownOf = async (word) => facts[word];
            const words = Object.keys(facts);
            return Promise.all(words.map(() => wordToNudge(words)));
        }""",
        facts,
    )
    assert set(told) == {clued}
    page.evaluate("globalThis.knownOf = () => new Promise(done => setTimeout(() => done(null), 50))")
    page.evaluate("globalThis.nudged = nudge(); null")
    page.evaluate("location.hash = 'cptamhu'")
    page.get_by_role("heading", name=named("cptamhu")).wait_for()
    page.evaluate("nudged")
    assert page.evaluate("game.hints.word") == ""
    assert page.evaluate("shelf.get('hints:cahmptu')") is None


def test_clues_of_the_number_that_was_opened_last_are_shown(tab):
    page = tab.open(LETTERS)
    show_step(page, "grid")
    held = []
    page.route("**/words/ca*.json*", lambda route: held.append(route))
    page.locator("[data-cell=ca]").click()
    page.locator("[data-cell=av]").click()
    expect(page.locator("#cell-clues h3")).to_have_text("AV")
    page.locator("#cell-clues li").first.wait_for()
    assert held
    for route in held:
        route.abort()
    page.unroute("**/words/ca*.json*")
    page.evaluate("Promise.allSettled([...loaded.values()])")
    expect(page.locator("#cell-clues h3")).to_have_text("AV")
    page.locator("[data-cell=a6]").click()  # the same word, under another title
    expect(page.locator("#cell-clues h3")).to_have_text("A, 6 letters")
    tab.complaints.clear()  # the browser tells of the requests that failed


def test_numbers_of_the_grid_and_the_pairs_open_clues_that_survive_a_reload(tab):
    page = tab.open(LETTERS)
    show_step(page, "grid")
    expect(page.locator("#step-grid")).to_contain_text("“0” means you found them all", use_inner_text=True)
    answers = pipeline.solve(LETTERS)
    inner = page.locator("#grid tbody tr:not(:last-child) td:not(:last-child)").all_inner_texts()
    assert page.locator("#grid .cell").all_inner_texts() == [cell for cell in inner if cell != "-"], "not the sums"
    type_word(page, "covenant")
    expect(page.locator("#grid td.none", has_text="0").first).to_be_visible()
    page.locator("#left-only").uncheck()
    page.locator("[data-cell=c8]").click()
    expect(page.locator("#cell-clues")).to_have_text("C, 8 letters: you found them all.")
    page.locator("#left-only").check()
    answers.remove("covenant")
    clues = page.locator("#cell-clues li")
    for cell, fits in (
        ("c7", lambda word: word[0] == "c" and len(word) == 7),
        ("co", lambda word: word[:2] == "co"),
    ):
        page.locator(f"[data-cell={cell}]").click()
        expect(clues).to_have_count(len(list(filter(fits, answers))))
        assert page.evaluate("document.activeElement.dataset.cell") == cell
        page.wait_for_function("() => !cellAsked")
        below = "$('cell-clues').getBoundingClientRect().bottom - innerHeight"
        assert page.evaluate(below) < 1, "the clues are scrolled into view"
    before = clues.all_inner_texts()
    assert all(clue.startswith("C ") for clue in before)
    page.reload()
    tab.ready()
    expect(clues).to_have_text(before, use_inner_text=True)
    type_word(page, "cove")
    expect(clues).to_have_count(len(before) - 1)
    page.locator("[data-cell=co]").click()
    expect(clues).to_have_count(0)
    tab.open("cptamhu")
    show(page, "hints")
    expect(page.locator("#step-grid"), "the step is remembered").to_be_visible()


def test_every_remaining_word_has_a_clue_in_the_last_step(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    show_step(page, "clues")
    words = [word for word in pipeline.solve(LETTERS) if word != "octave"]
    expect(page.locator("#step-clues li")).to_have_count(len(words))
    heads = page.locator("#step-clues li b").all_inner_texts()
    assert heads == [f"{word[0].upper()} {len(word)}" for word in sorted(words, key=lambda word: (word[0], len(word)))]
    type_word(page, "cove")
    expect(page.locator("#step-clues li")).to_have_count(len(words) - 1)


# ---------------------------------------------------------------- after a game


def test_after_a_game_missed_and_found_words_are_shown_with_definitions(tab):
    page = tab.open(LETTERS)
    answers = pipeline.solve(LETTERS)
    found = answers[::2]
    page.evaluate("words => addSeveral(words.join(' '))", found)
    show(page, "answers")
    page.locator("#reveal").click()
    heads = page.locator("#words h3")
    expect(heads).to_have_text([f"You missed {len(answers) - len(found)}", f"You found {len(found)}"])
    hard = difficulty.load_hardness(answers, difficulty.load_accepted(RELEASE))
    for place, some in enumerate((set(answers) - set(found), set(found)), 1):
        shown = shown_words(page, f"#words h3:nth-of-type({place}) + ul")
        assert set(shown) == some
        assert [hard[word] for word in shown] == sorted(hard[word] for word in some)
    said = page.locator("#words li[data-word=covenant] .glosses").inner_text()
    assert said == glosses.line(glosses.load(RELEASE)["covenant"])
    expect(page.locator("#answers-choices")).to_be_hidden()


def test_a_reload_finds_the_place_among_definitions_again(tab):
    page = tab.open(f"{LETTERS}/answers")
    page.locator("#define").check()
    page.locator("#words .glosses").first.wait_for()
    page.evaluate("scrollTo(0, 500)")
    page.wait_for_function("() => history.state?.y === 500")
    page.reload()
    page.wait_for_function("() => scrollY === 500")


def test_words_no_longer_count_after_the_answers_were_shown(tab):
    page = tab.open(LETTERS)
    type_word(page, "octave")
    show(page, "answers")
    page.locator("#reveal").click()
    for _ in range(2):
        type_word(page, "cove")
        expect(page.locator("#said")).to_contain_text("cove: right, but words no longer count")
        assert page.evaluate("addSeveral('vane')") == "0 new words of 1. Not added: vane."
        assert shown_words(page, "#found") == ["octave"]
        expect(page.locator("#several")).to_be_hidden()
        page.reload()
        tab.ready()
        expect(page.locator("#words")).to_be_visible()
    show(page, "hints")
    expect(page.locator("#left-said")).to_have_text("You have seen the answers.")
    expect(page.locator("#hinting")).to_be_hidden()
    show(page, "answers")
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#over [data-start-over]").click()
    expect(page.locator("#sheet")).to_be_hidden()
    type_word(page, "cove")
    assert shown_words(page, "#found") == ["cove"]
    show(page, "answers")
    expect(page.locator("#guarded")).to_be_visible()


def test_what_does_not_load_leaves_the_words(tab):
    page = tab.open(LETTERS)
    page.wait_for_function("() => release.more")
    page.route("**/words/*.json*", lambda route: route.abort())
    type_word(page, "octave")
    page.evaluate("reveal('shown')")
    expect(page.locator("#words .wrong")).to_contain_text("Check the network connection")
    assert shown_words(page, "#words h3:nth-of-type(1) + ul") == sorted(set(pipeline.solve(LETTERS)) - {"octave"})
    expect(page.locator("#words")).not_to_contain_text("most common")
    expect(page.locator("#words")).not_to_contain_text("no definition")
    tab.complaints.clear()  # the browser tells of the requests that failed


def test_starting_over_lasts_and_an_address_shows_answers_only_once(tab):
    page = tab.open(f"{LETTERS}/answers")
    page.locator("#words li").first.wait_for()
    assert page.evaluate("location.hash") == f"#{LETTERS}"
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#answers-choices [data-start-over]").click()
    type_word(page, "cove")
    show(page, "hints")
    page.reload()
    tab.ready()
    assert shown_words(page, "#found") == ["cove"]
    expect(page.locator("#panel-hints"), "what was open stays open").to_be_visible()
    page.go_back()
    page.go_forward()
    tab.ready()
    type_word(page, "octave")
    assert shown_words(page, "#found") == ["cove", "octave"]


def test_who_gives_up_without_a_word_sees_what_was_missed_and_a_solver_a_list(tab):
    page = tab.open(LETTERS)
    show(page, "answers")
    page.locator("#reveal").click()
    expect(page.locator("#words h3")).to_have_text(f"You missed {len(pipeline.solve(LETTERS))}")
    tab.open("/solve/cptamhu")
    page.locator("#words li").first.wait_for()
    expect(page.locator("#words h3")).to_have_count(0)
    tab.open("cptamhu")
    show(page, "answers")
    expect(page.locator("#words h3")).to_have_count(0)


def test_no_address_ends_a_game(tab):
    tab.page.clock.set_fixed_time("2026-11-25T12:00:00Z")
    page = tab.open(LETTERS)
    type_word(page, "octave")
    for address in (f"/solve/{LETTERS}", "daily/answers"):
        tab.open(address)
        expect(page.locator("#reveal")).to_be_visible()
        page.evaluate("addSeveral(textOf(current().answers).slice(0, 3).join(' '))")
        page.reload()
        tab.ready()
        expect(page.locator("#reveal")).to_be_visible()
    tab.open("daily/2026-11-24")
    page.evaluate("addSeveral(textOf(current().answers).join(' '))")
    tab.open("daily/2026-11-24/answers")
    expect(page.locator("#words h3")).to_have_text(re.compile("^You found"))
    show(page, "hints")
    expect(page.locator("#left-said")).to_have_text("No words remain.")


def test_the_first_screen_knows_which_games_are_over(tab):
    tab.page.clock.set_fixed_time("2026-11-25T12:00:00Z")
    page = tab.open("daily")
    page.evaluate("addSeveral(textOf(current().answers)[0])")
    page.evaluate("reveal('shown')")
    tab.open("daily/2026-11-24")
    page.evaluate("localStorage['bee:on:2026-11-24'] = '2026-11-24'")
    page.evaluate("addSeveral(textOf(current().answers).join(' '))")
    expect(page.locator("#sheet-title")).to_have_text("Queen Bee!")
    expect(page.locator("#done-said"), "the streak is told on the day itself").not_to_contain_text("in a row")
    expect(page.locator("[data-next]").first).to_have_text("Next puzzle: Nov 23")
    tab.open()
    expect(page.locator("#today-go")).to_have_text("See the words")
    expect(page.locator("#yesterday a").last).to_have_text("Answers")


def test_a_celebration_ends_when_another_tab_starts_over(tab):
    page = tab.open(LETTERS)
    page.evaluate("words => addSeveral(words.join(' '))", pipeline.solve(LETTERS))
    other = page.context.new_page()
    other.goto(tab.home + f"#{LETTERS}/answers")
    other.locator("body[data-ready]").wait_for()
    other.once("dialog", lambda dialog: dialog.accept())
    other.locator("#over [data-start-over]").click()
    expect(page.locator("#rank")).to_have_text("Beginner")
    expect(page.locator("#sheet")).to_be_hidden()


def test_hints_of_two_tabs_add_up(tab):
    page = tab.open(LETTERS)
    other = page.context.new_page()
    other.goto(tab.home + f"#{LETTERS}")
    other.locator("body[data-ready]").wait_for()
    page.evaluate("keepHints({ word: 'octave', told: 2 })")
    other.wait_for_function("() => game.hints.word === 'octave'")
    other.evaluate("keepHints({ cell: 'co' })")
    page.wait_for_function("() => game.hints.cell === 'co'")
    assert page.evaluate("localStorage['bee:hints:vacenot']") == "octave 2 co"


def test_the_grid_stays_where_it_was_scrolled_to(phone):
    page = phone.open("ehinopr")
    page.set_viewport_size({"width": 240, "height": 640})
    page.wait_for_function("() => release.more && game.puzzle.level === ''")
    show_step(page, "grid")
    place = page.locator("#grid .scroll").evaluate("grid => { grid.scrollLeft = 60; return grid.scrollLeft; }")
    assert place > 0
    page.locator("#grid .cell").last.tap()
    page.locator("#cell-clues li").first.wait_for()
    assert page.locator("#grid .scroll").evaluate("grid => grid.scrollLeft") == place


def test_a_doubtful_word_is_late_as_well(tab, released):
    every = [row["word"] for row in released if row["tier"] == "review" and row["p"]]
    word = next(word for word in every if set(word) <= set("ehinopr") and "e" in word)
    page = tab.open("ehinopr/answers")
    page.wait_for_function("() => release.more")
    type_word(page, word)
    expect(page.locator("#said")).to_contain_text("words no longer count")
    assert page.evaluate("game.found.size") == 0


# ---------------------------------------------------------------- what is added to the answers, or left out


def test_a_puzzle_without_a_listed_pangram_gets_a_guess_that_is_marked(tab, released):
    every = [row["word"] for row in released if row["tier"] in words.LISTED]
    listed = {"".join(sorted(set(word))) for word in every if words.pangram(word)}
    doubtful = {row["word"]: float(row["p"]) for row in released if row["tier"] == "review" and row["p"]}
    word = next(
        word
        for word in doubtful
        if words.pangram(word) and "".join(sorted(set(word))) not in listed
        if pipeline.solve("".join(dict.fromkeys(word)), every)
    )
    letters = "".join(dict.fromkeys(word))
    same = [other for other in doubtful if set(other) == set(word)]
    best = min(same, key=lambda other: (-doubtful[other], other))
    page = tab.open(f"/solve/{letters}")
    page.wait_for_function("() => release.more")
    assert shown_words(page, "#words")[0] == best
    assert "?" in page.locator("#words li").first.inner_text()
    expect(page.locator("#pangramless")).to_contain_text("marked with ?", use_inner_text=True)
    page.evaluate("word => openCard(word)", best)
    expect(page.locator("#card-said")).to_contain_text("a guess: the most likely pangram")
    page.keyboard.press("Escape")
    assert shown_words(page, "#words")[1:] == pipeline.solve(letters, every)
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
        page.wait_for_function("() => release.more")
        assert shown_words(page, "#words") == [word for word in expected if word not in hidden]
        if chosen == "family":
            leaves = f"hides {len(rude & set(expected))} word"
            expect(page.locator("#filter-said")).to_contain_text(leaves, use_inner_text=True)
