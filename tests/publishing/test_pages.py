"""The other pages: word lookup, flags, the list, changes and accuracy; and whether all are accessible."""

from __future__ import annotations

import json
import os
import re
from itertools import pairwise

import pytest
from axe_playwright_python import sync_playwright as axe
from browsing import RELEASE, expect, shown_words
from conftest import PROJECT

import pipeline
from pipeline import reader
from pipeline.play import difficulty, glosses
from pipeline.publishing import changes
from pipeline.words import FILTERS, LISTED, PARTS_OF_SPEECH

LETTERS = "vctaoen"
RUDE = "|".join(list(FILTERS.values())[-1])


@pytest.fixture(scope="module")
def meanings() -> glosses.Glosses:
    return glosses.load(RELEASE)


def test_looking_a_word_up_tells_why(tab, released):
    verdicts = {"core": "On the list", "likely": "On the list", "review": "Doubtful", "refused": "Not on the list"}
    page = tab.open("/why")
    for tier, verdict in verdicts.items():
        of_tier = (row for row in released if row["tier"] == tier and row["flags"])
        row = next(row for row in of_tier if not re.search(RUDE, row["flags"]))
        page.locator("#word").fill(row["word"].upper())
        page.locator("#word").press("Enter")
        expect(page.locator(".verdict")).to_contain_text(f"tier {tier}", use_inner_text=True)
        expect(page.locator(".verdict b")).to_have_text(verdict, use_inner_text=True)
        said = page.locator("#why-said").inner_text()
        assert row["because"] in said
        assert (f"p = {row['p']}" in said) == (row["offered"] == "0")
        expect(page.locator("#why-said a[href^='#/flags/']")).to_have_count(len(row["flags"].split()))
    for word, says in {
        "bee": "too short",
        "background": "seven different letters",
        "aaaab": "a word that we do not know",
        "<b>x": "characters other than",
    }.items():
        tab.open(f"/why/{word}").get_by_text(f"{word}: Not on the list").wait_for()
        expect(page.locator("#why-said")).to_contain_text(says, use_inner_text=True)


def test_looking_a_word_up_tells_what_it_means_and_what_speaks_for_it(tab, released, meanings):
    row = next(
        row
        for row in released
        if row["tier"] == "likely" and "+ a form of" in row["because"] and "- " in row["because"]
        if row["word"] in meanings
        if not re.search(RUDE, row["flags"])
    )
    page = tab.open(f"/why/{row['word']}")
    page.locator("#meaning li").first.wait_for()
    expect(page.locator("#facts dt").first).to_have_text("Definition", use_inner_text=True)
    senses = meanings[row["word"]].senses
    assert [said.split(": ", 1)[1] for said in page.locator("#meaning li").all_inner_texts()] == [
        sense.gloss for sense in senses
    ]
    parts = page.locator("#meaning li em").all_inner_texts()
    assert parts == [sense.pos for sense in senses]
    assert set(parts) <= set(PARTS_OF_SPEECH)
    page.get_by_text(f"Because: {row['because']}.").wait_for()


def test_looking_a_word_up_names_its_lists_and_its_relatives_with_their_records(tab, released):
    rows = {row["word"]: row for row in released}
    page = tab.open("/why/luff")
    page.get_by_text("Relatives", exact=True).wait_for()
    told = page.locator("#facts dd:last-child li").all_inner_texts()
    expected = [name for name in ("luffed", "luffing", "luffs") if int(rows[name]["offered"])]
    assert told == [f"{name} (form) accepted {rows[name]['accepted']} of {rows[name]['offered']}" for name in expected]
    terms = dict(
        zip(page.locator("#facts dt").all_inner_texts(), page.locator("#facts dd").all_inner_texts(), strict=True)
    )
    assert terms["Lists"] == f"SCOWL size {difficulty.load_sizes(['luff'])['luff']}"
    sizes = difficulty.load_sizes(list(rows))
    for size, says in ((95, "SCOWL size 95"), (difficulty.HARDEST, "in no SCOWL list")):
        word = next(word for word in rows if sizes[word] == size and not re.search(RUDE, rows[word]["flags"]))
        tab.open(f"/why/{word}").get_by_text(says, exact=True).wait_for()


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
    expect(page.locator("#flagged button")).to_be_hidden()
    page.locator("#rude").check()
    assert set(shown_words(page, "#flagged")) <= rude
    assert shown_words(page, "#flagged")


