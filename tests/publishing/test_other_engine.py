"""The page in WebKitGTK, whose engine is that of Safari. `make engines` installs it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from test_still import LETTERS, PLAY, faults, played
from webdriver import INSTALLED, Driver, webkit

import pipeline

pytestmark = pytest.mark.skipif(not INSTALLED, reason="WebKitGTK is not installed; `make engines` installs it")

NARROW, WIDE = (390, 844), (1280, 900)


@pytest.fixture(scope="module")
def started(tmp_path_factory) -> Iterator[Driver]:
    with webkit(tmp_path_factory.mktemp("home")) as driver:
        yield driver


@pytest.fixture
def phone(started, folder) -> Driver:
    """A narrow window in which nothing was played."""
    started.resize(*NARROW)
    started.open((folder / "index.html").as_uri())
    started.run("localStorage.clear()")
    started.run("localStorage.setItem('bee:set:rules', 'shown')")
    return started


def open_puzzle(driver: Driver, folder, address: str) -> list[str]:
    """Open a puzzle and return its words, the longest first."""
    driver.open(f"{(folder / 'index.html').as_uri()}#{address}")
    letters = driver.run("[...document.querySelectorAll('.node')].map((node) => node.textContent).join('')")
    return sorted(pipeline.solve(letters), key=len, reverse=True)


def test_the_puzzle_of_the_day_is_played_and_kept(phone, folder):
    one, other, *_ = open_puzzle(phone, folder, "daily")
    phone.press(one + "\n")
    assert f"{one}: " in phone.text("#said")
    for letter in other:
        phone.click(f".node[aria-label^={letter.upper()}]")
    assert phone.text("#typed").lower() == other
    phone.click("#delete")
    phone.press(other[-1])
    phone.click("#enter")
    assert f"{other}: " in phone.text("#said")
    assert phone.text("#strip").split() == [other, one]
    phone.press("x\n")
    assert phone.text("#said") == "x: no X here."
    phone.reload()
    assert phone.text("#found-count") == "2"
    assert phone.text("#strip").split() == [other, one]
    assert phone.run("document.documentElement.scrollWidth <= innerWidth")


def test_a_hint_is_told_and_back_closes_the_sheet_first(phone, folder):
    words = open_puzzle(phone, folder, LETTERS)
    phone.click(".tabs [data-sheet=hints]")
    assert phone.run("document.querySelector('#sheet').matches(':modal')")
    phone.click("[data-hint=length]")
    phone.until("document.querySelector('#hint-said').innerText.startsWith('It has ')")
    size = int(phone.text("#hint-said").split()[2])
    assert size in set(map(len, words))
    assert phone.run("document.querySelector('#sheet').scrollWidth <= document.querySelector('#sheet').clientWidth")
    phone.back()
    phone.until("!document.querySelector('#sheet').open")
    assert phone.run("location.hash") == f"#{LETTERS}"
    phone.click(".tabs [data-sheet=answers]")
    phone.click("#reveal")
    phone.until("document.querySelectorAll('#words li').length")
    assert sorted(phone.run("[...document.querySelectorAll('#words li')].map((item) => item.dataset.word)")) == sorted(
        words
    )
    phone.click("#sheet-close")
    assert not phone.shown("#sheet")


def test_beside_a_game_in_a_wide_window_the_sheet_stays_open(phone, folder):
    phone.resize(*WIDE)
    word, *_ = open_puzzle(phone, folder, LETTERS)
    assert phone.shown("#sheet")
    phone.press(word + "\n")
    phone.until("document.querySelectorAll('#found li').length === 1")
    phone.run("dispatchEvent(new Event('beforeprint'))")
    assert phone.run("document.querySelectorAll('#paper .page').length") == 2


def test_a_day_is_chosen_in_the_calendar_and_a_word_is_looked_up(phone, folder):
    phone.open(f"{(folder / 'index.html').as_uri()}#/days")
    phone.until("document.querySelector('.month a')")
    day = phone.run("document.querySelector('.month a').getAttribute('href')")
    phone.click(".month a")
    phone.until("document.body.dataset.section === 'game'")
    assert phone.run("location.hash") == day
    phone.back()
    phone.until("document.body.dataset.section === 'days'")
    phone.open(f"{(folder / 'index.html').as_uri()}#/why")
    phone.click("#word")
    phone.press("aalii\n")
    phone.until("document.querySelector('.verdict')")
    assert phone.run("location.hash") == "#/why/aalii"
    assert phone.text(".verdict").startswith("aalii")
    assert phone.run("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("window", [NARROW, WIDE], ids=["narrow", "wide"])
def test_nothing_moves_whatever_is_said(phone, folder, released, window):
    phone.resize(*window)
    phone.run("localStorage.setItem('bee:set:filter', 'family')")
    open_puzzle(phone, folder, LETTERS)
    phone.until("game.whole")
    states = phone.run(f"({PLAY})(arguments[0])", ["", *played(released)])
    width = phone.run("innerWidth")
    for size in ("100%", "200%"):
        sized = [state for state in states if state["size"] == size]
        assert [fault for state in sized for fault in faults(state, sized[0], width)] == []
