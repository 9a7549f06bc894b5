import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import evidence, frames, merge
from pipeline.capture import day
from pipeline.sources import TRUST
from pipeline.words import mask

ONE = day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"])
GROWN = day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave", "tote"])
OTHER = day("2025-01-02", "n", "acetov", ["covenant"])
NEXT = day("2025-01-03", "n", "abdelu", ["null", "dunable"])
LATER = day("2025-01-04", "o", "acentv", ["cove", "covenant"])


def known(*words: str) -> pd.DataFrame:
    rows = [{"word": word, "mask": mask(word), "known": True} for word in sorted(words)]
    return frames.table(rows, "candidates")


def tried(*days, words=("cove", "covenant", "octave", "tote", "canto", "null", "dunable")):
    puzzles, answers, _ = merge.reconcile([("plus", each) for each in days], TRUST)
    return puzzles, answers, merge.trials(puzzles, answers, known(*words))


def test_two_sources_that_agree_vouch_together_and_make_no_conflict():
    puzzles, answers, conflicts = merge.reconcile([("plus", ONE), ("days", ONE)], TRUST)
    assert list(puzzles["source"]) == ["days"]
    assert set(answers["vouched"]) == {2}
    assert conflicts.empty


def test_the_more_trusted_source_is_used_and_the_difference_is_a_row():
    for order in ([("plus", ONE), ("days", GROWN)], [("days", GROWN), ("plus", ONE)]):
        puzzles, answers, conflicts = merge.reconcile(order, TRUST)
        assert list(puzzles["source"]) == ["days"]
        assert "tote" in set(answers["word"])
        assert conflicts.to_dict("records") == [
            {
                "date": "2025-01-02", "subject": "tote", "source_a": "days", "source_b": "plus",
                "detail": "days has it, plus has not; days is used",
            }
        ]  # fmt: skip
    assert dict(zip(answers["word"], answers["vouched"], strict=True))["tote"] == 1


def test_other_letters_are_one_conflict():
    _, answers, conflicts = merge.reconcile([("days", ONE), ("plus", OTHER)], TRUST)
    assert list(conflicts["subject"]) == ["letters"]
    assert set(answers["vouched"]) == {1}


def test_a_later_capture_of_a_source_replaces_its_earlier_one_and_says_so():
    _, answers, conflicts = merge.reconcile([("days", ONE), ("days", GROWN)], TRUST)
    assert "tote" in set(answers["word"])
    assert list(conflicts["source_b"]) == ["days before"]


REFUSING = day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"], ["tote", "canoe", "canto", "cove"])


def test_refused_words_are_kept_when_the_puzzle_could_have_them_and_did_not():
    assert REFUSING.refused == ("canoe", "tote")


def test_a_word_that_one_source_refused_and_another_accepted_is_reported():
    (row,) = merge.refused_and_accepted([("nytbee", REFUSING), ("nyt", GROWN), ("days", GROWN)])
    assert (row["rule"], row["subject"]) == ("refused-and-accepted", "2025-01-02 tote")
    assert row["detail"] == "nytbee lists it as refused, days, nyt accepted it"
    assert merge.refused_and_accepted([("nytbee", REFUSING), ("nyt", ONE)]) == []
    assert merge.refused_and_accepted([("nytbee", REFUSING), ("nytbee", GROWN)]) == []


def correction(letters: str) -> pd.DataFrame:
    return frames.table(
        [{"source": "plus", "date": "2025-01-02", "letters": letters, "reason": "wrong day"}], "corrections"
    )


def test_a_correction_takes_the_wrong_day_of_its_source_only():
    kept, stale = merge.corrected([("plus", OTHER), ("days", ONE), ("plus", NEXT)], correction("nacetov"[0] + "aceotv"))
    assert kept == [("days", ONE), ("plus", NEXT)]
    assert stale == []


