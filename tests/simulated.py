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
from pipeline.facts.coverage import Coverage
from pipeline.facts.lexicon import DEFAULTS
from pipeline.fetching import schedule
from pipeline.fetching.captures import Captures
from pipeline.publishing import release
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
    decision. The same puzzle comes again after twelve weeks."""
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
        letters = sets[number % len(sets)]
        center = letters[number // len(sets) % len(letters)]
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
        lexicon = pd.DataFrame(rows).assign(base="", language="", zipf=0.0, zipf_abroad=0.0)
        self.lexicon = frames.check(lexicon, "lexicon")
        self.frequencies = self.lexicon[["word", "zipf", "zipf_abroad", "language"]].iloc[:0]
        self.brought: list[tuple[str, str, Day]] = []
        self.decisions = {name: frames.empty(name) for name in ("day_decisions", "word_grades")}
        self.release: dict[str, Any] = {"published_coverage": Coverage(), "model_so_far": None}
        self.release |= {"published_record": frames.empty("record"), "published_track": frames.empty("track")}
        self.release["published_words"] = b""
        self.kept: dict[str, Any] = {name: frames.empty(name) for name in ("news", "doubts")}
        self.made: dict[str, Any] = {}

    def bring(self, source: str, seen: datetime.datetime, days: Iterable[Day]) -> None:
        """Store days of a source, as captured at a time."""
        self.brought += [(seen.isoformat(), source, day) for day in days]

    def merge(self, **options: bool) -> dict[str, Any]:
        """Run the stages `facts` and `record`, and keep what they make."""
        listed = sorted(self.brought, key=lambda brought: brought[:2])
        captures = Captures(
            [(source, day) for _, source, day in listed], [], {(source, day.date): at for at, source, day in listed}
        )
        facts = stages.make_facts(captures, self.decisions["day_decisions"])
        held = {**facts, **self.decisions, **self.release, **self.kept, "own_lists": {}}
        held["coverage_so_far"] = self.made.get("coverage", Coverage())
        held |= {"lexicon": self.lexicon, "frequencies": self.frequencies, "forms": frames.empty("forms")}
        held["lexicon_files"] = {reader.SUMS: b"the same lists"}
        record_stage = stages.BY_NAME["record"]
        self.made = {**facts, **record_stage.work(**record_stage.arguments(held), **options)}
        self.kept = {name: self.made[name] for name in self.kept}
        self.release["model_so_far"] = self.made["model"]
        return self.made

    def publish(self) -> None:
        """Make what was merged the last release."""
        self.release |= {f"published_{name}": self.made[name] for name in ("record", "coverage", "track")}
        held = {**self.made, "verdicts": frames.empty("verdicts"), "forms": frames.empty("forms")}
        held |= dict.fromkeys(("offensive_words", "unsafe_words"), frames.empty("offensive_words"))
        for stage in (stages.BY_NAME[name] for name in ("relatives", "estimates", "decisions")):
            held |= stage.work(**stage.arguments(held))
        words = release.words_table(held["decisions"], held["record"], frames.empty("flags"))
        self.release["published_words"] = frames.csv_bytes(words)

    def run(self) -> dict[str, Any]:
        """Merge and publish."""
        self.merge()
        self.publish()
        return self.made

    def waits(self) -> dict[str, str]:
        """Return the dates that wait, each with the reason."""
        return dict(zip(self.made["waits"]["date"], self.made["waits"]["because"], strict=True))


def morning(day: Day, after: int = 0) -> datetime.datetime:
    """Return an hour in the morning of a day, or some days after it."""
    date = datetime.date.fromisoformat(day.date) + datetime.timedelta(days=after)
    return datetime.datetime(date.year, date.month, date.day, 9, tzinfo=schedule.ZONE)
