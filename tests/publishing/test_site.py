"""The site, as a browser shows it: from a folder and from a server, by keyboard, in the dark and on a phone."""

from __future__ import annotations

import functools
import http.server
import itertools
import json
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import PROJECT, reseal, snapshot

import pipeline
from pipeline import frames, hints, solver, words
from pipeline import site as making

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

RELEASE = PROJECT / "data/custom"
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
LETTERS = "vctaoen"
RUDE = "slur|vulgar|sensitive"


@dataclass
class Tab:
    """A page of the browser, what it asked for, and what it complained about."""

    page: playwright.Page
    home: str
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, address: str = "") -> playwright.Page:
        """Load the site at an address and wait until it is shown."""
        self.page.goto("about:blank")
        self.page.goto(self.home + (f"#{address}" if address else ""))
        self.page.locator("main > section:not([hidden]) h1").wait_for()
        return self.page


@pytest.fixture(scope="module")
def browser() -> Iterator[playwright.Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("no chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the checkout's own release, written by the command."""
    from pipeline import cli

    target = tmp_path_factory.mktemp("site")
    with pytest.raises(SystemExit) as stop:
        cli.main(["site", "-o", str(target)])
    assert not stop.value.code
    return target


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    """The site on a server of this machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()
    thread.join()


def open_tab(browser: playwright.Browser, home: str, **options: object) -> Tab:
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(10_000)
    tab = Tab(page, home)
    page.on("request", lambda request: tab.asked.append(request.url))
    page.on("console", lambda message: tab.complaints.append(message.text))
    page.on("pageerror", lambda error: tab.complaints.append(str(error)))
    return tab


@pytest.fixture
def tab(browser: playwright.Browser, folder: Path) -> Iterator[Tab]:
    """A fresh browser profile with the site opened from its folder; whatever the page complains of fails the test."""
    tab = open_tab(browser, (folder / "index.html").as_uri(), viewport={"width": 1280, "height": 900})
    yield tab
    tab.page.context.close()
    assert tab.complaints == []


def shown_words(page: playwright.Page, where: str) -> list[str]:
    return page.locator(f"{where} li[data-word]").evaluate_all("items => items.map(item => item.dataset.word)")


def unfold(page: playwright.Page, hint: str) -> None:
    page.locator(f"#{hint}").evaluate("hint => { hint.open = true; }")
    page.locator(f"#{hint} .body > *").first.wait_for()


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The start of the release in a folder of its own, to be changed."""
    folder = tmp_path / "release"
    shutil.copytree(RELEASE, folder)
    for name in ("words.csv", "evidence.csv"):
        with (folder / name).open() as lines:
            kept = "".join(itertools.islice(lines, 500))
        (folder / name).write_text(kept)
    reseal(folder)
    return folder


@pytest.fixture(scope="module")
def released() -> list[dict[str, str]]:
    return frames.rows(frames.read_csv((RELEASE / "words.csv").read_bytes(), "words.csv"))


def same_hints(page: playwright.Page, puzzle: words.Puzzle, expected: list[str]) -> None:
    """Check everything that is counted of a puzzle's words against the package."""
    counts = {
        "count": len(expected),
        "points": sum(map(words.score, expected)),
        "pangrams": sum(map(words.pangram, expected)),
        "perfect_pangrams": sum(map(words.perfect_pangram, expected)),
        "bingo": words.bingo(puzzle, expected),
    }
    assert page.locator("#totals").text_content() == hints.header(counts)
    for hint in ("grid", "pairs", "starts", "ranks"):
        unfold(page, hint)
    cells = page.locator("#grid tr").all_inner_texts()
    assert " ".join(cells).upper().split() == hints.grid_text(hints.grid(expected)).split()
    pairs = page.locator("#pairs li").all_inner_texts()
    assert pairs == hints.two_letters_text(hints.two_letters(expected)).split()
    starts = [re.sub(r"\s+", " ", text) for text in page.locator("#starts li").all_text_contents()]
    veiled = [line.split() for line in hints.veiled(expected, 2)]
    assert sorted(starts) == sorted(
        f"{start.replace('.', '·')}{start[:2].upper()}, {size} letters {size}" for start, size in veiled
    )
    needed = page.locator("#ranks td").all_inner_texts()
    assert list(map(int, needed)) == list(words.ranks(counts["points"]).values())


def test_the_page_and_the_package_solve_every_puzzle_and_give_hints_alike(tab, sample_days):
    assert len(sample_days) == 14
    for day in sample_days:
        page = tab.open(day.puzzle.letters)
        expected = pipeline.solve(day.puzzle.letters)
        unfold(page, "words")
        assert len(expected) > 15
        assert shown_words(page, "#words") == expected
        unfold(page, "maybe")
        assert shown_words(page, "#maybe") == [row["word"] for row in solver.load_maybe(day.puzzle)]
        same_hints(page, day.puzzle, expected)


def test_nothing_is_told_before_it_is_asked_for(tab):
    page = tab.open(LETTERS)
    told = set(re.findall("[a-z]+", page.locator("#solve").inner_text().lower()))
    assert not told & set(pipeline.solve(LETTERS))
    unfold(page, "words")
    assert shown_words(page, "#words")
    page = tab.open("cptamhu")
    assert shown_words(page, "#words") == []


def test_it_works_from_a_server_and_asks_nobody_else(browser, served, folder):
    tab = open_tab(browser, served)
    page = tab.open(LETTERS)
    unfold(page, "words")
    assert shown_words(page, "#words") == pipeline.solve(LETTERS)
    page.goto(served + "#/why/luff")
    page.locator(".verdict").wait_for()
    page.goto(served + "#/accuracy")
    page.locator("#accuracy img").first.wait_for()
    tab.page.context.close()
    origin = served.removesuffix("index.html")
    assert all(url.startswith(origin) for url in tab.asked)
    names = {url.removeprefix(origin).partition("#")[0] for url in tab.asked}
    assert {"style.css", "app.js", "words.js", "record.js"} <= names <= {path.name for path in folder.iterdir()}
    assert tab.complaints == []


def test_solving_does_not_wait_for_the_record(tab):
    tab.open(LETTERS)
    assert not [url for url in tab.asked if "record.js" in url]
    tab.open("/why/luff").locator(".verdict").wait_for()
    assert [url for url in tab.asked if "record.js" in url]


def test_the_policy_lets_no_script_in_that_is_not_a_file_of_the_site(tab):
    page = tab.open()
    page.evaluate("""() => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.smuggled = true';
        document.body.append(script);
    }""")
    assert page.evaluate("typeof smuggled") == "undefined"
    assert "Content Security Policy" in tab.complaints.pop()


def test_a_puzzle_can_be_played_with_the_keyboard_alone(tab):
    page = tab.open()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    while page.evaluate("document.activeElement.id") != "letters":
        page.keyboard.press("Tab")
    page.keyboard.type(LETTERS)
    page.keyboard.press("Enter")
    page.keyboard.type("octavex")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    assert page.locator("#said").inner_text() == "OCTAVE: 6 points."
    assert shown_words(page, "#found") == ["octave"]
    page.locator(".node.center").focus()
    page.keyboard.type("cove")
    page.keyboard.press("Enter")
    assert shown_words(page, "#found") == ["cove", "octave"]
    page.locator("#words > summary").focus()
    page.keyboard.press("Enter")
    page.locator("#words li").first.wait_for()


def test_letters_can_be_clicked_and_shuffled(tab):
    page = tab.open(LETTERS)
    for letter in "cove":
        page.locator(".node", has_text=letter).click()
    page.locator("#delete").click()
    assert page.locator("#guess").input_value() == "cov"
    before = page.locator(".node").all_inner_texts()
    page.locator("#shuffle").click()
    after = page.locator(".node").all_inner_texts()
    assert before != after
    assert before[0] == after[0] == "V"
    assert sorted(before) == sorted(after) == sorted(LETTERS.upper())


@pytest.mark.parametrize(
    ("guess", "says"),
    [
        ("cov", "it is too short"),
        ("cotton", "it lacks the center letter V"),
        ("convex", "it needs X"),
        ("vvvv", "is not on the list"),
        ("covenant", "A pangram! COVENANT: 15 points."),
        ("cove octave junk cove", "2 new words of 4. Not new: junk, cove."),
        ("  ", "Type a word first."),
    ],
)
def test_every_guess_gets_an_answer(tab, guess, says):
    page = tab.open(LETTERS)
    page.locator("#guess").fill(guess)
    page.locator("#guess").press("Enter")
    assert says in page.locator("#said").inner_text()


def test_found_words_survive_a_reload_and_can_be_forgotten(tab):
    page = tab.open(LETTERS)
    page.locator("#guess").fill("octave covenant")
    page.locator("#guess").press("Enter")
    rank = page.locator("#rank-said").inner_text()
    assert rank.startswith("21 of")
    page.reload()
    assert shown_words(page, "#found") == ["covenant", "octave"]
    assert page.locator("#rank-said").inner_text() == rank
    page.locator("#left-only").check()
    unfold(page, "grid")
    assert page.locator("#grid tr").last.inner_text().split()[-1] == str(len(pipeline.solve(LETTERS)) - 2)
    page = tab.open()
    page.reload()
    assert page.locator("#played-list").inner_text() == words.puzzle(LETTERS).letters
    page = tab.open(LETTERS)
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#forget").click()
    assert shown_words(page, "#found") == []
    page.reload()
    assert shown_words(page, "#found") == []


def test_it_works_where_the_browser_keeps_nothing(tab):
    denied = "get() { throw new DOMException('denied', 'SecurityError'); }"
    tab.page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ {denied} }})")
    page = tab.open(LETTERS)
    page.locator("#guess").fill("octave")
    page.locator("#guess").press("Enter")
    assert shown_words(page, "#found") == ["octave"]


