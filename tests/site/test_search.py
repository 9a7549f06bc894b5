"""Looking words up in a browser: suggestions, patterns, pangrams, and words that resemble an unknown one."""

from __future__ import annotations

import re

import pytest
from browsing import expect, shown_words

from pipeline.words import LISTED, pangram


@pytest.fixture
def known(released) -> list[str]:
    """The words that are on the list or doubtful, A to Z."""
    return sorted(row["word"] for row in released if row["tier"] != "refused")


def typed(page, text: str) -> list[str]:
    """Type a text where words are looked up, and return the words that are suggested."""
    page.locator("#word").fill(text)
    page.wait_for_function("text => $('matches').dataset.asked === `${text} `", arg=text)
    page.locator("#matches").get_by_text("Loading").wait_for(state="detached")
    return shown_words(page, "#matches")


def test_words_are_suggested_while_one_is_typed(tab, known):
    page = tab.open("/why")
    expect(page.locator("#word")).to_be_focused()
    begun = [word for word in known if word.startswith("cov")]
    assert typed(page, "Cov") == begun
    expect(page.locator("#matches p").first).to_have_text(f"Words that begin with cov: {len(begun)}")
    covenant = page.locator("#matches li", has_text=re.compile("^covenant")).locator("a")
    with page.context.expect_page() as opened:
        covenant.click(modifiers=["Control"])
    opened.value.close()
    assert page.evaluate("location.hash") == "#/why", "only the new tab has another address"
    covenant.click()
    page.locator(".verdict").wait_for()
    expect(page.locator("#word")).to_have_value("covenant")
    expect(page.locator("#matches li")).to_have_count(0)
    page.go_back()
    expect(page.locator("#word")).to_have_value("cov*")
    page.locator("#matches li").first.wait_for()
    assert shown_words(page, "#matches") == begun
    assert typed(page, "") == []
    expect(page.locator("#matches .chips")).to_contain_text("co??nant")


PATTERNS = {
    "co??nant": r"co[a-z]{2}nant",
    "*nt": r"[a-z]*nt",
    "?ov*": r"[a-z]ov[a-z]*",
    "CO*ant": r"co[a-z]*ant",
}


def test_a_pattern_finds_whole_words(tab, known):
    page = tab.open("/why")
    for pattern, expression in PATTERNS.items():
        expected = [word for word in known if re.fullmatch(expression, word)]
        assert expected
        assert typed(page, pattern) == expected[:200]
    page.locator("#word").press("Enter")
    page.wait_for_function("() => location.hash.length > 6")
    assert shown_words(page, "#matches") == expected[:200]
    page.reload()
    tab.ready()
    page.locator("#matches li").first.wait_for()
    assert shown_words(page, "#matches") == expected[:200]


def test_pangrams_are_all_shown_and_can_have_a_pattern(tab, known):
    page = tab.open("/why/pangrams")
    expected = [word for word in known if pangram(word)]
    page.locator("#matches", has_text=f"Pangrams: {len(expected):,}").wait_for()
    page.locator("#why-card .verdict").wait_for()  # it is a word, too
    assert shown_words(page, "#matches") == expected[:200]
    more = page.locator("#matches button")
    assert more.is_visible()
    more.press("Enter")
    expect(page.locator("#matches li a").nth(200)).to_be_focused()
    while more.is_visible():
        more.click()
    assert shown_words(page, "#matches") == expected
    some = [word for word in expected if word.startswith("co")]
    page.reload()
    tab.ready()
    page.locator("#matches li").nth(len(expected) - 1).wait_for()
    assert typed(page, "pangrams co") == typed(page, "co* pangrams") == some[:200]


def test_a_misspelled_word_leads_to_those_that_resemble_it(tab):
    page = tab.open("/why")
    for text in ("covenent", "covneant"):
        assert typed(page, text) == []
        expect(page.locator("#matches .chips li").first).to_have_text("covenant")
    said = re.compile("^Words that begin with covneant: 0, covenant")
    expect(page.locator("#matches-aloud"), "after a pause").to_have_text(said)
    page.locator("#word").press("Enter")
    expect(page.locator(".verdict")).to_have_text("Not on the list.")
    expect(page.locator("#why-card .chips li").first).to_have_text("covenant")
    page.locator("#why-card .chips a").first.click()
    expect(page.locator("#why-card h2")).to_have_text("covenant")
    page.locator(".verdict", has_text="Accepted").wait_for()
    expect(page.locator("#why-card .chips")).to_have_count(0)
    assert typed(page, "covenent") == []
    page.locator("#matches .chips a").first.click()
    page.locator(".verdict", has_text="Accepted").wait_for()
    page.go_back()
    expect(page.locator("#why-card .chips li").first).to_have_text("covenant")
    assert typed(page, "qqqq") == []
    expect(page.locator("#matches")).to_have_text("Words that begin with qqqq: 0")
    tab.open("vctaoen")
    page.evaluate("openCard('covenent')")
    page.locator("#card .verdict").wait_for()
    expect(page.locator("#card .chips"), "the card of a game tells no answer").to_have_count(0)


