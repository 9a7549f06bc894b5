import itertools

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import DataError
from pipeline.facts import coverage, merge, record
from pipeline.facts.coverage import Coverage
from pipeline.facts.lists import DEFAULTS
from pipeline.sources import TRUST_RANK
from pipeline.sources.day import official_day
from pipeline.tables import frames

ONE = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"])
GROWN = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave", "tote"])
OTHER = official_day("2025-01-02", "n", "acetov", ["covenant"])
NEXT = official_day("2025-01-03", "n", "abdelu", ["null", "dunable"])
LATER = official_day("2025-01-04", "o", "acentv", ["cove", "covenant"])


def known(*words: str) -> pd.DataFrame:
    rows = [{"word": word, "common": True, "known": True} for word in sorted(words)]
    return frames.from_rows(rows, "candidates")


def tried(*days, words=("cove", "covenant", "octave", "tote", "canto", "null", "dunable")):
    merged = merge.reconcile([("plus", each) for each in days], TRUST_RANK)
    puzzles, answers = merged.puzzles, merged.answers
    return puzzles, answers, merge.trials(puzzles, answers, known(*words))


REFUSING = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"], ["tote", "canoe", "canto", "cove"])


def test_a_word_that_one_source_refused_and_another_accepted_is_reported():
    (row,) = merge.refused_and_accepted([("nytbee", REFUSING), ("nyt", GROWN), ("days", GROWN)])
    assert (row.rule, row.subject) == ("refused-and-accepted", "2025-01-02 tote")
    assert row.detail == "nytbee lists it as refused, but days, nyt accepted it"
    assert merge.refused_and_accepted([("nytbee", REFUSING), ("nyt", ONE)]) == []
    assert merge.refused_and_accepted([("nytbee", REFUSING), ("nytbee", GROWN)]) == []


def test_a_trial_is_made_for_every_candidate_that_the_letters_spell():
    _, _, trials = tried(ONE, NEXT)
    assert [tuple(row) for row in trials.itertuples(index=False)] == [
        ("2025-01-02", "cove", True),
        ("2025-01-02", "covenant", True),
        ("2025-01-02", "octave", True),
        ("2025-01-02", "tote", False),
        ("2025-01-03", "dunable", True),
        ("2025-01-03", "null", True),
    ]


def test_the_record_counts_and_dates_every_trial():
    _, answers, trials = tried(ONE, LATER, GROWN)
    row = record.tally(trials, answers).set_index("word").loc["octave"]
    assert row.to_dict() == {
        "offered": 2, "accepted": 1, "first_accepted": "2025-01-02", "last_accepted": "2025-01-02",
        "last_refused": "2025-01-04", "witnesses": 1,
    }  # fmt: skip


@pytest.mark.parametrize("witnesses", [(1, 2), (2, 1)])
def test_the_record_has_the_most_witnesses_of_any_day(witnesses):
    _, answers, trials = tried(ONE, LATER, words=("cove",))
    answers = answers[answers["word"] == "cove"].assign(witnesses=list(witnesses))
    at_once = record.tally(trials, answers)
    assert list(at_once["witnesses"]) == [2]
    parts = [record.tally(trials[trials["date"] == date], answers) for date in ("2025-01-02", "2025-01-04")]
    pd.testing.assert_frame_equal(record.add(*parts), at_once)


@pytest.mark.parametrize(("words", "waits"), [(3, False), (4, True)])
def test_a_day_on_more_than_three_words_of_which_sources_differ_waits_for_a_person(words, waits):
    more = ("tote", "canto", "note", "tone")[:words]
    grown = official_day("2025-01-02", "e", "acnotv", [*ONE.answers, *(word.replace("canto", "once") for word in more)])
    conflicts = merge.reconcile([("nyt", grown), ("nytbee", ONE)], TRUST_RANK).conflicts
    assert bool(merge.unresolved_days(conflicts)) == waits
    assert len(merge.disputed_words(conflicts)) == words


def test_a_list_that_settled_counts_before_one_that_could_still_grow():
    early, late = ("nyt", ONE), ("nytbee", GROWN)
    for order in ([early, late], [late, early]):
        merged = merge.reconcile(order, TRUST_RANK, {("nytbee", "2025-01-02")})
        puzzles, answers, conflicts = merged.puzzles, merged.answers, merged.conflicts
        assert list(puzzles["source"]) == ["nytbee"]
        assert "tote" in set(answers["word"])
        assert not conflicts["open"].any()
        (detail,) = conflicts["detail"]
        assert detail == "nytbee has it, but nyt does not; the list of nyt is not settled yet and does not count"


