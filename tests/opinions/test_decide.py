"""Decide: each threshold and each condition, tested on both sides."""

import pandas as pd
import pytest

from pipeline.opinions import decide, reasons
from pipeline.tables import frames
from pipeline.words import DOUBTFUL, LIKELY, Reason


def decided(p: float | None = None, record: tuple[int, int, str, str] | None = None, flag: str = "") -> dict[str, str]:
    """Decide on one word: with an estimate, or with a record (offered, accepted, last accepted, last refused)."""
    guess = [] if p is None else [{"word": "cove", "p": p, "basis": "SCOWL 35", "kind": "estimate"}]
    rows = []
    if record:
        offered, accepted, yes, no = record
        dates = {"first_accepted": yes, "last_accepted": yes, "last_refused": no}
        rows = [{"word": "cove", "offered": offered, "accepted": accepted, **dates, "witnesses": 1}]
    flags = [{"word": "cove", "flag": flag, "severity": "strong", "detail": "so"}] if flag else []
    made = decide.decide(
        frames.from_rows(rows, "record"),
        frames.from_rows(guess, "estimates"),
        frames.from_rows(flags, "flags"),
        frames.empty("verdicts"),
        frames.empty("unusual_words"),
    )
    (row,) = frames.rows(made)
    return row


YES, NO = "2025-01-02", "2025-01-01"


@pytest.mark.parametrize(
    ("p", "record", "flag", "tier"),
    [
        (LIKELY, None, "", "likely"),
        (LIKELY - 0.01, None, "", "review"),
        (DOUBTFUL, None, "", "review"),
        (DOUBTFUL - 0.01, None, "", "refused"),
        (None, (1, 1, YES, ""), "", "core"),
        (None, (2, 1, YES, NO), "", "core"),
        (None, (2, 1, NO, YES), "", "refused"),
        (0.01, (1, 1, YES, ""), "", "core"),
        (None, (1, 1, YES, ""), "slur", "core"),
        (0.99, None, "slur", "refused"),
        (0.99, None, "vulgar", "refused"),
        (0.99, None, "explicit", "refused"),
        (0.99, None, "crude", "likely"),
        (0.99, None, "sensitive", "likely"),
    ],
)
def test_a_record_goes_before_p_and_a_grade_matters_only_without_a_record(p, record, flag, tier):
    assert decided(p, record, flag)["tier"] == tier


def test_no_words_make_an_empty_table():
    names = ("record", "estimates", "flags", "verdicts", "unusual_words")
    empty = [frames.empty(name) for name in names]
    pd.testing.assert_frame_equal(decide.decide(*empty), frames.empty("decisions"))


@pytest.mark.parametrize(
    ("kind", "details", "sentence"),
    [
        ("verdict", "keep|ann|2026-01-01|so|so", "keep, says ann on 2026-01-01: so|so"),
        ("accepted", "3|4|2025-12-31", "accepted 3 of 4 times, last on 2025-12-31"),
        ("slur", "", "never accepted, and a slur, which is not listed unseen"),
        ("explicit", "", "never accepted, and explicit, which is not listed unseen"),
    ],
)
def test_reasons_of_a_whole_column_are_those_of_each_word(kind, details, sentence):
    decided = pd.DataFrame({"kind": ["estimate", kind], "details": ["0.50|+ common", details]})
    assert reasons.sentences(decided).tolist() == ["never tried; p = 0.50: + common", sentence]
    assert Reason.decode(kind, details).sentence == sentence
