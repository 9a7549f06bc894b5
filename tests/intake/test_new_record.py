"""The new record: that of the last release plus the settled days that it does not cover."""

import dataclasses
import random

import pytest
import simulated

from pipeline.errors import BeeError
from pipeline.facts import coverage, record
from pipeline.tables import frames
from pipeline.words import pangram, spells

BEFORE = simulated.BEFORE
NEW = 4
NOTHING = frames.empty("record")


@pytest.fixture(scope="module")
def world() -> simulated.World:
    return simulated.world(5, BEFORE + NEW)


@pytest.fixture(scope="module")
def lived(world) -> simulated.Workspace:
    """A workspace that has published its first days, each from two sources."""
    here = simulated.Workspace(world)
    for source in simulated.SOURCES:
        bring(here, source, *world.days[:BEFORE])
    here.run()
    return here


@pytest.fixture
def here(lived) -> simulated.Workspace:
    return copied(lived)


def copied(workspace: simulated.Workspace) -> simulated.Workspace:
    """A copy of a workspace, whose values are replaced and never changed."""
    result = simulated.Workspace.__new__(simulated.Workspace)
    vars(result).update(vars(workspace))
    result.brought, result.release, result.kept = [*result.brought], {**result.release}, {**result.kept}
    result.decisions = {**result.decisions}
    return result


def bring(here: simulated.Workspace, source: str, *days, after: int = 3) -> None:
    for day in days:
        here.bring(source, simulated.morning(day, after), [day])


def bytes_of(made) -> bytes:
    return frames.csv_bytes(made["record"]) + coverage.encode(made["coverage"]) + frames.csv_bytes(made["track"])


def test_a_day_counts_once_its_list_is_settled(here, world):
    day = world.days[BEFORE]
    bring(here, "nyt", day, after=1)
    made = here.merge()
    assert (day.date in made["coverage"].dates, made["waits"].empty, made["track"].empty) == (False, True, True)
    bring(here, "nyt", day, after=2)
    made = here.merge()
    assert day.date in made["coverage"].dates
    assert made["track"]["date"].tolist() == [day.date]


def test_days_that_are_published_one_by_one_give_the_record_of_a_rebuild(here, world):
    for day in world.days[BEFORE:]:
        for source in simulated.SOURCES:
            bring(here, source, day)
        made = here.run()
    assert made["track"]["date"].tolist() == [day.date for day in world.days[BEFORE:]]
    assert made["waits"].empty
    rebuilt = here.merge(rebuild=True)
    assert bytes_of(rebuilt) == bytes_of(made)


def test_the_same_release_and_days_give_the_same_bytes_in_whatever_order_they_came(here, world):
    results = set()
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        other = copied(here)
        for number in order:
            bring(other, "nyt", world.days[BEFORE + number])
            made = other.merge()
        results.add(bytes_of(made))
        results.add(bytes_of(other.merge()))
    assert len(results) == 1


def test_a_late_day_counts_without_a_row_of_the_track_record(here, world):
    late, *later = world.days[BEFORE:]
    bring(here, "nyt", *later)
    here.run()
    bring(here, "nyt", late)
    made = here.merge()
    assert late.date in made["coverage"].dates
    assert made["track"]["date"].tolist() == [day.date for day in later]
    assert made["track"].equals(here.release["published_track"]), "old rows stay as made"


def test_days_are_scored_once_the_release_covers_enough_of_them(world):
    for days, rows in ((99, 0), (100, 1)):
        here = simulated.Workspace(world)
        bring(here, "nyt", *world.days[:days])
        here.run()
        bring(here, "nyt", world.days[days])
        assert len(here.merge()["track"]) == rows


def poisoned(world, day, seed=3):
    return simulated.altered(random.Random(seed), world, day, "poisoned")


def test_a_poisoned_day_of_one_source_waits_until_the_other_one_contradicts_or_confirms_it(here, world):
    day = world.days[BEFORE]
    bring(here, "nyt", poisoned(world, day))
    here.run()
    assert list(here.waits()) == [day.date]
    assert here.waits()[day.date].startswith("nyt alone has it, with ")
    confirmed = copied(here)
    bring(confirmed, "nytbee", poisoned(world, day))
    assert day.date in confirmed.merge()["coverage"].dates
    bring(here, "nytbee", day)
    assert day.date not in here.merge()["coverage"].dates
    assert here.waits()[day.date].startswith("its sources differ on ")


def test_the_words_in_doubt_of_a_day_have_no_trial_on_it_when_its_week_is_over(here, world):
    day = world.days[BEFORE]
    unheard = "".join(sorted(day.puzzle.letters)) + day.puzzle.center * 2
    assert unheard not in world.sizes
    bring(here, "nyt", dataclasses.replace(day, answers=(*day.answers, unheard)))
    assert here.merge()["waits"]["date"].tolist() == [day.date]
    bring(here, "nyt", *world.days[BEFORE + 1 :], after=8)
    made = here.merge()
    assert made["doubts"][["date", "word"]].to_numpy().tolist() == [[day.date, unheard]]
    assert day.date in made["coverage"].dates
    assert unheard not in set(made["record"]["word"])
    assert set(day.answers) <= set(made["record"]["word"])


def test_a_slur_that_one_source_alone_accepts_for_the_first_time_waits_a_week(here, world):
    day = world.days[BEFORE]
    slur = min(word for word in {*world.sizes} - {*world.accepted} if spells(day.puzzle, word))
    here.decisions["word_grades"] = frames.from_rows([{"word": slur, "grade": "slur"}], "word_grades")
    bring(here, "nyt", dataclasses.replace(day, answers=tuple(sorted([*day.answers, slur]))))
    here.merge()
    assert f"{slur} (nyt alone accepts this slur)" in here.waits()[day.date]