def test_doubtful_words_are_marked_and_the_filter_hides_words(tab, released):
    page = tab.open("/why")
    doubtful = next(row["word"] for row in released if row["tier"] == "review" and not row["flags"])
    assert typed(page, doubtful)[0] == doubtful
    expect(page.locator("#matches li").first).to_have_class("doubtful")
    expect(page.locator("#matches")).to_contain_text("a doubtful word that is not on the list")
    crude = next(row["word"] for row in released if "crude" in row["flags"].split() and row["tier"] in LISTED)
    assert crude in typed(page, f"{crude}*")
    page.locator("#word").press("Enter")
    page.evaluate("location.hash = '/settings'")
    page.locator("#filter").select_option("family")
    page.go_back()
    expect(page.locator("#word")).to_have_value(f"{crude}*")
    expect(page.locator(f"#matches li[data-word={crude}]")).to_have_count(0)


def test_without_the_rest_of_the_list_the_words_of_most_puzzles_are_found_and_it_is_loaded_the_next_time(tab, known):
    page = tab.page
    page.route("**/more.json*", lambda route: route.abort())
    tab.open("/why/cov*")
    page.locator("#matches .wrong", has_text="The rest of the list did not load").wait_for()
    begun = [word for word in known if word.startswith("cov")]
    assert "covenant" in shown_words(page, "#matches") != begun
    page.unroute("**/more.json*")
    page.locator("#why-form button").click()
    page.locator("#matches .wrong").wait_for(state="detached")
    page.locator("#matches li").nth(len(begun) - 1).wait_for()
    assert shown_words(page, "#matches") == begun
    tab.complaints.clear()  # the browser tells of the request that failed


def test_matches_that_come_late_do_not_cover_a_card(tab):
    page = tab.page
    page.clock.install()
    held = []
    page.route("**/more.json*", lambda route: held.append(route))
    tab.open("/why")
    page.locator("#word").fill("luff")
    page.locator("#matches", has_text="Loading").wait_for()
    page.locator("#word").press("Enter")
    page.locator(".verdict").wait_for()
    held[0].continue_()
    page.wait_for_function("() => release.more")
    page.clock.fast_forward(1000)
    expect(page.locator("#matches")).to_have_text("")
    expect(page.locator("#matches-aloud")).to_have_text("")


def test_a_word_whose_record_does_not_load_has_the_verdict_of_the_list(tab):
    page = tab.page
    page.route("**/more.json*", lambda route: route.abort())
    page.route("**/words/*.json*", lambda route: route.abort())
    tab.open("/why/zzzzz")
    page.locator("#why-card .wrong").wait_for()
    expect(page.locator(".verdict"), "it could be in the rest of the list").to_have_text("")
    page.unroute("**/more.json*")
    for word, says in {"covenant": "On the list.", "zzzzz": "Not on the list."}.items():
        tab.open(f"/why/{word}")
        page.evaluate("moreWords().then(() => route(false))")
        expect(page.locator(".verdict")).to_have_text(says)
        expect(page.locator("#why-card .wrong")).to_contain_text("did not load")
    tab.complaints.clear()  # the browser tells of the request that failed


def test_nothing_in_a_text_is_code_or_a_broken_pattern(tab):
    page = tab.open("/why")
    for text in ("[", "(?", "\\", "a b", "<b>", "né*", "a+?", "*" * 40):
        typed(page, text)
        page.evaluate("() => { turned = new Promise((done) => addEventListener('hashchange', done, { once: true })); }")
        page.locator("#word").press("Enter")
        page.evaluate("() => turned.then(() => null)")
    expect(page.locator("#why b")).to_have_count(0)
    page.evaluate("location.hash = `/why/${'?'.repeat(70000)}`")
    expect(page.locator("#matches")).to_have_text(f"Words like {'?' * 60}: 0")
    assert tab.complaints == []
