"""The troubles of `ways.py`: files, clock and disk, sources and days that wait, mistakes of people."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Iterable

import filelock
from server import reply, reset
from world import DAYS, LAST, TODAY, World

from pipeline.sources.day import Day

Make = Callable[[World], str | None]
"""What happens; what a command printed meanwhile, if one ran."""


@dataclasses.dataclass(frozen=True)
class Trouble:
    """A trouble: what happens, and what a person runs first.

    It happens `today`, or in the world of `yesterday` before the last day is counted, or in a `clone` of that world,
    without captures and tables. Where the program offers a choice, `right` is the beginning of the right line. `after`
    happens after the first command, for example because a source is back. `left` is what `bee status` may still say,
    and `differs` says in which way the record may differ. `decided` are the words whose verdicts must be there at the
    end.
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
    decided: tuple[str, ...] = ()


def bit(data: bytes) -> bytes:
    """Flip one bit in the middle."""
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def cut(data: bytes) -> bytes:
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


def harm(kind: str, names: str, clone: bool = False, first: str = "bee run") -> Iterable[Trouble]:
    """Yield a trouble for each kind of damage and each file."""
    changes = {"one bit": bit, "cut short": cut, "zeros": nul, "empty": lambda _: b"", "deleted": None}
    for name in names.split():
        for each in kind.split(", "):
            yield Trouble(f"{name}: {each}{' (clone)' * clone}", damage((name, changes[each])), first, clone=clone)


def typed(name: str, line: str) -> Make:
    """Write a line into a file of decisions by hand."""

    def make(world: World) -> None:
        with world.path(f"custom/{name}.csv").open("a") as file:
            file.write(line + "\n")

    return make


def ran(command: str, **settings: str) -> Make:
    """Run a command that may fail; what it says is what the person reads first."""
    return lambda world: world.sh(command, **settings).said


def refused(source: str, status: int = 403, body: bytes = b"") -> Make:
    """Let a source answer everything alike."""
    return lambda world: world.answer(source, reply(body, status))


def broken(source: str) -> Make:
    return lambda world: world.answer(source, reset)


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


def _plain(day: Day) -> tuple[str, ...]:
    """Return the answers that are no pangrams."""
    return tuple(word for word in day.answers if len(set(word)) < len(day.puzzle.letters))


def told(nyt: Version, nytbee: Version) -> Make:
    """Let the sources have these versions of the last day."""
    return lambda world: world.say(nyt(DAYS[LAST]), nytbee(DAYS[LAST]))


def day_waits(nyt: Version, nytbee: Version) -> Make:
    """Let sources differ on a word; the person reads why the day waits."""

    def make(world: World) -> str:
        told(nyt, nytbee)(world)
        world.must("bee run --fetch")
        return world.sh("bee check --only day-waits").said

    return make


def clock(now: str) -> Callable[[World], None]:
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


KEEP_AIDE = 'bee keep aide --reason "seen in every hospital" --by ben --force'
"""The decision of another person, in another clone."""


def two_people(theirs: str = KEEP_AIDE, join: str = "merge --no-edit", ours: str = "", union: bool = True) -> Make:
    """Let two people decide and release in separate clones, and merge their work; the person reads the output of `bee
    run`."""

    def make(world: World) -> str:
        if not union:
            world.must("git rm --quiet .gitattributes", "git commit --quiet -m attributes")
        ours_here = ours or 'bee drop thorn --reason "a plant, seen nowhere" --by ann --force'
        world.must("git branch --quiet theirs", ours_here, "bee run", "git commit --quiet -a -m ours")
        world.must("git checkout --quiet theirs", theirs, "bee run", "git commit --quiet -a -m theirs")
        world.must("git checkout --quiet main")
        joined = world.sh(f"git {join} theirs")
        assert joined.code or "Merge made" in joined.said, joined.said
        return world.sh("bee run").said

    return make


def same_word(world: World) -> str:
    """Let two people decide differently on a word, without a release, so that the files merge by themselves."""
    world.must("git branch --quiet theirs", 'bee drop thorn --reason "a plant" --by ann --force')
    world.must("git commit --quiet -a -m ours", "git checkout --quiet theirs")
    world.must('bee keep thorn --reason "on every rose" --by ben --force', "git commit --quiet -a -m theirs")
    world.must("git checkout --quiet main", "git merge --quiet --no-edit theirs")
    return world.sh("bee run").said


