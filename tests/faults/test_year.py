"""A simulated year over the network: two local sites, each with its own faults, and a workspace that fetches every day.

`pytest -m faults tests/faults/test_year.py -s` simulates 300 days. The puzzles have the letters of the sample, in a
random order, and the editor accepts words by their SCOWL size. The first 150 days are imported. After that each day is
fetched from both sites with the real fetching, is counted and published. At the end the record
must equal, byte for byte, the record counted directly from the true answers, without the trials that the track record
names, and the list that of this record.

Where a site stays wrong on many words, a person says after five days whose list is right. Where it stays wrong on one
word, the day counts, and the word has no trial on it.
"""

from __future__ import annotations

import datetime
import random
import shutil
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd
import past
import pytest
from pages import PAGES
from sampling import short_and_long
from server import Answer, Site, reply, reset, serving
from small import SAMPLE

from pipeline import custom, inputs, run
from pipeline.facts.count_days import checksum
from pipeline.facts.lexicon import is_common
from pipeline.fetching import backfill, captures, imports, schedule, web
from pipeline.review import verdicts
from pipeline.sources import LIVE_SITES, read_capture
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import GAME, Puzzle, pangram, spells

BEFORE, TAIL, DEAD, ALONE = 150, 40, 14, 4
"""Days that are imported first, quiet days at the end until a missing page has been asked for again, the days for which
one source is dead, and those for which a source is alone with a day that it has wrong for good."""
START = datetime.date.fromisoformat(GAME.first_day)
EVENTS = ("late", "missing", "grown", "wrong", "poisoned", "poisoned for good", "outage")
SITES = ("nyt", "nytbee")
OUTAGES: dict[str, Answer] = {
    "reset": reset,
    "error": reply(b"", 500),
    "busy": reply(b"", 503, Retry_After="0"),
    "challenge": reply(b"<html><title>Just a moment...</title></html>"),
    "cut short": reply(b"{", Content_Length="5000"),
    "redirect": reply(b"", 302, Location="https://example.org/"),
}


@dataclass
class Year:
    """The true days, the words, the sites, and what was decided about the days so far."""

    data: Path
    sites: dict[str, Site]
    draw: random.Random
    days: list[Day]
    refused: list[str]
    later: dict[int, list[tuple[str, str, Answer]]] = field(default_factory=dict)
    persons: dict[int, list[dict[str, str]]] = field(default_factory=dict)
    lies: dict[str, Day] = field(default_factory=dict)
    happened: Counter[str] = field(default_factory=Counter)

    def show(self, number: int, source: str, answer: Answer, of: Day) -> None:
        """Let a site answer so to requests for a day from some simulated day on."""
        self.later.setdefault(number, []).append((source, LIVE_SITES[source].url_for("", of.date), answer))

    def plan(self, number: int, event: str) -> None:
        """Decide what the sites have of a day, from this day on."""
        day, liar = self.days[number], self.draw.choice(SITES)
        (other,) = set(SITES) - {liar}
        truth = {source: reply(PAGES[source](day)) for source in SITES}
        first, then = dict(truth), number
        if event in ("late", "missing"):
            first = dict.fromkeys(SITES, reply(b"not here", 404))
            then = number + (1 if event == "late" else 6)
        elif event == "outage":
            kind = self.draw.choice([*OUTAGES, "other day"])
            self.happened[f"outage: {kind}"] += 1
            answer = OUTAGES.get(kind) or reply(PAGES[liar](self.days[number - 1]))
            first, then = {**first, liar: answer}, number + self.draw.randint(1, 3)
        elif event:
            said = altered(self.draw, self, day, event)
            first, then = {**first, liar: reply(PAGES[liar](said))}, number + 1
            if event.startswith("poisoned"):
                first[other] = self.draw.choice([reset, OUTAGES["error"]])
            if event == "poisoned for good":
                self.lies[day.date] = said
            if event in ("wrong", "poisoned for good"):
                truth[liar] = first[liar]
            if event == "poisoned for good":
                self.persons.setdefault(number + 5, []).append(right(other, day))
        self.happened[event] += bool(event)
        for source in SITES:
            self.show(number, source, first[source], day)
            self.show(then, source, truth[source], day)
        if event == "poisoned for good":
            self.show(then, other, first[other], day)
            self.show(number + ALONE, other, truth[other], day)

    def turn(self, number: int) -> None:
        """Let the sites change as planned, and let a person write what is due."""
        for source, path, answer in self.later.pop(number, []):
            self.sites[source].pages[path] = answer
        if rows := self.persons.pop(number, []):
            verdicts.write(Workspace(self.data), "named_days", rows)


