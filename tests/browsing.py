"""A browser and the site that it opens. Each is made once per session, because both take seconds."""

from __future__ import annotations

import contextlib
import datetime
import functools
import http.server
import json
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import needs
import pytest
from once import made_once, succeed

from pipeline import reader
from pipeline.play import daily
from pipeline.sources.day import Day
from pipeline.tables import frames
from pipeline.words import OFFENSIVE, mask, puzzle_day

RELEASE = Path(__file__).parent.parent / "data/custom"
FAR_DAY = "2027-09-17"
"""The date of a later puzzle of the day of which the small release has all words, too."""
LETTER_SETS = ("vctaoen", "ehinopr", "cptamhu", "uoctarf")
"""The puzzles that tests open, center first."""
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

PATIENCE = 60_000
"""The milliseconds that a page may take for anything, as seconds of a busy machine are long."""


@dataclass
class Tab:
    """A page of the browser, its requests, and its errors."""

    page: Any
    home: str
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, address: str = "") -> Any:
        """Load the site at an address and wait until it is shown."""
        self.page.goto("about:blank")
        self.page.goto(self.home + (f"#{address}" if address else ""))
        self.ready()
        return self.page

    def hear(self, complaint: str) -> None:
        """Keep what the page writes to the console."""
        if "blocked by Playwright" not in complaint:
            self.complaints.append(complaint)

    def ready(self) -> None:
        """Wait until the list is there."""
        self.page.locator("body[data-ready]").wait_for()

    def whole(self) -> None:
        """Wait until the rest of the list is there, too."""
        self.page.wait_for_function(f"async () => ({module('list')}).isWhole()")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    needs.require("a browser")
    from playwright import sync_api

    sync_api.expect.set_options(timeout=PATIENCE)
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=needs.browser(), args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def small_release(tmp_path_factory: pytest.TempPathFactory, sample_days: list[Day]) -> Path:
    """The release with all words of some puzzles, of some first letters and with grades, and some of the others."""
    from conftest import part_of_the_release

    published = daily.published(reader.read(RELEASE))
    today = puzzle_day(datetime.datetime.now(datetime.UTC))
    dates = [*daily.dates("2026-11-20", 10), *daily.dates(today, 2), FAR_DAY]  # the next day may begin meanwhile
    days = [published[day] for day in dates if day in published]
    sample = [day.puzzle.letters for day in sample_days]
    masks = {subset for letters in (*LETTER_SETS, *days, *sample) for subset in subsets(letters)}
    kept = {"aalii", "artefact", "luff"}
    rows = list(reader.rows((RELEASE / "words.csv").read_bytes(), "words.csv"))
    for at, row in enumerate(rows):
        word, flags = row["word"], row["flags"].split()
        if (
            at % 60 == 0
            or not set(OFFENSIVE).isdisjoint(flags)
            or word.startswith("lu")
            or (row["tier"] != "refused" and (mask(word) in masks or word.startswith("co")))
        ):
            kept.add(word)
    folder = made_once(tmp_path_factory, "small", lambda target: part_of_the_release(target / "custom", kept))
    return folder / "custom"


def subsets(letters: str) -> set[int]:
    """The masks of all words that could be made of letters."""
    bits = [mask(letter) for letter in letters]
    return {sum(chosen) for size in range(1, 8) for chosen in combinations(bits, size)}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, small_release: Path) -> Path:
    """The site of a small release, written by the command, once for all workers; only read it."""

    def make(target: Path) -> None:
        succeed("--data", small_release.parent, "site", "-o", target, "--repository", "https://example.org/bee")

    return made_once(tmp_path_factory, "small-site", make)


@pytest.fixture(scope="session")
def whole_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the checkout's own release; only read it."""
    return made_once(tmp_path_factory, "site-of-the-checkout", lambda target: succeed("site", "-o", target))