def stashed(world: World) -> str:
    """Apply a stashed decision again to a line that has changed since then; git leaves conflict markers."""
    world.must("git rm --quiet --cached .gitattributes", "rm .gitattributes", "git commit --quiet -m attributes")
    world.must('bee drop thorn --reason "a plant" --by ann --force', "git stash --quiet", KEEP_AIDE)
    world.must("bee run", "git commit --quiet -a -m next")
    flipped("verdicts", "hardly used", "hardly ever used")(world)
    world.must("git commit --quiet -a -m next", "bee run")
    world.sh("git stash pop")
    return world.sh("bee run").said


def two_at_once(world: World) -> None:
    """Run two commands at the same time."""
    world.must("BEE_WAIT=100 bee run --fetch & BEE_WAIT=100 bee run --fetch; status=$?; wait $! && exit $status")


def flipped(name: str, old: str, new: str) -> Make:
    """Replace a part of a file of decisions by hand."""

    def make(world: World) -> None:
        path = world.path(f"custom/{name}.csv")
        text = path.read_text()
        assert old in text, text
        path.write_text(text.replace(old, new))

    return make


def both(*makes: Make) -> Make:
    """Let several things happen; the last one says what the person reads."""
    return lambda world: [make(world) for make in makes][-1]


def files() -> Iterable[Trouble]:
    """Yield the troubles with files."""
    yield from harm("one bit, cut short, zeros, empty, deleted", "custom/record.csv")
    yield from harm("one bit, deleted", "custom/record.csv custom/track.csv custom/words.csv", clone=True)
    yield from harm("one bit, deleted", "custom/track.csv")
    yield from harm("cut short, deleted", "custom/model.csv")
    yield from harm("deleted", "custom/days.csv custom/offensive.csv")
    yield from harm("cut short, zeros, deleted", "custom/verdicts.csv custom/glosses.csv")
    yield from harm("one bit, deleted", "custom/wordlist.txt custom/words.csv custom/daily.csv")
    yield from harm("cut short, empty, deleted", "custom/SHA256SUMS custom/datapackage.json")
    yield from harm("cut short, zeros, empty, deleted", "raw/captures.db")
    yield from harm("one bit, deleted", "raw/lexicon/scowl.csv.gz raw/lexicon/SHA256SUMS")
    yield from harm("zeros, deleted", "build/trials.parquet build/record.csv build/coverage.json")
    yield from harm("cut short, deleted", "build/state.json build/lexicon.parquet")
    yield from harm("one bit", "build/decisions.parquet build/violations.parquet build/news.parquet")
    yield from harm("deleted", "build")
    yield Trouble("a publish was killed", killed_publish())
    yield Trouble("a publish was killed, and its file damaged", killed_publish(nul))
    yield Trouble("a damaged record that was committed", damaged_commit)
    yield Trouble("a damaged record that was committed (clone)", damaged_commit, clone=True)
    older = ran("git checkout --quiet HEAD~1 -- data/custom/record.csv")
    yield Trouble("an older record.csv checked out", older)
    yield Trouble("an older record.csv checked out (clone)", older, clone=True)
    copied = both(damage(("custom/record.csv", cut)), ran("cp -r data/custom copy; echo x > copy/words.csv"))
    yield Trouble("a damaged folder to restore from", both(copied, ran("bee restore copy")))
    wheel = ran("cp data/custom/words.csv release.whl; bee restore release.whl")
    yield Trouble("a damaged wheel to restore from", both(damage(("custom/record.csv", None)), wheel))
    yield Trouble("`bee merge --rebuild` without the archive", refused_rebuild)
    yield Trouble("`bee merge --rebuild` in a clone", refused_rebuild, clone=True)
    forced = ran("bee merge --rebuild --force >/dev/null 2>&1; bee restore")
    yield Trouble("days that a rebuild gave up, and `bee restore`", forced)


def refused_rebuild(world: World) -> None:
    """Try to count the record from nothing, although the days are not on disk; the person does not give them up."""
    assert "would lose" in world.sh("bee merge --rebuild").said


def damaged_commit(world: World) -> None:
    """Commit a damaged record, and then something else."""
    damage(("custom/record.csv", bit))(world)
    world.commit()
    world.must("echo more >> data/custom/notes.txt")
    world.commit()