def test_an_answer_that_only_resembles_a_known_word_is_known():
    lexicon = pd.DataFrame([{**DEFAULTS, "word": "dogpile", "zipf": 1.0, "scowl_size": 95}])
    found = merge.candidates(lexicon, ["dogpiled", "zzyzzy"])
    assert dict(zip(found["word"], found["known"], strict=True)) == {"dogpile": True, "dogpiled": True, "zzyzzy": False}


def test_answers_of_days_that_were_not_asked_about_are_passed_over():
    puzzles, answers, everything = tried(ONE, LATER)
    words = pd.DataFrame({"word": sorted(set(everything["word"]))})
    later = puzzles[puzzles["date"] > "2025-01-02"]
    found = merge.trials(later, answers, words)
    expected = everything[everything["date"] > "2025-01-02"].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, expected)


UNLIKE = official_day("2025-01-02", "n", "abdelu", ["dunable", "null"])
COVE = official_day("2025-01-02", "e", "acnotv", ["covenant"])
COVE_WITH_OTHER_LETTERS = official_day("2025-01-02", "n", "acetov", ["covenant"])
CANTO = official_day("2025-01-02", "n", "acetov", ["covenant", "canto"])


@pytest.mark.parametrize(
    ("versions", "used", "words", "still_open", "differing"),
    [
        ({"plus": ONE, "days": ONE}, "days", ONE, "", []),
        ({"plus": ONE, "days": GROWN}, "days", GROWN, "tote", ["plus"]),
        ({"mystery": GROWN, "plus": ONE}, "plus", ONE, "", ["mystery"]),
        ({"days": ONE, "nyt_page": GROWN}, "days", ONE, "tote", ["nyt_page"]),
        ({"nyt": ONE, "nytbee": GROWN, "plus": GROWN}, "nyt", GROWN, "", ["nytbee", "plus"]),
        ({"nyt": GROWN, "nytbee": ONE, "plus": ONE}, "nyt", ONE, "", ["nytbee", "plus"]),
        ({"nyt": GROWN, "days": GROWN, "nytbee": ONE, "plus": ONE}, "nyt", GROWN, "tote", ["nytbee", "plus"]),
        ({"nyt": UNLIKE, "nytbee": ONE, "plus": ONE}, "nytbee", ONE, "", ["nyt"]),
        ({"nyt": UNLIKE, "nytbee": ONE}, "nyt", UNLIKE, "letters", ["nytbee"]),
        ({"nyt": COVE, "nytbee": COVE_WITH_OTHER_LETTERS}, "nyt", COVE, "letters", ["nytbee"]),
        ({"nyt": OTHER, "plus": OTHER, "days": ONE, "nytbee": ONE}, "nyt", OTHER, "letters", ["days", "nytbee"]),
        ({"nyt": ONE, "nytbee": ONE, "plus": CANTO}, "nyt", ONE, "", ["plus"]),
        ({"nyt": GROWN, "nytbee": ONE, "plus": CANTO}, "nyt", GROWN, "tote", None),
        ({"nyt": ONE, "mystery": GROWN, "unknown": GROWN}, "nyt", ONE, "", ["mystery", "unknown"]),
        ({"nyt": ONE, "mystery": OTHER, "unknown": OTHER}, "nyt", ONE, "", ["mystery", "unknown"]),
        ({"a-txt": ONE, "b-txt": GROWN}, "a-txt", ONE, "tote", ["b-txt"]),
        ({"a-txt": GROWN, "b-txt": ONE}, "a-txt", GROWN, "tote", ["b-txt"]),
        ({"a-txt": OTHER, "b-txt": ONE}, "a-txt", OTHER, "letters", ["b-txt"]),
        ({"a-txt": ONE, "b-txt": GROWN, "c-txt": GROWN}, "a-txt", GROWN, "", ["b-txt", "c-txt"]),
        ({"a-txt": OTHER, "b-txt": ONE, "c-txt": ONE}, "b-txt", ONE, "", ["a-txt"]),
        ({"sample": ONE, "table": GROWN}, "sample", ONE, "tote", ["table"]),
    ],
)
def test_the_majority_wins_and_without_one_the_most_trusted_source_is_used_and_what_differs_stays_open(
    versions, used, words, still_open, differing
):
    for order in itertools.islice(itertools.permutations(versions.items()), 6):
        merged = merge.reconcile(order, TRUST_RANK)
        puzzles, answers, conflicts = merged.puzzles, merged.answers, merged.conflicts
        assert (puzzles["source"].iloc[0], set(answers["word"])) == (used, set(words.answers))
        assert set(conflicts["subject"][conflicts["open"]]) == ({still_open} if still_open else set())
        assert differing is None or sorted(conflicts["source_b"]) == differing


