"""The daily workflow in fresh clones makes the same release as a workspace that keeps its captures.

Everything runs as on GitHub: a fresh clone runs the first script, another one the second script, and a person works in
a checkout and commits. The suite has `hands.a_short_day` of tests/faults as its short sample.
"""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import past
import pytest
from conftest import PROJECT, fake_gh
from pages import PAGES
from server import Site, reply, serving

from pipeline import reader
from pipeline.facts import record
from pipeline.publishing import release, verify
from pipeline.sources import LIVE_SITES
from pipeline.sources.day import Day, days_between
from pipeline.words import GAME, pangram, puzzle_day

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.needs("git")]

TODAY = datetime.date.fromisoformat(puzzle_day(datetime.datetime.now(datetime.UTC)))
OLD, RECENT, OPEN, LAST = (str(TODAY - datetime.timedelta(days=before)) for before in (20, 5, 4, 2))
"""Days on which the sources differ on a word, that one source has, and on which they differ on five words, and the last
day that has settled."""
WORD, OTHER = "loll", "afro"
"""The words in doubt: nyt accepts the first one and nytbee does not; the second one is refused."""
DAY_DECISIONS = "date,source,letters,answers,decision,added,removed,reason,by\n"


@dataclass
class World:
    """A folder with the repository `origin.git`, and two sources."""

    root: Path
    sites: dict[str, Site]

    def sh(self, command: str, cwd: Path, fine: tuple[int, ...] = (0,)) -> str:
        """Run a command as a person or a workflow does; return what it said."""
        settings = {f"BEE_{name.upper()}_URL": site.url for name, site in self.sites.items()}
        settings |= {
            "PATH": f"{Path(sys.executable).parent}:{self.root}/tools:{os.environ['PATH']}",
            "HOME": str(self.root),
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("BEE_", "GIT_"))}
        done = subprocess.run(
            ["sh", "-c", command], cwd=cwd, capture_output=True, text=True, check=False,
            env={**kept, "BEE_DELAY": "0", "OPENBLAS_NUM_THREADS": "1", **settings},
        )  # fmt: skip
        assert done.returncode in fine, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def clone(self, name: str) -> Path:
        """Make a fresh clone."""
        path = self.root / name
        shutil.rmtree(path, ignore_errors=True)
        self.sh(f"git clone --quiet {self.root}/origin.git {path}", self.root)
        return path

    def daily(self) -> str:
        """Run the workflow once, as on schedule; return the message of the last commit."""
        for site in self.sites.values():
            site.asked.clear()
        made = self.root / "made"
        shutil.rmtree(made, ignore_errors=True)
        self.sh(f"{PROJECT}/.github/daily-fetch.sh {made}", self.clone("first"))
        second = self.clone("second")
        self.sh(f"{PROJECT}/.github/daily-commit.sh {made}", second, fine=(0, 3))
        self.sh("bee verify data/custom", second)
        return self.sh("git log -1 --format=%B", second)

    def covers(self, *dates: str) -> list[bool]:
        """Whether the release on the main branch covers days."""
        covered = verify.coverage_of((self.clone("look") / "data/custom" / reader.PACKAGE).read_bytes()).dates
        return [date in covered for date in dates]

    def count(self, word: str) -> tuple[int, int]:
        """How often a word was offered and accepted, by the record on the main branch."""
        rows = record.decode((self.clone("look") / "data/custom/record.csv").read_bytes()).set_index("word")
        return int(rows.loc[word, "offered"]), int(rows.loc[word, "accepted"])

    def branches(self) -> list[str]:
        """The branches of the repository."""
        return self.sh("git branch --format='%(refname:short)'", self.root / "origin.git").split()

    def asked(self, date: str) -> bool:
        """Whether some source was asked for a day since the last run began."""
        return any(LIVE_SITES[name].url_for("", date) in site.paths() for name, site in self.sites.items())

    def say(self, source: str, day: Day) -> None:
        """Let a source have a day."""
        self.sites[source].pages[LIVE_SITES[source].url_for("", day.date)] = reply(PAGES[source](day))


def without(day: Day, *words: str) -> Day:
    return replace(day, answers=tuple(answer for answer in day.answers if answer not in words))


