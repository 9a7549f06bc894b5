"""Makes the pictures of the README: the page in light and dark, and two notebooks. `make pictures` runs it.

Usage: python docs/pictures.py FOLDER. The page needs Chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

FOUND = "covenant octave vacant convent coven vote veto even\n"


NOTEBOOKS = {"01_review_diffs": "The first words of the queue", "04_puzzles": "Answers of a puzzle, by month"}
"""The notebooks with a picture, each with the title of the table or plot in the picture."""


def take_pictures_of_notebooks(folder: Path) -> None:
    """Run the notebooks on the puzzles on disk, and take a picture of a table and of a plot."""
    scripts = Path(__file__).resolve().parent.parent / "notebooks"
    with tempfile.TemporaryDirectory() as pages, sync_playwright() as playwright:
        subprocess.run([sys.executable, scripts / "render.py", "--to", pages], check=True)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, title in NOTEBOOKS.items():
            page = browser.new_page(viewport={"width": 1180, "height": 860})
            page.goto(f"file://{pages}/{name}.html")
            figures = page.locator(f'figure:has-text("{title}"), figure[aria-label="{title}"]')
            figure = (
                figures.first if figures.count() else page.locator("figure").nth(1)
            )  # there are too few puzzles for the plot
            figure.screenshot(path=folder / f"notebook-{name[:2]}.png")
        browser.close()


def take_screenshots(folder: Path) -> None:
    """Take a screenshot of the page with a half-played puzzle."""
    chromium = shutil.which("chromium") or sys.exit("The page needs Chromium: make tools.")
    with tempfile.TemporaryDirectory() as site, sync_playwright() as playwright:
        subprocess.run([sys.executable, "-m", "pipeline", "--quiet", "site", "-o", site], check=True)
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
        )
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": 1180, "height": 860}, color_scheme=scheme)
            page.add_init_script("localStorage['bee:set:rules'] = 'shown'")
            page.goto(f"file://{site}/index.html#vctaoen")
            page.locator("body[data-ready]").wait_for()
            for word in FOUND.split():
                page.keyboard.type(word)
                page.keyboard.press("Enter")
            page.keyboard.type("octa")
            page.get_by_role("button", name="Hints").click()
            page.wait_for_timeout(500)
            page.screenshot(path=folder / f"page-{scheme}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    take_screenshots(target)
    take_pictures_of_notebooks(target)
