"""A sitting of `bee review` driven by keys, with figures: `python tests/review/sitting.py WORKSPACE [VERDICTS]`.

It works in a copy of the workspace. On each screen it does what the screen describes, keep or drop, with the first
reason that the prompt offers; a question that the record answers is skipped. At the end it publishes, and prints what
`CHANGES.md` says of the words.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import terminals


class Sat(NamedTuple):
    """What came of a sitting: seconds, keys and characters typed, the last screen, and the words decided on."""

    seconds: float
    typed: int
    end: str
    words: list[str]


def sit(data: Path, verdicts: int) -> Sat:
    """Decide on so many questions."""
    screen = terminals.Terminal(str(data.parent), "--data", data, "--by", "ann", "--limit", str(10 * verdicts))
    shown, words = screen.screen(), []
    began = time.monotonic()
    while len(words) < verdicts:
        verdict, word = re.findall(r"^  (keep|drop) (\w+)\r?$", shown, re.MULTILINE)[-1]
        if re.search(r"(missing|extra) on ", shown):
            shown = screen.press("s")
            continue
        shown = screen.decide(verdict[0], "1")
        words.append(word)
    screen.type("q")
    end = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.until("applies them."))
    seconds = time.monotonic() - began
    assert screen.close() == 0
    return Sat(seconds, screen.typed, (end + screen.end).replace("\r\n", "\n"), words)


def changes(data: Path, words: list[str]) -> list[str]:
    """Return the lines of CHANGES.md about the words."""
    lines = (data / "custom/CHANGES.md").read_text().splitlines()
    return [line for line in lines if line.startswith(tuple(f"- `{word}`" for word in words))]


def main(workspace: str, verdicts: str = "20") -> None:
    """Sit, publish, and print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(shutil.copytree(workspace, Path(folder) / "data"))
        sat = sit(data, int(verdicts))
        bee = Path(sys.executable).parent / "bee"
        subprocess.run([bee, "run", "--quiet", "--data", data], check=True, env=dict(os.environ))
        print(f"{len(sat.words)} verdicts in {sat.seconds:.1f} seconds with {sat.typed} keys and characters.")
        print(sat.end.replace(folder, "."))
        print("\n".join(changes(data, sat.words)))


if __name__ == "__main__":
    main(*sys.argv[1:])
