"""The track record and drift: what is expected of a day before it is counted."""

import math

import pandas as pd
import pytest
from conftest import PROJECT

from pipeline.errors import ReleaseError
from pipeline.intake import new_days, track
from pipeline.intake.track import Expectation, Outcome, WordRecord
from pipeline.opinions import constancy
from pipeline.tables import frames
from pipeline.words import P_OF_DROPPED

WORDS = ("cove", "octave", "tote")


@pytest.mark.parametrize(
    ("past", "age"),
    [
        (WordRecord(3, 3, "2024-02-01", True), 366),
        (WordRecord(3, 0, "2024-02-02", False), 365),
        (WordRecord(3, 1, "2024-02-02", True), 365),
        (WordRecord(3, 2, "2025-02-11", False), 10),  # a day that came late
    ],
)
def test_a_word_with_a_record_is_expected_to_do_what_it_did_last_as_surely_as_p_says(past, age):
    cells = {"mixed": 0 < past.accepted < past.offered, "age": age, "trials": 3, "zipf": 2.5, "size": 60.0}
    agreed = constancy.agreement(past.accepted_last, {**cells, "years": constancy.years("2025-02-01")})
    found = track.probability(past, 0.5, "2025-02-01", (2.5, 60.0))
    assert found == pytest.approx(float(agreed if past.accepted_last else 1 - agreed))
    assert found != track.probability(past, 0.5, "2025-02-01")


def score_of(date, pairs, record, estimates=None, plain=WORDS, rarity=None):
    expected = {word: Expectation(p, p >= 0.5) for word, p in (estimates or {}).items()}
    return track.score(date, [Outcome(*pair) for pair in pairs], record, expected, plain, rarity or {})


def test_two_reversals_of_old_records_are_not_too_surprising_as_no_outcome_is_more_surprising_than_one():
    record = {"alfa": WordRecord(63, 0, "2025-01-31", False), "luff": WordRecord(50, 0, "2025-01-31", False)}
    found = score_of("2025-02-04", [("alfa", True), ("luff", True)], record)
    assert (found.wrong, new_days.is_too_surprising(found)) == (2, False)
    record = {"cove": WordRecord(90, 90, "2025-01-31", True)}
    found = score_of("2025-02-01", [("cove", False)], record, rarity={"cove": (5.0, 10.0)})
    assert found.probability_of_outcome == {"cove": pytest.approx(1 - track.CERTAIN)}
    assert found.surprise == pytest.approx(-math.log2(1 - track.CERTAIN), abs=0.02)
    assert track.counts_of(found)["expected"] > track.CERTAIN, "an expected exact list is not capped"


@pytest.mark.parametrize(("estimate", "expected"), [(0.0, 0.005), (0.4, 0.4), (1.0, 0.995)])
def test_a_word_without_a_record_has_its_estimate_and_none_is_sure(estimate, expected):
    assert track.probability(None, estimate, "2025-02-01") == pytest.approx(expected)


def test_a_release_expects_what_its_list_has_and_leaves_unlikely_words_out():
    words = frames.csv_bytes(
        pd.DataFrame(
            {"word": ["cove", "octave"], "tier": ["likely", "refused"], "p": "0.70", "kind": ["estimate", "verdict"]}
        )
    )
    expected = track.expectations(words, ["octave", "cove", "tote"])
    assert expected == {"cove": (0.7, True), "octave": (P_OF_DROPPED, False)}
    others = "word,tier,p,kind\ncave,review,0.60,estimate\nvetoed,refused,0.10,verdict\n"
    assert track.expectations(others.encode(), ["cave", "vetoed"]) == {"cave": (0.6, False), "vetoed": (0.1, False)}
    with pytest.raises(ReleaseError, match="could not convert string to float"):
        track.expectations(words.replace(b"0.70", b"high"), ["cove"])
    found = track.score("2025-02-01", [Outcome(word, False) for word in WORDS], {}, expected, WORDS, {})
    assert found.extra_words == ("cove",)
    assert found.probability_of_outcome["tote"] == 1 - track.P_OF_UNPUBLISHED
    assert found.expected == pytest.approx(0.7 * (1 - P_OF_DROPPED) * (1 - track.P_OF_UNPUBLISHED), abs=1e-4)


