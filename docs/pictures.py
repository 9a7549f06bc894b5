"""Makes the pictures of the README: the page in light and dark, and notebook 01; and the picture that other sites show
next to a link to the page. `make pictures` runs it.

Usage: python docs/pictures.py FOLDER. The page needs Chromium.
"""

import functools
import http.server
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

SHARE_PICTURE = Path(__file__).resolve().parent.parent / "pipeline/site/page/share.png"
DRAW_SHARE_PICTURE = """async () => {
const { el, ringPicture } = await import(`./page.js${new URL(document.querySelector("script").src).search}`);
document.body.replaceChildren(ringPicture("bewords"), el("p.title", {}, "Bee Words"));
document.body.style = "display: flex; align-items: center; gap: 40px; width: 1200px; height: 630px";
document.body.style.maxWidth = "none";
document.body.style.padding = "0 70px";
document.querySelector(".picture").style = "width: 500px; height: 500px";
document.querySelector(".title").style = "font-size: 100px";
}"""
FOUND = "covenant octave vacant convent coven vote veto even\n"


def chromium() -> str:
    """Return the program of the browser."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    return program or sys.exit("The pictures need Chromium: make tools.")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """A handler that does not print requests."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def take_picture_of_notebook(folder: Path) -> None:
    """Run notebook 01 on the puzzles on disk, and take a picture of its first screen."""
    notebooks = Path(__file__).resolve().parent.parent / "notebooks"
    render = [sys.executable, "-m", "nbconvert", "--config", notebooks / "nbconvert.json", "--execute", "--to", "html"]
    with tempfile.TemporaryDirectory() as pages, sync_playwright() as playwright:
        subprocess.run([*render, "--output-dir", pages, notebooks / "01_review_diffs.ipynb"], check=True)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 860})
        page.goto(f"file://{pages}/01_review_diffs.html")
        page.locator("table.dataTable").first.wait_for()
        page.screenshot(path=folder / "notebook-01.png")
        browser.close()


def take_screenshots(folder: Path) -> None:
    """Take a screenshot of the page with a half-played puzzle."""
    with tempfile.TemporaryDirectory() as site, sync_playwright() as playwright:
        subprocess.run([sys.executable, "-m", "pipeline", "--quiet", "site", "-o", site], check=True)
        handler = functools.partial(QuietHandler, directory=site)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_port}/index.html"
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
        )
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": 1180, "height": 860}, color_scheme=scheme)
            page.add_init_script("localStorage['bee:set:rules'] = 'shown'")
            page.goto(f"{home}#vctaoen")
            page.locator("body[data-ready]").wait_for()
            for word in FOUND.split():
                page.keyboard.type(word)
                page.keyboard.press("Enter")
            page.keyboard.type("octa")
            page.get_by_role("button", name="Hints").click()
            page.locator("[data-step=grid]").click()
            page.wait_for_timeout(500)
            page.screenshot(path=folder / f"page-{scheme}.png")
            page.close()
        page = browser.new_page(viewport={"width": 1200, "height": 630})
        page.goto(home)
        page.locator("body[data-ready]").wait_for()
        page.evaluate(DRAW_SHARE_PICTURE)
        page.screenshot(path=SHARE_PICTURE)
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    take_screenshots(target)
    take_picture_of_notebook(target)