def unfold(page, section: str) -> None:
    """Open every fold of a section, and wait until it is filled. A release without changes has none."""
    first = "#changes-said > *" if section.startswith("changes") else f"#{section} details"
    page.locator(first).first.wait_for()
    page.evaluate(
        "section => document.querySelectorAll(`#${section} details`).forEach(fold => { fold.open = true; })", section
    )
    page.wait_for_function(
        "section => [...document.querySelectorAll(`#${section} details`)].every(fold => fold.querySelector('.body'))",
        arg=section,
    )


def test_the_report_is_shown_as_the_release_has_it(tab):
    page = tab.open("/accuracy")
    page.locator("#report .body").first.wait_for()
    report = (PROJECT / "docs/ACCURACY.md").read_text()
    assert page.locator("#report h2").all_inner_texts() == re.findall(r"(?m)^## (.*)", report)
    expect(page.locator("#report .body"), "the others are made when they are opened").to_have_count(1)
    unfold(page, "report")
    assert page.locator("#report img").count() == report.count(".svg)") == 2
    assert page.locator("#report tr").count() == len(re.findall(r"(?m)^\|", report)) - len(
        re.findall(r"(?m)^\| ---", report)
    )
    assert page.locator("#report img").evaluate_all("all => all.every(img => img.loading === 'lazy' && img.alt)")
    names = page.locator("#report .scroll:has(table)").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert len(set(names)) == len(names), "each table has its own name"


# ---------------------------------------------------------------- changes


@pytest.fixture(scope="module")
def grown(folder, tmp_path_factory) -> tuple[str, str]:
    """The site after a release that changed thousands of words, and an earlier one; its address, and the changes."""
    rows = list(reader.word_rows((RELEASE / "words.csv").read_bytes()))
    now = [row["word"] for row in rows if row["tier"] in LISTED]
    reasons = {row["word"]: row for row in rows}
    was = dict.fromkeys(reasons, "estimate")
    gone = [row["word"] for row in rows if row["tier"] == "refused"]
    told = [
        changes.changes_text(
            changes.ReleaseChanges(
                version_before="0",
                version=version,
                list_before=sorted({*now, *gone[::left]} - {*now[::added]}),
                list_now=now,
                decisions=reasons,
                kinds_before=was,
                explanation="Many causes.",
            )
        )
        for version, added, left in (("2026.2", 20, 60), ("2026.1", 50, 90))
    ]
    root = tmp_path_factory.mktemp("grown")
    for path in folder.iterdir():
        if path.is_file() and path.name != "record.js":
            os.link(path, root / path.name)
    head, _, data = (folder / "record.js").read_text().partition(" = ")
    record = json.loads(data.rstrip(";\n")) | {"changes": "\n".join(told)}
    (root / "record.js").write_text(f"{head} = {json.dumps(record)};\n")
    return (root / "index.html").as_uri(), told[0]


