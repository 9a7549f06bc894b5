"""Many hands: three curators, proposals and the jobs of the main branch work on one repository for two weeks.

Everything is real: git with a bare remote, the commands, the scripts of the workflows, two sources and a clock. Each
day the curators decide, commit, pull by merge or by rebase, work on branches and push, in a random order; accepted
proposals become branches that are merged later; and main makes its releases, while others push. No conflict is ever
resolved by hand. At the end every decision must be on main once, and the release of main must be the one that a fresh
clone makes of the same days and decisions.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import random
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import needs
import pytest
import world as worlds
from pages import nyt_json, nytbee_page
from server import reply
from world import MISSING, PROJECT, Done, World

from pipeline.sources import LIVE_SITES, read_capture
from pipeline.sources.day import Day

CURATORS = ("ann", "ben", "cat")
FIRST_DAY = datetime.date.fromisoformat(worlds.BEFORE) + datetime.timedelta(days=1)
"""The first official day that the record lacks at the beginning."""
PROPOSALS = 5
SETTLES = 2
"""A day counts so many days after it."""
ATTEMPTS = 3
"""So often a job of main starts again because main has moved."""
MOVING = 3
"""At most so many decisions change the list, so that no release needs an approval."""
MERGE_MAIN = "git fetch --quiet && git merge --quiet --no-edit origin/main"


class ConflictError(Exception):
    """Raised if git could not merge the work of two people by itself."""


@dataclasses.dataclass
class Hands:
    """The repository of many hands: its remote, its clones, and the decisions that must be on main at the end."""

    world: World
    chance: random.Random
    words: list[str]
    moving_words: list[str]
    happened: Counter[str] = dataclasses.field(default_factory=Counter)
    expected: dict[str, str] = dataclasses.field(default_factory=dict)
    branches: list[str] = dataclasses.field(default_factory=list)

    @property
    def root(self) -> Path:
        """The folder with the remote and all clones."""
        return self.world.root

    def run(self, command: str, clone: str, fine: tuple[int, ...] = (0,), **settings: str) -> str:
        """Run a command in a clone; it must end with one of these codes."""
        done = self.attempt(command, clone, **settings)
        assert done.code in fine, f"{clone}: {command}: {done.said}"
        return done.said

    def attempt(self, command: str, clone: str, **settings: str) -> Done:
        """Run a command in a clone that may fail."""
        return self.world.sh(f"cd {shlex.quote(str(self.root / clone))} && {command}", **settings)

    def clone(self, name: str) -> str:
        """Make a fresh clone and return its name."""
        shutil.rmtree(self.root / name, ignore_errors=True)
        self.run(f"git clone --quiet origin.git {name}", ".")
        return name

    # What a curator does.

    def decide(self, name: str) -> None:
        """Write a decision with the command of a curator, and commit it."""
        moves = bool(self.moving_words) and self.chance.random() < 0.2
        word = (self.moving_words if moves else self.words).pop()
        if self.chance.random() < 0.25 and not moves:
            command, file = f'bee grade {word} none --reason "harmless since {name} looked"', "offensive"
        else:
            command, file = f'bee keep {word} --only --reason "seen by {name} in print" --force', "verdicts"
        path = self.root / name / f"data/custom/{file}.csv"
        before = path.read_text().splitlines()
        self.run(f"{command} --by {name}", name)
        (line,) = [line for line in path.read_text().splitlines() if line not in before]
        self.run(f"git add data/custom/{file}.csv && git commit --quiet -m {shlex.quote(f'Decide on {word}')}", name)
        self.expected[line] = file
        self.happened["decisions"] += 1

    def undo(self, name: str) -> None:
        """Take a decision back that is in the clone of a curator."""
        here = {
            file: (self.root / name / f"data/custom/{file}.csv").read_text().splitlines() for file in worlds.DECISIONS
        }
        mine = [line for line, file in self.expected.items() if line in here[file] and f"by {name} " in line]
        if mine:
            line = self.chance.choice(mine)
            kind = {"verdicts": "verdict", "offensive": "grade"}[self.expected.pop(line)]
            self.run(f"bee undo {line.partition(',')[0]} --kind {kind}", name)
            self.run(f"git commit --quiet -a -m {shlex.quote(f'Undo {line}'[:60])}", name)
            self.happened["undone"] += 1

    def pull(self, name: str) -> None:
        """Get the commits of main, by a merge or by a rebase."""
        by_merge = self.chance.choice(["git pull --quiet --no-rebase --no-edit", MERGE_MAIN])
        command = self.chance.choice([by_merge, "git pull --quiet --rebase"])
        done = self.attempt(command, name)
        if done.code:
            raise ConflictError(f"{name}: {command}: {done.said}")
        self.happened["rebases"] += command != by_merge
        self.happened["merges"] += command == by_merge
        self.take_out_again(name)

    def take_out_again(self, name: str) -> None:
        """Run the commands that `bee status` prints for undone decisions that a merge or a rebase brought back."""
        back = [line for line in self.run("bee status", name, fine=(0, 1)).splitlines() if "brought it back" in line]
        for line in back:
            self.run(worlds.commands_in(line)[0], name)
        if back:
            self.run("git commit --quiet -a -m 'Take out again what came back'", name)
        self.happened["brought back"] += len(back)

    def push(self, name: str) -> None:
        """Push to main; whoever is late pulls and tries again."""
        for _ in range(5):
            if not self.attempt("git push --quiet origin HEAD:main", name).code:
                self.happened["pushes"] += 1
                return
            self.happened["rejected pushes"] += 1
            self.pull(name)
        raise AssertionError(f"{name} cannot push")

    def work(self, name: str) -> None:
        """Let a curator do something."""
        for _ in range(self.chance.randint(0, 2)):
            self.decide(name)
        if self.chance.random() < 0.15:
            self.undo(name)
        if self.chance.random() < 0.2:
            self.look(name)
        if self.chance.random() < 0.25:
            self.on_a_branch(name)
        if self.chance.random() < 0.6:
            self.pull(name)
        if self.chance.random() < 0.6:
            self.push(name)

    def look(self, name: str) -> None:
        """Look at the effect of the decisions without making a release; no file of a release changes."""
        self.run("bee run --no-publish", name)
        assert self.run("git status --porcelain", name) == "", "a file of the release was written"

    def on_a_branch(self, name: str) -> None:
        """Decide on a branch, push it, and ask for a merge."""
        self.happened["branches"] += 1
        branch = f"{name}-{self.happened['branches']}"
        self.run(f"git fetch --quiet && git checkout --quiet -b {branch} origin/main", name)
        self.decide(name)
        self.run(f"{PROJECT}/.github/branch-check.sh origin/main && git push --quiet origin {branch}", name)
        self.run("git checkout --quiet main", name)
        self.branches.append(branch)

    def merge_a_branch(self) -> None:
        """Merge a branch into main, as the button of a pull request does."""
        branch = self.branches.pop(self.chance.randrange(len(self.branches)))
        button = self.clone("button")
        done = self.attempt(f"git merge --quiet --no-ff --no-edit origin/{branch}", button)
        if done.code:
            raise ConflictError(f"{branch}: {done.said}")
        self.run("git push --quiet origin HEAD:main", button)
        self.happened["merges"] += 1

    # What the workflows do.

    def propose(self, number: int) -> None:
        """Accept a proposal: its line is on a branch then."""
        word = self.words.pop()
        listed = (self.root / "ann/data/custom/wordlist.txt").read_text().split()
        side = "off the list" if word in listed else "on the list"
        body = f"### Word\n\n{word}\n\n### The word should be\n\n{side}\n\n### Why\n\nAs everybody says."
        issue = {"number": number, "title": word, "body": body, "user": {"login": "reader"}}
        event = {"action": "labeled", "issue": issue, "label": {"name": "accepted"}, "sender": {"login": "ann"}}
        (self.root / "event.json").write_text(json.dumps(event))
        made = self.root / "made"
        shutil.rmtree(made, ignore_errors=True)
        settings = {"GITHUB_EVENT_PATH": str(self.root / "event.json"), "GITHUB_REPOSITORY": "owner/words"}
        python = shlex.quote(sys.executable)
        self.run(f"{python} {PROJECT}/.github/proposal-read.py {made}", self.clone("first"), **settings)
        if not (made / "verdict.csv").exists():
            return  # the answer was that there is nothing to do
        self.run(f"{python} {PROJECT}/.github/proposal-write.py {made}", self.clone("second"), **settings)
        changed = self.run(f"git diff --name-only origin/main origin/word-{word}", self.clone("look")).split()
        assert changed == ["data/custom/verdicts.csv"], changed
        self.expected[(made / "verdict.csv").read_text().rstrip("\n")] = "verdicts"
        self.branches.append(f"word-{word}")
        self.happened["proposals"] += 1
        self.happened["decisions"] += 1

    def release(self, fetch: bool, disturbance: float = 0.4) -> None:
        """Let main make its release, while others may push; if main moved, the job starts again.

        `disturbance` is the probability that somebody pushes while the job works.
        """
        for attempt in range(ATTEMPTS):
            made, output = self.root / "made", self.root / "output.txt"
            shutil.rmtree(made, ignore_errors=True)
            output.write_text("")
            first = self.clone("first")
            second = self.clone("second") if self.chance.random() < 0.5 else ""
            self.run(f"{PROJECT}/.github/daily-fetch.sh {made}", first, FETCH=str(fetch).lower())
            if self.chance.random() < disturbance and attempt < ATTEMPTS - 1:
                name = self.chance.choice(CURATORS)
                self.decide(name)
                self.push(name)
            second = second or self.clone("second")
            self.run(f"{PROJECT}/.github/daily-commit.sh {made}", second, GITHUB_OUTPUT=str(output))
            if "moved=true" not in output.read_text():
                self.happened["releases"] += "pushed=true" in output.read_text()
                return
            self.happened["restarts"] += 1
        raise AssertionError("main moved during every attempt")

    # The end.

    def finish(self) -> None:
        """Push and merge all that is left, and make the last release."""
        for name in CURATORS:
            self.push(name)
        while self.branches:
            self.merge_a_branch()
        end = self.clone("end")
        self.take_out_again(end)
        self.run("git push --quiet", end)
        self.release(fetch=True, disturbance=0)

    def wrong_decisions(self) -> list[str]:
        """Return the decisions that main lacks, has twice, or has again."""
        look = self.root / self.clone("look")
        found = []
        for file in worlds.DECISIONS:
            lines = (look / f"data/custom/{file}.csv").read_text().splitlines()[1:]
            wanted = {line for line, name in self.expected.items() if name == file}
            found += [f"{file}.csv has {lines.count(line)} times: {line}" for line in lines if lines.count(line) > 1]
            found += [f"{file}.csv lacks: {line}" for line in wanted - set(lines)]
            found += [f"{file}.csv has again: {line}" for line in lines if " by " in line and line not in wanted]
        return found

    def differences_in_a_fresh_clone(self) -> list[str]:
        """Return the files of the release of main that a fresh clone does not make."""
        self.run("bee run", self.clone("look"))
        return self.run("git status --porcelain", "look").splitlines()

    def differences_of_a_new_release(self) -> list[str]:
        """Make the release anew from the first one, with all days at once and the decisions of main; compare tables."""
        look, anew = (self.root / name / "data" for name in ("look", self.clone("anew")))
        first = self.run("git rev-list --max-parents=0 HEAD", "look").strip()
        self.run(f"git checkout --quiet {first} -- data/custom", "anew")
        for file in worlds.DECISIONS:
            shutil.copy(look / f"custom/{file}.csv", anew / "custom")
        self.run("bee run --fetch", "anew")
        names = (
            "record.csv", "wordlist.txt", "words.csv", "flags.csv", "diffs.csv", "violations.csv",
            "wordlist-in-play.txt",
        )  # fmt: skip
        return [
            name for name in names if (look / "custom" / name).read_bytes() != (anew / "custom" / name).read_bytes()
        ]


def official_days() -> list[Day]:
    """Return official days for the whole time: the puzzles of the two weeks, on new dates."""
    sample = read_capture(worlds.SAMPLE.read_bytes(), worlds.SAMPLE.name).days
    dates = [FIRST_DAY + datetime.timedelta(days=number) for number in range(40)]
    return [dataclasses.replace(sample[at % len(sample)], date=str(date)) for at, date in enumerate(dates)]


def set_day(world: World, number: int) -> None:
    """Set the clock to noon of a day, counted from the first, and let both sources have all days up to it."""
    date = FIRST_DAY + datetime.timedelta(days=number)
    world.now = f"{date}T17:00:00+00:00"
    for day in official_days():
        is_out = day.date <= str(date)
        world.nyt.pages[LIVE_SITES["nyt"].url_for("", day.date)] = reply(nyt_json(day)) if is_out else MISSING
        world.nytbee.pages[LIVE_SITES["nytbee"].url_for("", day.date)] = reply(nytbee_page(day)) if is_out else MISSING


def begin(world: World, lexicon: Path, seed: int) -> Hands:
    """Make the remote with a first release, and a clone for each curator."""
    worlds.settle(world, lexicon, dict.fromkeys(worlds.DECISIONS, ""))
    # Everybody may accept a proposal, and there is no pull request yet.
    worlds.program(world, "gh", 'case "$*" in *permission*) echo write ;; esac')
    set_day(world, SETTLES - 1)
    world.must("bee run", "bee publish --approve", "git add -A", "git commit --quiet -m first")
    world.must(f"git clone --quiet --bare . {world.root}/origin.git")
    rows = [line.split(",") for line in world.path("custom/words.csv").read_text().splitlines()[1:]]
    chance = random.Random(seed)
    listed = [row[0] for row in rows if row[1] in ("core", "likely")]
    doubtful = [row[0] for row in rows if row[1] == "review"]
    chance.shuffle(listed)
    chance.shuffle(doubtful)
    hands = Hands(world, chance, listed, doubtful[:MOVING])
    for name in CURATORS:
        hands.clone(name)
    return hands


def live_through(hands: Hands, number: int) -> None:
    """Let some days pass."""
    proposed = sorted(hands.chance.sample(range(number), min(PROPOSALS, number)))
    for day in range(number):
        set_day(hands.world, day + SETTLES)
        acts = [*CURATORS, *CURATORS, "release by fetch", "release by push"]
        hands.chance.shuffle(acts)
        if day in proposed:
            acts.insert(hands.chance.randrange(len(acts)), "proposal")
        for act in acts:
            if act == "proposal":
                hands.propose(day + 1)
            elif act in CURATORS:
                hands.work(act)
            else:
                hands.release(fetch=act == "release by fetch")
        if hands.branches and hands.chance.random() < 0.7:
            hands.merge_a_branch()


@pytest.fixture
def hands(tmp_path: Path, small_lexicon: Path) -> Iterator[Hands]:
    """Three curators with a repository that has its first release."""
    needs.require("git")
    with worlds.inhabited(tmp_path) as world:
        yield begin(world, small_lexicon, seed=33)


@pytest.mark.slow
def test_on_a_short_day_a_late_push_and_a_branch_lose_no_decision(hands):
    set_day(hands.world, SETTLES)
    for name in ("ann", "ben"):
        hands.decide(name)
        hands.push(name)
    hands.on_a_branch("cat")
    hands.merge_a_branch()
    assert hands.happened["branches"] == 1
    assert hands.happened["rejected pushes"] > 0
    assert hands.wrong_decisions() == []


@pytest.mark.faults
def test_in_two_weeks_of_many_hands_no_decision_is_lost_and_main_has_the_release_of_a_fresh_clone(hands):
    live_through(hands, 14)
    hands.finish()
    print(dict(hands.happened))
    assert min(hands.happened[what] for what in ("rebases", "rejected pushes", "proposals", "restarts")) > 0
    assert hands.wrong_decisions() == []
    assert hands.differences_in_a_fresh_clone() == []
    assert hands.differences_of_a_new_release() == []