def altered(draw: random.Random, year: Year, day: Day, event: str) -> Day:
    """Return the day as a source reports it on a bad day."""
    usual = [word for word in day.answers if not pangram(word)]
    few = 3 if event.startswith("poisoned") else 1
    refused = [word for word in year.refused if spells(day.puzzle, word)] if few > 1 else []
    gone, come = draw.sample(usual, few), draw.sample(refused, min(3, len(refused)))
    return replace(day, answers=tuple(sorted({*day.answers, *come} - {*gone})))


def right(source: str, day: Day) -> dict[str, str]:
    """Return the row with which a person says that a source has the right list."""
    check = checksum(day.puzzle, frozenset(day.answers))
    return {"date": day.date, "source": source, "check": check, "reason": "seen in the game", "by": "ann"}


def world(seed: int, count: int, lexicon: pd.DataFrame) -> tuple[list[Day], list[str]]:
    """Return the true days, and the common words that the editor refuses."""
    draw = random.Random(seed)
    known = zip(lexicon["word"].tolist(), lexicon["scowl_size"].tolist(), is_common(lexicon).tolist(), strict=True)
    common = {word: size for word, size, usual in known if usual}
    accepted = {word for word, size in sorted(common.items()) if draw.random() < (0.995 if size < 60 else 0.005)}
    sample = [day for day in read_capture(SAMPLE.read_bytes(), SAMPLE.name).days if "s" not in day.puzzle.letters]
    accepted |= {word for day in sample for word in day.answers if pangram(word)}
    lists = {}
    for letters in sorted(day.puzzle.letters for day in sample):
        for center in letters:
            each = Puzzle(center, "".join(sorted(letters.replace(center, ""))))
            lists[each] = tuple(sorted(word for word in accepted if spells(each, word)))
    puzzles = [each for each, answers in lists.items() if len(answers) >= 20]
    order = draw.choices(puzzles, k=count)
    days = [Day(str(START + datetime.timedelta(days=at)), each, lists[each]) for at, each in enumerate(order)]
    return days, sorted(common.keys() - accepted)


def lexicon_of(workspace: Workspace) -> pd.DataFrame:
    """Return the words of the word lists."""
    return run.read_lexicon(workspace, inputs.read_word_lists(workspace)).words


def begun(data: Path, lexicon: Path, sites: dict[str, Site], days: int, seed: int) -> Year:
    """Make a workspace with the first days, imported from a file."""
    shutil.copytree(lexicon, data / "raw/lexicon")
    (data / "custom").mkdir()
    workspace = Workspace(data)
    made, refused = world(seed, BEFORE + days + TAIL, lexicon_of(workspace))
    year = Year(data, sites, random.Random(seed), made, refused)
    text = "".join(
        f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}\n" for day in made[:BEFORE]
    )
    file = captures.Capture("lines", "days.txt", "days.txt", text.encode(), captures.stamp(morning(BEFORE + 1)))
    imports.import_files(workspace, "lines", [file])
    return year


def morning(number: int) -> datetime.datetime:
    """Return an hour in the morning of a simulated day."""
    date = START + datetime.timedelta(days=number)
    return datetime.datetime(date.year, date.month, date.day, 9, tzinfo=schedule.ZONE)


def fetch(year: Year, number: int, dead: str = "") -> list[captures.Request]:
    """Fetch like `bee fetch`, on a simulated day; every request to a site that is dead fails."""
    now, workspace = morning(number), Workspace(year.data)
    kept = {name: site.pages for name, site in year.sites.items()}
    if dead:
        year.sites[dead].pages = {path: reset for path in (*kept[dead], "/robots.txt")}
    settings = {f"BEE_{name.upper()}_URL": site.url for name, site in year.sites.items()}
    published = inputs.published(custom.read_release(workspace))
    alone = set(published.track["date"][published.track["witnesses"] == 1])
    known = schedule.sightings(captures.load(workspace), ())
    plan = backfill.prepare(backfill.FetchOptions(), settings, now, known, published.coverage.dates, alone)
    path = workspace.root / captures.PATH
    with web.session(delay=0) as session, captures.opened(path, create=True) as database:
        asks = list(backfill.backfill(plan, session, database, plan.dates, lambda: now))
    for name, pages in kept.items():
        year.sites[name].pages = pages
    return asks


def publish(data: Path) -> bytes:
    """Publish what a run makes, and return the list."""
    workspace = Workspace(data)
    run.write_release(workspace, run.update(workspace), approve=True)
    return (data / "custom/wordlist.txt").read_bytes()


