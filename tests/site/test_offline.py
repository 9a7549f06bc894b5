"""The page offline, on a slow connection, and with a new release: the service worker on a real server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import Tab, expect, kept, shown_words, type_words, unscripted

import pipeline
from pipeline import reader
from pipeline.site.build import SCRIPTS

LETTERS = "vctaoen"


@pytest.fixture
def saving(open_tab, serve, hosted) -> Tab:
    """The site, which saves itself, in a browser whose clock a test can turn."""
    tab = open_tab(serve(hosted), service_workers="allow", viewport={"width": 1280, "height": 900})
    tab.page.clock.install(time="2026-11-22T20:00:00Z")
    return tab


def new_release(hosted: Path) -> None:
    """Put another build on the server: other bytes under the same names."""
    page, worker = hosted / "index.html", hosted / "sw.js"
    build = re.search('const BUILD = "(\\w+)"', worker.read_text())[1]
    page.write_text(page.read_text().replace(build, "0123456789ab").replace("Today’s puzzle", "The puzzle of today"))
    digest = reader.sha256(page.read_bytes())[:32]
    text = worker.read_text().replace(build, "0123456789ab")
    worker.write_text(re.sub(r'"index.html": "\w+"', f'"index.html": "{digest}"', text))


def test_after_one_visit_it_works_in_airplane_mode(saving):
    page = saving.open()
    kept(page)
    saving.open("/why/luff")
    page.locator(".verdict").wait_for()
    page.context.set_offline(True)
    saving.open(f"/solve/{LETTERS}")
    page.locator("#words li").first.wait_for()
    assert shown_words(page, "#words") == pipeline.solve(LETTERS)
    saving.open("daily/2026-11-22/hints/clues")
    expect(page.locator("#step-clues .clues li"), "the clues of today").to_have_count(len(pipeline.solve("mcegint")))
    expect(page.locator("#step-clues .wrong")).to_have_count(0)
    saving.open("/why/luff")
    page.get_by_text("flap, as a sail").wait_for()  # it was looked at before
    saving.open("/why/zebra")
    page.get_by_text("did not load. Check the network connection").wait_for()
    unscripted(saving, "data.html").get_by_role("heading", name="Data").wait_for()


def test_everything_is_saved_on_request(saving, hosted):
    page = saving.open("/settings")
    kept(page)
    expect(page.locator("#keep-all")).to_have_text(re.compile(r"^Save everything \(\d+ MB\)$"))
    one = min((hosted / "words").iterdir())
    one.rename(hosted / "away")
    page.locator("#keep-all").click()
    page.get_by_text("Saving stopped after").wait_for()
    (hosted / "away").rename(one)
    page.locator("#keep-all").click()
    page.get_by_text("Everything is saved").wait_for()
    expect(page.locator("#keep-all")).to_be_hidden()
    page.context.set_offline(True)
    saving.open("/why/covenant")
    page.get_by_text("solemn agreement").wait_for()


def test_a_new_release_is_offered_and_taken_when_asked_for(saving, hosted):
    page = saving.open(LETTERS)
    kept(page)
    type_words(page, ["octave"])
    new_release(hosted)
    saving.open("/")
    page.get_by_text("A new release of the list is ready").wait_for()
    expect(page.get_by_role("heading", name="Today’s puzzle")).to_be_visible()
    page.get_by_role("button", name="Use it now").click()
    page.get_by_role("heading", name="The puzzle of today").wait_for()
    saving.open(LETTERS)
    assert shown_words(page, "#board") == ["octave"]
    assert page.evaluate("caches.keys()") == ["bee-0123456789ab"]


def test_two_releases_are_never_mixed(saving, hosted):
    page = saving.open()
    kept(page)
    for path in (hosted / "words").iterdir():
        path.write_text(path.read_text().replace('"id":"', '"id":"x'))
    saving.open("/why/luff")
    page.get_by_role("alert").filter(visible=True).get_by_text("from another release. Reload the page.").wait_for()
    for path in (hosted / "words").iterdir():
        path.write_text(path.read_text().replace('"id":"x', '"id":"'))
    page.get_by_role("button", name="Try again").click()
    page.locator(".verdict").wait_for()  # the other release was not saved
    page.evaluate("caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.delete('more.json'))")
    more = hosted / "more.json"
    more.write_bytes(more.read_bytes() + b"\n")
    saving.open(LETTERS)
    page.get_by_text("The rest of the list is not there, or from another release").wait_for()


def test_a_broken_deployment_leaves_the_old_release_in_place(saving, hosted):
    page = saving.open()
    kept(page)
    new_release(hosted)
    (hosted / "play.js").write_text("cut sho")
    saving.open(LETTERS)
    # The browser may have tried by itself before anyone listened, so it is asked to try again.
    ended = page.evaluate("""async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return new Promise((resolve) => {
            const follow = ({ installing }) =>
                installing?.addEventListener("statechange", () => resolve(installing.state));
            registration.addEventListener("updatefound", () => follow(registration));
            follow(registration);
            registration.update().catch(() => null);
        });
    }""")
    assert ended == "redundant"
    expect(page.get_by_text("A new release of the list is ready")).to_have_count(0)
    saving.open(LETTERS)


# ---------------------------------------------------------------- slow or broken connections


def held_up(tab, name: str) -> Callable[[], None]:
    """Open the site while one of its files is held up on the way; return what lets the file arrive."""
    held = []
    tab.page.route(re.compile(re.escape(name)), lambda route: held.append(route))
    with tab.page.expect_request(re.compile(re.escape(name))):
        tab.page.goto(tab.home, wait_until="commit")
    return lambda: [route.continue_() for route in held]


@pytest.mark.parametrize("name", ["words.json", "main.js"])
def test_letters_that_are_entered_on_a_slow_line_are_not_lost(tab, name):
    page = tab.page
    arrive = held_up(tab, name)
    page.locator("#letters").fill(LETTERS)
    if name == "main.js":
        page.locator("#letters").press("Enter")  # a form that nobody listens to would load the page again
        expect(page.locator("#start button:enabled")).to_have_count(0)
        arrive()
    page.locator("#letters-form [value=all]").click()
    if name == "words.json":
        page.locator("#loading").wait_for()
        assert not shown_words(page, "#words")
        arrive()
    page.locator("#words li").first.wait_for()
    assert shown_words(page, "#words") == pipeline.solve(LETTERS)
    expect(page.locator("#loading")).to_be_hidden()


def test_wrong_letters_that_were_sent_before_the_list_is_there_are_told_with_the_list(tab):
    page = tab.page
    arrive = held_up(tab, "words.json")
    page.locator("#letters").fill("vct %aoe")
    page.locator("#letters-form [value=hints]").click()
    arrive()
    expect(page.locator("#letters-wrong")).to_have_text('"%" is not a letter from a to z.')
    expect(page.locator("#letters")).to_have_value("vct %aoe")


def test_a_list_that_does_not_load_can_be_tried_again(tab):
    page = tab.page
    page.route("**/words.json*", lambda route: route.abort())
    page.goto(f"{tab.home}#{LETTERS}")
    expect(page.locator("#broken")).to_contain_text("The list did not load. Check the network connection")
    page.unroute("**/words.json*")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="V CTAOEN").wait_for()
    tab.complaints.clear()  # the browser tells of the request that failed


def test_it_asks_nobody_else_and_no_more_than_is_needed(tab):
    tab.open(LETTERS)
    tab.whole()
    origin = tab.home.removesuffix("index.html")
    assert all(url.startswith(origin) for url in tab.asked)
    names = {re.sub(r"[?#].*", "", url.removeprefix(origin)) for url in tab.asked}
    assert {"style.css", *SCRIPTS, "words.json", "more.json"} <= names
    assert not [name for name in names if name.startswith("words/")]


def test_the_policy_lets_no_script_in_that_is_not_a_file_of_the_site(tab):
    page = tab.open()
    page.evaluate("""() => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.smuggled = true';
        document.body.append(script);
    }""")
    assert page.evaluate("typeof smuggled") == "undefined"
    assert "Content Security Policy" in tab.complaints.pop()
