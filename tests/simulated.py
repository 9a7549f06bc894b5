"""A simulated workspace: generated words and days that go through the stages `facts` and `record`, without a disk.

`faults/year.py` simulates a year with a disk and the network.
"""

from __future__ import annotations

import dataclasses
import datetime
import random
from collections.abc import Iterable
from typing import Any

import pandas as pd

from pipeline import reader
from pipeline.facts import evidence
from pipeline.facts.lexicon import DEFAULTS
from pipeline.fetching import schedule
from pipeline.fetching.captures import Captures
from pipeline.intake import record_state
from pipeline.run import stages
from pipeline.sources.day import Day
from pipeline.tables import frames
from pipeline.words import Puzzle, pangram, spells

SOURCES = ("nyt", "nytbee")
START, BEFORE = datetime.date(2024, 1, 1), 150


@dataclasses.dataclass(frozen=True)
class World:
    """Words with the size of their list, the words that the editor accepts, and the puzzle of every day."""

    sizes: dict[str, int]
    accepted: frozenset[str]
    days: tuple[Day, ...]


def world(seed: int, count: int) -> World:
    """Generate a world: common words are nearly always accepted, rare words hardly ever, and the editor never changes a
    decision."""
    draw = random.Random(seed)
    sets = ["".join(sorted(draw.sample("abcdeilmnoprtu", 7))) for _ in range(12)]
    sizes: dict[str, int] = {}
    for letters in sets:
        for length in (4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 7) * 3:
            sizes["".join(draw.choices(letters, k=length))] = draw.choice((10, 20, 35, 50, 70, 80, 95))
        sizes[letters + letters[0]] = 10
    accepted = frozenset(
        word for word, size in sorted(sizes.items()) if draw.random() < (0.995 if size < 60 else 0.005)
    )
    days = []
    for number in range(count):
        letters = draw.choice(sets)
        center = draw.choice(letters)
        asked = Puzzle(center, letters.replace(center, ""))
        answers = {word for word in accepted if spells(asked, word)} | {letters + letters[0]}
        days.append(Day(str(START + datetime.timedelta(days=number)), asked, tuple(sorted(answers))))
    return World(sizes, accepted | {letters + letters[0] for letters in sets}, tuple(days))


def altered(draw: random.Random, made: World, day: Day, event: str) -> Day:
    """Return the day as a source reports it on a bad day."""
    answers = [word for word in day.answers if not pangram(word)]
    if event == "wrong":
        return dataclasses.replace(day, answers=tuple(sorted(set(day.answers) - {draw.choice(answers)})))
    refused = [word for word in made.sizes if spells(day.puzzle, word) and word not in made.accepted]
    gone, come = draw.sample(answers, 3), draw.sample(refused, min(3, len(refused)))
    return dataclasses.replace(day, answers=tuple(sorted((set(day.answers) - set(gone)) | set(come))))


class Workspace:
    """The content of a workspace, as the stages `facts` and `record` read and make it."""

    def __init__(self, made: World) -> None:
        """Start with a lexicon and nothing else."""
        rows = [{**DEFAULTS, "word": word, "scowl_size": size} for word, size in made.sizes.items()]
        lexicon = pd.DataFrame(rows).assign(language="", zipf=0.0, zipf_abroad=0.0)
        self.lexicon = frames.check(lexicon, "lexicon")
        self.frequencies = self.lexicon[["word", "zipf", "zipf_abroad", "language"]].iloc[:0]
        self.brought: list[tuple[str, str, Day]] = []
        self.kept: dict[str, Any] = {"evidence_file": None, "model_so_far": None}
        self.kept |= {"record_state": record_state.NO_STATE, "published_days": frozenset()}
        self.kept |= {name: frames.empty(name) for name in ("track", "forecasts", "news")}
        self.made: dict[str, Any] = {}

    def bring(self, source: str, seen: datetime.datetime, days: Iterable[Day]) -> None:
        """Store days of a source, as captured at a time."""
        self.brought += [(seen.isoformat(), source, day) for day in days]

    def run(self, rebuild: bool = False) -> dict[str, Any]:
        """Run the stages and keep what they make."""
        listed = sorted(self.brought, key=lambda brought: brought[:2])
        captures = Captures(
            [(source, day) for _, source, day in listed], [], {(source, day.date): at for at, source, day in listed}
        )
        facts = stages.make_facts(captures, frames.empty("requests"), frames.empty("corrections"))
        held = {
            **facts,
            **{name: frames.empty(name) for name in ("admitted", "corrections", "word_grades")},
            **self.kept,
        }
        held |= {"lexicon": self.lexicon, "frequencies": self.frequencies, "own_lists": {}}
        held["lexicon_files"] = {reader.SUMS: b"the same lists"}
        trials_stage, record_stage = stages.BY_NAME["trials"], stages.BY_NAME["record"]
        tried = trials_stage.work(**trials_stage.arguments(held), rebuild=rebuild)
        held |= tried
        self.made = {**facts, **tried, **record_stage.work(**record_stage.arguments(held), rebuild=rebuild)}
        self.kept = {name: self.made[name] for name in ("record_state", "track", "forecasts", "news")}
        self.kept["published_days"] = self.made["settled"].covered
        self.kept["evidence_file"] = evidence.encode(self.made["settled"])
        self.kept["model_so_far"] = self.made["model"]
        return self.made

    def held(self) -> set[str]:
        """Return the dates that are held."""
        waiting = self.made["waiting"]
        return set(waiting["date"][waiting["kind"] == "held"])


def morning(day: Day, after: int = 0) -> datetime.datetime:
    """Return an hour in the morning of a day, or some days after it."""
    date = datetime.date.fromisoformat(day.date) + datetime.timedelta(days=after)
    return datetime.datetime(date.year, date.month, date.day, 9, tzinfo=schedule.ZONE)
