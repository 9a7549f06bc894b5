"""The news: days scored with what was known before them, compared with the track record of the same days."""

import dataclasses
import random
import sys

import pandas as pd
import pytest
from conftest import PROJECT

from pipeline.facts import lexicon as joining
from pipeline.opinions import decide, estimate, flag, relatives
from pipeline.review import news
from pipeline.sources import LIVE
from pipeline.sources.day import Day
from pipeline.tables import frames
from pipeline.words import spells

sys.path.insert(0, str(PROJECT / "tests/faults"))
import year

DAYS = 16
"""From the end of May into June: a month begins between them, and with it another forecast."""


def opinions(here: year.Workspace) -> dict[str, pd.DataFrame]:
    """The tables of a workspace and the resulting opinions."""
    words = joining.with_strangers(here.lexicon, here.made["strangers"])
    made = {**here.made, "lexicon": words, "flags": flag.flag(words)}
    made |= {name: frames.empty(name) for name in ("offensive", "admitted", "verdicts")}
    record, links, sisters = made["evidence"].record, relatives.links(words), relatives.sisters(words)
    estimates = estimate.estimate(words, links, sisters, record, made["candidates"]["word"])
    decisions = decide.decide(made["candidates"], record, estimates, made["flags"], made["verdicts"], words)
    return {**made, "decisions": decisions, "links": links}


def turned(draw: random.Random, world: year.World, day: Day) -> Day:
    """The same day with one answer less or more."""
    if draw.random() < 0.5:
        return year.altered(draw, world, day, "wrong")
    refused = sorted(word for word in world.sizes if spells(day.puzzle, word) and word not in day.answers)
    return dataclasses.replace(day, answers=tuple(sorted({*day.answers, *refused[:1]})))


@pytest.fixture(scope="module", params=["all days on disk", "only new days on disk"])
def lived(request) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """A workspace that lived through some days, one by one, and these days; the older ones may have been deleted."""
    world = year.world(3, year.BEFORE + DAYS)
    here = year.Workspace(world)
    draw = random.Random(5)
    old = world.days[: year.BEFORE]
    new = [turned(draw, world, day) if at % 4 else day for at, day in enumerate(world.days[year.BEFORE :])]
    for source in year.SOURCES:
        here.bring(source, year.morning(old[-1], 5), old)
    here.run()
    if request.param == "only new days on disk":
        here.brought.clear()
        here.kept["base"] = year.counting.NOTHING
    for day in new:
        for source in year.SOURCES:
            here.bring(source, year.morning(day, 5), [day])
        here.run()
    return opinions(here), [day.date for day in new]


def test_the_days_have_the_counts_of_their_rows_in_the_track_record(lived):
    tables, dates = lived
    found = news.news(tables, dates, LIVE)
    track = tables["track"][tables["track"]["date"].isin(dates)].reset_index(drop=True)
    assert found.days["date"].tolist() == dates
    columns = [name for name in track.columns if name != "exact"]
    pd.testing.assert_frame_equal(found.days[columns].astype(track[columns].dtypes), track[columns])
    sides = found.words.groupby("side").size()
    assert dict(sides) == {side: total for side in ("missing", "extra") if (total := track[side].sum())}
    assert len(found.words) > 3


def test_a_missing_word_was_accepted_that_day_and_what_is_said_of_it_is_older_than_the_day(lived):
    tables, dates = lived
    trials = tables["trials"].set_index(["date", "word"])["accepted"]
    first = {}
    for date, word in trials.index:
        first.setdefault(word, date)
    found = news.news(tables, dates, LIVE).words
    base = tables["base"].kept
    counted = dict(zip(base.record["word"], base.record["offered"], strict=True))
    for row in frames.rows(found):
        new = [date for date, word in trials.index if word == row["word"] and date not in base.covered]
        offered = counted.get(row["word"], 0) + sum(date < row["date"] for date in new)
        assert f"of {offered} times" in row["before"] or (offered == 0 and row["before"].startswith("never tried"))
        assert trials[row["date"], row["word"]] == (row["side"] == "missing")
        assert (row["p"] < 0.5) == (row["side"] == "missing")
        if row["before"].startswith("never tried"):
            assert first[row["word"]] == row["date"]


def test_what_moved_is_the_difference_to_the_list_before_and_the_list_follows_the_newest_trial(lived):
    tables, dates = lived
    found = news.news(tables, dates, LIVE)
    listed = set(tables["decisions"]["word"][tables["decisions"]["tier"].isin(("core", "likely"))])
    moved = dict(zip(found.moved["word"], found.moved["change"], strict=True))
    assert {word for word, change in moved.items() if change == "added"} <= listed
    assert not {word for word, change in moved.items() if change == "removed"} & listed
    assert moved
    newest = tables["trials"].groupby("word")["date"].max()
    for row in frames.rows(found.words):
        if newest[row["word"]] == row["date"] and not row["waits"]:
            assert (row["word"] in listed) == (row["side"] == "missing")


def test_days_that_the_record_knows_already_are_not_judged(lived):
    tables, dates = lived
    tables = {**tables, "puzzles": tables["puzzles"][tables["puzzles"]["date"].isin(dates)]}
    found = news.news({**tables, "base": year.counting.Base(tables["evidence"], (), own=False)}, dates, LIVE)
    assert (len(found.days), len(found.words), len(found.moved)) == (0, 0, 0)


def test_relatives_are_named_with_their_records():
    words = frames.check(
        pd.DataFrame({"word": ["luff", "luffed", "luffs"]}).assign(
            **joining.DEFAULTS, language="", zipf=0.0, zipf_abroad=0.0
        ),
        "lexicon",
    )
    record = [("luff", 5, 1), ("luffs", 2, 2)]
    told = pd.DataFrame(record, columns=["word", "offered", "accepted"])
    found = news.relatives(["luffed", "luff", "none"], words, relatives.links(words), told)
    assert dict(found) == {"luffed": "luff 1/5", "luff": "luffs 2/2", "none": ""}