@pytest.fixture
def begun(tmp_path, small_lexicon, sample_days) -> Iterator[tuple[World, dict[str, Day]]]:
    """A repository with a release, a workspace that keeps its captures, and sources with all days of the last month."""
    fake_gh(tmp_path)
    with serving() as nyt, serving() as nytbee:
        world = World(tmp_path, {"nyt": nyt, "nytbee": nytbee})
        days = {}
        for before in range(-1, 30):
            date = str(TODAY - datetime.timedelta(days=before))
            of = {OLD: WORD, RECENT: OTHER}.get(date)
            named = [day for day in sample_days if of in day.answers] or sample_days
            days[date] = replace(named[before % len(named)], date=date)
            for source in world.sites:
                world.say(source, days[date])
        world.say("nytbee", without(days[OLD], WORD))
        plain = [word for word in days[OPEN].answers if not pangram(word)]
        world.say("nytbee", without(days[OPEN], *plain[:5]))
        days[RECENT] = without(days[RECENT], OTHER)
        world.say("nyt", days[RECENT])
        nytbee.pages[LIVE_SITES["nytbee"].url_for("", RECENT)] = reply(b"", 500)
        world.sh("git init --quiet --bare -b main origin.git", world.root)
        world.sh("git config --global user.name ann; git config --global user.email a@b", world.root)
        seed = world.clone("seed")
        shutil.copytree(small_lexicon, seed / "data/raw/lexicon")
        shutil.copy(PROJECT / ".gitignore", seed)
        (seed / ".gitattributes").write_text("data/custom/verdicts.csv merge=union\n")
        custom = seed / "data/custom"
        custom.mkdir()
        covered = {*days_between(GAME.first_day, str(TODAY - datetime.timedelta(days=3)))} - {OLD, RECENT, OPEN}
        past.write_release(custom, past.record_of(small_lexicon), covered)
        (custom / "days.csv").write_text(DAY_DECISIONS)
        world.sh("git checkout --quiet -B main && bee run && bee publish --approve", seed)
        world.sh("git add -A && git commit --quiet -m first", seed)
        world.sh("git push --quiet origin main; mv ../seed ../kept", seed)
        yield world, days


def alike(world: World) -> bool:
    """Whether the main branch and the workspace that keeps its captures have the same release, byte for byte."""
    look = world.clone("look")
    folders = (look / "data/custom", world.root / "kept/data/custom")
    first, second = ({name: (folder / name).read_bytes() for name in release.FILES} for folder in folders)
    return first == second


def test_a_day_that_waits_counts_once_in_every_clone_when_its_week_is_over_its_sources_agree_or_a_person_decides(begun):
    world, days = begun
    kept = world.root / "kept"
    before = {word: world.count(word) for word in (WORD, OTHER)}
    message = world.daily()
    assert message.startswith(f"Fold in the days up to {LAST}\n\nThese words have no trial")
    assert message.endswith(f"\n- `{WORD}`: sources differ on it\n\n")
    world.sh("bee run --fetch", kept, fine=(3,))
    assert world.covers(OLD, RECENT, OPEN, LAST) == [True, False, False, True]
    assert {word: world.count(word) for word in before} == before
    assert world.branches() == ["main", f"waits-{RECENT}", f"waits-{OPEN}"]
    assert alike(world)

    head = world.sh("git rev-parse main", world.root / "origin.git")
    world.daily()
    assert world.sh("git rev-parse main", world.root / "origin.git") == head, "nothing is new"
    assert (world.asked(RECENT), world.asked(OLD)) == (True, False)
    world.say("nytbee", days[RECENT])
    assert "These words" not in world.daily()
    world.sh("bee run --fetch", kept)
    assert world.count(OTHER) == (before[OTHER][0] + 1, before[OTHER][1])
    assert world.covers(RECENT, OPEN) == [True, False]
    assert alike(world)
    look = world.root / "look"
    version = json.loads((look / "data/custom/datapackage.json").read_text())["version"]
    changes = (look / f"docs/changes/{version}.csv").read_text()
    assert changes == world.sh("bee changes HEAD~1 HEAD 2>/dev/null", look)

    person = world.clone("person")
    text = (world.root / f"made/waits/{OPEN}.md").read_text()
    fetch, check = re.findall("`(bee [^`]+)`", text)[-2:]
    world.sh(fetch, person)
    (right,) = re.findall("If nyt is right: `(bee day [^`]+)`", world.sh(check, person))
    world.sh(right, person)
    name = "data/custom/days.csv"
    world.sh(f"git add {name} && git commit --quiet -m Settle && git push --quiet origin main", person)
    assert world.daily().startswith("Fold in the days up to")
    assert (world.covers(OPEN), world.branches()) == ([True], ["main"])
    shutil.copy(person / name, kept / name)
    world.sh("bee run --fetch", kept)
    assert alike(world)
