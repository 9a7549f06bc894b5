"""The page in WebKitGTK, whose engine is that of Safari. `make engines` installs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import PATIENCE
from test_still import LETTERS, PLAY, faults, played

import pipeline
from pipeline.words import puzzle

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("a second browser engine"),
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),  # selenium warns of itself
]
NARROW, WIDE = (390, 844), (1280, 900)


class Phone:
    """A window of the browser, and what is done in it."""

    def __init__(self, driver: Any, home: str) -> None:
        self.driver = driver
        self.home = home

    def open(self, address: str = "") -> None:
        """Load an address of the site, and wait until the list is there."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.home}#{address}")
        self.until("document.body.dataset.ready")

    def run(self, script: str, *arguments: object) -> Any:
        """Return the value of an expression."""
        return self.driver.execute_script(f"return ({script})", *arguments)

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, PATIENCE / 1000).until(lambda _: self.run(script))

    def part(self, selector: str) -> Any:
        """Return an element."""
        return self.driver.find_element("css selector", selector)

    def text(self, selector: str) -> str:
        """Return what an element shows."""
        return self.run(f"document.querySelector({selector!r}).innerText.trim()")

    def press(self, text: str) -> None:
        """Press keys, one after the other; "\\n" is Enter."""
        from selenium.webdriver import ActionChains, Keys

        ActionChains(self.driver).send_keys(text.replace("\n", Keys.ENTER)).perform()


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """WebKitGTK on a screen in memory, with an empty home."""
    from selenium import webdriver

    home = str(tmp_path_factory.mktemp("home"))
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1000x24"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as screen:
        os.close(write)
        with os.fdopen(read) as number:
            display = f":{number.readline().strip()}"
        environment = {**os.environ, "DISPLAY": display, "GDK_BACKEND": "x11", "HOME": home, "XDG_RUNTIME_DIR": home}
        service = webdriver.WebKitGTKService(shutil.which("WebKitWebDriver"), env=environment)
        driver = webdriver.WebKitGTK(service=service)
        yield driver
        driver.quit()
        screen.terminate()


@pytest.fixture
def phone(driver: Any, home: str) -> Phone:
    """A narrow window in which nothing was played."""
    phone = Phone(driver, home)
    driver.set_window_size(*NARROW)
    phone.open()
    phone.run("localStorage.clear()")
    phone.run("localStorage.setItem('bee:set:rules', 'shown')")
    return phone


def open_puzzle(phone: Phone, address: str) -> list[str]:
    """Open a puzzle and return its words, the longest first."""
    phone.open(address)
    letters = phone.run("[...document.querySelectorAll('.node')].map((node) => node.textContent).join('')")
    return sorted(pipeline.solve(letters), key=len, reverse=True)


def test_the_puzzle_of_the_day_is_played_and_kept(phone):
    one, other, *_ = open_puzzle(phone, "daily")
    phone.press(one + "\n")
    assert f"{one}: " in phone.text("#said")
    for letter in other:
        phone.part(f".node[aria-label^={letter.upper()}]").click()
    assert phone.text("#typed").lower() == other
    phone.part("#delete").click()
    phone.press(other[-1])
    phone.part("#enter").click()
    assert f"{other}: " in phone.text("#said")
    assert phone.text("#strip").split() == [other, one]
    phone.driver.refresh()
    phone.until("document.body.dataset.ready")
    assert phone.text("#strip").split() == [other, one]
    assert phone.run("document.documentElement.scrollWidth <= innerWidth")


def test_a_hint_is_told_and_back_closes_the_sheet_first(phone):
    words = open_puzzle(phone, LETTERS)
    phone.part(".tabs [data-panel=hints]").click()
    assert phone.run("document.querySelector('#sheet').matches(':modal')")
    for count in (1, 2, 3):
        phone.part("#nudge-more").click()
        phone.until(f"document.querySelectorAll('#nudge p:not(.soft)').length === {count}")
    record = json.loads(phone.run(f"localStorage['bee:game:{puzzle(LETTERS).letters}']"))
    assert record["pinned"] in words
    assert record["told"] == {record["pinned"]: 3}
    assert phone.run("document.querySelector('#sheet').scrollWidth <= document.querySelector('#sheet').clientWidth")
    phone.driver.back()
    phone.until("!document.querySelector('#sheet').open")
    assert phone.run("location.hash") == f"#{LETTERS}"


@pytest.mark.parametrize("window", [NARROW, WIDE], ids=["narrow", "wide"])
def test_nothing_moves_whatever_is_said(phone, released, window):
    phone.driver.set_window_size(*window)
    phone.run("localStorage.setItem('bee:set:filter', 'family')")
    open_puzzle(phone, LETTERS)
    phone.until("document.querySelector('.found-count')")
    states = phone.run(f"({PLAY})(arguments[0])", ["", *played(released)])
    width = phone.run("innerWidth")
    for size in ("100%", "200%"):
        sized = [state for state in states if state["size"] == size]
        assert [fault for state in sized for fault in faults(state, sized[0], width)] == []
