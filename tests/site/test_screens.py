"""Every screen: accessibility, small screens, large text, forced colors, chosen colors, paper."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from axe_playwright_python import sync_playwright as axe
from browsing import RELEASE, Tab, expect, type_words, unscripted

import pipeline

LETTERS = "vctaoen"
SECTIONS = ["", "/days/2026-10", LETTERS, "/why/aalii", "/why/cov*", "/settings", "/about"]
PLAIN = ["data.html", "changes.html", "accuracy.html"]
DARK = ["", "/days", LETTERS, "/why/aalii"]
"""Sections with all colors that the page has."""
SHEET = "#sheet"


def turn(page, address: str) -> None:
    """Go to a section and wait until all of it is there."""
    page.evaluate(
        """address => new Promise(done => {
            addEventListener("hashchange", () => done(), { once: true });
            location.hash = address;
        })""",
        address or "/",
    )
    expect(page.get_by_text("Loading …").filter(visible=True)).to_have_count(0)


def headings_jump(page) -> list[str]:
    """The visible headings that come more than one level below the one before them."""
    levels = page.locator(":is(h1, h2, h3, h4):visible").evaluate_all(
        "all => all.map(one => one.tagName + one.textContent)"
    )
    assert levels[0].startswith("H1")
    return [after for before, after in pairwise(levels) if int(after[1]) > int(before[1]) + 1]


def fits(page, what: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} is wider than the screen"


def finish_today(page) -> None:
    """Find all words of the puzzle of the day, so that it is celebrated, and some of another puzzle."""
    turn(page, LETTERS)
    type_words(page, ["covenant", "octave"])
    turn(page, "daily")
    letters = "".join(page.locator(".node").all_text_contents())
    type_words(page, pipeline.solve(letters))
    if page.locator("#sheet:modal").count():
        page.locator("#keep-going").click()
        expect(page.locator("#sheet")).to_be_hidden()
        type_words(page, pipeline.solve(letters))
    expect(page.locator("#sheet-title")).to_have_text("Queen Bee!")
    page.locator("#rarest b").wait_for()


class Look:
    """Looks at screens in one color scheme."""

    def __init__(self, tab: Tab, scheme: str) -> None:
        self.tab = tab
        self.scheme = scheme

    def __call__(self, what: str, part: str = "html") -> None:
        """Look at a part of the page, as to look at all of it takes half a second."""
        fits(self.tab.page, what)
        # axe would fetch the style sheet again to look into it, which the page's policy rightly forbids.
        options = {"preload": False, "resultTypes": ["violations"]}
        if self.scheme == "dark":
            options["runOnly"] = ["color-contrast"]  # all else is as in light
        found = axe.Axe().run(self.tab.page, part, options).response["violations"]
        grave = [(rule["id"], rule["nodes"][0]["html"]) for rule in found]
        assert not grave, f"{what} {self.scheme}: {grave}"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_every_section_is_accessible_and_fits_its_screen(open_tab, home, scheme, width):
    tab = open_tab(home, color_scheme=scheme, viewport={"width": width, "height": 780})
    page, look = tab.open(), Look(tab, scheme)
    finish_today(page)
    look("the celebration")
    for address in SECTIONS if scheme == "light" else DARK:
        turn(page, address)
        look(address)
        assert headings_jump(page) == [], address
        if address == LETTERS:
            look_at_panels(page, look)
    for path in PLAIN if scheme == "light" else PLAIN[:1]:
        unscripted(tab, path)
        look(path)
        assert headings_jump(page) == [], path
    assert tab.complaints == []


def look_at_panels(page, look: Look) -> None:
    """Look at everything that opens over a puzzle or next to it."""
    names = ["ranks", "rules", "hints", "answers"]
    if page.locator(".tabs [data-panel=found]").is_visible():
        names.append("found")
    for name in names:
        if page.locator("#sheet-close").is_visible():
            page.locator("#sheet-close").click()
        page.locator(f"#game [data-panel={name}]:visible").click()
        if name == "hints":
            look_at_hints(page, look)
        if name == "answers":
            look(name, SHEET)
            page.locator("#reveal").click()
            page.locator("#words .glosses").first.wait_for()
        look(name, SHEET)
    page.locator("#board a").first.click()
    page.locator("#card summary").click()
    look("the card", "#card")
    page.locator("#card-close").click()
    expect(page.locator("#card")).to_be_hidden()
    if page.locator("#sheet-close").is_visible():
        page.locator("#sheet-close").click()


def look_at_hints(page, look: Look) -> None:
    """Look at the three steps of hints."""
    page.locator("[data-step=nudge]").click()
    page.locator("#nudge-more").click()
    page.locator("#nudge p:not(.soft)").wait_for()
    look("a nudge", SHEET)
    page.locator("[data-step=clues]").click()
    page.locator("#step-clues li").first.wait_for()
    look("clues", SHEET)
    page.locator("[data-step=grid]").click()
    page.locator("#grid .cell").first.click()
    page.locator("#cell-clues li").first.wait_for()


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [(320, 640, "200%"), (640, 512, "100%"), (320, 256, "100%")],
    ids=["large text on a phone", "zoom 200%", "zoom 400%"],
)
def test_large_text_and_zoom_fit(open_tab, home, width, height, size):
    """A window of 1,280 by 1,024 pixels is 640 by 512 at a zoom of 200%, and 320 by 256 at 400%."""
    tab = open_tab(home, viewport={"width": width, "height": height})
    page = tab.open()
    enlarge = f"document.documentElement.style.fontSize = '{size}'"
    page.evaluate(enlarge)
    for address in (*SECTIONS, f"{LETTERS}/answers"):
        turn(page, address)
        fits(page, address)
    for path in PLAIN:
        unscripted(tab, path).evaluate(enlarge)
        fits(page, path)


def test_the_letters_are_drawn_in_forced_colors_too(open_tab, home):
    page = open_tab(home, forced_colors="active").open(LETTERS)
    width = "node => getComputedStyle(node).borderTopWidth"
    assert page.locator(".node.center").evaluate(width) == "4px"
    assert page.locator(".node.n1").evaluate(width) != "4px"


def test_the_chosen_colors_are_kept(tab):
    page = tab.open("/settings")
    paper = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(paper)
    page.locator("#theme").select_option("dark")
    dark = page.evaluate(paper)
    assert dark != light
    tab.open("/about")
    assert page.evaluate(paper) == dark


def test_a_browser_that_does_not_know_light_dark_has_the_light_colors(open_tab, home, folder):
    tab = open_tab(home, color_scheme="dark")
    style = (folder / "style.css").read_text().replace("light-dark(", "no-function(")
    tab.page.route("**/style.css*", lambda route: route.fulfill(body=style, content_type="text/css"))
    page = tab.open(LETTERS)
    colors = page.locator(".node.center").evaluate(
        """node => [document.body, node].flatMap(one =>
            [getComputedStyle(one).backgroundColor, getComputedStyle(one).color])"""
    )
    assert colors == ["rgb(250, 247, 240)", "rgb(31, 36, 48)", "rgb(140, 47, 57)", "rgb(255, 253, 248)"]


def test_tables_and_plots_of_the_report_can_be_scrolled_on_a_phone(open_tab, home):
    tab = open_tab(home, viewport={"width": 320, "height": 640})
    page = unscripted(tab, "accuracy.html")
    assert page.locator(".scroll:has(table)").count() == page.locator("table").count() >= 3
    wide = page.locator("table").evaluate_all("all => all.map(one => getComputedStyle(one.parentElement).overflowX)")
    assert set(wide) == {"auto"}
    small = "all => Math.min(...all.map(cell => parseFloat(getComputedStyle(cell).fontSize)))"
    assert page.locator(":is(td, th)").evaluate_all(small) >= 14
    assert page.locator("img").evaluate_all("all => all.every(img => img.alt)")
    assert page.locator("img").count() == 2


def test_without_javascript_the_page_says_what_it_needs(open_tab, home):
    tab = open_tab(home, java_script_enabled=False)
    tab.page.goto(home)
    assert "This page needs JavaScript." in tab.page.locator("noscript").inner_text()
    expect(tab.page.locator("#loading")).to_be_hidden()
    tab.page.locator("noscript a").click()
    expect(tab.page.get_by_role("heading", name="Data")).to_be_visible()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_puzzle_of_many_words_is_printed_on_one_page_and_its_answers_on_another(open_tab, home, paper):
    letters = "ehinopr"
    assert len(pipeline.solve(letters)) > 75
    tab = open_tab(home)
    page = tab.open(letters)
    tab.whole()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 2


def test_the_licenses_travel_with_the_words(tab, folder):
    page = tab.open("/about")
    expect(page.locator("#about a[href='LICENSES.txt']")).to_be_visible()
    assert (folder / "LICENSES.txt").read_bytes() == (RELEASE / "LICENSES.txt").read_bytes()
