"""The news: how each new day differs from what was known before it, and how the list has changed since a release."""

import dataclasses
import random

import news
import simulated

from pipeline.review.waiting import days_to_decide
from pipeline.sources.day import Day
from pipeline.tables import frames
from pipeline.words import spells

DAYS = 4


def turned(draw: random.Random, world: simulated.World, day: Day) -> Day:
    """The same day with one answer fewer or one more."""
    if draw.random() < 0.5:
        return simulated.altered(draw, world, day, "wrong")
    refused = sorted(word for word in world.sizes if spells(day.puzzle, word) and word not in day.answers)
    return dataclasses.replace(day, answers=tuple(sorted({*day.answers, *refused[:1]})))


def begun(seed: int, days: int) -> tuple[simulated.World, simulated.Workspace]:
    """A world with some new days, and a workspace that has all older ones."""
    world = simulated.world(seed, simulated.BEFORE + days)
    here = simulated.Workspace(world)
    old = world.days[: simulated.BEFORE]
    for source in simulated.SOURCES:
        here.bring(source, simulated.morning(old[-1], 5), old)
    assert here.run()["news"].empty, "the first merge has nothing to compare with"
    return world, here


def test_the_words_of_a_day_are_those_that_its_row_in_the_track_record_counts():
    world, here = begun(3, DAYS)
    draw = random.Random(8)
    new = [turned(draw, world, day) for day in world.days[simulated.BEFORE :]]
    for day in new:
        for source in simulated.SOURCES:
            here.bring(source, simulated.morning(day, 5), [day])
        here.run()
    track, words = here.made["track"].set_index("date"), here.made["news"]
    assert list(track.index) == [day.date for day in new]
    assert set(words["side"]) == {"missing", "extra"}
    for side in ("missing", "extra"):
        counted = words[words["side"] == side].groupby("date").size().reindex(track.index, fill_value=0)
        assert counted.tolist() == track[side].tolist()

    trials = here.made["trials"].set_index(["date", "word"])["accepted"]
    for row in frames.rows(words):
        offered = sum(word == row["word"] and date < row["date"] for date, word in trials.index)
        assert row["before"].endswith(f"of {offered} times") if offered else row["before"] == "never tried"
        assert trials[row["date"], row["word"]] == (row["side"] == "missing")
        assert (row["p"] < 0.5) == (row["side"] == "missing")
        assert row["witnesses"] == 2

    waits = frames.from_rows([{"date": new[0].date, "until": "", "because": "sources differ"}], "waits")
    scored = here.made["track"][here.made["track"]["date"] > new[0].date]
    dates = [day.date for day in new[:2]]
    shown = news.accuracy_of_days(dates, here.made["puzzles"], scored, waits)
    assert shown["date"].tolist() == dates
    assert shown["waits"].tolist() == ["sources differ", ""]
    assert shown["answers"].isna().tolist() == [True, False]


def test_the_words_of_a_day_that_waits_are_replaced_when_the_day_is_corrected():
    world, here = begun(5, 3)
    day = world.days[simulated.BEFORE]
    here.bring("nyt", simulated.morning(day, 3), [simulated.altered(random.Random(3), world, day, "poisoned")])
    waiting = here.run()["news"]
    assert set(waiting["date"]) == {day.date}
    assert len(waiting) > 3
    assert set(waiting["witnesses"]) == {1}
    here.bring("nyt", simulated.morning(day, 4), [day])
    assert len(here.run()["news"]) == here.made["track"].set_index("date").loc[day.date, ["missing", "extra"]].sum()


def test_the_days_after_a_release_are_new_and_without_any_the_last_ones_are_shown():
    dates = ["2025-01-03", "2025-01-01", "2025-01-02"]
    assert news.dates_to_show(dates, "2025-01-02", 2) == ["2025-01-03"]
    assert news.dates_to_show(dates, "2025-01-01", 1) == ["2025-01-02", "2025-01-03"]
    assert news.dates_to_show(dates, "2025-01-03", 2) == ["2025-01-02", "2025-01-03"]
    assert news.dates_to_show([], "", 2) == []


def test_a_change_says_its_side_and_its_reason():
    changes = news.changes(["cove", "cave", "octave"], {"cove", "vacate"}, {"vacate": "p = 0.6", "cave": "refused"})
    assert changes.values.tolist() == [
        ["cave", "removed", "refused"],
        ["octave", "removed", "no list knows it any more"],
        ["vacate", "added", "p = 0.6"],
    ]


COMMON = ("octave", "covenant")


def listed(source: str, words: str = "", letters: str = "vacenot", date: str = "2025-01-02") -> dict[str, object]:
    """A row of the table `days`: a list with two words that all have, and others."""
    answers = " ".join(sorted({*COMMON, *words.split()}))
    about = {"date": date, "source": source, "center": letters[0], "outer": "".join(sorted(letters[1:]))}
    return about | {"answers": answers, "settled": True, "week_over": False, "accepted": False}


def shown(*rows: dict[str, object], date: str = "2025-01-02") -> list[str]:
    """The lines about a day that waits."""
    waits = frames.from_rows([{"date": date, "until": "", "because": "a test"}], "waits")
    (lines,) = days_to_decide(waits, frames.from_rows(rows, "days")).values()
    return [str(line) for line in lines]


def commands(*rows: dict[str, object]) -> dict[str, str]:
    """The command of each choice, by who is right."""
    choices = [line.partition(": ") for line in shown(*rows) if line.startswith("  If ")]
    return {who.removeprefix("  If ").rpartition(" right")[0]: rest for who, _, rest in choices}


def test_a_day_that_waits_is_shown_with_its_own_lists_side_by_side():
    rows = [listed("nyt"), listed("nyt", "cave", date="2025-01-03"), listed("plus", "cove", date="2025-01-03")]
    assert shown(*rows)[:2] == ["2025-01-02 waits: a test", "  nyt        vacenot  2 words"]
    assert shown(*rows, date="2025-01-03")[1:3] == [
        "  nyt        vacenot  3 words; not in every list: cave",
        "  plus       vacenot  3 words; not in every list: cove",
    ]


def test_each_different_list_has_a_command_that_accepts_it():
    found = commands(listed("nyt"), listed("nytbee"), listed("plus", letters="nacetov"), listed("lines", "cove"))
    accept = '`bee day 2025-01-02 --accept --source {} --reason "{} right"`'
    assert found == {
        "nyt, nytbee are": accept.format("nyt", "nyt, nytbee are"),
        "plus is": accept.format("plus", "plus is"),
        "lines is": accept.format("lines", "lines is"),
    }


def test_a_list_that_several_sources_have_is_rejected_for_each_of_them():
    reject = '`bee day 2025-01-02 --reject --source {} --reason "the list is wrong"`'
    both = f"{reject.format('nyt')} and {reject.format('nytbee')}"
    assert shown(listed("nyt"), listed("nytbee"))[-1] == f"  If it is wrong: {both}; then the day counts as missing."
