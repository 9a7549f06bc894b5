"""Makes the pictures of the README: a terminal as SVG, and the page in light and dark. `make pictures` runs it.

Usage: python docs/pictures.py FOLDER. Needs Chromium for the page.
"""

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

COMMANDS = (
    "solve vctaoen --hints",
    "solve vctaoen --ranks --found {found}",
    "puzzles --contains qu --max-words 50 --best points --limit 5",
)
FOUND = "covenant octave vacant convent coven vote veto even\n"


def terminal(arguments: list[str]) -> str:
    """Run `bee` on a pseudo-terminal and return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", *arguments], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:
        pass
    os.close(ours)
    if process.wait():
        sys.exit(shown.decode())
    return shown.decode().replace("\r\n", "\n")


def recorded() -> str:
    """Record the commands, one after another, as SVG."""
    console = Console(record=True, width=92, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115, PTH123
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as found:
        found.write(FOUND)
        found.flush()
        for command in COMMANDS:
            console.print(Text.assemble(("$ ", "bold green"), f"bee {command.format(found='mine.txt')}"))
            console.print(Text.from_ansi(terminal(command.format(found=found.name).split())), "")
    drawn = console.export_svg(title="bee", theme=MONOKAI, unique_id="bee")
    return re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # fonts from the network


def photographed(folder: Path) -> None:
    """Photograph the page with a puzzle half played."""
    chromium = shutil.which("chromium") or sys.exit("The page needs Chromium: make tools.")
    with tempfile.TemporaryDirectory() as site, sync_playwright() as playwright:
        terminal(["site", "-o", site])
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
        )
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": 1180, "height": 900}, color_scheme=scheme)
            page.goto(f"file://{site}/index.html#vctaoen")
            page.get_by_label("Your word, or several").fill(FOUND.strip())
            page.get_by_role("button", name="Enter", exact=True).click()
            page.get_by_text("How many of each length").click()
            page.wait_for_timeout(300)
            page.screenshot(path=folder / f"page-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    (target / "terminal.svg").write_text(recorded(), "utf-8")
    photographed(target)