@pytest.mark.parametrize(
    ("versions", "witnesses", "detail"),
    [
        ([("plus", ONE), ("days", ONE)], 2, ""),
        ([("nyt", ONE), ("nytbee", ONE), ("plus", CANTO)], 2, ""),
        ([("days", ONE), ("plus", OTHER)], 1, f"plus has {OTHER.puzzle.letters}; the day waits"),
        ([("plus", ONE), ("days", GROWN)], 0, "days has it, but plus does not; the word is in doubt"),
        ([("nyt", ONE), ("nytbee", ONE), ("plus", GROWN)], 0, "; more sources agree"),
        ([("nyt", ONE), ("mystery", GROWN)], 0, "; nyt is trusted more"),
        ([("a-txt", ONE), ("b-txt", GROWN)], 0, "b-txt has it, but a-txt does not; the word is in doubt"),
        ([("days", ONE), ("days", GROWN)], 1, ""),
    ],
)
def test_sources_with_the_same_letters_vouch_together_and_a_conflict_says_how_it_ends(versions, witnesses, detail):
    merged = merge.reconcile(versions, TRUST_RANK)
    answers, conflicts = merged.answers, merged.conflicts
    assert not witnesses or set(answers["witnesses"]) == {witnesses}
    assert not detail or conflicts["detail"][0].endswith(detail)
    assert ("days before" in set(conflicts["source_b"])) == (versions[0][0] == versions[1][0])


@pytest.mark.parametrize(
    ("versions", "word", "witnesses"),
    [
        ([("nyt", GROWN), ("a-txt", ONE)], "tote", 1),
        ([("nyt", ONE), ("a-txt", GROWN)], "tote", 1),
        ([("nyt", GROWN), ("nytbee", GROWN), ("plus", ONE)], "tote", 2),
        ([("nyt", GROWN), ("nytbee", ONE), ("plus", ONE)], "tote", 2),
        ([("nyt", ONE), ("nyt", GROWN), ("nytbee", GROWN)], "tote", 2),
        ([("nyt", ONE), ("nytbee", ONE), ("plus", OTHER)], "letters", 2),
    ],
)
def test_a_source_that_lacks_a_word_is_no_witness_for_it(versions, word, witnesses):
    conflicts = merge.reconcile(versions, TRUST_RANK).conflicts
    assert set(conflicts["witnesses"][conflicts["subject"] == word]) == {witnesses}


def test_days_whose_letters_differ_wait_for_a_person():
    conflicts = merge.reconcile([("nyt", UNLIKE), ("nytbee", ONE)], TRUST_RANK).conflicts
    assert merge.unresolved_days(conflicts) == {"2025-01-02": "its sources differ on the letters"}


def test_where_no_list_has_settled_all_of_them_count():
    settled = {("nytbee", "2025-01-02"), ("nyt", "2025-01-03")}
    merged = merge.reconcile([("plus", GROWN), ("nyt", ONE)], TRUST_RANK, settled)
    puzzles, conflicts = merged.puzzles, merged.conflicts
    assert (list(puzzles["source"]), conflicts["open"].all()) == (["nyt"], True)


@pytest.mark.parametrize(
    ("span", "says"),
    [
        ("2025-01-02..soon", "not a range"),
        ("2018-05-08..2018-05-09", "in order and start at 2018-05-09"),
        ("2020-01-02..2020-01-01", "in order and start at 2018-05-09"),
        ("0001-01-01..9999-12-31", "in order and start at"),
    ],
)
def test_coverage_is_within_the_days_that_puzzles_can_have(span, says):
    later = "2099-01-01"  # whether that day has come is not for a stage to say
    assert coverage.dates(f"2018-05-09..2018-05-09 {later}..{later}") == {"2018-05-09", later}
    with pytest.raises(DataError, match=says):
        coverage.dates(span)


@given(st.sets(st.dates(pd.Timestamp("2018-05-09").date(), pd.Timestamp("2020-01-01").date()).map(str), max_size=30))
def test_coverage_is_read_as_it_is_written(dates):
    written = Coverage(frozenset(dates), "5d41")
    assert coverage.decode(coverage.encode(written)) == written


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"dates": ""}', b'{"dates": 1, "candidates": ""}'])
def test_damaged_coverage_is_refused(data):
    with pytest.raises(DataError):
        coverage.decode(data)
