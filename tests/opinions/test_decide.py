"""Decide: each threshold and each condition, tested on both sides."""

import pandas as pd
import pytest

from pipeline.opinions import decide
from pipeline.tables import frames
from pipeline.words import DOUBTFUL, LIKELY


def decided(
    p: float | None = None, record: tuple[int, int, str, str, int] | None = None, known: bool = True, flag: str = ""
) -> dict[str, str]:
    """Decide on one word: with an estimate, or with a record (offered, accepted, last accepted, rejected, vouched)."""
    guess = [] if p is None else [{"word": "cove", "p": p, "basis": "SCOWL 35", "kind": "estimate"}]
    rows = []
    if record:
        offered, accepted, yes, no, vouched = record
        dates = {"first_accepted": yes, "last_accepted": yes, "last_rejected": no}
        rows = [{"word": "cove", "offered": offered, "accepted": accepted, **dates, "vouched": vouched}]
    flags = [{"word": "cove", "flag": flag, "severity": "strong", "detail": "so"}] if flag else []
    made = decide.decide(
        frames.from_rows([{"word": "cove", "mask": 1, "known": known}], "candidates"),
        frames.from_rows(rows, "evidence"),
        frames.from_rows(guess, "estimates"),
        frames.from_rows(flags, "flags"),
        frames.empty("verdicts"),
        frames.empty("lexicon"),
    )
    (row,) = frames.rows(made)
    return row


@pytest.mark.parametrize(
    ("p", "tier"),
    [
        (LIKELY + 0.01, "likely"),
        (LIKELY, "likely"),
        (LIKELY - 0.01, "review"),
        (DOUBTFUL + 0.01, "review"),
        (DOUBTFUL, "review"),
        (DOUBTFUL - 0.01, "refused"),
    ],
)
def test_each_threshold_belongs_to_the_better_tier(p, tier):
    assert decided(p)["tier"] == tier


@pytest.mark.parametrize(
    ("record", "known", "tier"),
    [
        ((1, 1, "2025-01-02", "", 1), False, "review"),
        ((2, 2, "2025-01-02", "", 1), False, "review"),
        ((2, 2, "2025-01-02", "", 2), False, "core"),
        ((1, 1, "2025-01-02", "", 2), False, "core"),
        ((1, 1, "2025-01-02", "", 1), True, "core"),
        ((2, 1, "2025-01-02", "2025-01-01", 1), False, "review"),
        ((2, 1, "2025-01-01", "2025-01-02", 1), False, "refused"),
    ],
)
def test_a_word_that_no_list_knows_waits_for_a_second_witness(record, known, tier):
    assert decided(record=record, known=known)["tier"] == tier


def test_a_record_goes_before_an_estimate_and_a_slur_flag_stops_only_the_estimate():
    accepted = (1, 1, "2025-01-02", "", 2)
    assert decided(0.01, accepted)["tier"] == "core"
    assert decided(0.99, flag="slur")["tier"] == "refused"
    assert decided(0.99, flag="vulgar")["tier"] == "refused"
    assert decided(0.99, flag="explicit")["tier"] == "likely"
    assert decided(None, accepted, flag="slur")["tier"] == "core"
    assert decided(None, (3, 3, "2025-01-02", "", 1), flag="slur")["tier"] == "review"
    assert decided(0.99, flag="vulgar")["tier"] == "refused"


def test_no_words_make_an_empty_table():
    names = ("candidates", "evidence", "estimates", "flags", "verdicts", "lexicon")
    empty = [frames.empty(name) for name in names]
    pd.testing.assert_frame_equal(decide.decide(*empty), frames.empty("decisions"))