def both_wrong(world: World) -> str:
    """Let both sources report the same wrong word of a day, and fix both before the day is published."""
    letters = DAYS[LAST].puzzle
    wrong = dataclasses.replace(DAYS[LAST], answers=tuple(sorted({*DAYS[LAST].answers, "dwang", "gnard"})))
    wrong = dataclasses.replace(wrong, answers=tuple(w for w in wrong.answers if set(w) <= set(letters.letters)))
    extra = " ".join(sorted({*wrong.answers} - {*DAYS[LAST].answers}))
    assert extra
    world.say(wrong, wrong)
    world.must("bee run --fetch --no-publish")
    for source in ("nyt", "nytbee"):
        world.must(f'bee day {LAST} --source {source} --remove "{extra}" --reason "no such words"')
    return ""


def came_true(world: World) -> None:
    """Fix a day of a source that corrects itself afterwards."""
    told(lacking(1), true)(world)
    world.must("bee run --fetch")
    (missing,) = {*DAYS[LAST].answers} - {*lacking(1)(DAYS[LAST]).answers}
    world.must(f'bee day {LAST} --source nyt --add "{missing}" --reason "nytbee is right"')
    world.must(f"bee import --forget {LAST}.json")
    world.serve()


def no_break_space(world: World) -> None:
    """Write a verdict by hand on a word with a space that nobody sees."""
    typed("verdicts", "thorn\u00a0,drop,a plant,ann,2025-03-06")(world)


def machine() -> Iterable[Trouble]:
    """Yield the troubles with clock, disk and other commands."""
    for name, now in (("two days behind", "2025-03-05T12:00:00+00:00"), ("a year ahead", "2026-03-07T12:00:00+00:00")):
        run = ran("bee run; bee run --fetch; bee drop thorn --reason 'a plant' --by ann --force; bee run")
        at_wrong_time = both(clock(now), run, clock(TODAY))
        yield Trouble(
            f"the clock was {name} for some runs", at_wrong_time, "bee run --fetch", decided=("award", "thorn")
        )
    back = "2025-01-05T12:00:00+00:00"
    yield Trouble("the clock is set back", clock(back), after=clock(TODAY))
    yield Trouble("the clock is set back (clone)", clock(back), after=clock(TODAY), clone=True)
    yield Trouble("the clock ran ahead once", clock_ahead, "bee run --fetch", "yesterday")
    for blocks in (1, 100, 400):
        full = ran(f"ulimit -f {blocks}; bee run --fetch")
        yield Trouble(f"the disk is full after {blocks} blocks", full, "bee run --fetch", "yesterday")
    yield Trouble("another command is at work", at_work)
    yield Trouble("two commands at once", two_at_once, "bee run --fetch", "yesterday")


def merges() -> Iterable[Trouble]:
    """Yield the troubles of two people who decide at once."""
    all_three = ("aide", "award", "thorn")
    for join in ("merge --no-edit", "rebase", "cherry-pick"):
        name = f"two people released, and joined it by git {join.partition(' ')[0]}"
        yield Trouble(name, two_people(join=join), decided=all_three)
    yield Trouble("the same without .gitattributes", two_people(union=False), decided=all_three)
    yield Trouble("two people decided differently on a word", same_word, decided=("award", "thorn"))
    yield Trouble("a decision that was set aside is taken up again", stashed, decided=all_three)


