"""Drift: one source drops words and adds as many plausible ones on each of the last 30 days of a real archive.

`pytest -m faults tests/faults/test_drift.py -s` needs the archive of answers. The record is counted from the earlier
days. Then the altered days go through the real stages `facts` to `check`, from this source alone and with a correct
second source. The test reports the warnings for a person, and how much the list changed.
"""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import copy_of_the_project
from once import succeed

from pipeline.facts.coverage import Coverage
from pipeline.fetching.captures import Captures
from pipeline.publishing import release
from pipeline.run import registry, stages
from pipeline.sources import TRUST_RANK
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import LIKELY, LISTED, pangram, spells

DAYS = 30
LIAR, HONEST = "nyt", "nytbee"
Chances = Mapping[str, float]


def careless(answers: list[str], others: list[str], chances: Chances) -> tuple[list[str], list[str]]:
    """Order answers to drop, and words of a large dictionary to add, at random."""
    draw = random.Random(f"{answers} {len(others)} {len(chances)}")
    return draw.sample(answers, len(answers)), draw.sample(others, len(others))


def cunning(answers: list[str], others: list[str], chances: Chances) -> tuple[list[str], list[str]]:
    """Order the answers by rising p, and the words to add by falling p."""
    return sorted(answers, key=lambda word: chances.get(word, 0)), sorted(others, key=lambda word: -chances[word])


ATTACKS: dict[str, Callable[[list[str], list[str], Chances], tuple[list[str], list[str]]]] = {
    "any words": careless,
    "doubtful words": cunning,
}


class Archive:
    """The content of a workspace, in memory: everything that the stages from `facts` to `check` read."""

    def __init__(self, workspace: Workspace) -> None:
        """Load it, and split its days at the last 30."""
        names = {name for stage in CHAIN for name in stage.reads} - {name for stage in CHAIN for name in stage.makes}
        self.held: dict[str, Any] = {name: registry.load(workspace, name) for name in names | {"captures"}}
        best: dict[str, tuple[str, Day]] = {}
        for source, day in self.held["captures"].days:
            if day.date not in best or TRUST_RANK.get(source, 99) < TRUST_RANK.get(best[day.date][0], 99):
                best[day.date] = source, day
        self.last = [best[date] for date in sorted(best)[-DAYS:]]
        first = self.last[0][1].date
        before = [(source, day) for source, day in self.held["captures"].days if day.date < first]
        self.kept: dict[str, Any] = {name: frames.empty(name) for name in ("news", "doubts")}
        self.kept |= {"published_coverage": Coverage(), "coverage_so_far": Coverage()}
        self.kept |= {"published_record": frames.empty("record"), "published_track": frames.empty("track")}
        self.before = self.run(before, self.held["captures"].seen)
        self.kept |= {f"published_{name}": self.before[name] for name in ("record", "coverage", "track")}

    def run(self, days: Iterable[tuple[str, Day]], seen: dict[tuple[str, str], str]) -> dict[str, Any]:
        """Run the stages on some days, starting from the kept tables; return all that they made."""
        held = {**self.held, **self.kept, "captures": Captures(list(days), [], seen)}
        for stage in CHAIN:
            held |= stage.work(**stage.arguments(held))
        return held

    def alter(self, attack: str, swapped: int) -> list[Day]:
        """Return the last days with `swapped` words changed in each; the letters and the pangrams stay."""
        known = self.before["estimates"]
        chances = dict(zip(known["word"].tolist(), known["p"].tolist(), strict=True))
        unlikely = sorted(word for word, p in chances.items() if p < LIKELY)
        altered = []
        for _, day in self.last:
            answers = [word for word in day.answers if not pangram(word)]
            given = set(day.answers)
            others = [word for word in unlikely if word not in given and spells(day.puzzle, word)]
            gone, come = ATTACKS[attack](answers, others, chances)
            kept = given.difference(gone[:swapped]).union(come[:swapped])
            altered.append(dataclasses.replace(day, answers=tuple(sorted(kept))))
        return altered

    def live(self, said: Mapping[str, Iterable[Day]]) -> dict[str, Any]:
        """Run with the last days as reported by some sources, each fetched after its day had settled."""
        days = [(source, day) for source, each in said.items() for day in each]
        later = datetime.timedelta(days=5)
        seen = {
            (source, day.date): (datetime.datetime.fromisoformat(f"{day.date}T12:00:00+00:00") + later).isoformat()
            for source, day in days
        }
        return self.run(days, seen)


CHAIN: tuple[stages.Stage, ...] = tuple(
    stages.BY_NAME[name] for name in ("facts", "record", "relatives", "flags", "estimates", "decisions", "check")
)


def listed(made: Mapping[str, Any]) -> set[str]:
    """Return the words of the list."""
    return set(made["decisions"]["word"][made["decisions"]["tier"].isin(LISTED)])


def warnings(made: Mapping[str, Any], truth: set[str], dates: set[str]) -> dict[str, Any]:
    """Return the warnings about the altered days, and how much the list changed."""
    found = made["violations"]
    waits, doubts = (made[name][made[name]["date"].isin(dates)] for name in ("waits", "doubts"))
    drift = sorted(found["detail"][found["rule"] == "drift"])
    for_a_week = int((waits["until"] != "").sum())
    return {
        "days that wait for a person": len(waits) - for_a_week,
        "days that wait a week": for_a_week,
        "words in doubt": len(doubts),
        "drift warnings": len(drift),
        "the first": min(drift, default="none"),
        "words of the list that differ": len(listed(made) ^ truth),
    }


@pytest.fixture(scope="module")
def archive(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """The content of a workspace with the archive of answers."""
    data = copy_of_the_project(tmp_path_factory.mktemp("archive") / "data")
    for name in release.FILES:
        (data / "custom" / name).unlink()
    for path in ("archive/nyt_puzzles_plus.txt", "archive/nyt_puzzles_plus_2026.txt"):
        succeed("import", shared / path, "--as", "plus", "--data", data)
    succeed("run", "--no-publish", "--data", data)
    return Archive(Workspace(data))


@pytest.mark.faults
def test_no_source_that_lies_for_a_month_changes_the_list_without_a_warning(archive):
    real = [day for _, day in archive.last]
    dates = {day.date for day in real}
    truth = archive.live({LIAR: real, HONEST: real})
    figures = warnings(truth, listed(truth), dates)
    print(f"the truth, two witnesses: {figures}")
    assert (figures["days that wait for a person"], figures["words in doubt"], figures["drift warnings"]) == (0, 0, 0)
    for attack, swapped in itertools.product(ATTACKS, (3, 1)):
        altered = archive.alter(attack, swapped)
        for name, reported in {
            "false source only": {LIAR: altered},
            "false and true source": {LIAR: altered, HONEST: real},
        }.items():
            figures = warnings(archive.live(reported), listed(truth), dates)
            print(f"{swapped} a day, {attack}, {name}: {figures}")
            assert figures["days that wait for a person"] or figures["drift warnings"] or figures["words in doubt"]
            if swapped == 3:
                assert figures["days that wait for a person"] >= DAYS - 1
