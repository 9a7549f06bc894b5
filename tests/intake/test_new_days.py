"""New days: which days count, which wait, and which words are in doubt."""

import copy
import dataclasses

import pandas as pd
import pytest

from pipeline.facts import merge
from pipeline.intake import new_days, track
from pipeline.intake.new_days import NewDays
from pipeline.intake.track import Expectation, WordRecord
from pipeline.tables import frames
from pipeline.words import LIKELY

WORDS = ("cave", "cove", "covenant")
DATE = "2025-01-02"
WEEK_OVER = {"week_over": frozenset([DATE])}
TWO = {"witnesses": 2}
ARCHIVE = {"unwitnessed_sources": frozenset()}
ACCEPTED = {"accepted": frozenset([DATE])}
TESTED = {"source_a": "nyt", "source_b": "plus", "detail": "a test"}


def differences(*subjects: str, is_open: bool = True, witnesses: int = 1) -> pd.DataFrame:
    rows = [
        {"date": DATE, "subject": subject, **TESTED, "open": is_open, "witnesses": witnesses} for subject in subjects
    ]
    return frames.from_rows(rows, "conflicts")


def judged(answers=WORDS, p=0.9, witnesses=1, record=None, **change) -> new_days.Judged:
    """Judge a day on which *cave*, *cove* and *covenant* are possible; all words have the same p."""
    letters = {"center": "v", "outer": "acenot", "source": "nyt"}
    puzzles = frames.from_rows([{"date": DATE, **letters}], "puzzles")
    listed = frames.from_rows([{"date": DATE, "word": word, "witnesses": witnesses} for word in answers], "answers")
    days = NewDays(
        dates=[DATE],
        puzzles=puzzles,
        answers=listed,
        conflicts=differences(),
        trials=merge.trials(puzzles, listed, pd.DataFrame({"word": WORDS})),
        week_over=frozenset(),
        accepted=frozenset(),
        unwitnessed_sources=frozenset(["nyt"]),
        slurs=frozenset(),
        unknown_words=frozenset(),
        common_words=frozenset(WORDS),
        days_to_score=frozenset([DATE]),
        expected=dict.fromkeys(WORDS, Expectation(p, p >= LIKELY)),
        rarity={},
    )
    return new_days.judge(dataclasses.replace(days, **change), {} if record is None else record)


def doubts(found: new_days.Judged) -> list[str]:
    return found.doubts["word"].tolist()


@pytest.mark.parametrize(("surprise", "wrong", "waits"), [(19.99, 8, False), (20.0, 0, True), (0.0, 9, True)])
def test_a_day_is_too_surprising_from_the_limits_on(surprise, wrong, waits):
    score = track.Score(DATE, 40, ("cove",) * wrong, (), 0.5, surprise, {})
    assert new_days.is_too_surprising(score) == waits


@pytest.mark.parametrize(
    ("about", "waits"),
    [
        ({}, True),
        (WEEK_OVER, True),
        (TWO, False),
        (ARCHIVE, False),
        (ACCEPTED, False),
        ({"accepted": frozenset(["2025-01-01"])}, True),
        ({"days_to_score": frozenset()}, False),
    ],
)
def test_a_surprising_day_of_one_source_waits_for_a_second_one_or_a_person(about, waits):
    found = judged(p=0.001, **about)
    assert (found.counted, found.waits["date"].tolist()) == (frozenset([DATE] * (not waits)), [DATE] * waits)
    assert not waits or found.waits["because"][0].startswith("nyt alone has it, with 3 missing or extra words")


