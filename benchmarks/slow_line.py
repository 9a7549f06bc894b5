"""Measures the page on a slow phone: the "Slow 4G" of Chromium's tools (1.6 Mbit/s less 10%, 562.5 ms latency), and a
processor that is four times as slow.

`python benchmarks/slow_line.py` prints the figures in docs/PERFORMANCE.md: how long each visit takes, in a new browser
profile, and how many compressed bytes it loads. A card is opened in a game that is already there. With `--serve PORT`,
it serves the same site without limits, for Lighthouse. It needs Chromium (`make tools`).
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, sync_playwright

VISITS = 5
SLOW_4G = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 1.6e6 * 0.9 / 8,
    "uploadThroughput": 0.75e6 * 0.9 / 8,
}
CPU_SLOWDOWN = 4
TEXT_SUFFIXES = (".html", ".js", ".json", ".css", ".svg", ".webmanifest")
ADDRESSES = {
    "first load": ("index.html", "document.querySelector('#today-says').textContent.trim()"),
    "today's game": ("index.html#daily", "document.body.dataset.ready && game.puzzle"),
    "answers": ("index.html#/solve/vctaoen", "document.querySelector('#words li')"),
    "a word, as the first page": ("index.html#/why/luff", "document.querySelector('.verdict')"),
    "a search, as the first page": ("index.html#/why/cov*", "document.querySelector('#matches li')"),
    "archive": ("index.html#/days", "document.querySelector('.month')"),
    "data": ("data.html", "document.querySelector('h2')"),
    "changes": ("changes.html", "document.querySelector('main p')"),
    "accuracy": ("accuracy.html", "document.querySelector('h2')"),
}
"""The addresses that are visited, each with an expression that is true when its content is shown."""
GAME = "index.html#vctaoen"
CARD = "document.querySelector('#card .verdict')"


class CompressingHandler(http.server.SimpleHTTPRequestHandler):
    """A handler that compresses text, as web hosts do."""

    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        """Answer the requests of a connection until the browser closes it."""
        with contextlib.suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        """Answer a request."""
        path = Path(self.translate_path(self.path))
        if path.suffix not in TEXT_SUFFIXES or not path.is_file():
            super().do_GET()
            return
        body = gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def slow_down(session: CDPSession) -> list[float]:
    """Slow a page down; returns a list to which the size of each file is added when it is loaded."""
    sizes: list[float] = []
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return sizes


def visit(browser: Browser, address: str, is_shown: str) -> tuple[float, float]:
    """Return the seconds until a page is shown in a new profile, and the kilobytes loaded by then."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, service_workers="block")
    page = context.new_page()
    sizes = slow_down(context.new_cdp_session(page))
    page.goto(address, wait_until="commit")
    page.wait_for_function(f"() => {is_shown}")
    seconds = page.evaluate("performance.now()") / 1000
    context.close()
    return seconds, sum(sizes) / 1000


def open_card(browser: Browser, address: str) -> tuple[float, float]:
    """Return the seconds until the card of a word is shown over a game that is already there, and the kilobytes."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, service_workers="block")
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("() => release.more")
    sizes = slow_down(context.new_cdp_session(page))
    page.evaluate("globalThis.asked = performance.now(); openCard('covenant')")
    page.wait_for_function(f"() => {CARD}")
    seconds = page.evaluate("performance.now() - asked") / 1000
    context.close()
    return seconds, sum(sizes) / 1000


def measure(home: str) -> None:
    """Print the medians of several visits for each address and for a card."""
    chromium = shutil.which("chromium") or sys.exit("This needs Chromium: make tools.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        visits = {
            name: functools.partial(visit, browser, home + path, is_shown)
            for name, (path, is_shown) in ADDRESSES.items()
        }
        visits["the card of a word, in a game"] = functools.partial(open_card, browser, home + GAME)
        for name, measure_once in visits.items():
            figures = [measure_once() for _ in range(VISITS)]
            seconds = statistics.median(one for one, _ in figures)
            kilobytes = statistics.median(one for _, one in figures)
            print(f"{name}: {seconds:.2f} s, {kilobytes:.0f} kB", flush=True)


def main() -> None:
    """Make the site, and serve or measure it."""
    only_serves = sys.argv[1:2] == ["--serve"]
    port = int(sys.argv[2]) if only_serves else 0
    with tempfile.TemporaryDirectory() as site:
        subprocess.run([sys.executable, "-m", "pipeline", "--quiet", "site", "-o", site], check=True)
        handler = functools.partial(CompressingHandler, directory=site)
        with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
            home = f"http://127.0.0.1:{server.server_port}/"
            if only_serves:
                print(home, flush=True)
                server.serve_forever()
            threading.Thread(target=server.serve_forever, daemon=True).start()
            measure(home)
            server.shutdown()


if __name__ == "__main__":
    main()
