"""Constancy: what the record of a tried word predicts about its next trial."""

import pandas as pd
import pytest
from examples import lexicon, recorded

from pipeline.opinions import estimate_tried

TODAY = {"2024-12-31", "2025-12-31"}
WORDS = lexicon({"word": "cove", "zipf": 3.0}, {"word": "dove", "zipf": 1.0, "scowl_size": 80})


def p_of(offered: int, accepted: int, yes: str, no: str, word: str = "cove") -> float:
    (p,) = estimate_tried.estimate(recorded(**{word: (offered, accepted, yes, no)}), TODAY, WORDS)["p"]
    return p


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"trials": 9}, {"trials": 1}),
        ({"age": 10}, {"age": 900}),
        ({"mixed": 0}, {"mixed": 1}),
        ({"years": 8}, {"years": 2}),
        ({"zipf": 4}, {"zipf": 0}),
    ],
)
@pytest.mark.parametrize("accepted", [True, False])
def test_more_trials_newer_and_unmixed_ones_and_later_years_agree_more(accepted, better, worse):
    """A common word is more likely to stay accepted, and a rare word is more likely to stay refused."""
    usual = {"mixed": 0, "age": 100, "trials": 3, "zipf": 2.0, "size": 60.0, "years": 5.0}
    more, less = (estimate_tried.agreement(accepted, usual | change) for change in (better, worse))
    assert (more > less) == (accepted or "zipf" not in better)
    assert p_of(1, 1, "2019-01-01", "", "dove") < 0.95 < p_of(30, 30, "2025-12-01", "") == 1.0


def trials(*rows: tuple[str, int]) -> pd.DataFrame:
    frame = pd.DataFrame([{"date": date, "word": "cove", "accepted": bool(accepted)} for date, accepted in rows])
    return frame.sample(frac=1, random_state=1)


def test_each_trial_is_held_against_the_one_before():
    days = [("2020-01-01", 1), ("2020-06-01", 1), ("2023-01-01", 0), ("2023-02-01", 0)]
    found = estimate_tried.successive_trials(trials(*days), WORDS)
    cells = found[["date", "last", "agreed", "mixed", "age", "trials", "zipf", "size"]]
    assert [tuple(row) for row in cells.itertuples(index=False)] == [
        ("2020-06-01", True, True, False, 152, 1, 3.0, 35.0),
        ("2023-01-01", True, False, False, 944, 2, 3.0, 35.0),
        ("2023-02-01", False, True, True, 31, 3, 3.0, 35.0),
    ]
    assert found["years"].round(2).tolist() == [2.06, 4.65, 4.73]


def test_what_came_is_compared_with_what_was_promised_before_and_a_day_on_the_cutoff_is_later():
    rows = [("2020-01-01", 1), ("2020-02-01", 1), ("2020-03-01", 1), ("2020-04-01", 0)]
    pairs = estimate_tried.successive_trials(trials(*rows), WORDS)
    found = estimate_tried.reliability(pairs, "2020-04-01")
    assert found[["last", "record", "words", "trials", "agreed"]].values.tolist() == [
        ["accepted", "2 to 4 trials", "common", 1, 0.0]
    ]
    assert found["promised"].iloc[0] == pytest.approx(0.999, abs=0.0002)
    assert estimate_tried.reliability(pairs, "2020-03-01")["trials"].sum() == 2


def test_a_fit_finds_what_the_outcomes_depend_on():
    """Half of the words with one trial have another outcome next time; the other words never do."""
    rows = [{"last": True, "agreed": at % 2 == 0, "trials": 1} for at in range(400)]
    rows += [{"last": True, "agreed": True, "trials": 20} for _ in range(400)]
    frame = pd.DataFrame(rows).assign(mixed=False, age=100, zipf=3.0, size=35.0, years=5.0)
    weights = estimate_tried.fit(frame)
    usual = {"mixed": 0, "age": 100, "zipf": 3.0, "size": 35.0, "years": 5.0}
    assert float(estimate_tried.agreement(True, {**usual, "trials": 1}, weights)) == pytest.approx(0.5, abs=0.03)
    assert estimate_tried.agreement(True, {**usual, "trials": 20}, weights) > 0.97
    assert weights[False] == estimate_tried.Weights(estimate_tried.SURE)


@pytest.mark.parametrize(
    ("record", "faster"),
    [((1, 1, "2024-01-01", ""), True), ((2, 2, "2024-01-01", ""), False), ((1, 0, "", "2024-01-01"), False)],
)
def test_a_single_acceptance_of_an_offensive_word_ages_faster(record, faster):
    words = recorded(dove=record)
    usual, offensive = (estimate_tried.estimate(words, TODAY, WORDS, graded)["p"].iloc[0] for graded in ((), ("dove",)))
    assert (offensive < usual) == faster
    assert (offensive == usual) != faster