@pytest.mark.parametrize(
    ("letters", "says"),
    [
        ("vctaoe", "has 6"),
        ("vctaoee", "is there twice"),
        ("vctaoe7", "is not a letter from a to z"),
        ("", "there are none"),
    ],
)
def test_letters_that_are_no_puzzle_get_a_sentence(tab, letters, says):
    page = tab.open()
    page.locator("#letters").fill(letters)
    page.locator("#letters").press("Enter")
    assert says in page.locator("#letters-wrong").inner_text()
    if letters:
        page = tab.open(letters)
        page.reload()
        assert says in page.locator("#letters-wrong").inner_text()


def test_a_puzzle_without_a_pangram_names_the_likeliest_candidates(tab, released):
    listed = {"".join(sorted(set(word))) for word in pipeline.load_words()}
    doubtful = [row["word"] for row in released if row["tier"] == "review" and words.pangram(row["word"])]
    word = next(
        word
        for word in doubtful
        if "".join(sorted(set(word))) not in listed and pipeline.solve("".join(dict.fromkeys(word)))
    )
    page = tab.open("".join(dict.fromkeys(word)))
    assert page.locator("#pangramless").is_visible()
    page.locator("#pangramless summary").click()
    assert word in shown_words(page, "#pangramless")
    assert not tab.open(LETTERS).locator("#pangramless").is_visible()


