"""The news: how each new day differs from what was known before it, and how the list has changed since a release."""

import dataclasses
import random

import news
import pandas as pd
import pytest
import simulated

from pipeline.facts.evidence import Evidence
from pipeline.intake import new_days, record_state
from pipeline.review.waiting import days_to_decide
from pipeline.sources.day import Day
from pipeline.tables import frames
from pipeline.words import spells

DAYS = 4
"""From the end of May into June: a month begins between them, and with it another forecast."""


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


@pytest.mark.slow
@pytest.mark.parametrize("deleted", [False, pytest.param(True, marks=pytest.mark.faults)])
def test_the_words_of_a_day_are_those_that_its_row_in_the_track_record_counts_and_older_days_may_be_deleted(deleted):
    world, here = begun(3, DAYS)
    draw = random.Random(5)
    if deleted:
        here.brought.clear()
        here.kept["record_state"] = record_state.NO_STATE
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
    base = here.made["record_state"].base_record.evidence
    before = base.record.set_index("word")["offered"]
    for row in frames.rows(words):
        fresh = [date for date, word in trials.index if word == row["word"] and date not in base.covered]
        offered = before.get(row["word"], 0) + sum(date < row["date"] for date in fresh)
        assert row["before"].endswith(f"of {offered} times") if offered else row["before"] == "never tried"
        assert trials[row["date"], row["word"]] == (row["side"] == "missing")
        assert (row["p"] < 0.5) == (row["side"] == "missing")
        assert (row["witnesses"], row["waits"]) == (2, "")

    waiting = [{"date": new[0].date, "subject": "day", "kind": "held", "detail": "9 words"}]
    waiting += [{"date": new[1].date, "subject": "cove", "kind": "surprising", "detail": "p"}]
    scored = here.made["track"][here.made["track"]["date"] > new[0].date]
    dates = [day.date for day in new[:2]]
    shown = news.accuracy_of_days(dates, here.made["puzzles"], scored, frames.from_rows(waiting, "waiting"))
    assert shown["date"].tolist() == dates
    assert shown["waits"].tolist() == ["held: 9 words", ""]
    assert shown["answers"].isna().tolist() == [True, False]
    if not deleted:
        assert here.run(rebuild=True)["news"].equals(words)


@pytest.mark.slow
def test_the_words_of_a_held_day_say_so_and_are_replaced_when_the_day_is_corrected():
    world, here = begun(5, 3)
    day = world.days[simulated.BEFORE]
    here.bring("nyt", simulated.morning(day, 3), [simulated.altered(random.Random(3), world, day, "poisoned")])
    held = here.run()["news"]
    assert set(held["date"]) == {day.date}
    assert held["waits"].str.startswith("held: ").all()
    assert len(held) > 3
    assert set(held["witnesses"]) == {1}
    here.bring("nyt", simulated.morning(day, 4), [day])
    assert len(here.run()["news"]) == here.made["track"].set_index("date").loc[day.date, ["missing", "extra"]].sum()


def words(*rows: tuple[str, str]) -> pd.DataFrame:
    cells = {"side": "extra", "p": 0.9, "surprise": 3.0, "witnesses": 1, "before": "never tried", "waits": ""}
    return frames.from_rows([{"date": date, "word": word, **cells} for date, word in rows], "news")


def test_rows_of_days_that_are_scored_again_or_no_longer_count_do_not_stay():
    before = words(("2025-01-01", "cove"), ("2025-01-02", "octave"), ("2025-01-03", "covenant"), ("2025-01-04", "cave"))
    settled = Evidence(frames.empty("evidence"), frozenset({"2025-01-01", "2025-01-02", "2025-01-04"}))
    found = new_days.with_new_rows(
        "news", before, words(("2025-01-02", "vacate")), {"2025-01-02", "2025-01-04"}, settled
    )
    assert list(found["word"]) == ["cove", "vacate"]


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


def waits(*rows: tuple[str, str, str]) -> pd.DataFrame:
    rows_of_table = [
        {"date": date, "subject": subject, "kind": kind, "detail": "a test"} for date, subject, kind in rows
    ]
    return frames.from_rows(rows_of_table, "waiting")


def version(source: str, words: str = "", letters: str = "vacenot", date: str = "2025-01-02") -> dict[str, object]:
    about = {"date": date, "source": source, "letters": letters, "answers": 20, "accepted_before": 19}
    return about | {"surprise": "", "words": words}


def commands(*rows: dict[str, object]) -> dict[str, str]:
    """The options of the corrections of each choice, by who is right."""
    lines = days_to_decide(waits(("2025-01-02", "day", "held")), frames.from_rows(rows, "versions"))["2025-01-02"]
    choices = [line.partition(": ") for line in map(str, lines) if line.startswith("  If ")]
    return {who.removeprefix("  If ").rpartition(" right")[0]: rest for who, _, rest in choices}


def test_a_day_is_shown_with_its_own_versions_and_only_if_it_needs_a_person():
    waiting = waits(
        ("2025-01-01", "day", "provisional"), ("2025-01-02", "day", "held"), ("2025-01-03", "cove", "disputed")
    )
    rows = [version("nyt"), version("nyt", date="2025-01-03"), version("plus", date="2025-01-03")]
    described = days_to_decide(waiting, frames.from_rows(rows, "versions"))
    found = {date: [str(line) for line in lines] for date, lines in described.items()}
    assert sorted(found) == ["2025-01-02", "2025-01-03"]
    assert found["2025-01-02"][:2] == [
        "held 2025-01-02: a test",
        "  nyt        vacenot  20 words, 19 of them accepted before",
    ]
    assert found["2025-01-03"][0] == "waits 2025-01-03 cove: a test"
    assert [sum(line.startswith(("  nyt ", "  plus ")) for line in lines) for lines in found.values()] == [1, 2]


def test_of_sources_with_the_same_letters_the_one_that_differs_most_is_corrected():
    """Whatever their order: one correction applies to all of them."""
    rows = [version("nyt", "cove"), version("nytbee", "cove cave"), version("plus", "cove cave covenant")]
    for order in (rows, rows[::-1]):
        found = commands(*order)
        assert found["nyt is"].count("`bee correct") == 1
        assert '--source plus --listed "cave covenant" --reason' in found["nyt is"]
        assert '--source nyt --lacking "cave covenant" --reason' in found["plus is"]


def test_sources_that_agree_are_one_choice_and_each_other_puzzle_is_rejected_once():
    found = commands(
        version("nyt"), version("nytbee"), version("plus", letters="nacetov"), version("lines", letters="tbelorz")
    )
    assert sorted(found) == ["lines is", "nyt, nytbee are", "plus is"]
    assert (found["nyt, nytbee are"].count("`bee correct"), found["nyt, nytbee are"].count("--reject")) == (2, 2)
    assert "--source plus --letters nacetov --reject" in found["nyt, nytbee are"]
    assert "--source lines --letters tbelorz --reject" in found["nyt, nytbee are"]
    assert "--listed" not in "".join(found.values())
