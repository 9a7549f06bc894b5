"""The page offline, on a slow connection, and with a new release: the service worker on a real server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import Tab, expect, kept, shown_words, wait_a_moment

import pipeline

LETTERS = "vctaoen"


@pytest.fixture
def visit(open_tab, serve, hosted) -> Callable[..., Tab]:
    """Open the site in a browser whose clock a test can turn."""

    def start(**options: object) -> Tab:
        tab = open_tab(serve(hosted), **{"service_workers": "allow", **options})
        tab.page.clock.install()
        return tab

    return start


def new_release(hosted: Path) -> None:
    """Put another build on the server: other bytes under the same names."""
    build = re.search('const BUILD = "(\\w+)"', (hosted / "sw.js").read_text())[1]
    from pipeline import reader

    page = hosted / "index.html"
    page.write_text(page.read_text().replace(build, "0123456789ab").replace("Today’s puzzle", "The puzzle of today"))
    worker = hosted / "sw.js"
    text = worker.read_text().replace(build, "0123456789ab")
    digest = reader.sha256(page.read_bytes())[:32]
    text = re.sub(r'"index.html": "\w+"', f'"index.html": "{digest}"', text)
    worker.write_text(text)


def test_after_one_visit_it_works_in_airplane_mode(visit):
    tab = visit()
    page = tab.open("/why/luff")
    kept(page)
    tab.open("/why/luff")
    page.locator(".verdict").wait_for()
    page.context.set_offline(True)
    tab.open(f"/solve/{LETTERS}")
    assert shown_words(page, "#words") == pipeline.solve(LETTERS)
    tab.open("/why/luff")
    page.get_by_text("flap, as a sail").wait_for()  # it was looked at before
    tab.open("/why/covenant")
    page.get_by_text("did not load. Check the network connection").wait_for()
    tab.open("/settings")
    wait_a_moment(page)
    page.get_by_text("Games work offline.").wait_for()
    expect(page.locator("#keep-all")).to_be_visible()
    page.goto(tab.home.replace("index.html", "data.html"))
    page.get_by_role("heading", name="Data").wait_for()


def test_everything_is_saved_on_request(visit, hosted):
    tab = visit()
    page = tab.open()
    kept(page)
    last = max((hosted / "words").iterdir())
    last.rename(hosted / "away")
    tab.open("/settings")
    wait_a_moment(page)
    page.locator("#keep-all").click()
    page.get_by_text("Saving stopped:").wait_for()
    (hosted / "away").rename(last)
    page.locator("#keep-all").click()
    page.get_by_text("Everything is saved").wait_for()
    page.context.set_offline(True)
    tab.open("/why/covenant")
    page.get_by_text("solemn agreement").wait_for()


def test_a_new_release_is_offered_and_taken_when_asked_for(visit, hosted):
    tab = visit(viewport={"width": 1280, "height": 900})
    page = tab.open(LETTERS)
    kept(page)
    page.keyboard.type("octave")
    page.keyboard.press("Enter")
    new_release(hosted)
    tab.open("/")
    expect(page.locator("#start-title")).to_have_text("Today’s puzzle", use_inner_text=True)
    wait_a_moment(page)
    page.get_by_text("A new release of the list is ready").wait_for()
    expect(page.locator("#start-title")).to_have_text("Today’s puzzle", use_inner_text=True)
    page.get_by_role("button", name="Use it now").click()
    page.get_by_role("heading", name="The puzzle of today").wait_for()
    tab.open(LETTERS)
    assert shown_words(page, "#found") == ["octave"]
    names = page.evaluate("caches.keys()")
    assert names == ["bee-0123456789ab"]


def test_two_releases_are_never_mixed(visit, hosted):
    tab = visit()
    page = tab.open()
    kept(page)
    for path in (hosted / "words").iterdir():
        path.write_text(path.read_text().replace('"id":"', '"id":"x'))
    tab.open("/why/luff")
    page.get_by_role("alert").filter(visible=True).get_by_text("from another release. Reload the page.").wait_for()
    for path in (hosted / "words").iterdir():
        path.write_text(path.read_text().replace('"id":"x', '"id":"'))
    tab.open("/why/luff")
    page.locator(".verdict").wait_for()  # the other release was not saved
    page.evaluate("caches.open('bee-' + build).then(cache => cache.delete('more.json'))")
    more = hosted / "more.json"
    more.write_text(more.read_text().replace('"covens"', '"covenz"'))
    tab.open(LETTERS)
    page.get_by_text("The rest of the list is not there, or from another release").wait_for()


def test_a_broken_deployment_leaves_the_old_release_in_place(visit, hosted):
    tab = visit()
    page = tab.open()
    kept(page)
    new_release(hosted)
    (hosted / "app.js").write_text("cut sho")
    tab.open(LETTERS)
    # The browser may have tried by itself before anyone listened, so it is asked to try again.
    page.evaluate("""async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        const ends = ["installed", "redundant"];
        const tell = (worker) => { if (ends.includes(worker.state)) globalThis.ended = worker.state; };
        const follow = (worker) => {
            if (!worker) return;
            worker.addEventListener("statechange", () => tell(worker));
            tell(worker);
        };
        registration.addEventListener("updatefound", () => follow(registration.installing));
        follow(registration.installing);
        registration.update().catch(() => null);
    }""")
    wait_a_moment(page)
    assert page.wait_for_function("() => globalThis.ended").json_value() == "redundant"
    expect(page.get_by_text("A new release of the list is ready")).to_be_hidden()
    expect(page.locator("#game")).to_be_visible()


def held_up(tab, name: str):
    """Open the site while one of its files is held up on the way; return what lets the file arrive."""
    held = []
    tab.page.route(re.compile(re.escape(name)), lambda route: held.append(route))
    with tab.page.expect_request(re.compile(re.escape(name))):
        tab.page.goto(tab.home, wait_until="commit")
    return lambda: held[0].continue_()


def test_a_slow_line_shows_the_page_and_a_sign_of_progress_at_once(open_tab, serve, hosted):
    tab = open_tab(serve(hosted))
    page = tab.page
    arrive = held_up(tab, "words.json")
    page.locator("#loading").wait_for()
    page.locator("#letters").fill(LETTERS)
    page.locator("#solve-now").click()
    assert not shown_words(page, "#words")
    arrive()
    page.locator("#words li").first.wait_for()
    assert shown_words(page, "#words") == pipeline.solve(LETTERS)
    expect(page.locator("#loading")).to_be_hidden()


def test_wrong_letters_that_were_sent_before_the_list_is_there_are_told_with_the_list(open_tab, serve, hosted):
    tab = open_tab(serve(hosted))
    page = tab.page
    arrive = held_up(tab, "words.json")
    page.locator("#letters").fill("vct %aoe")
    page.locator("#solve-now").click()
    arrive()
    page.get_by_text("“%” is not a letter").wait_for()
    expect(page.locator("#letters")).to_have_value("vct %aoe")
    assert tab.complaints == []


def test_it_asks_nobody_else_and_no_more_than_is_needed(open_tab, serve, hosted):
    home = serve(hosted)
    tab = open_tab(home)
    page = tab.open(LETTERS)
    page.wait_for_function("() => release.more")
    origin = home.removesuffix("index.html")
    assert all(url.startswith(origin) for url in tab.asked)
    names = {re.sub(r"[?#].*", "", url.removeprefix(origin)) for url in tab.asked}
    assert {"style.css", "bee.js", "app.js", "words.json", "more.json"} <= names
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


def test_letters_typed_before_the_program_is_there_are_not_lost(open_tab, serve, hosted):
    tab = open_tab(serve(hosted))
    page = tab.page
    arrive = held_up(tab, "app.js")
    page.locator("#letters").fill(LETTERS)
    page.locator("#letters").press("Enter")  # a form that nobody listens to would load the page again
    page.wait_for_timeout(300)
    assert page.url == tab.home
    expect(page.locator("#start button:enabled")).to_have_count(0)
    arrive()
    page.locator("#solve-now").click()
    page.locator("#words li").first.wait_for()
    assert page.url == f"{tab.home}#{LETTERS}"
