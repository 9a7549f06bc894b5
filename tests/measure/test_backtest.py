"""The lists that a backtest compares, and its figures: exactly at each threshold, and the order of equal values."""

import re
from dataclasses import replace

import pandas as pd
import pytest
from examples import BAD, GOOD, recorded

from pipeline.errors import BeeError
from pipeline.measure import backtest, score
from pipeline.tables import frames
from pipeline.words import UNSAFE_FLAGS

PANGRAM, OTHER = "covenant", "noncovenant"
"""Two pangrams of the same letters."""


def trials(*rows: tuple[str, str, bool]) -> pd.DataFrame:
    return pd.DataFrame(
        [(date, "v", word, yes) for date, word, yes in rows], columns=["date", "center", "word", "accepted"]
    )


def known(flag: str = "crude", **sizes: int) -> backtest.Snapshot:
    """What was known before a cutoff: *cove* was accepted; two pangrams, the likelier one flagged, were never tried."""
    record = {"offered": 1, "accepted": 1, "first_accepted": "2025-01-01", "last_accepted": "2025-01-01"}
    chances = {PANGRAM: 0.4, OTHER: 0.3}
    estimates = [{"word": word, "p": p, "kind": "estimate"} for word, p in chances.items()]
    reason = {"kind": "estimate", "because": "so", "p": 0.5}
    decisions = [{"word": "cove", "tier": "core", "by": "record", **reason}]
    decisions += [{"word": word, "tier": "review", "by": "estimate", **reason} for word in chances]
    flags = [{"word": PANGRAM, "flag": flag, "severity": "note", "detail": "a test"}]
    return backtest.Snapshot(
        pd.DataFrame({"word": ["cove", *sizes], "scowl_size": [10, *sizes.values()]}),
        frames.from_rows([{"word": "cove", "last_refused": "", **record}], "record"),
        frames.from_rows(flags, "flags"),
        frames.from_rows(estimates, "estimates"),
        frames.from_rows(decisions, "decisions"),
    )


@pytest.mark.parametrize(("flag", "guess"), [("crude", PANGRAM), *((flag, OTHER) for flag in UNSAFE_FLAGS)])
def test_the_solver_guesses_the_likeliest_pangram_that_is_fit_to_print(flag, guess):
    found = backtest.lists(known(flag), trials(("2025-02-01", "cove", True)))
    assert (found[backtest.OURS], found[backtest.WITH_GUESSES]) == ({"cove"}, {"cove", guess})


def test_the_upper_bound_knows_a_new_word_from_half_of_its_trials_on_and_no_change_of_mind():
    later = trials(
        ("2025-02-01", "cave", True), ("2025-02-02", "cave", False),
        ("2025-02-01", "octave", True), ("2025-02-02", "octave", False), ("2025-02-03", "octave", False),
        ("2025-02-01", "cove", False), ("2025-02-02", "cove", False),
    )  # fmt: skip
    assert backtest.lists(known(), later)[backtest.UPPER_BOUND] == {"cove", "cave"}


def test_a_baseline_adds_the_untried_words_up_to_a_size_and_not_those_beyond_it():
    found = backtest.lists(known(cave=35, octave=50, vacate=51), trials(("2025-02-01", "cove", True)))
    assert found[backtest.SCOWL[35]] == {"cove", "cave"}
    assert found[backtest.SCOWL[50]] == {"cove", "cave", "octave"}


def test_a_baseline_has_the_words_that_were_ever_accepted_and_another_those_of_the_last_trial():
    record = recorded(cove=GOOD, octave=BAD, tote=(2, 0, "", "2025-01-02"))
    found = backtest.lists(replace(known(), record=record), trials(("2025-02-01", "cove", True)))
    assert found[backtest.EVER_ACCEPTED] == {"cove", "octave"}
    assert found[backtest.LAST_TRIAL] == {"cove"}


def test_of_equally_frequent_errors_the_first_of_the_alphabet_is_named():
    later = trials(*((f"2025-01-0{day}", word, True) for day in (1, 2) for word in ("octave", "cave")))
    later = pd.concat([later, trials(("2025-01-03", "vacate", True))])
    found = backtest.worst_words(score.compare(later, set()), 2)
    assert found.values.tolist() == [["cave", "missing", 2], ["octave", "missing", 2]]