def directly(year: Year) -> pd.DataFrame:
    """Count the record from the true answers, word by word, without the trials that the track record names."""
    workspace = Workspace(year.data)
    rows = frames.rows(inputs.published(custom.read_release(workspace)).track)
    without = {(row["date"], word) for row in rows for word in row["without_trial"].split()}
    lexicon = lexicon_of(workspace)
    words = {*lexicon["word"][is_common(lexicon)], *(word for day in year.days for word in day.answers)}
    rows = []
    answers = {day.puzzle: set(day.answers) for day in year.days}
    possible = {puzzle: sorted(word for word in words if spells(puzzle, word)) for puzzle in answers}
    dates: dict[tuple[str, bool], list[str]] = {}
    for day in year.days:
        for word in possible[day.puzzle]:
            if (day.date, word) in without:
                continue
            dates.setdefault((word, word in answers[day.puzzle]), []).append(day.date)
    for word in sorted({word for word, _ in dates}):
        yes, no = dates.get((word, True), []), dates.get((word, False), [])
        row = {"word": word, "offered": len(yes) + len(no), "accepted": len(yes)}
        row |= {"first_accepted": min(yes, default=""), "last_accepted": max(yes, default="")}
        rows.append(row | {"last_refused": max(no, default="")})
    return frames.from_rows(rows, "record")


def true_list(year: Year, data: Path) -> bytes:
    """Make the list of the true answers in a new workspace, with the same weights."""
    shutil.copytree(year.data / "raw/lexicon", data / "raw/lexicon")
    (data / "custom").mkdir()
    past.write_release(data / "custom", directly(year), [day.date for day in year.days])
    shutil.copy(year.data / "custom/model.csv", data / "custom")
    return publish(data)


def believed(year: Year) -> set[str]:
    """Return the poisoned days that count now, but not with the true list."""
    made = run.read_facts(Workspace(year.data))
    shown, not_shown = (
        {date: {*words} for date, words in table.groupby("date")["word"]}
        for table in (made.answers, made.without_trial)
    )
    poisoned = [day for day in year.days if day.date in year.lies and day.date in made.coverage.dates]
    return {day.date for day in poisoned if ({*day.answers} ^ shown[day.date]) - not_shown.get(day.date, set())}


@pytest.mark.slow
@pytest.mark.parametrize("days", short_and_long(len(EVENTS), 300))
def test_a_simulated_year_ends_with_the_record_of_the_truth(days, small_lexicon, tmp_path):
    data = tmp_path / "data"
    workspace = Workspace(data)
    rate = 1 if days == len(EVENTS) else 0.25
    bag: list[str] = []
    outcomes: Counter[str] = Counter()
    waited: dict[str, dict[str, str]] = {}
    with serving() as nyt, serving() as nytbee:
        year = begun(data, small_lexicon, {"nyt": nyt, "nytbee": nytbee}, days, seed=3)
        publish(data)
        mortal = year.draw.choice(SITES)
        dies_on = BEFORE + days // 2 if days >= 6 * DEAD else len(year.days)
        for number in range(BEFORE, len(year.days)):
            quiet = number >= BEFORE + days
            dead = mortal if dies_on <= number < dies_on + DEAD else ""
            event = ""
            if not quiet and year.draw.random() < rate:
                bag = bag or year.draw.sample(EVENTS, len(EVENTS))
                event = bag.pop()
            year.plan(number, event if not dead else "late" if event else "")
            year.turn(number)
            if quiet and number not in (BEFORE + days, BEFORE + days + 7, len(year.days) - 1):
                continue  # nobody runs the program
            outcomes.update(ask.outcome for ask in fetch(year, number, dead))
            publish(data)
            assert believed(year) == set()
            days_now = run.days_on_disk(workspace)
            settled = {*days_now.day_lists["date"][days_now.day_lists["settled"]]}
            assert settled - days_now.coverage.dates == set(days_now.waits["date"])
            for row in frames.rows(days_now.waits):
                waited.setdefault(row["date"], row)
        for number in (len(year.days) + 1, len(year.days) + 9):
            fetch(year, number)
            wordlist = publish(data)
    for_a_person = {date for date, row in waited.items() if row["person"]}
    made = run.update(workspace)
    differing = [word for words in made.track["without_trial"] for word in words.split()]
    print(
        f"{dict(year.happened)}; {outcomes['failed']} failed requests; {len(for_a_person)} days waited for a person, "
        f"{len(waited) - len(for_a_person)} a week or less; {len(differing)} words without a trial"
    )
    assert min(year.happened[event] for event in EVENTS) > 0
    assert for_a_person == year.lies.keys(), "each day that stays poisoned, and no false alarm"
    assert len(differing) == year.happened["wrong"]
    assert made.waits.empty
    assert made.record.equals(directly(year))
    assert wordlist == true_list(year, tmp_path / "truth")
    assert frames.csv_bytes(run.read_facts(workspace, rebuild=True).record) == frames.csv_bytes(directly(year))
