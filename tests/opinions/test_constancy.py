"""Constancy: what the record of a tried word predicts about its next trial."""

import os
from pathlib import Path

import pandas as pd
import pytest
from test_opinions import evidence

from pipeline.opinions import constancy
from pipeline.run import registry
from pipeline.store import Workspace

TODAY = {"2024-12-31", "2025-12-31"}


def p_of(offered: int, accepted: int, yes: str, no: str) -> tuple[float, str]:
    row = constancy.estimate(evidence(cove=(offered, accepted, yes, no)), TODAY).iloc[0]
    return row["p"], row["basis"]


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ((2, 2, "2024-12-31", ""), ("accepted", "pure", "within a year")),
        ((2, 2, "2024-12-30", ""), ("accepted", "pure", "1 to 2 years ago")),
        ((2, 2, "2024-01-01", ""), ("accepted", "pure", "1 to 2 years ago")),
        ((2, 2, "2023-12-31", ""), ("accepted", "pure", "over 2 years ago")),
        ((2, 1, "2025-01-02", "2025-01-01"), ("accepted", "mixed", "within a year")),
        ((2, 1, "2025-01-01", "2025-01-02"), ("refused", "mixed", "within a year")),
        ((2, 0, "", "2020-01-01"), ("refused", "pure", "over 2 years ago")),
    ],
)
def test_p_of_a_tried_word_is_how_often_records_of_its_kind_agreed(record, kind):
    agreed = constancy.AGREED[kind]
    p, basis = p_of(*record)
    assert p == pytest.approx(round(agreed if kind[0] == "accepted" else 1 - agreed, 2))
    assert all(part in basis for part in kind)


def trials(*rows: tuple[str, int]) -> pd.DataFrame:
    frame = pd.DataFrame([{"date": date, "word": "cove", "accepted": bool(said)} for date, said in rows])
    return frame.sample(frac=1, random_state=1)


def test_each_trial_is_held_against_the_one_before():
    found = constancy.measure(
        constancy.pairs(trials(("2020-01-01", 1), ("2020-06-01", 1), ("2023-01-01", 0), ("2023-02-01", 0)))
    )
    assert {tuple(row) for row in found.itertuples(index=False)} == {
        ("accepted", "pure", "within a year", 1, 1.0),
        ("accepted", "pure", "over 2 years ago", 1, 0.0),
        ("refused", "mixed", "within a year", 1, 1.0),
    }


def test_what_came_is_compared_with_what_was_promised_before_and_a_day_on_the_cutoff_is_later():
    rows = [("2020-01-01", 1), ("2020-02-01", 1), ("2020-03-01", 1), ("2020-04-01", 0)]
    (row,) = constancy.reliability(trials(*rows), "2020-04-01").to_dict("records")
    assert (row["trials"], row["promised"], row["agreed"]) == (1, 1.0, 0.0)
    (row,) = constancy.reliability(trials(*rows), "2020-03-01").to_dict("records")
    assert (row["trials"], row["promised"], row["agreed"]) == (2, 1.0, 0.5)


@pytest.mark.skipif("BEE_BUILT" not in os.environ, reason="BEE_BUILT names a workspace with the whole archive")
def test_the_constants_are_what_the_archive_measures():
    found = constancy.measure(constancy.pairs(registry.load(Workspace(Path(os.environ["BEE_BUILT"])), "trials")))
    measured = {(row.side, row.record, row.age): round(row.agreed, 4) for row in found.itertuples()}
    assert measured == constancy.AGREED
