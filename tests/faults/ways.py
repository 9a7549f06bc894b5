"""The ways out: make a trouble, do exactly what the program prints, and look whether all is as before.

Run `python tests/faults/ways.py [NAME…]`; `--write` keeps the table in `ways.csv`. In each trouble a person runs a
command, then the first command in backticks that it printed and that was not run yet, literally, and then the first
command again, until it succeeds. At the end `bee run`, `bee status` and `bee verify` must have nothing to say, and the
record must be the true one, byte for byte. The world is that of `world.py`.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import filelock  # noqa: E402
import world as worlds  # noqa: E402
from server import reply  # noqa: E402
from world import DAYS, LAST, World  # noqa: E402

from pipeline.sources.day import Day  # noqa: E402

TABLE = Path(__file__).with_suffix(".csv")
STEPS = 8
"""A way out has at most so many steps."""
Make = Callable[[World], str | None]
"""What happens; what a command printed meanwhile, if one ran."""


@dataclasses.dataclass(frozen=True)
class Trouble:
    """A trouble: what happens, and what a person runs first.

    It happens `today`, or in the world of `yesterday` before the last day is counted, or in a `clone` of that world,
    without captures and tables. Where the program offers a choice, `right` is the beginning of the right line. `after`
    happens after the first command, for example because a source is back. `left` is what `bee status` may still say,
    and `differs` says in which way the record may differ.
    """

    name: str
    make: Make
    first: str = "bee run"
    start: str = "today"
    clone: bool = False
    right: str = ""
    after: Callable[[World], object] | None = None
    left: str = ""
    differs: str = ""


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
            record = world.path("custom/evidence.csv")
            if not way.wrong and not same(record.read_bytes(), truth, trouble.differs):
                way.wrong = "the record is not the true one"
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
    return re.split(r"(?<=[.:;]) ", text)[0].rstrip(".:;")


def same(record: bytes, truth: bytes, differs: str) -> bool:
    """Return whether a record is the true one; it may differ in its witnesses, or in the words of its last day."""
    if differs == "witnesses":
        record, truth = (re.sub(rb"(?m),\d+$|^# sha256 \w+", b"", data) for data in (record, truth))
    if differs == "last day":
        record, truth = (data.partition(b"covers")[2].partition(b"\n")[0] for data in (record, truth))
    return record == truth


def bit(data: bytes) -> bytes:
    """Flip one bit in the middle."""
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def cut(data: bytes) -> bytes:
    """Keep the first half."""
    return data[: len(data) // 2]


def nul(data: bytes) -> bytes:
    """Fill with zeros, as a power failure does."""
    return bytes(len(data))


def damage(*changes: tuple[str, Callable[[bytes], bytes] | None]) -> Make:
    """Damage files of the workspace, or delete them."""

    def make(world: World) -> None:
        for name, change in changes:
            path = world.path(name)
            if change:
                path.write_bytes(change(path.read_bytes()))
            elif path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    return make


def harm(kind: str, names: str, clone: bool = False) -> Iterable[Trouble]:
    """Yield a trouble for each kind of damage and each file."""
    changes = {"one bit": bit, "cut short": cut, "zeros": nul, "empty": lambda _: b"", "deleted": None}
    for name in names.split():
        for each in kind.split(", "):
            where = f" ({'clone' if clone else 'captures'})" if name.endswith("evidence.csv") else ""
            yield Trouble(f"{name}: {each}{where}", damage((name, changes[each])), clone=clone)


def typed(name: str, line: str) -> Make:
    """Write a line into a file of decisions by hand."""

    def make(world: World) -> None:
        with world.path(f"custom/{name}.csv").open("a") as file:
            file.write(line + "\n")

    return make


def ran(command: str, **settings: str) -> Make:
    """Run a command that may fail; what it says is what the person reads first."""
    return lambda world: world.sh(command, **settings).said


def told(sources: str, also: Callable[[Day], Day] = lambda day: day, others: str = "") -> Make:
    """Let sources have another version of the last day, and `others` the true one."""

    def make(world: World) -> None:
        world.say(DAYS[LAST], others)
        pages = dict(world.nyt.pages), dict(world.nytbee.pages)
        world.say(also(DAYS[LAST]), sources)
        world.nyt.pages = pages[0] | world.nyt.pages
        world.nytbee.pages = pages[1] | world.nytbee.pages

    return make


def other_letters(day: Day) -> Day:
    """Return the puzzle of another day under this date."""
    return dataclasses.replace(DAYS["2025-02-23"], date=day.date)


def without(number: int) -> Callable[[Day], Day]:
    """Return a function that leaves out words of a day."""
    return lambda day: dataclasses.replace(day, answers=tuple(w for w in day.answers if w not in plain(day)[:number]))


def plain(day: Day) -> list[str]:
    """Return the answers of a day that are no pangrams."""
    return [word for word in day.answers if len(set(word)) < 7]


def refused(source: str, status: int = 403, body: bytes = b"") -> Make:
    """Let a source answer everything with an error."""
    return lambda world: world.answer(source, reply(body, status))


def serve(world: World) -> None:
    """Let both sources have all days again."""
    world.serve()


def tomorrow(when: str) -> Callable[[World], None]:
    """Set the clock."""
    return lambda world: setattr(world, "now", when)


def all_troubles() -> list[Trouble]:
    """Return all troubles."""
    fetch, nyt, bee = "bee run --fetch", "raw/nyt/2025-03-04.json", "raw/nytbee/Bee_20250304.html"
    new_day = {"first": fetch, "start": "yesterday"}
    return [
        *harm("one bit, cut short, zeros, empty, deleted", "custom/evidence.csv"),
        *harm("one bit, deleted", "custom/evidence.csv", clone=True),
        *harm("one bit, deleted", "custom/track.csv custom/model.csv"),
        *harm("deleted", "custom/admitted.csv custom/corrections.csv custom/offensive.csv"),
        *harm("cut short, zeros, deleted", "custom/verdicts.csv"),
        *harm("one bit, deleted", "custom/wordlist.txt custom/words.csv custom/daily.csv"),
        *harm("cut short, empty, deleted", "custom/SHA256SUMS custom/datapackage.json"),
        *harm("cut short, deleted", f"{nyt} {bee}"),
        *harm("cut short, zeros, empty, deleted", "raw/nyt/receipts.csv"),
        *harm("one bit, deleted", "raw/lexicon/scowl.csv.gz raw/lexicon/SHA256SUMS"),
        *harm("zeros, deleted", "build/trials.parquet build/evidence.csv build/base.csv build/checkpoint.csv"),
        *harm("cut short, deleted", "build/state.json build/parsed.csv build/requests.csv build/lexicon.parquet"),
        *harm("one bit", "build/decisions.parquet build/violations.parquet "),
        *harm("deleted", "build raw/nyt"),
    ]


def main(arguments: list[str]) -> int:
    """Walk the ways out of all troubles, or of those whose names contain an argument; print and keep the table."""
    named = [argument for argument in arguments if argument != "--write"]
    chosen = [each for each in all_troubles() if not named or any(part in each.name for part in named)]
    ways = []
    with tempfile.TemporaryDirectory() as folder:
        truth = worlds.start(Path(folder))
        for trouble in chosen:
            try:
                way = walk(trouble, truth["today"], Path(folder))
            except Exception:  # noqa: BLE001 - one trouble must not hide the others
                way = Way(trouble.name, wrong=traceback.format_exc())
            ways.append(way)
            commands = "; ".join(f"`{command}`" for command in way.ran)
            print(f"{way.trouble} | {way.says} | {commands} | {way.wrong or 'as before'}", flush=True)
    good = sum(not way.wrong for way in ways)
    print(f"{good} of {len(ways)} troubles have a way out")
    return int(good < len(ways))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
