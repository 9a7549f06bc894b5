"""The other pages: word lookup, flags, the list, changes and accuracy; and whether all are accessible."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest
from browsing import RELEASE, shown_words
from conftest import PROJECT

from pipeline import reader
from pipeline.opinions import relatives
from pipeline.play import difficulty, glosses
from pipeline.words import FILTERS

LETTERS = "vctaoen"
RUDE = "|".join(list(FILTERS.values())[-1])


@pytest.fixture(scope="module")
def meanings() -> glosses.Glosses:
    return glosses.load(RELEASE)


def test_every_reason_of_the_release_is_told_word_for_word(tab, released):
    page = tab.open("/why/luff")
    page.locator(".verdict").wait_for()
    told = page.evaluate("""JSON.stringify([...record.values()].map(entry =>
        [entry.word, entry.tier, because(entry, beeRecord),
         flagsOf(entry, beeRecord).map(flag => flag.id).join(' ')]))""")
    told = json.loads(told)
    assert len(told) > 90_000
    assert {row[0]: row[1:] for row in told} == {
        row["word"]: [row["tier"], row["because"], row["flags"]] for row in released
    }


@pytest.mark.parametrize(
    ("tier", "verdict"),
    [("core", "On the list"), ("likely", "On the list"), ("review", "Doubtful"), ("refused", "Not on the list")],
)
def test_looking_a_word_up_tells_why(tab, released, tier, verdict):
    row = next(row for row in released if row["tier"] == tier and row["flags"] and not re.search(RUDE, row["flags"]))
    page = tab.open("/why")
    page.locator("#word").fill(row["word"].upper())
    page.locator("#word").press("Enter")
    page.locator(".verdict").wait_for()
    assert page.locator(".verdict b").inner_text() == verdict
    assert f"tier {tier}" in page.locator(".verdict").inner_text()
    said = page.locator("#why-said").inner_text()
    assert row["because"] in said
    assert (f"p = {row['p']}" in said) == (row["offered"] == "0")
    assert page.locator("#why-said a[href^='#/flags/']").count() == len(row["flags"].split())


def test_looking_up_what_is_no_word_of_the_release_tells_why_too(tab):
    for word, says in [
        ("bee", "too short"),
        ("background", "seven different letters"),
        ("aaaab", "not in the release"),
        ("o'clock", "characters other than"),
        ("<b>x", "characters other than"),
    ]:
        page = tab.open(f"/why/{word}")
        page.get_by_text(f"{word}: Not on the list").wait_for()
        assert says in page.locator("#why-said").inner_text()


def test_looking_a_word_up_tells_what_it_means_and_what_speaks_for_it(tab, released, meanings):
    row = next(
        row
        for row in released
        if row["tier"] == "likely" and "+ " in row["because"] and "- " in row["because"] and row["word"] in meanings
        if not re.search(RUDE, row["flags"])
    )
    page = tab.open(f"/why/{row['word']}")
    page.get_by_text("Definition", exact=True).wait_for()
    said = page.locator("#facts").inner_text()
    assert meanings[row["word"]].senses[0].gloss in said
    phrases = row["because"].split(": ", 1)[1].split(", ")
    for_it = [phrase[2:] for phrase in phrases if phrase.startswith("+ ")]
    against = [phrase[2:] for phrase in phrases if phrase.startswith("- ")]
    terms = dict(
        zip(page.locator("#facts dt").all_inner_texts(), page.locator("#facts dd").all_inner_texts(), strict=True)
    )
    assert terms["For it"] == ", ".join(for_it)
    assert terms["Against it"] == ", ".join(against)


def test_looking_a_word_up_names_its_lists_and_its_relatives_with_their_records(tab, released):
    rows = {row["word"]: row for row in released}
    page = tab.open("/why/luff")
    page.get_by_text("Relatives", exact=True).wait_for()
    told = page.locator("#facts li").all_inner_texts()
    expected = [name for name in ("luffed", "luffing", "luffs") if int(rows[name]["offered"])]
    assert told == [f"{name} (form) accepted {rows[name]['accepted']} of {rows[name]['offered']}" for name in expected]
    terms = dict(
        zip(page.locator("#facts dt").all_inner_texts(), page.locator("#facts dd").all_inner_texts(), strict=True)
    )
    assert terms["Lists"] == f"SCOWL size {difficulty.sizes(['luff'])['luff']}"
    sizes = difficulty.sizes(list(rows))
    for size, says in ((95, "SCOWL size 95"), (difficulty.HARDEST, "in no SCOWL list")):
        word = next(word for word in rows if sizes[word] == size and not re.search(RUDE, rows[word]["flags"]))
        tab.open(f"/why/{word}").get_by_text(says, exact=True).wait_for()


def test_every_relative_on_the_page_is_one_of_the_package(tab, released, meanings):
    """All words of the release at once."""
    names = sorted(row["word"] for row in released)
    bases = {word: each.base for word, each in meanings.items()}
    sizes = difficulty.sizes(names)
    columns = {"scowl_size": [sizes[name] for name in names], "lemma": [bases.get(name, "") for name in names]}
    linked = relatives.links(pd.DataFrame({"word": names, **columns}))
    tried = {row["word"] for row in released if int(row["offered"])}
    expected = {
        (names[form], names[base])
        for form, base in zip(linked["form"], linked["base"], strict=True)
        if names[form] in tried or names[base] in tried
    }
    page = tab.open("/why/luff")
    page.get_by_text("Relatives", exact=True).wait_for()
    told = page.evaluate("""[...kin].flatMap(([word, { relatives }]) =>
        relatives.filter(({ relation }) => relation === 'base').map(({ word: base }) => [word, base]))""")
    assert len(told) > 20_000
    assert {tuple(pair) for pair in told} == expected


def test_a_word_can_be_reported_with_what_is_known_of_it(tab):
    page = tab.open("/why/luff")
    link = page.get_by_text("Report this word")
    address = link.get_attribute("href")
    assert address.startswith("https://example.org/bee/issues/new?title=Word%3A+luff&body=")
    assert "Tier%3A" in address


def test_flags_can_be_browsed_and_offensive_words_wait_to_be_asked_for(tab, released):
    flagged = sorted(
        row["word"] for row in released if "foreign" in row["flags"].split() and row["tier"] in ("core", "likely")
    )
    rude = {row["word"] for row in released if re.search(RUDE, row["flags"])}
    polite = [word for word in flagged if word not in rude]
    assert len(polite) < len(flagged)
    page = tab.open("/flags/foreign")
    page.locator("#flagged li").first.wait_for()
    assert shown_words(page, "#flagged") == polite[:200]
    page.locator("#flagged button").click()
    assert shown_words(page, "#flagged") == polite[:400]
    page = tab.open("/flags/explicit")
    page.get_by_text("Words flagged: explicit").wait_for()
    assert shown_words(page, "#flagged") == []
    assert not page.locator("#flagged button").is_visible()
    page.locator("#rude").check()
    assert set(shown_words(page, "#flagged")) <= rude
    assert shown_words(page, "#flagged")


def test_changes_and_the_report_are_shown_as_the_release_has_them(tab):
    page = tab.open("/accuracy")
    page.locator("#accuracy .report").wait_for()
    report = (PROJECT / "docs/ACCURACY.md").read_text()
    assert page.locator("#accuracy img").count() == 2
    assert page.locator("#accuracy tr").count() == len(re.findall(r"(?m)^\|", report)) - len(
        re.findall(r"(?m)^\| ---", report)
    )
    assert page.locator("#accuracy img").evaluate_all("all => all.every(img => img.loading === 'lazy' && img.alt)")
    page = tab.open("/changes")
    page.locator("#changes .report").wait_for()
    told = (PROJECT / "data/custom/CHANGES.md").read_text().splitlines()
    assert told[2] in page.locator("#changes").inner_text()


def test_no_table_of_the_report_is_cut_off_on_a_phone(phone):
    page = phone.open("/accuracy")
    page.locator("#accuracy .report").wait_for()
    page.locator("#accuracy details").evaluate_all("all => all.forEach(fold => { fold.open = true; })")
    sizes = page.locator("#accuracy .scroll").evaluate_all("all => all.map(one => [one.scrollWidth, one.clientWidth])")
    assert len(sizes) > 3
    assert [wide for wide, shown in sizes if wide > shown] == []
    named = page.locator("#accuracy td").evaluate_all(
        "all => all.map(cell => getComputedStyle(cell, '::before').content)"
    )
    assert named[:3] == ['"days"', '"F1"', '"exact lists"']


def test_the_list_can_be_fetched_in_every_format_and_is_what_its_checksum_says(tab, folder):
    page = tab.open("/list")
    page.locator(".download").first.wait_for()
    latest = json.loads((folder / "latest.json").read_text())
    assert latest["version"] == json.loads((RELEASE / "datapackage.json").read_text())["version"]
    shown = page.locator(".download a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert shown == [file["path"] for file in latest["files"]]
    assert len(shown) > 12
    for file in latest["files"]:
        assert reader.sha256((folder / file["path"]).read_bytes()) == file["sha256"], file["path"]
        assert (folder / file["path"]).stat().st_size == file["bytes"]
    for name in ("wordlist.txt", "wordlist-in-play.txt"):
        assert (folder / "list" / name).read_bytes() == (RELEASE / name).read_bytes()
    assert latest["files"][0]["path"] == "list/wordlist-in-play.txt"
    assert latest["files"][0]["says"].startswith("For the official game")


def test_releases_can_be_followed_as_a_feed(folder):
    from xml.etree import ElementTree

    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.parse(folder / "releases.atom").getroot()
    assert [child.tag.removeprefix(atom) for child in feed][:3] == ["id", "title", "author"]
    entry = feed.find(f"{atom}entry")
    version = json.loads((RELEASE / "datapackage.json").read_text())["version"]
    assert entry.find(f"{atom}title").text == f"Release {version}"
    assert entry.find(f"{atom}id").text.endswith(version)


SECTIONS = ["", LETTERS, "/why/aalii", "/list", "/flags/foreign", "/changes", "/accuracy", "/settings", "/about"]


def turn(page, address: str) -> None:
    """Go to a section and wait until all of it is there."""
    page.evaluate(
        """address => new Promise(done => {
            addEventListener("hashchange", () => done(), { once: true });
            location.hash = address;
        })""",
        address or "/",
    )
    page.wait_for_function("() => !loading")
    if address.startswith("/why"):
        page.locator("#facts dt").get_by_text("Lists", exact=True).wait_for()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_every_section_is_accessible_and_fits_its_screen(open_tab, folder, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    home = (folder / "index.html").as_uri()
    tab = open_tab(home, color_scheme=scheme, viewport={"width": width, "height": 780})
    page = tab.open()

    def look(what: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} is wider than {width}"
        # Of thousands of items of one kind, axe needs to see a few.
        page.locator("#changes li, #flagged li").evaluate_all("all => all.slice(60).forEach(item => item.remove())")
        # axe would fetch the style sheet again to look into it, which the page's policy rightly forbids.
        found = axe.Axe().run(page, options={"preload": False}).response["violations"]
        grave = [(rule["id"], rule["nodes"][0]["html"]) for rule in found if rule["impact"] in ("serious", "critical")]
        assert not grave, f"{what} {scheme} {width}: {grave}"

    for address in SECTIONS:
        turn(page, address)
        look(address)
        if address == LETTERS:
            for name in ("found", "hints", "answers"):
                if page.locator("#sheet-close").is_visible():
                    page.locator("#sheet-close").click()
                page.locator(f".tabs [data-sheet={name}]").click()
                if name == "answers":
                    page.locator("#reveal").click()
                    page.locator("#sure").check()
                    page.locator("#define").check()
                    page.locator("#words .glosses").first.wait_for()
                look(name)
            if page.locator("#sheet-close").is_visible():
                page.locator("#sheet-close").click()
    assert tab.complaints == []


@pytest.mark.parametrize(("width", "scale"), [(320, 1), (640, 2)])
def test_neither_a_narrow_screen_nor_large_text_breaks_the_page(open_tab, folder, width, scale):
    """200% zoom on a desktop gives a screen of half the size."""
    tab = open_tab(
        (folder / "index.html").as_uri(), viewport={"width": width, "height": 450}, device_scale_factor=scale
    )
    page = tab.open()
    for address in SECTIONS:
        turn(page, address)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    assert tab.complaints == []


def test_the_letters_are_drawn_in_forced_colors_too(open_tab, folder):
    tab = open_tab((folder / "index.html").as_uri(), forced_colors="active")
    page = tab.open(LETTERS)
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


def test_the_licences_travel_with_the_words(tab, folder):
    page = tab.open("/about")
    page.locator("#about a[href='LICENSES.txt']").click()
    page.get_by_text("Permission is hereby granted").first.wait_for()
    assert (folder / "LICENSES.txt").read_bytes() == (RELEASE / "LICENSES.txt").read_bytes()