@pytest.mark.parametrize(
    ("about", "in_doubt"),
    [
        ({"p": 0.01}, False),
        ({"p": 0.0099}, True),
        ({"p": 0.0099, **TWO}, False),
        ({"p": 0.0099, **ARCHIVE}, False),
        ({"p": 0.0099, **ACCEPTED}, False),
        ({"p": 0.0099, "witnesses": 2, "conflicts": differences("cove", is_open=False, witnesses=1)}, True),
        ({"p": 0.0099, "witnesses": 2, "conflicts": differences("cove", is_open=False, witnesses=2)}, False),
        ({"conflicts": differences("cove")}, True),
        ({"conflicts": differences("cove"), **TWO}, True),
        ({"conflicts": differences("cove"), **ACCEPTED}, False),
        ({"slurs": frozenset(["cove"])}, True),
        ({"slurs": frozenset(["cove"]), **TWO}, False),
        ({"slurs": frozenset(["cave"])}, False),
        ({"unknown_words": frozenset(["cove"])}, True),
        ({"unknown_words": frozenset(["cove"]), **ARCHIVE}, False),
        ({"unknown_words": frozenset(["cove"]), "record": {"cove": WordRecord(1, 1, "2024-10-01", True)}}, False),
        ({"slurs": frozenset(["cove"]), "record": {"cove": WordRecord(1, 0, "2025-01-01", False)}}, True),
        ({"unknown_words": frozenset(["cove"]), "days_to_score": frozenset()}, True),
    ],
)
def test_a_day_waits_a_week_for_words_in_doubt_and_then_counts_without_them(about, in_doubt):
    record = copy.deepcopy(about.get("record", {}))
    found = judged(["cove"], **{**about, "record": copy.deepcopy(record)})
    assert doubts(found) == ["cove"] * in_doubt
    assert found.counted == (frozenset() if in_doubt else {DATE})
    assert (
        found.waits["because"].str.startswith("words are in doubt until 2025-01-09: cove (").tolist()
        == [True] * in_doubt
    )
    later = judged(["cove"], **{**about, "record": record}, **WEEK_OVER)
    assert (doubts(later), later.counted, later.waits.empty) == (["cove"] * in_doubt, {DATE}, True)
    assert (record.get("cove", WordRecord(0, 0, "", False)).last_trial == DATE) == (not in_doubt)


@pytest.mark.parametrize("about", [TWO, WEEK_OVER, ARCHIVE])
@pytest.mark.parametrize("subjects", [("letters",), ("cave", "cove", "covenant", "octave")])
def test_sources_that_differ_on_the_letters_or_on_many_words_wait_for_a_person(subjects, about):
    change = {"conflicts": differences(*subjects)} | about
    assert judged(**change).waits["because"].str.startswith("its sources differ on ").tolist() == [True]
    assert judged(**change, **ACCEPTED).counted == {DATE}


@pytest.mark.parametrize(
    ("last", "about", "waits"),
    [
        ("2025-01-01", {}, True),
        ("2025-01-01", TWO, False),
        ("2025-01-01", ARCHIVE, False),
        ("2024-12-03", {}, True),
        ("2024-12-02", {}, False),
        ("", {}, False),
    ],
)
def test_a_day_of_one_source_that_repeats_a_recent_puzzle_waits(last, about, waits):
    record = {word: WordRecord(9, 9, last or f"2024-12-2{number}", True) for number, word in enumerate(WORDS)}
    found = judged(record=record, **about)
    assert found.waits["because"].str.endswith(f"it repeats the puzzle of {last}").tolist() == [True] * waits


@pytest.mark.parametrize(("about", "waits"), [({}, True), (TWO, False), ({"unwitnessed_sources": frozenset()}, False)])
def test_a_day_of_one_source_that_had_other_letters_before_waits(about, waits):
    changed = differences("letters", is_open=False).assign(source_b="nyt before")
    assert judged(conflicts=changed, **about).counted == (frozenset() if waits else {DATE})
    assert judged(conflicts=differences("letters", is_open=False), **about).counted == {DATE}


def test_a_day_that_counts_leaves_a_row_and_its_wrong_words_and_a_day_that_waits_only_these():
    found = judged(["cove"], p=0.6)
    assert found.track[["date", "source", "witnesses", "missing", "extra"]].to_numpy().tolist() == [
        [DATE, "nyt", 1, 0, 2]
    ]
    assert found.news[["word", "side", "witnesses", "before"]].to_numpy().tolist() == [
        ["cave", "extra", 1, "never tried"],
        ["covenant", "extra", 1, "never tried"],
    ]
    waiting = judged(["cove"], p=0.6, conflicts=differences("letters"))
    assert (waiting.track.empty, waiting.news.equals(found.news)) == (True, True)


def test_a_refusal_of_a_word_that_nobody_knows_says_nothing_about_it():
    record: dict[str, WordRecord] = {}
    judged(["cove"], record=record, common_words=frozenset(["covenant"]))
    assert set(record) == {"cove", "covenant"}


def test_a_day_is_judged_by_what_counted_before_it():
    record = {word: WordRecord(9, 9, "2024-12-01", True) for word in WORDS}
    assert judged(p=0.001, record=record).counted == {DATE}
    assert record["cove"] == WordRecord(10, 10, DATE, True)


def test_the_latest_rows_stay_until_their_day_is_judged_again():
    dates = ("2024-12-18", "2024-12-30", "2024-12-31")
    before = frames.from_rows([{"date": date, "word": "cove", "because": "a test"} for date in dates], "doubts")
    now = before.iloc[2:].assign(word="cave")
    found = new_days.latest("doubts", before, now, {"2024-12-30", "2024-12-29"})
    assert found[["date", "word"]].to_numpy().tolist() == [["2024-12-30", "cove"], ["2024-12-31", "cave"]]