def test_a_correction_that_matches_nothing_any_more_is_reported():
    kept, stale = merge.corrected([("plus", ONE)], correction("naceotv"))
    assert kept == [("plus", ONE)]
    assert [row["rule"] for row in stale] == ["correction-stale"]


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


def test_null_is_a_word_with_a_record():
    _, answers, trials = tried(NEXT)
    record = evidence.tally(trials, answers)
    assert record.set_index("word").loc["null", "accepted"] == 1


def test_the_record_counts_and_dates_every_trial():
    _, answers, trials = tried(ONE, LATER, GROWN)
    row = evidence.tally(trials, answers).set_index("word").loc["octave"]
    assert row.to_dict() == {
        "offered": 2, "accepted": 1, "first_accepted": "2025-01-02", "last_accepted": "2025-01-02",
        "last_rejected": "2025-01-04", "vouched": 1,
    }  # fmt: skip


@settings(max_examples=20, deadline=None)
@given(st.permutations([ONE, NEXT, LATER]), st.booleans())
def test_days_fold_in_once_and_in_any_order(order, keep_raw):
    """Each step sees the captures so far (or, with an archive that was thrown away, the new day only)."""
    _, answers, trials = tried(ONE, NEXT, LATER)
    at_once, dates = evidence.fold(
        frames.empty("evidence"), set(), trials, answers, {"2025-01-02", "2025-01-03", "2025-01-04"}
    )
    kept, covered = frames.empty("evidence"), set()
    for number, each in enumerate(order, 1):
        days = order[:number] if keep_raw else [each]
        for _again in range(2):
            _, answers, trials = tried(*days)
            kept, covered = evidence.fold(kept, covered, trials, answers, {day.date for day in days})
    assert covered == dates
    pd.testing.assert_frame_equal(kept, at_once)


def test_a_word_that_the_record_does_not_have_counts_on_all_days_on_disk():
    """A new word of a new lexicon is tried on covered days too, as far as they are on disk."""
    first = tried(ONE, LATER, words=("cove",))
    kept, covered = evidence.fold(
        frames.empty("evidence"), {"2018-05-09"}, first[2], first[1], {"2025-01-02", "2025-01-04"}
    )
    again = tried(ONE, LATER, words=("cove", "octave"))
    kept, _ = evidence.fold(kept, covered, again[2], again[1], {"2025-01-02", "2025-01-04"})
    assert dict(zip(kept["word"], kept["offered"], strict=True)) == {"cove": 2, "octave": 2}


def test_rebuilding_without_the_archive_is_refused():
    with pytest.raises(evidence.EvidenceError, match="would forget 1 days"):
        evidence.need_all({"2025-01-02", "2025-01-03"}, {"2025-01-03"})


def test_evidence_without_its_first_line_is_refused():
    with pytest.raises(evidence.EvidenceError, match="does not start"):
        evidence.coverage(b"word,offered\n")
    with pytest.raises(evidence.EvidenceError, match="no range"):
        evidence.coverage(f"# sha256 {64 * '0'} covers 2025-01-02..soon\n".encode())


@given(st.sets(st.dates(pd.Timestamp("2018-05-09").date(), pd.Timestamp("2020-01-01").date()).map(str), max_size=30))
def test_coverage_is_read_as_it_is_written(dates):
    assert evidence.coverage(evidence.sealed(dates, b"word\nnull\n")) == dates


def test_evidence_that_was_cut_short_is_refused():
    whole = evidence.sealed({"2025-01-02"}, b"word\nnull\nvoid\n")
    with pytest.raises(evidence.EvidenceError, match="changed or cut short"):
        evidence.coverage(whole[:-5])


def test_an_answer_that_only_resembles_a_known_word_is_known():
    lexicon = pd.DataFrame({"word": ["dogpile"], "zipf": [1.0]})
    found = merge.candidates(lexicon, pd.Series([True]), ["dogpiled", "zzyzzy"])
    assert dict(zip(found["word"], found["known"], strict=True)) == {"dogpile": True, "dogpiled": True, "zzyzzy": False}
