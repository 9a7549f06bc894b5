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
    page.wait_for_function("text => document.querySelector('#matches').dataset.asked === `${text} `", arg=text)
    page.locator("#matches").get_by_text("Loading").wait_for(state="detached")
    return shown_words(page, "#matches")


def test_words_are_suggested_while_one_is_typed(tab, known):
    page = tab.open("/why")
    expect(page.locator("#word")).to_be_focused()
    begun = [word for word in known if word.startswith("cov")]
    assert typed(page, "Cov") == begun
    expect(page.locator("#matches p").first).to_have_text(f"Words that begin with cov: {len(begun)}")
    covenant = page.locator("#matches li[data-word=covenant] a")
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
    page.locator("#matches .chips a", has_text="co??nant").click()
    expect(page.locator("#matches li[data-word=covenant]")).to_be_visible()


def test_a_pattern_finds_whole_words(tab, known):
    page = tab.open("/why")
    for pattern, expression in {"*nt": "[a-z]*nt", "?ov*": "[a-z]ov[a-z]*", "CO*ant": "co[a-z]*ant"}.items():
        expected = [word for word in known if re.fullmatch(expression, word)]
        assert expected
        assert typed(page, pattern) == expected[:200]
    page.locator("#word").press("Enter")
    page.wait_for_url("**#/why/co*ant")
    assert shown_words(page, "#matches") == expected[:200]


def test_pangrams_are_all_shown_and_can_have_a_pattern(tab, known):
    page = tab.open("/why/pangrams")
    expected = [word for word in known if pangram(word)]
    page.locator("#matches", has_text=f"Pangrams: {len(expected):,}").wait_for()
    page.locator("#why-card .verdict").wait_for()  # it is a word, too
    assert shown_words(page, "#matches") == expected[:200]
    more = page.locator("#matches button")
    more.press("Enter")
    expect(page.locator("#matches li a").nth(200)).to_be_focused()
    while more.is_visible():
        more.click()
    assert shown_words(page, "#matches") == expected
    page.locator("#matches li a").last.click()
    page.wait_for_url(f"**#/why/{expected[-1]}")
    page.go_back()
    expect(page.locator("#matches li"), "Back leads to as many words").to_have_count(len(expected))
    some = [word for word in expected if word.startswith("co")]
    assert typed(page, "pangrams co") == typed(page, "co* pangrams") == some[:200]


def test_a_misspelled_word_leads_to_those_that_resemble_it(tab):
    page = tab.open("/why")
    assert typed(page, "covneant") == []
    said = re.compile("^Words that begin with covneant: 0, covenant")
    expect(page.locator("#matches-aloud"), "after a pause").to_have_text(said)
    page.locator("#word").press("Enter")
    expect(page.locator(".status")).to_have_text("Not on the list")
    page.locator("#why-card .chips a").first.click()
    page.locator(".verdict", has_text="Accepted").wait_for()
    expect(page.locator("#why-card .chips")).to_have_count(0)
    page.go_back()
    expect(page.locator("#why-card .chips li").first).to_have_text("covenant")
    assert typed(page, "qqqq") == []
    expect(page.locator("#matches")).to_have_text("Words that begin with qqqq: 0")


def test_doubtful_words_are_marked_and_the_filter_hides_words(tab, released):
    page = tab.open("/why")
    doubtful = next(row["word"] for row in released if row["tier"] == "review" and not row["flags"])
    assert typed(page, doubtful)[0] == doubtful
    expect(page.locator("#matches li").first).to_have_class("doubtful")
    expect(page.locator("#matches")).to_contain_text("a doubtful word, not on the list")
    crude = next(row["word"] for row in released if "crude" in row["flags"].split() and row["tier"] in LISTED)
    assert crude in typed(page, f"{crude}*")
    page.locator("#word").press("Enter")
    page.evaluate("location.hash = '/settings'")
    page.locator("#filter").select_option("family")
    page.go_back()
    expect(page.locator("#word")).to_have_value(f"{crude}*")
    expect(page.locator(f"#matches li[data-word={crude}]")).to_have_count(0)
    page.evaluate(f"location.hash = '/why/{crude}'")
    expect(page.locator("#why-card > div").first).to_have_text("Your filter hides this word.")


def test_without_the_rest_of_the_list_the_words_of_most_puzzles_are_found_and_it_can_be_tried_again(tab, known):
    page = tab.page
    page.route("**/more.json*", lambda route: route.abort())
    tab.open("/why/cov*")
    page.locator("#matches .wrong", has_text="The rest of the list did not load").wait_for()
    begun = [word for word in known if word.startswith("cov")]
    assert "covenant" in shown_words(page, "#matches") != begun
    page.unroute("**/more.json*")
    page.get_by_role("button", name="Try again").click()
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
    tab.whole()
    page.clock.fast_forward(1000)
    expect(page.locator("#matches")).to_have_text("")
    expect(page.locator("#matches-aloud")).to_have_text("")


def test_a_word_is_not_called_unlisted_before_the_whole_list_is_there(tab):
    page = tab.page
    page.route("**/more.json*", lambda route: route.abort())
    page.route("**/words/*.json*", lambda route: route.abort())
    tab.open("/why/zzzzz")
    expect(page.locator("#why-card .wrong")).to_contain_text("did not load")
    expect(page.locator(".status"), "it could be in the rest of the list").to_have_count(0)
    page.unroute("**/more.json*")
    assert typed(page, "zzzzz") == []  # which loads the rest
    page.locator("#word").press("Enter")
    expect(page.locator(".status")).to_have_text("Not on the list")
    tab.complaints.clear()  # the browser tells of the requests that failed


def test_what_is_typed_stays_when_another_tab_plays(tab):
    page = tab.open("/why/luff")
    begun = typed(page, "cov")
    for _ in range(2):
        page.evaluate("dispatchEvent(new StorageEvent('storage', { key: 'bee:game:vacenot' }))")
    expect(page.locator("#word")).to_have_value("cov")
    assert shown_words(page, "#matches") == begun
    page.locator("#word").fill("")
    page.evaluate("location.hash = '/why/covenant'")
    page.locator("#why-card summary").click()
    page.evaluate("dispatchEvent(new StorageEvent('storage', { key: 'bee:game:vacenot' }))")
    expect(page.locator("#why-card details .facts")).to_be_visible()


def test_nothing_in_a_text_is_code_or_a_broken_pattern(tab):
    page = tab.open("/why")
    for text in ("(?", "\\", "a b", "<b>", "né*", "100%"):
        typed(page, text)
        page.locator("#word").press("Enter")
        page.wait_for_function("text => decodeURIComponent(location.hash) === `#/why/${text}`", arg=text)
        page.reload()
        tab.ready()
        expect(page.locator("#word")).to_have_value(text)
    expect(page.locator("#why b")).to_have_count(0)
    page.evaluate("location.hash = `/why/${'?'.repeat(70000)}`")
    expect(page.locator("#matches")).to_have_text(f"Words like {'?' * 60}: 0")