def scored(*trials, record=None, estimates=None, plain=WORDS):
    return score_of("2025-02-01", trials, record or {}, estimates or {}, plain)


def test_a_row_counts_what_came_out_otherwise_than_the_list_has_it():
    found = scored(
        ("cove", True), ("octave", False), ("tote", False),
        record={"cove": WordRecord(5, 0, "2025-01-01", False)}, estimates={"octave": 0.5, "tote": 0.49},
    )  # fmt: skip
    assert (found.answers, found.missing_words, found.extra_words) == (1, ("cove",), ("octave",))
    assert track.counts_of(found)["exact"] == 0
    assert found.expected == pytest.approx(0.5 * 0.51, abs=1e-3)
    assert track.counts_of(scored(("cove", True), estimates={"cove": 0.5}))["exact"] == 1


def test_surprise_is_the_information_beyond_what_is_expected():
    chance = 0.25
    entropy = -(chance * math.log2(chance) + (1 - chance) * math.log2(1 - chance))
    assert scored(("cove", True), estimates={"cove": chance}).surprise == pytest.approx(2 - entropy, abs=0.01)


def test_a_word_that_nobody_knew_then_says_nothing_until_it_is_accepted():
    assert scored(("zzyzx", False)).probability_of_outcome == {}
    assert scored(("zzyzx", True)).probability_of_outcome == {"zzyzx": pytest.approx(1 - track.SUREST)}
    record = {"zzyzx": WordRecord(2, 1, "2025-01-01", True)}
    assert set(scored(("zzyzx", False), record=record).probability_of_outcome) == {"zzyzx"}


def rows(*surprises):
    dates = pd.date_range("2025-01-01", periods=len(surprises)).strftime("%Y-%m-%d")
    same = {"source": "nytbee", "witnesses": 1, "answers": 40, "missing": 0, "extra": 0, "exact": 1, "expected": 0.7}
    return frames.from_rows(
        [{"date": date, **same, "surprise": bits} for date, bits in zip(dates, surprises, strict=True)], "track"
    )


def test_drift_is_a_sum_beyond_what_is_allowed_and_starts_anew_after_an_alarm():
    assert track.drift(rows(*[13.0] * 3, 12.9)) == []
    said = "2025-01-01 to 2025-01-04: 40 bits more than expected"
    assert track.drift(rows(*[13.0] * 4)) == [("all sources", said), ("nytbee", said)]
    assert len(track.drift(rows(*[13.0] * 8))) == 4
    assert track.drift(rows(*[13.0, -40.0] * 20)) == []
    assert track.drift(rows(*[-10.0] * 50, *[13.0] * 4)), "good days of the past do not pay for bad ones"


def test_the_published_track_record_has_one_day_beyond_the_threshold_and_no_drift():
    """The false-alarm rate stated in the documents: 1 of 915 real days, and none by drift."""
    path = PROJECT / "data/custom/track.csv"
    found = frames.from_text(frames.read_csv(path.read_bytes(), path), "track")
    found = found[found["date"] <= "2025-12-31"]
    wrong = found["missing"] + found["extra"]
    assert len(found) == 915
    assert ((found["surprise"] >= new_days.SURPRISING) | (wrong >= new_days.WRONG)).sum() == 1
    assert track.drift(found) == []


@pytest.mark.parametrize("dates", [("2025-01-01", "2025-01-02"), ("2025-01-02", "2025-01-01")])
def test_a_day_that_comes_late_is_not_the_last_one_and_of_two_reports_of_a_day_the_later_counts(dates):
    record: dict[str, WordRecord] = {}
    for date in dates:
        track.add_day(record, date, [("cove", date == "2025-01-02")])
    assert record == {"cove": WordRecord(2, 1, "2025-01-02", True)}
    track.add_day(record, "2025-01-02", [("cove", False)])
    assert record == {"cove": WordRecord(3, 1, "2025-01-02", False)}