def test_thousands_of_changes_are_counted_by_cause_and_made_when_they_are_opened(open_tab, grown):
    home, told = grown
    tab = open_tab(home, viewport={"width": 390, "height": 844})
    page = tab.open("/changes")
    page.locator("#changes summary").first.wait_for()
    causes = re.findall(r"(?m)^### (.*)", told)
    assert page.locator("#changes h3").all_inner_texts() == causes
    assert len(re.findall("(?m)^- ", told)) > 2500
    expect(page.locator("#changes li")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight") < 3000
    large = next(at for at, cause in enumerate(causes) if int(cause.rsplit(": ")[-1]) > 500)
    words = re.findall(r"(?m)^- `([a-z]+)`: ", told.split("### ")[large + 1])
    fold = page.locator("#changes details").nth(large)
    fold.locator("summary").click()
    fold.locator("li").first.wait_for()
    assert fold.locator("li a").all_inner_texts() == words[:20]
    fold.get_by_text("Show 200 more").click()
    assert fold.locator("li a").all_inner_texts() == words[:220]
    assert page.evaluate("document.activeElement.textContent") == words[20]
    fold.locator("li a").nth(3).click()
    page.locator(".verdict").wait_for()
    page.go_back()
    fold.locator("li a").nth(3).wait_for()  # what was open is still open
    earlier = page.locator("#changes h2", has_text="Changes in 2026.1")
    expect(page.locator("#changes h4")).to_have_count(0)
    earlier.click()
    page.locator("#changes h4").first.wait_for()
    assert headings_jump(page) == []
    assert tab.complaints == []


def test_the_page_says_at_once_whether_and_why_a_word_changed(open_tab, grown):
    home, told = grown
    page = open_tab(home, viewport={"width": 320, "height": 640}).open("/changes")
    page.locator("#changes summary").first.wait_for()
    word, reason = re.search(r"(?m)^- `([a-z]+)`: (.*)", told).groups()
    page.locator("#changed").fill(word.upper())
    expect(page.locator("#changed-said")).to_have_text(f"{word}: added.", use_inner_text=True)
    said = page.locator("#changed-like li").first.inner_text()
    assert said.startswith(f"{word}: added in 2026.2. ")
    assert said.endswith(f": {reason}")
    page.locator("#changed").fill(word[:2])
    expect(page.locator("#changed-said")).to_have_text(
        re.compile("^" + re.escape(f"{word[:2]}: no change.")), use_inner_text=True
    )
    assert page.locator("#changed-like li a").all_inner_texts()[0].startswith(word[:2])
    page.locator("#changed").fill("")
    expect(page.locator("#changed-like li")).to_have_count(0)
    expect(page.locator("#changed-said")).to_have_text("", use_inner_text=True)
    page.locator("#changed").fill("zzzz")
    page.locator("#changed-said a").click()
    page.locator(".verdict").wait_for()


def test_the_changes_of_the_release_are_shown_as_it_has_them_without_what_the_filter_leaves_out(tab, released):
    told = (RELEASE / "CHANGES.md").read_text()
    words = re.findall(r"(?m)^- `([a-z]+)`:", told)
    rude = {row["word"] for row in released if re.search(RUDE, row["flags"])}
    page = tab.open("/settings")
    page.locator("#filter").select_option("family")
    page = tab.open("/changes")
    expect(page.locator("#changes")).to_contain_text(told.splitlines()[2], use_inner_text=True)
    unfold(page, "changes-said")
    more = page.locator("#changes button:visible")
    while more.count():
        more.first.click()
    assert page.locator("#changes li a").all_inner_texts() == [word for word in words if word not in rude]


# ---------------------------------------------------------------- the list


def test_the_list_is_browsed_by_first_letters_and_follows_the_filter(tab, released):
    listed = sorted(row["word"] for row in released if row["tier"] in LISTED and row["word"].startswith("co"))
    rude = {row["word"] for row in released if re.search(RUDE, row["flags"])}
    page = tab.open("/list")
    page.locator("#list-words a").first.wait_for()
    assert len(page.locator("#list-words a").all_inner_texts()) == 26
    expect(page.locator("#list-words li[data-word]")).to_have_count(0)
    page.get_by_role("link", name="C", exact=True).click()
    page.get_by_role("link", name="CO", exact=True).click()
    page.get_by_text(f"CO: {len(listed):,} words").wait_for()
    assert shown_words(page, "#list-words") == listed[:200]
    page.get_by_text("Show 200 more").click()
    assert shown_words(page, "#list-words") == listed[:400]
    assert "record.js" not in " ".join(tab.asked), "the record is not needed for it"
    page.go_back()
    page.locator("#listed-title", has_text="C:").wait_for()
    page = tab.open("/settings")
    page.locator("#filter").select_option("family")
    page = tab.open("/list/co")
    page.locator("#listed-title").wait_for()
    polite = [word for word in listed if word not in rude]
    assert shown_words(page, "#list-words") == polite[:200]
    expect(page.locator("#listed-title")).to_have_text(f"CO: {len(polite):,} words", use_inner_text=True)


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
    assert (folder / "list/wordlist.txt").read_bytes() == (RELEASE / "wordlist.txt").read_bytes()


SECTIONS = [
    "",
    "/days",
    LETTERS,
    "/why/aalii",
    "/list/ca",
    "/flags/foreign",
    "/changes",
    "/accuracy",
    "/settings",
    "/about",
]


DARK_SECTIONS = ["", LETTERS, "/why/aalii", "/accuracy"]
"""Sections with all colors that the page has."""


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


def headings_jump(page) -> list[str]:
    """The visible headings that come more than one level below the one before them."""
    levels = page.locator(":is(h1, h2, h3, h4):visible").evaluate_all(
        "all => all.map(one => one.tagName + one.textContent)"
    )
    assert levels[0].startswith("H1")
    return [after for before, after in pairwise(levels) if int(after[1]) > int(before[1]) + 1]


def finish_today(page) -> None:
    """Find all words of the puzzle of the day, so that it is celebrated, and some of another puzzle."""
    turn(page, LETTERS)
    page.keyboard.type("covenant\noctave\n")
    turn(page, "daily")
    letters = "".join(page.locator(".node").all_text_contents())
    page.keyboard.type("\n".join([*pipeline.solve(letters), ""]))
    page.locator("#panel-done").wait_for()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_every_section_is_accessible_and_fits_its_screen(open_tab, folder, scheme, width):
    home = (folder / "index.html").as_uri()
    tab = open_tab(home, color_scheme=scheme, viewport={"width": width, "height": 780})
    page = tab.open()

    def look(what: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} is wider than {width}"
        # Of thousands of items of one kind, axe needs to see a few.
        page.locator("#list-words .words li, #flagged li").evaluate_all(
            "all => all.slice(20).forEach(item => item.remove())"
        )
        # axe would fetch the style sheet again to look into it, which the page's policy rightly forbids.
        options = {"preload": False, "resultTypes": ["violations"]}
        if scheme == "dark":
            options["runOnly"] = ["color-contrast"]  # all else is as in light
        found = axe.Axe().run(page, options=options).response["violations"]
        grave = [(rule["id"], rule["nodes"][0]["html"]) for rule in found]
        assert not grave, f"{what} {scheme} {width}: {grave}"

    finish_today(page)
    look("the celebration")
    for address in SECTIONS if scheme == "light" else DARK_SECTIONS:
        turn(page, address)
        if address in ("/changes", "/accuracy") and width == 360:
            unfold(page, address[1:])
        look(address)
        assert headings_jump(page) == [], address
        if address == LETTERS:
            for name in ("found", "ranks", "rules", "hints", "answers"):
                if page.locator("#sheet-close").is_visible():
                    page.locator("#sheet-close").click()
                page.locator(f"#game .table [data-sheet={name}]").click()
                if name == "hints":
                    page.locator("[data-hint=two]").click()
                    page.locator("#hint-said", has_text="starts").wait_for()
                if name == "answers":
                    page.locator("#reveal").click()
                    page.locator("#sure").check()
                    page.locator("#define").check()
                    page.locator("#words .glosses").first.wait_for()
                look(name)
            if page.locator("#sheet-close").is_visible():
                page.locator("#sheet-close").click()
    assert tab.complaints == []


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_puzzle_of_many_words_is_printed_on_one_page_and_its_answers_on_another(open_tab, folder, paper):
    letters = "ehinopr"
    assert len(pipeline.solve(letters)) > 75
    document = open_tab((folder / "index.html").as_uri()).open(letters).pdf(format=paper)
    assert len(re.findall(rb"/Type\s*/Page\b", document)) == 2


def test_text_of_twice_the_size_fits_a_narrow_screen(open_tab, folder):
    page = open_tab((folder / "index.html").as_uri(), viewport={"width": 320, "height": 640}).open()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "32px"
    for address in ("/why/aalii", "/list/ca", "/flags/foreign", "/changes", "/accuracy", "/about"):
        turn(page, address)
        if address in ("/changes", "/accuracy"):
            unfold(page, address[1:])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


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


def test_no_table_of_the_report_is_cut_off_on_a_phone(open_tab, folder):
    page = open_tab((folder / "index.html").as_uri(), viewport={"width": 320, "height": 640}).open("/accuracy")
    unfold(page, "report")
    sizes = page.locator("#report .scroll:has(table)").evaluate_all(
        "all => all.map(one => [one.scrollWidth, one.clientWidth])"
    )
    assert len(sizes) >= 3
    assert [wide for wide, shown in sizes if wide > shown] == []
    small = "all => Math.min(...all.map(cell => parseFloat(getComputedStyle(cell).fontSize)))"
    assert page.locator("#report :is(td, tbody th)").evaluate_all(small) >= 14
    named = page.locator("#report td").evaluate_all(
        "all => all.map(cell => getComputedStyle(cell, '::before').content)"
    )
    assert named[:3] == ['"days"', '"F1"', '"exact lists"']
    plots = page.locator("#report img").evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert min(plots) > 500, "the labels of a plot can be read"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_refused_word_says_why_at_once_and_where_its_definition_is(phone, folder, released, meanings):
    row = next(
        row
        for row in released
        if row["tier"] == "refused" and int(row["offered"]) and not row["flags"] and row["word"] in meanings
    )
    page = phone.open(f"/why/{row['word']}")
    link = page.locator("#meaning a")
    link.wait_for()
    target, _, word = link.get_attribute("href").partition("#")
    assert word == row["word"]
    item = (folder / target).read_text().partition(f'<div id="{word}"')[2].partition("</div>")[0]
    assert meanings[word].senses[0].pos in item
    bottom = "node => node.getBoundingClientRect().bottom"
    assert page.get_by_text(row["because"]).evaluate(bottom) < link.evaluate(bottom) < 500


def test_the_licences_travel_with_the_words(tab, folder):
    page = tab.open("/about")
    page.locator("#about a[href='LICENSES.txt']").click()
    page.get_by_text("Permission is hereby granted").first.wait_for()
    assert (folder / "LICENSES.txt").read_bytes() == (RELEASE / "LICENSES.txt").read_bytes()
