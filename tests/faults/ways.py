"""The ways out: make a trouble, do exactly what the program prints, and look whether all is as before.

Run `python tests/faults/ways.py [NAME…]`; `--write` keeps the table, in `ways.csv` and docs/RELIABILITY.md. In each
trouble a person runs a command, then the first command in backticks that it printed and that was not run yet,
literally, and then the first command again, until it succeeds. At the end `bee run`, `bee status` and `bee verify` must
have nothing to say, and the record must be the true one, byte for byte. The world is that of `world.py`.
"""

from __future__ import annotations

import csv
import dataclasses
import re
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import world as worlds
from troubles import Trouble, all_troubles
from world import World

TABLE = Path(__file__).with_suffix(".csv")
DOCUMENT = worlds.PROJECT / "docs/RELIABILITY.md"
BEGIN, END = "<!-- ways -->", "<!-- end of ways -->"
GOOD, HEALS = "as before", "nothing: the next command heals it"
STARTS = ("bee run", "bee run --fetch", "bee status", "bee verify data/custom", "bee check --only word-waits")
"""The commands that a person runs before anything is printed."""
WORKERS = 3
COLUMNS = ("trouble", "it says", "what brings it back", "result")
LONGEST = 90
"""Only so many letters of a sentence are in the table."""
STEPS = 8
"""A way out has at most so many steps."""


@dataclasses.dataclass
class Way:
    """The way out of a trouble: what was said first, which printed commands were run, and what is wrong at the end."""

    trouble: str
    says: str = ""
    ran: list[str] = dataclasses.field(default_factory=list)
    wrong: str = ""


def walk(trouble: Trouble, truth: bytes, folder: Path) -> Way:
    """Make a trouble in a copy of the world, and do what the program says."""
    way = Way(trouble.name)
    with tempfile.TemporaryDirectory() as copy:
        root = Path(shutil.copytree(folder / trouble.start, Path(copy) / "world", symlinks=True))
        with worlds.inhabited(root) as world:
            if trouble.clone:
                worlds.cloned(world)
            said = trouble.make(world) or ""
            for command in (trouble.first, "bee run", "bee status", "bee verify data/custom"):
                if not way.wrong:
                    follow(world, trouble, command, way, said)
                said = ""
            way.ran = [command.replace(f"{world.repository.resolve()}/", "") for command in way.ran]
            record = world.path("custom/evidence.csv")
            if not way.wrong and not same(record.read_bytes(), truth, trouble.differs):
                way.wrong = "the record is not the true one"
            verdicts = world.path("custom/verdicts.csv").read_text().splitlines()
            lost = [word for word in trouble.decided if not any(line.startswith(f"{word},") for line in verdicts)]
            if not way.wrong and lost:
                way.wrong = f"the verdict on {lost[0]} is lost"
    return way


def follow(world: World, trouble: Trouble, first: str, way: Way, said: str = "") -> None:
    """Run a command, and what it says, until it succeeds."""
    done, more = (worlds.Done(1, said), "") if said else (world.sh(first), "")
    way.says = way.says or (sentence(done.said) if done.code or said else "")
    if trouble.after and first == trouble.first:
        trouble.after(world)
    steps = len(way.ran)
    while done.code and not (first == "bee status" and trouble.left and re.search(trouble.left, done.said)):
        offered = [*choices(done.said, trouble.right), *choices(more, trouble.right)]
        todo = [command for command in offered if command not in way.ran[steps:]]
        if "Traceback" in done.said + more or len(way.ran) > steps + STEPS:
            way.wrong = f"`{first}` ends with {done.said[-300:]!r}"
        elif todo and re.search(r"\b(?!HEAD|SHA256SUMS)[A-Z]{3,}\b|…", todo[0]):
            way.wrong = f"`{todo[0]}` cannot be run as it is printed"
        elif not todo and not (trouble.after and first == trouble.first and first not in way.ran):
            way.wrong = f"`{first}` names no command that helps: {done.said[-600:]!r}"
        if way.wrong:
            return
        way.ran.append(todo[0] if todo else first)
        more = world.sh(way.ran[-1]).said
        done = world.sh(first)


def choices(said: str, right: str) -> list[str]:
    """Return the commands that a text names, and where it offers a choice, those of the right one."""
    lines = [
        line for line in said.splitlines() if not line.lstrip().startswith("If ") or re.search(right or "$^", line)
    ]
    return worlds.commands_in("\n".join(lines))


def sentence(said: str) -> str:
    """Return the first sentence of what a person needs to read: an error, or the first line with a command."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    chosen = [line for line in lines if line.startswith("bee: ")] or [line for line in lines if "`" in line] or lines
    text = chosen[0].removeprefix("bee: ").removeprefix("-> ") if chosen else ""
    return re.split(r"(?<=[.;]) |: `", text)[0].rstrip(".:;")[:LONGEST]


def same(record: bytes, truth: bytes, differs: str) -> bool:
    """Return whether a record is the true one; it may differ in its witnesses, or in the words of its last day."""
    if differs == "witnesses":
        record, truth = (re.sub(rb"(?m),\d+$|^# sha256 \w+", b"", data) for data in (record, truth))
    if differs == "last day":
        record, truth = (data.partition(b"covers")[2].partition(b"\n")[0] for data in (record, truth))
    return record == truth


def row(way: Way) -> list[str]:
    """Return the row of a trouble in the table."""
    commands = ", ".join(f"`{command}`" for command in way.ran)
    return [way.trouble, way.says, commands or HEALS * (not way.wrong), way.wrong or GOOD]


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return the table of the documents: troubles with a file that have the same way out share a line."""
    lines: dict[tuple[str, str, str], list[str]] = {}
    for name, _, commands, result in rows:
        about, colon, what = name.partition(": ")
        lines.setdefault((about if colon else name, commands, result), []).append(what)
    text = "| trouble | what brings it back | result |\n|---|---|---|\n"
    for (about, commands, result), kinds in lines.items():
        text += f"| {about}{': ' * bool(kinds[0])}{', '.join(kinds)} | {commands} | {result} |\n"
    return text


def walk_all(troubles: Sequence[Trouble], folder: Path) -> Iterator[Way]:
    """Make a world, and walk the way out of each trouble in a copy of it."""
    truth = worlds.start(folder)

    def walked(trouble: Trouble) -> Way:
        try:
            return walk(trouble, truth["today"], folder)
        except Exception:  # noqa: BLE001 - one trouble must not hide the others
            return Way(trouble.name, wrong=traceback.format_exc())

    with ThreadPoolExecutor(WORKERS) as workers:
        yield from workers.map(walked, troubles)


def main(arguments: list[str]) -> int:
    """Walk the ways out of all troubles, or of those whose names match an argument; print and keep the table."""
    named = [argument for argument in arguments if argument != "--write"]
    chosen = [each for each in all_troubles() if not named or any(re.search(part, each.name) for part in named)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for way in walk_all(chosen, Path(folder)):
            rows.append(row(way))
            print(" | ".join(rows[-1]), flush=True)
    good = sum(result == GOOD for *_, result in rows)
    print(f"{good} of {len(rows)} troubles have a way out")
    if "--write" in arguments:
        with TABLE.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
        text = DOCUMENT.read_text()
        before, after = text.partition(BEGIN)[0], text.partition(END)[2]
        DOCUMENT.write_text(f"{before}{BEGIN}\n{markdown(rows)}{END}{after}")
    return int(good < len(rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
