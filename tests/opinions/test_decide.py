"""Decide: each threshold and each condition, tested on both sides."""

import pandas as pd
import pytest

from pipeline.opinions import decide
from pipeline.tables import frames
from pipeline.words import DOUBTFUL, LIKELY


def decided(p: float | None = None, record: tuple[int, int, str, str] | None = None, flag: str = "") -> dict[str, str]:
    """Decide on one word: with an estimate, or with a record (offered, accepted, last accepted, last refused)."""
    guess = [] if p is None else [{"word": "cove", "p": p, "because": "+ known", "kind": "estimate"}]
    rows = []
    if record:
        offered, accepted, yes, no = record
        dates = {"first_accepted": yes, "last_accepted": yes, "last_refused": no}
        rows = [{"word": "cove", "offered": offered, "accepted": accepted, **dates}]
    flags = [{"word": "cove", "flag": flag, "severity": "strong", "detail": "so"}] if flag else []
    made = decide.decide(
        frames.from_rows(rows, "record"),
        frames.from_rows(guess, "estimates"),
        frames.from_rows(flags, "flags"),
        frames.empty("verdicts"),
        frames.empty("lexicon"),
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
    names = ("record", "estimates", "flags", "verdicts", "lexicon")
    empty = [frames.empty(name) for name in names]
    pd.testing.assert_frame_equal(decide.decide(*empty), frames.empty("decisions"))


@pytest.mark.parametrize(
    ("p", "record", "flag", "kind", "because"),
    [
        (0.6, None, "", "estimate", "untried: + known"),
        (None, (2, 2, YES, ""), "", "accepted", f"accepted both times, last on {YES}"),
        (None, (3, 1, NO, YES), "", "refused", f"accepted 1 of 3 times, but not the last time, on {YES}"),
        (0.9, None, "slur", "slur", "never accepted, and we list no slur before a puzzle accepts it"),
        (0.9, None, "explicit", "explicit", "never accepted, and we list no explicit word before a puzzle accepts it"),
    ],
)
def test_a_reason_is_a_sentence_with_its_kind(p, record, flag, kind, because):
    made = decided(p, record, flag)
    assert (made["kind"], made["because"]) == (kind, because)