def network() -> Iterable[Trouble]:
    """Yield the troubles with the sources, on a new day."""

    def new(name: str, make: Make, **more: object) -> Trouble:
        return Trouble(name, make, **{"first": "bee run --fetch", "start": "yesterday"} | more)

    challenge = b"<html><title>Just a moment...</title>"
    yield new("nytimes.com refuses, then answers", refused("nyt"), after=serve)
    yield new("nytbee.com sends challenges, then answers", refused("nytbee", 200, challenge), after=serve)
    yield new("nytimes.com hangs up, then answers", broken("nyt"), after=serve)
    yield new("both sources fail, then answer", both(refused("nyt", 500), refused("nytbee", 500)), after=serve)
    yield new("no source has the day, then both have it", told(nothing, nothing), after=serve)
    yield new("the same in a clone", told(nothing, nothing), after=serve, clone=True)
    for place in ("", " (clone)"):
        here = {"clone": bool(place)}
        bee, nyt = {"right": "If nytbee is right"}, {"right": "If nyt is right"}
        one = {"clone": bool(place), "differs": "witnesses"}
        yield new(f"nytimes.com lies about the letters{place}", told(elsewhere, true), **bee, **one)
        yield new(f"nytbee.com lies about the letters{place}", told(true, elsewhere), **nyt, **one)
        yield new(f"nytimes.com lacks five words{place}", told(lacking(5), true), **bee, **here)
        yield new(f"nytbee.com lacks five words{place}", told(true, lacking(5)), **nyt, **here)
    yield Trouble("nytimes.com lacks a word", day_waits(lacking(1), true), "bee run", "yesterday", **bee)
    yield Trouble("nytbee.com lacks a word", day_waits(true, lacking(1)), "bee run", "yesterday", **nyt)
    no_pangram = told(true, lambda day: dataclasses.replace(day, answers=_plain(day)))
    yield new("nytbee.com has a page without a pangram", no_pangram)
    yield new("both sources report the same wrong words", both_wrong)
    yield new("a source corrects itself after a person did", came_true)
    alone, wrong = told(lacking(12), nothing), {"right": "If it is wrong", "differs": "witnesses"}
    yield new("a surprising day that is wrong, of one source", alone, after=told(lacking(12), true), **wrong)
    right = {"right": "If this list is right", "differs": "last day"}
    yield new("a surprising day that is right, of one source", alone, **right)
    yield new("the same in a clone, of one source", alone, **right, clone=True)


def decisions() -> Iterable[Trouble]:
    """Yield the mistakes of people."""
    letters = DAYS[LAST].puzzle.letters
    unknown = ran("bee run >/dev/null 2>&1; bee check --only word-unknown")
    yield Trouble("a verdict with a flipped letter in its word", both(flipped("verdicts", "award", "awarq"), unknown))
    yield Trouble("a verdict with a flipped letter in its decision", flipped("verdicts", "drop", "dron"))
    yield Trouble("a verdict without a reason", flipped("verdicts", "hardly used", ""))
    yield Trouble("a grade with a flipped letter", typed("offensive", "thorn,slvr,a test,ann"))
    yield Trouble("a grade on an unknown word", both(typed("offensive", "thoqn,slur,a test,ann"), unknown))
    accepted = "accept,,,a test,ann"
    yield Trouble("an accepted day with a date that is none", typed("days", f"2025-13-05,,{letters},40,{accepted}"))
    yield Trouble("an accepted day with letters that are none", typed("days", f"{LAST},,aabcdef,40,{accepted}"))
    stale = typed("days", f"{LAST},,{letters},99,{accepted}")
    yield Trouble(
        "an accepted day that has another list", both(stale, told(lacking(12), nothing)),
        "bee run --fetch", "yesterday", right="If this list is right", differs="last day",
    )  # fmt: skip
    yield Trouble(
        "a fix with a word that cannot be an answer", typed("days", f"{LAST},nyt,{letters},,fix,,zzzz,a test,ann")
    )
    gone = typed("days", f"{LAST},nyt,{DAYS['2025-02-23'].puzzle.letters},,reject,,,a test,ann")
    yield Trouble("a rejected list that changed", gone)
    yield Trouble("a verdict on a word with a no-break space", no_break_space, decided=("award",))
    unsaved = both(ran('bee drop thorn --reason "a plant" --by ann --force'), typed("verdicts", "aide,keep,odd"))
    yield Trouble("a broken line beside a decision that no commit has", unsaved)
    yield Trouble("a line with a cell too many", typed("verdicts", "thorn,drop,a test,ann,2025-01-01,more"))
    yield Trouble("a definition with an unknown part of speech", typed("glosses", "acid,,thing,sour substance"))
    yield Trouble("more verdicts than a release may have", _many)


def _many(world: World) -> None:
    listed = world.path("custom/wordlist.txt").read_text().split()
    rows = [f"{word},drop,a test,ann,2025-03-06" for word in listed[:: len(listed) // 60]]
    with world.path("custom/verdicts.csv").open("a") as file:
        file.write("".join(f"{row}\n" for row in rows))


def all_troubles() -> list[Trouble]:
    """Return all troubles."""
    return [*files(), *machine(), *merges(), *network(), *decisions()]
