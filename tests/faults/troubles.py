"""The troubles that people have: files, clock and disk, two people, sources and days that wait, and mistakes."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Callable, Iterable

import filelock
import world as worlds
from server import reply
from world import DAYS, LAST, TODAY, World

from pipeline.sources.day import Day

Make = Callable[[World], str | None]
"""What happens; what a command printed meanwhile, if one ran."""


@dataclasses.dataclass(frozen=True)
class Edit:
    """What a person does in an editor with a file of decisions: delete some lines, or write them again."""

    lines: tuple[int, ...]
    written: str = ""
    file: str = "verdicts.csv"

    def __str__(self) -> str:
        verb, noun = "correct" if self.written else "delete", "line" if len(self.lines) == 1 else "lines"
        return f"{verb} {noun} {', '.join(map(str, self.lines))} of {self.file}"

    def is_named_in(self, said: str) -> bool:
        """Return whether a text names the file and the lines."""
        return self.file in said and all(re.search(rf"\b{number}\b", said) for number in self.lines)

    def make(self, world: World) -> None:
        """Change the file."""
        path = world.path(f"custom/{self.file}")
        numbered = enumerate(path.read_text().splitlines(keepends=True), 1)
        path.write_text("".join(self.written if number in self.lines else line for number, line in numbered))


@dataclasses.dataclass(frozen=True)
class Trouble:
    """A trouble: what happens, and what a person runs first.

    It happens `today`, or in the world of `yesterday` before the last day is counted. Where the program offers a
    choice of lists, `right` is the source of the right one, and where it names lines of a file, `edit` is what the
    person does with them. `after` happens after the first command, for example because a source is back. `differs`
    says that the record may differ in the words of the last day. `decided` are the words with a verdict at the end,
    besides "award".
    """

    name: str
    make: Make
    first: str = "bee run"
    start: str = "today"
    right: str = ""
    edit: Edit | None = None
    after: Callable[[World], object] | None = None
    differs: bool = False
    decided: tuple[str, ...] = ()


def cut(data: bytes) -> bytes:
    return data[: -len(data) // 3]


def zeros(data: bytes) -> bytes:
    """Fill with zeros, as a power failure does."""
    return bytes(len(data))


def empty(_: bytes) -> bytes:
    return b""


def damage(name: str, change: Callable[[bytes], bytes]) -> Make:
    """Damage a file of the workspace."""

    def make(world: World) -> None:
        world.path(name).write_bytes(change(world.path(name).read_bytes()))

    return make


def lose(name: str) -> Make:
    """Delete a file or a folder of the workspace."""

    def make(world: World) -> None:
        path = world.path(name)
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return make


def typed(name: str, *lines: str) -> Make:
    """Write lines into a file of decisions by hand."""
    return damage(f"custom/{name}.csv", lambda data: data + "".join(f"{line}\n" for line in lines).encode())


def replaced(name: str, old: str, new: str) -> Make:
    """Replace a part of a file by hand."""

    def change(data: bytes) -> bytes:
        assert old.encode() in data, data
        return data.replace(old.encode(), new.encode(), 1)

    return damage(f"custom/{name}", change)


def ran(command: str) -> Make:
    """Run a command that may fail; what it says is what the person reads first."""
    return lambda world: world.sh(command).said


def both(*makes: Make) -> Make:
    """Let several things happen; the last one says what the person reads."""
    return lambda world: [make(world) for make in makes][-1]


def serve(world: World) -> None:
    world.serve()


Version = Callable[[Day], Day | None]
"""A version of a day that a source has, made from the true one; None if it has no page."""


def true(day: Day) -> Day:
    return day


def nothing(_: Day) -> None:
    return None


def elsewhere(day: Day) -> Day:
    """Return the puzzle of another day with the date of this one."""
    return dataclasses.replace(DAYS["2025-02-23"], date=day.date)


def lacking(number: int) -> Version:
    """Return a function that leaves out words of a day, but no pangrams."""

    def version(day: Day) -> Day:
        plain = [word for word in day.answers if len(set(word)) < len(day.puzzle.letters)]
        return dataclasses.replace(day, answers=tuple(sorted(set(day.answers) - set(plain[:number]))))

    return version


def told(nyt: Version, nytbee: Version) -> Make:
    """Let the sources have these versions of the last day."""
    return lambda world: world.say(nyt(DAYS[LAST]), nytbee(DAYS[LAST]))


def damaged_cache(world: World) -> None:
    (path,) = world.path("build").glob("lexicon-*/words.parquet")
    path.write_bytes(zeros(path.read_bytes()))


def clock(now: str) -> Make:
    return lambda world: setattr(world, "now", now)


def clock_ahead(world: World) -> None:
    """Fetch with a clock that is six weeks ahead, before the last day has come."""
    world.serve("2025-03-04")
    world.now = "2025-04-20T12:00:00+00:00"
    world.sh("bee run --fetch")
    world.now = TODAY
    world.serve()


def at_work(world: World) -> str:
    """Let another program hold the lock for a moment."""
    with filelock.FileLock(world.path(".lock")):
        return world.sh("bee run").said


def two_at_once(world: World) -> None:
    """Run two commands at the same time."""
    world.must("BEE_WAIT=100 bee run --fetch & BEE_WAIT=100 bee run --fetch; status=$?; wait $! && exit $status")


def killed_publish(change: Callable[[bytes], bytes] = lambda data: data) -> Make:
    """Leave the files that a publish leaves if it is killed while it moves them."""

    def make(world: World) -> None:
        world.path("custom/.ready").mkdir()
        for name in ("words.csv", "wordlist.txt", "SHA256SUMS"):
            path = world.path(f"custom/{name}")
            path.rename(world.path(f"custom/.ready/{name}"))
            world.must(f"git show HEAD~1:data/custom/{name} > data/custom/{name}")
        path = world.path("custom/.ready/wordlist.txt")
        path.write_bytes(change(path.read_bytes()))

    return make


OURS = 'bee drop thorn --only --reason "a plant, seen nowhere" --by ann --force'
THEIRS = 'bee keep aide --only --reason "seen in every hospital" --by ben --force'
"""The decisions of two people, each in a clone of their own."""


def two_people(join: str, theirs: str = THEIRS, release: str = "bee run") -> Make:
    """Let two people decide, release and commit, and join their work; the person reads the output of `bee run`."""

    def make(world: World) -> str:
        world.must("git branch --quiet theirs", OURS, release, "git commit --quiet -a -m ours")
        world.must("git checkout --quiet theirs", theirs, release, "git commit --quiet -a -m theirs")
        world.must("git checkout --quiet main")
        world.sh(f"git {join} theirs")
        return world.sh("bee run").said

    return make


def refused_rebuild(world: World) -> None:
    """Try to count the record from nothing in a fresh clone, where the days are not on disk; the person does not give
    them up."""
    worlds.cloned(world)
    assert "would lose" in world.sh("bee run --rebuild").said


def many(world: World) -> None:
    """Drop a tenth of the words by hand."""
    words = world.path("custom/wordlist.txt").read_text().split()[::10]
    typed("verdicts", *(f"{word},drop,a plant,ann,2025-03-06" for word in words))(world)


def files() -> Iterable[Trouble]:
    """Yield the troubles with files."""
    yield Trouble("a file of the release was edited", replaced("wordlist.txt", "award", "awards"))
    yield Trouble("a file of the release was deleted", lose("custom/track.csv"))
    yield Trouble("SHA256SUMS is cut short", damage("custom/SHA256SUMS", cut))
    yield Trouble("datapackage.json is empty", damage("custom/datapackage.json", empty))
    yield Trouble("a publish was killed", killed_publish())
    yield Trouble("a publish was killed, and its file damaged", killed_publish(zeros))
    yield Trouble("model.csv is cut short", damage("custom/model.csv", cut))
    yield Trouble("model.csv was deleted", lose("custom/model.csv"))
    yield Trouble("verdicts.csv was deleted", lose("custom/verdicts.csv"))
    yield Trouble("verdicts.csv is full of zeros", damage("custom/verdicts.csv", zeros))
    yield Trouble("captures.db is damaged", damage("raw/captures.db", cut))
    yield Trouble("captures.db was deleted", lose("raw/captures.db"))
    yield Trouble("a word list is damaged", damage("raw/lexicon/scowl.csv.gz", cut))
    yield Trouble("the cache of the lexicon is damaged", damaged_cache)
    yield Trouble("build was deleted", lose("build"))
    yield Trouble("a rebuild without the archive, which is refused", refused_rebuild)


def machine() -> Iterable[Trouble]:
    """Yield the troubles with clock, disk and other commands."""
    at_wrong_time = both(clock("2025-03-05T12:00:00+00:00"), ran(f"bee run --fetch; {OURS}; bee run"), clock(TODAY))
    yield Trouble("the clock was two days behind for some runs", at_wrong_time, "bee run --fetch", decided=("thorn",))
    yield Trouble("the clock ran ahead once", clock_ahead, "bee run --fetch", "yesterday")
    full = ran("ulimit -f 400; bee run --fetch")
    yield Trouble("the disk is full", full, "bee run --fetch", "yesterday")
    yield Trouble("another command is at work", at_work)
    yield Trouble("two commands at once", two_at_once, "bee run --fetch", "yesterday")


def people() -> Iterable[Trouble]:
    """Yield the troubles of two people who decide at once."""
    for join in ("merge --no-edit", "rebase"):
        name = f"two people released, and git {join.partition(' ')[0]} could not join it"
        yield Trouble(name, two_people(join), decided=("aide", "thorn"))
    keep = OURS.replace("drop", "keep").replace("ann", "ben")
    differently = two_people("merge --no-edit", keep, release="true")
    yield Trouble("two people decided differently on a word", differently, edit=Edit((4,)), decided=("thorn",))


def network() -> Iterable[Trouble]:
    """Yield the troubles with the sources, on a new day."""

    def new(name: str, make: Make, **more: object) -> Trouble:
        return Trouble(name, make, **{"first": "bee run --fetch", "start": "yesterday"} | more)

    refuses: Make = lambda world: world.answer("nyt", reply(b"", 403))  # noqa: E731
    yield new("nytimes.com refuses, then answers", refuses, after=serve)
    yield new("no source has the day, then both have it", told(nothing, nothing), after=serve)
    yield new("nytimes.com lies about the letters", told(elsewhere, true), right="nytbee")
    yield new("nytimes.com lacks five words", told(lacking(5), true), right="nytbee")
    alone = told(lacking(12), nothing)
    yield new("a day of one site that differs, which is wrong", alone, after=told(lacking(12), true), right="nytbee")
    right = {"right": "nyt", "differs": True}
    yield new("a day of one site that differs, which is right", alone, **right)
    other = typed("days", f"{LAST},nyt,2b28217c2967,a test,ann")
    yield new("a list was named, and it has changed", both(other, alone), **right)


def mistakes() -> Iterable[Trouble]:
    """Yield the mistakes of people in the files of decisions."""
    line = "award,drop,hardly used,ann,2025-03-06\n"
    yield Trouble("a typo in a decision", replaced("verdicts.csv", "drop", "dorp"), edit=Edit((2,), line))
    yield Trouble(
        "a line with a cell too many", typed("verdicts", "thorn,drop,a,plant,ann,2025-03-06"), edit=Edit((3,))
    )
    unknown = ran("bee run >/dev/null 2>&1; bee check --only word-unknown")
    yield Trouble("a typo in a word", both(typed("verdicts", "thron,drop,a plant,ann,2025-03-06"), unknown))
    yield Trouble("more verdicts than a release may have", many)


def all_troubles() -> list[Trouble]:
    """Return all troubles."""
    return [*files(), *machine(), *people(), *network(), *mistakes()]