@pytest.fixture
def hosted(folder: Path, tmp_path: Path) -> Path:
    """A copy of the site that a test may change."""
    return shutil.copytree(folder, tmp_path / "hosted", ignore=shutil.ignore_patterns("list"))


@pytest.fixture(scope="session")
def released(small_release: Path) -> list[dict[str, str]]:
    return frames.rows(frames.read_csv((small_release / "words.csv").read_bytes(), "words.csv"))


class Silent(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # which would hold back each answer for 40 ms

    def do_GET(self) -> None:
        """Send the file as it is: by its time, one that a test changed within a second would be "not modified"."""
        del self.headers["If-Modified-Since"]
        super().do_GET()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextlib.contextmanager
def serving(root: Path) -> Iterator[str]:
    """Serve a folder on this machine; yields the address of its page."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def serve() -> Iterator[Callable[[Path], str]]:
    """Serve a folder for the length of a test; returns the address of its page."""
    with contextlib.ExitStack() as servers:
        yield lambda root: servers.enter_context(serving(root))


@pytest.fixture(scope="session")
def home(folder: Path) -> Iterator[str]:
    """The address of the page of the small release."""
    with serving(folder) as address:
        yield address


@pytest.fixture
def open_tab(browser: Any) -> Iterator[Callable[..., Tab]]:
    """Open a new browser profile at an address of the site; all are closed after the test. Unless it is the `first`
    visit of all, the rules were shown before. Only if `service_workers` are allowed, something is saved for offline
    use."""
    contexts = []

    def start(home: str, first: bool = False, **options: object) -> Tab:
        context = browser.new_context(**{"service_workers": "block", **options})
        if not first:
            shown = "try { localStorage['bee:set:rules'] = 'shown'; } catch {}"
            # Later than at once: what another process stored a moment ago may not be there yet.
            context.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {shown} }})")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        tab = Tab(page, home)
        page.on("request", lambda request: tab.asked.append(request.url))
        page.on("console", lambda message: tab.hear(message.text))
        page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        return tab

    yield start
    for context in contexts:
        context.close()


@pytest.fixture
def tab(open_tab: Callable[..., Tab], home: str) -> Iterator[Tab]:
    """The site on a desktop; any error of the page fails the test."""
    made = open_tab(home, viewport={"width": 1280, "height": 900})
    yield made
    assert made.complaints == []


@pytest.fixture
def phone(open_tab: Callable[..., Tab], home: str) -> Iterator[Tab]:
    """The same on a phone, with touch input."""
    made = open_tab(home, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield made
    assert made.complaints == []


def module(name: str) -> str:
    """A module of the page, as an expression for a script."""
    return f"await import(`./{name}.js${{new URL(document.querySelector('script').src).search}}`)"


def record(page: Any, puzzle: str) -> dict[str, Any]:
    """What the browser keeps of a puzzle, by its date or its letters (the center, then the others A to Z)."""
    return json.loads(page.evaluate(f"localStorage['bee:game:{puzzle}'] ?? '{{}}'"))


def type_words(page: Any, words: Iterable[str]) -> None:
    """Type words into the puzzle that is open."""
    page.keyboard.type("".join(f"{word}\n" for word in words))


def unscripted(tab: Tab, path: str) -> Any:
    """Load a page of the site that has no script."""
    tab.page.goto(tab.home.removesuffix("index.html") + path)
    return tab.page


def expect(what: Any, message: str | None = None) -> Any:
    """Assert something about an element, once it holds: on a busy machine the page may need a moment."""
    from playwright import sync_api

    return sync_api.expect(what, message)


def shown_words(page: Any, where: str) -> list[str]:
    return page.locator(f"{where} li[data-word]").evaluate_all("items => items.map(item => item.dataset.word)")


def kept(page) -> None:
    """Wait until what a game needs is saved for offline use."""
    page.locator("body[data-ready]").wait_for()
    said = "document.querySelector('#offline-said').textContent"
    page.wait_for_function(f"() => {said}.startsWith('Games and the clues')")