def test_a_listed_word_without_a_record_that_a_day_refuses_is_news(here, world):
    day = world.days[BEFORE]
    record_before = here.release["published_record"]
    word = next(word for word in day.answers if word in set(record_before["word"]) and not pangram(word))
    here.release["published_record"] = record_before[record_before["word"] != word].reset_index(drop=True)
    bring(here, "nyt", dataclasses.replace(day, answers=tuple(other for other in day.answers if other != word)))
    news = here.merge()["news"]
    assert word in set(news["word"][news["side"] == "extra"])


def test_a_puzzle_that_one_source_repeats_waits_for_another_one(here, world):
    last, day = world.days[BEFORE - 1 : BEFORE + 1]
    bring(here, "nyt", dataclasses.replace(last, date=day.date))
    here.merge()
    assert here.waits() == {day.date: f"nyt alone has it, and it repeats the puzzle of {last.date}"}


def test_news_of_the_last_days_stays_when_they_are_published(here, world):
    day = world.days[BEFORE]
    bring(here, "nyt", simulated.altered(random.Random(3), world, day, "wrong"), after=8)
    news = here.run()["news"]
    assert set(news["date"]) == {day.date}
    assert here.merge()["news"].equals(news)


def test_a_rebuild_names_the_days_that_it_would_lose_and_merges_after_it_lose_no_more(here, world):
    first, *others = here.brought
    lost = first[2].date
    here.brought = [brought for brought in others if brought[2].date != lost]
    assert lost in here.merge()["coverage"].dates
    with pytest.raises(
        BeeError,
        match=rf"would lose 1 covered day .not on disk, not settled, or rejected.: {lost}.*merge --rebuild --force",
    ):
        here.merge(rebuild=True)
    assert lost not in here.merge(rebuild=True, force=True)["coverage"].dates
    bring(here, "nyt", world.days[BEFORE])
    made = here.merge(rebuilding=True)
    assert (lost in made["coverage"].dates, world.days[BEFORE].date in made["coverage"].dates) == (False, True)
    gone = here.brought.pop(0)[2].date
    here.brought = [brought for brought in here.brought if brought[2].date != gone]
    with pytest.raises(BeeError, match=f"would lose 1 covered day .*{gone}"):
        here.merge(rebuilding=True)


def test_a_rebuild_names_a_covered_day_that_would_wait_now(here, world):
    day, other = world.days[:2]
    for source in simulated.SOURCES:
        lists = [dataclasses.replace(other, date=day.date)] if source == "nyt" else [day]
        bring(here, source, *lists, after=9)
    with pytest.raises(
        BeeError, match=f"would lose 1 covered day .not on disk, not settled, rejected, or waiting.: {day.date}"
    ):
        here.merge(rebuild=True)


def test_a_day_that_does_not_count_changes_no_opinion(here, world):
    day = world.days[BEFORE]
    before = here.merge()
    unheard = "".join(sorted(day.puzzle.letters)) + day.puzzle.center * 2
    bring(here, "nyt", dataclasses.replace(day, answers=(*day.answers, unheard)))
    made = here.merge()
    assert list(here.waits()) == [day.date]
    for name in ("vocabulary", "candidates", "record"):
        assert made[name].equals(before[name]), name


def test_a_record_of_days_that_its_release_does_not_cover_is_refused(here):
    covered = here.release["published_coverage"]
    here.release["published_coverage"] = dataclasses.replace(covered, dates=covered.dates - {max(covered.dates)})
    with pytest.raises(BeeError, match=f"record.csv has {max(covered.dates)}, which datapackage.json does not cover"):
        here.merge()


def test_a_merge_keeps_the_record_of_words_that_left_the_lists_and_new_words_start_with_the_next_day(here, world):
    answer = world.days[0].answers[0]
    new = next(word for word in sorted(world.accepted) if word in set(here.made["record"]["word"]) and word != answer)
    counts = here.made["record"].set_index("word")["offered"]
    here.lexicon = here.lexicon[here.lexicon["word"] != answer].reset_index(drop=True)
    made = here.merge()
    assert made["record"].set_index("word")["offered"][answer] == counts[answer]
    without = here.release["published_record"]
    here.release["published_record"] = without[without["word"] != new].reset_index(drop=True)
    assert new not in set(here.merge()["record"]["word"])
    assert here.merge(rebuild=True)["record"].set_index("word")["offered"][new] == counts[new]


@pytest.mark.parametrize(("published", "offered"), [(False, 3), (True, 2)])
def test_a_word_that_no_list_knows_counts_from_its_first_acceptance_on_and_in_a_rebuild_on_all_days(published, offered):
    days = [("2025-01-01", False), ("2025-01-02", True), ("2025-01-03", False)]
    trials = frames.from_rows([{"date": day, "word": "zzyzx", "accepted": yes} for day, yes in days], "trials")
    answers = frames.from_rows([{"date": "2024-12-31", "word": "cove", "witnesses": 1}], "answers")
    start = record.tally(answers.assign(accepted=True).drop(columns="witnesses"), answers) if published else NOTHING
    assert len(record.trials_to_count(trials, ["cove"], start)) == offered
    assert len(record.trials_to_count(trials, ["zzyzx"], start)) == 3
