"""The ways out: cause a trouble, do exactly what the program prints, and check that everything is as before.

In each trouble a person runs a command, then the first command in backticks that it printed and that was not run yet,
literally, and then the first command again, until it succeeds. Where the program asks for an edit, it must name the
lines. At the end `bee run`, `bee status` and `bee verify` must have nothing to say; the record must be the true one,
byte for byte, and no decision may be lost. The world is that of `world.py`.

`pytest -m "faults or not faults" tests/faults/test_ways.py` walks all ways. Their table is docs/ways-out.csv; with
`BEE_WRITE_WAYS=1` and `-n 0` the test writes the table again.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import world as worlds
from once import made_once
from sampling import sampled
from troubles import Trouble, all_troubles
from world import PROJECT, World

from pipeline import reader
from pipeline.facts import record
from pipeline.publishing import datapackage

TABLE = PROJECT / "docs/ways-out.csv"
COLUMNS = ("trouble", "it says", "what brings it back", "result")
GOOD, HEALS = "as before", "nothing: the next command heals it"
STARTS = ("bee run", "bee run --fetch", "bee status", "bee verify data/custom", "bee check --only day-waits")
"""The commands that a person runs before anything is printed."""
GIVES_UP = ("bee run --rebuild --force",)
"""The commands with which a person gives days up, so that the record is another one."""
MERGES = (PROJECT / "docs/CURATING.md").read_text().partition("## When two releases meet")[2].partition("\n## ")[0]
"""What the program names docs/CURATING.md for."""
STEPS = 8
"""The maximum number of steps of a way out."""


@dataclasses.dataclass
class Way:
    """The way out of a trouble: what was said first, which steps were taken, and what is wrong at the end."""

    trouble: str
    says: str = ""
    ran: list[str] = dataclasses.field(default_factory=list)
    wrong: str = ""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The world of yesterday and of today, and the true release."""
    return made_once(tmp_path_factory, "world-of-troubles", worlds.start)


@pytest.fixture
def way(begun: Path, name: str, tmp_path: Path) -> Way:
    """The way out of a trouble, walked in a copy of the world."""
    trouble = TROUBLES[name]
    root = Path(shutil.copytree(begun / trouble.start, tmp_path / "world", symlinks=True))
    with worlds.inhabited(root) as world:
        return walk(trouble, begun / "truth", world)


def walk(trouble: Trouble, truth: Path, world: World) -> Way:
    """Make a trouble, do what the program says, and compare the record, the decisions and the weights."""
    way = Way(trouble.name)
    said = trouble.make(world) or ""
    for command in (trouble.first, "bee run", "bee status", "bee verify data/custom"):
        if not way.wrong:
            follow(world, trouble, command, way, said)
        said = ""
    if not way.wrong:
        way.wrong = differences(world.path("custom"), truth, trouble)
    return way


def follow(world: World, trouble: Trouble, first: str, way: Way, said: str = "") -> None:
    """Run a command, and what it says, until it succeeds."""
    done, more = worlds.Done(1, said) if said else world.sh(first), ""
    way.says = way.says or (sentence(done.said) if done.code else "")
    waits = trouble.after if first == trouble.first else None
    if waits:
        waits(world)
    steps = len(way.ran)
    while done.code:
        offered = [*choices(done.said, trouble.right), *choices(more, trouble.right)]
        if "docs/CURATING.md" in done.said:
            offered += worlds.commands_in(MERGES)
        todo = [command for command in offered if command not in way.ran[steps:]]
        if trouble.edit and str(trouble.edit) not in way.ran:
            todo = [str(trouble.edit)] if trouble.edit.is_named_in(done.said) else []
        if "Traceback" in done.said + more or len(way.ran) > steps + STEPS:
            way.wrong = f"`{first}` ends with {done.said[-300:]!r}"
        elif todo and re.search(r"(?<![\w.])(?!HEAD\b)[A-Z]{3,}(?![\w.])|…", todo[0]):
            way.wrong = f"`{todo[0]}` cannot be run as it is printed"
        elif not todo and not (waits and first not in way.ran):
            way.wrong = f"`{first}` names nothing that helps: {done.said[-600:]!r}"
        if way.wrong:
            return
        way.ran.append(todo[0] if todo else first)
        if trouble.edit and way.ran[-1] == str(trouble.edit):
            trouble.edit.make(world)
        else:
            more = world.sh(way.ran[-1]).said
        done = world.sh(first)