def test_an_audit_takes_the_puzzles_from_one_date_on_and_before_another():
    dates = ["2025-01-01", "2025-01-02", "2025-01-03"]
    puzzles = pd.DataFrame({"date": dates, "center": "v", "outer": "acenot", "source": "days"})
    answers = pd.DataFrame({"date": dates, "word": "cove"})
    none = frames.empty("without_trial")
    audited = score.audit(puzzles, answers, none, {"cove"}, "2025-01-02", "2025-01-03")
    assert set(audited["date"]) == {"2025-01-02"}
    assert set(score.audit(puzzles, answers, none, {"cove"})["date"]) == set(dates)
    without = pd.DataFrame({"date": ["2025-01-02"], "word": ["cove"]})
    assert set(score.audit(puzzles, answers, without, {"cove"})["date"]) == {*dates} - {"2025-01-02"}
    with pytest.raises(BeeError, match="no puzzles on disk from 2025-01-04 to the last"):
        score.audit(puzzles, answers, none, {"cove"}, "2025-01-04")


def test_words_of_the_same_p_rank_in_the_order_given_and_not_by_their_outcome():
    same = pd.Series([0.5, 0.5])
    assert backtest.average_precision(pd.Series([True, False]), same) == 1
    assert backtest.average_precision(pd.Series([False, True]), same) == 0.5


def test_a_verdict_is_right_if_the_last_trial_after_its_day_agrees_with_it():
    days = [f"2025-01-0{day}" for day in (1, 2, 3)]
    puzzles = pd.DataFrame({"date": days, "center": "v", "outer": "acenot", "source": "x"})
    accepted = [(days[0], "cove"), (days[1], "octave"), (days[2], "cove"), (days[1], "vacate"), (days[1], "covet")]
    answers = pd.DataFrame(accepted, columns=["date", "word"])
    verdicts = [
        ("cove", "keep", days[0]), ("octave", "keep", days[0]), ("vacate", "drop", days[1]), ("covet", "keep", days[2]),
        ("zigzag", "drop", days[0]), ("canto", "drop", days[0]), ("vacant", "drop", "2024-12-31"),
    ]  # fmt: skip
    rows = [
        {"word": word, "verdict": verdict, "after": on, "reason": verdict, "by": "ann"}
        for word, verdict, on in verdicts
    ]
    rows[0]["by"] = "ben"
    outcomes = score.verdict_outcomes(frames.from_rows(rows, "verdicts"), puzzles, answers).set_index("word")
    assert outcomes["outcome"].to_dict() == {
        "canto": "not tried", "cove": "right", "covet": "not tried", "octave": "wrong", "vacant": "right",
        "vacate": "right", "zigzag": "not tried",
    }  # fmt: skip
    assert outcomes.loc["cove", ["trials", "accepted"]].tolist() == [2, 1]
    assert outcomes.loc["vacant", ["trials", "accepted"]].tolist() == [3, 0]
    assert score.count_outcomes(outcomes, "by").values.tolist() == [["ann", 6, 2, 1, 3], ["ben", 1, 1, 0, 0]]
    assert score.count_outcomes(outcomes, "reason").values.tolist() == [["drop", 4, 2, 0, 2], ["keep", 3, 1, 1, 1]]


@pytest.mark.slow
def test_the_verdicts_are_audited_as_text_and_csv(bee, ran):
    assert "There are no verdicts yet" in bee("--data", ran, "audit", "--verdicts").err
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,after\ntroth,drop,a promise,ann,2025-01-01\n")
    text = bee("--data", ran, "audit", "--verdicts").out
    assert re.findall(r"^ *(.*?)  +1 +0 +1 +0$", text, re.MULTILINE) == ["ann", "a promise"]
    rows = bee("--data", ran, "audit", "--verdicts", "--csv").out
    assert (
        rows == "word,verdict,reason,by,after,trials,accepted,outcome\ntroth,drop,a promise,ann,2025-01-01,1,1,wrong\n"
    )


@pytest.mark.parametrize(("kept", "foreign", "ours"), [(50, 0, True), (49, 0, False), (99, 1, True), (98, 2, False)])
def test_a_list_is_ours_from_half_of_a_release_on_and_up_to_one_foreign_word_in_a_hundred(kept, foreign, ours):
    released = {f"word {at}" for at in range(100)}
    listed = set(sorted(released)[:kept]) | {f"foreign {at}" for at in range(foreign)}
    assert score.is_release(listed, released) == ours
