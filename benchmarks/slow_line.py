"""Measures the page on a slow phone: 400 kbit/s, with and without latency, and a processor that is four times as slow.

`python benchmarks/slow_line.py` prints the figures in docs/PERFORMANCE.md: when the frame of the page and the progress
bar are painted, when the answers of a puzzle are shown, and how many compressed bytes this takes. With `--serve PORT`,
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
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

VISITS = 5
BYTES_PER_SECOND = 400_000 / 8
LATENCIES_IN_MS = (0, 150)
CPU_SLOWDOWN = 4
TEXT_SUFFIXES = (".html", ".js", ".css", ".svg", ".webmanifest")
FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@dataclass(frozen=True, slots=True)
class Visit:
    """A first visit: the seconds until the frame is painted and until the answers are shown, and the kilobytes
    loaded."""

    shell: float
    answers: float
    kilobytes: float


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


def visit(browser: Browser, address: str, latency: int) -> Visit:
    """Return the measurements of a visit in a new profile, which opens the answers of a puzzle."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, service_workers="block")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    speed = {"downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND}
    session.send("Network.emulateNetworkConditions", {"offline": False, "latency": latency, **speed})
    session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{address}#/solve/vctaoen", wait_until="commit")
    page.locator("#words li").first.wait_for()
    answers_shown = page.evaluate("performance.now()")
    size = sum(sizes)
    shell_painted = page.wait_for_function(FIRST_PAINT).json_value()
    context.close()
    return Visit(shell_painted / 1000, answers_shown / 1000, size / 1000)


def measure(address: str) -> None:
    """Print the medians of several visits for each latency."""
    chromium = shutil.which("chromium") or sys.exit("This needs Chromium: make tools.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for latency in LATENCIES_IN_MS:
            visits = [visit(browser, address, latency) for _ in range(VISITS)]
            shell_seconds = statistics.median(one.shell for one in visits)
            answer_seconds = statistics.median(one.answers for one in visits)
            size = statistics.median(one.kilobytes for one in visits)
            times = f"shell after {shell_seconds:.2f} s, answers after {answer_seconds:.2f} s"
            print(f"{latency} ms latency: {times}, {size:.0f} kB")


def main() -> None:
    """Make the site, and serve or measure it."""
    only_serves = sys.argv[1:2] == ["--serve"]
    port = int(sys.argv[2]) if only_serves else 0
    with tempfile.TemporaryDirectory() as site:
        subprocess.run([sys.executable, "-m", "pipeline", "--quiet", "site", "-o", site], check=True)
        handler = functools.partial(CompressingHandler, directory=site)
        with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
            address = f"http://127.0.0.1:{server.server_port}/index.html"
            if only_serves:
                print(address, flush=True)
                server.serve_forever()
            threading.Thread(target=server.serve_forever, daemon=True).start()
            measure(address)
            server.shutdown()


if __name__ == "__main__":
    main()