def choices(said: str, right: str) -> list[str]:
    """Return the commands that a text names, and where it offers a choice of lists, that of the right one."""
    commands = worlds.commands_in(said)
    return [command for command in commands if not command.startswith("bee day ") or f"--source {right} " in command]


def sentence(said: str) -> str:
    """Return the first sentence of what a person needs to read: an error, a day that waits, or the first line
    with a command."""
    lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    signs = ("^bee: ", r"^\S+ waits: ", "`", "")
    first = next((line for sign in signs for line in lines if re.search(sign, line)), "")
    return re.split(r"(?<=[.]) |: `", first.removeprefix("bee: ").removeprefix("-> "))[0].rstrip(".:")


def differences(custom: Path, truth: Path, trouble: Trouble) -> str:
    """Return what differs from the true release, or "". The record may differ in the words of its last day, if the
    trouble says so."""
    folders = (custom, truth)
    covered, truly_covered = (datapackage.coverage_of((folder / reader.PACKAGE).read_bytes()) for folder in folders)
    made, truth_made = (record.decode((folder / "words.csv").read_bytes()) for folder in folders)
    if covered != truly_covered or (not made.equals(truth_made) and not trouble.differs):
        return "the record is not the true one"
    for name in ("glosses.csv", "model.csv", "offensive.csv"):
        if (custom / name).read_bytes() != (truth / name).read_bytes():
            return f"{name} is not the true one"
    decided = {line.partition(",")[0] for line in (custom / "verdicts.csv").read_text().splitlines()}
    lost = {"award", *trouble.decided} - decided
    return f"the verdicts on {', '.join(sorted(lost))} are lost" if lost else ""


def row(way: Way) -> list[str]:
    """Return the row of a trouble in the table."""
    steps = ", ".join(f"`{step}`" if worlds.commands_in(f"`{step}`") else step for step in way.ran)
    return [way.trouble, way.says, steps or HEALS * (not way.wrong), way.wrong or GOOD]


def table() -> Iterator[list[str]]:
    """The rows of the table of all ways."""
    yield from csv.reader(TABLE.read_text().splitlines()[1:])


def write(row: list[str]) -> None:
    """Put a row into the table, in the order of the troubles."""
    rows = {name: [name, *rest] for name, *rest in table()} | {row[0]: row}
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *(rows[name] for name in TROUBLES if name in rows)])
    TABLE.write_text(text.getvalue())


TROUBLES = {trouble.name: trouble for trouble in all_troubles()}
SAMPLE = ("two people decided differently on a word", "nytimes.com lies about the letters")


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(TROUBLES, SAMPLE))
def test_what_the_program_prints_leads_back_to_the_truth_as_the_table_says(name, way):
    assert (way.trouble, way.wrong) == (name, "")
    if os.environ.get("BEE_WRITE_WAYS"):
        write(row(way))
    assert row(way) in list(table())


def test_the_documents_have_all_troubles_and_no_other_commands():
    assert [row[0] for row in table()] == list(TROUBLES)
    assert {row[-1] for row in table()} == {GOOD}
    ran = {*worlds.commands_in(" ".join(row[2] for row in table())), *STARTS, *GIVES_UP}
    repairs = (PROJECT / "docs/TROUBLE.md").read_text().partition("## Files of data/custom")[2]
    named = worlds.commands_in(repairs)
    assert len(named) > 12
    assert [command for command in named if command not in ran] == []