def test_family_friendly_leaves_offensive_words_out_and_says_so(tab, released):
    rude = {row["word"] for row in released if re.search(RUDE, row["flags"])}
    letters = "".join(
        next(
            letters
            for word in sorted(rude)
            if words.pangram(word) and rude & set(pipeline.solve(letters := "".join(dict.fromkeys(word))))
        )
    )
    expected = pipeline.solve(letters)
    page = tab.open(letters)
    unfold(page, "words")
    assert shown_words(page, "#words") == expected
    page.locator("#safe").check()
    assert shown_words(page, "#words") == [word for word in expected if word not in rude]
    assert f"{len(rude & set(expected))} word" in page.locator("#safe-said").inner_text()


def test_every_reason_of_the_release_is_told_word_for_word(tab, released):
    page = tab.open("/why/luff")
    page.locator(".verdict").wait_for()
    told = page.evaluate("""JSON.stringify([...record.values()].map(entry =>
        [entry.word, entry.tier, because(entry), flagsOf(entry).map(flag => flag.id).join(' ')]))""")
    told = json.loads(told)
    assert len(told) > 90_000
    assert {row[0]: row[1:] for row in told} == {
        row["word"]: [row["tier"], row["because"], row["flags"]] for row in released
    }


@pytest.mark.parametrize(
    ("tier", "verdict"), [("core", "In"), ("likely", "In"), ("review", "Doubtful"), ("refused", "Out")]
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
    assert (f"p = {row['p']}" in said) == bool(row["p"])
    assert page.locator("#why-said a[href^='#/flags/']").count() == len(row["flags"].split())


def test_looking_up_what_is_no_word_of_the_release_tells_why_too(tab):
    for word, says in [
        ("bee", "too short"),
        ("background", "seven different letters"),
        ("aaaab", "not in the release"),
        ("o'clock", "other characters"),
        ("<b>x", "other characters"),
    ]:
        page = tab.open(f"/why/{word}")
        page.get_by_text(f"{word}: Out").wait_for()
        assert says in page.locator("#why-said").inner_text()


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
    page = tab.open("/flags/vulgar")
    page.get_by_text("Words flagged: vulgar").wait_for()
    assert shown_words(page, "#flagged") == []
    page.locator("#rude").check()
    assert set(shown_words(page, "#flagged")) <= rude
    assert shown_words(page, "#flagged")


def test_changes_and_the_report_are_shown_as_the_release_has_them(tab):
    page = tab.open("/accuracy")
    page.locator("#accuracy img").first.wait_for()
    report = (PROJECT / "docs/ACCURACY.md").read_text()
    assert page.locator("#accuracy img").count() == len(making.plots(report)) == 2
    assert page.locator("#accuracy tr").count() == len(re.findall(r"(?m)^\|", report)) - len(
        re.findall(r"(?m)^\| ---", report)
    )
    assert page.locator("#accuracy img").evaluate_all("all => all.every(img => img.loading === 'lazy' && img.alt)")
    page = tab.open("/changes")
    page.locator("#changes .report").wait_for()
    told = (PROJECT / "data/custom/CHANGES.md").read_text().splitlines()
    assert told[2] in page.locator("#changes").inner_text()


def test_changes_link_each_word_to_its_reason(browser, bee, release, tmp_path):
    (release / "CHANGES.md").write_text(
        "# Changes in 2\n\nSince 1: 1 words added.\n\n## Added\n\n- `aardvark`: accepted 4 of <b>9</b>\n"
    )
    assert bee("site", "-o", tmp_path / "site", "--release", release).code == 0
    tab = open_tab(browser, (tmp_path / "site/index.html").as_uri())
    page = tab.open("/changes")
    page.locator("#changes li a").click()
    page.locator(".verdict").wait_for()
    assert page.locator(".verdict").inner_text().startswith("aardvark: In")
    assert tab.complaints == []
    tab.page.context.close()


SECTIONS = ["", LETTERS, "/why/aalii", "/flags/foreign", "/changes", "/accuracy", "/about"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_every_section_is_accessible_and_fits_its_screen(browser, folder, scheme, width):
    home = (folder / "index.html").as_uri()
    tab = open_tab(browser, home, color_scheme=scheme, viewport={"width": width, "height": 780})
    for address in SECTIONS:
        page = tab.open(address)
        page.get_by_text("Loading the record").wait_for(state="hidden")
        if address == LETTERS:
            page.locator("#guess").fill("octave")
            page.locator("#guess").press("Enter")
            for hint in ("ranks", "grid", "pairs", "starts", "words", "maybe"):
                unfold(page, hint)
            page.locator("#sure").check()
        # axe would fetch the style sheet again to look into it, which the page's policy rightly forbids.
        found = axe.Axe().run(page, options={"preload": False}).response["violations"]
        grave = [(rule["id"], rule["nodes"][0]["html"]) for rule in found if rule["impact"] in ("serious", "critical")]
        assert not grave, f"{address} {scheme} {width}: {grave}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{address} is wider than {width}"
    assert tab.complaints == []
    tab.page.context.close()


def test_the_chosen_colours_are_kept(tab):
    page = tab.open()
    paper = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(paper)
    page.locator("#theme").select_option("dark")
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark


def test_the_same_release_makes_the_same_bytes(bee, folder, tmp_path):
    assert bee("site", "--output", tmp_path).code == 0
    assert snapshot(tmp_path) == snapshot(folder)
    assert sum(map(len, snapshot(folder).values())) < 2_500_000


def test_the_licences_travel_with_the_words(tab, folder):
    page = tab.open("/about")
    page.locator("#about a[href='LICENSES.txt']").click()
    page.get_by_text("Permission is hereby granted").first.wait_for()
    assert (folder / "LICENSES.txt").read_bytes() == (RELEASE / "LICENSES.txt").read_bytes()


def test_the_site_names_its_game_and_no_other_host(folder):
    text = (folder / "index.html").read_text()
    assert "Not affiliated with The New York Times" in text
    for name in ("index.html", "style.css", "app.js"):
        text = (folder / name).read_text().replace("xmlns='http://www.w3.org/2000/svg'", "")
        assert not re.search(r"https?://", text), name


def test_a_release_without_a_report_leaves_the_section_out(browser, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "site")
    tables = {
        "words": frames.read_csv((RELEASE / "words.csv").read_bytes(), "words.csv").head(2000),
        "evidence": frames.from_text(
            frames.read_csv((RELEASE / "evidence.csv").read_bytes(), "evidence.csv"), "evidence"
        ),
    }
    page = {name: (folder / name).read_bytes() for name in making.PAGE}
    package = json.loads((RELEASE / "datapackage.json").read_text())
    files = making.site(tables, package, dict.fromkeys(making.DOCUMENTS, b"None.\n"), page, {})
    assert set(files) == {"index.html", "style.css", "app.js", "words.js", "record.js", "LICENSES.txt"}
    for name, data in files.items():
        (tmp_path / "site" / name).write_bytes(data)
    tab = open_tab(browser, (tmp_path / "site/index.html").as_uri())
    assert not tab.open().locator("nav a[data-section=accuracy]").is_visible()
    tab.page.context.close()


def test_a_page_whose_files_are_of_two_releases_says_so(browser, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "site")
    record = tmp_path / "site/record.js"
    record.write_text(re.sub(r'"of":"\w+"', '"of":"another"', record.read_text()))
    tab = open_tab(browser, (tmp_path / "site/index.html").as_uri())
    page = tab.open("/why/luff")
    assert "of two releases" in page.get_by_role("alert").filter(visible=True).inner_text()
    (tmp_path / "site/words.js").unlink()
    page.reload()
    assert "words.js did not load" in page.locator("#broken").inner_text()
    tab.page.context.close()


@pytest.mark.parametrize(
    ("breaks", "says"),
    [
        ("--release nowhere", "There is no nowhere"),
        ("--report nowhere", "There is no nowhere"),
        ("-o {file}", "Cannot write"),
    ],
)
def test_a_wrong_option_is_one_sentence(bee, tmp_path, breaks, says):
    (tmp_path / "file").write_text("here")
    target = [] if "-o" in breaks else ["-o", tmp_path / "site"]
    failed = bee("site", *target, *breaks.format(file=tmp_path / "file").split())
    assert failed.code == 1
    assert says in failed.err
    assert failed.out == ""
    assert len(failed.err.splitlines()) == 1
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("words.csv", "word,tier,p", "word,rank,p", "no column tier"),
        ("words.csv", "aahed,refused", "aahed,banned", 'has the tier "banned"'),
        ("words.csv", "aalii,", "aahed,", "stands there twice"),
        ("words.csv", "aalii,", "Aalii's,", "is no playable word"),
        ("words.csv", "likely,0.99", "likely,often", 'has the p "often"'),
        ("words.csv", "large-list rare", "large-list rar", "not all known"),
        ("evidence.csv", ",25,0,", ",many,0,", "Table evidence"),
        ("datapackage.json", "{", "", "is no JSON"),
    ],
)
def test_a_release_that_is_damaged_says_where(bee, release, tmp_path, name, old, new, says):
    path = release / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    failed = bee("site", "-o", tmp_path / "site", "--release", release)
    assert failed.code == 1
    assert says in failed.err
    assert len(failed.err.splitlines()) == 1


def test_a_reason_by_a_person_reaches_the_page_as_it_was_written(bee, release, tmp_path):
    table = (release / "words.csv").read_text()
    reason = 'keep, says me on 2025-01-01: a <b>"good"</b> word'
    changed = re.sub(
        r'(?m)^(aahed),refused,(.*),".*"$',
        lambda row: f'{row[1]},core,{row[2]},"{reason.replace(chr(34), chr(34) * 2)}"',
        table,
    )
    assert changed != table
    (release / "words.csv").write_text(changed)
    failed = bee("site", "-o", tmp_path / "site", "--release", release)
    assert (failed.code, "is not the file that datapackage.json" in failed.err) == (1, True)
    reseal(release)
    assert bee("site", "-o", tmp_path / "site", "--release", release).code == 0
    script = (tmp_path / "site/record.js").read_text()
    record = json.loads(script.removeprefix("globalThis.beeRecord = ").removesuffix(";\n"))
    assert record["notes"] == {"aahed": reason}
