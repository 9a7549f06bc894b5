"""What must hold of every run: only an error of the program can break it."""

import pytest

from pipeline import run
from pipeline.run import Update
from pipeline.store import Workspace
from pipeline.tables import columns
from pipeline.words import LISTED, REASONS


@pytest.fixture(scope="module", params=["real_run", "ran_once"])
def made(request) -> Update:
    return run.update(Workspace(request.getfixturevalue(request.param)))


def test_every_official_answer_has_a_trial_that_accepted_it(made):
    accepted = made.trials[made.trials["accepted"]]
    assert len(made.answers)
    assert set(zip(made.answers["date"], made.answers["word"], strict=True)) <= set(
        zip(accepted["date"], accepted["word"], strict=True)
    )


def test_counts_and_dates_of_a_record_agree(made):
    record = made.record
    refused = record["offered"] - record["accepted"]
    assert ((record["offered"] > 0) & (record["accepted"] >= 0) & (refused >= 0)).all()
    assert ((record["accepted"] > 0) == (record["last_accepted"] != "")).all()
    assert ((record["accepted"] > 0) == (record["first_accepted"] != "")).all()
    assert ((refused > 0) == (record["last_refused"] != "")).all()
    assert (record["first_accepted"] <= record["last_accepted"]).all()


def test_every_decision_has_a_reason_and_every_listed_word_can_be_played(made):
    decisions = made.decisions
    assert decisions["kind"].isin(REASONS).all()
    assert columns.is_playable(decisions["word"][decisions["tier"].isin(LISTED)]).all()


def test_the_last_trial_decides_where_no_person_did(made):
    record = made.record.set_index("word")
    tried = made.decisions[made.decisions["word"].isin(record.index) & (made.decisions["by"] != "verdict")]
    last = record.loc[tried["word"]]
    accepted_last = (last["last_accepted"] > last["last_refused"]).to_numpy()
    assert len(tried)
    assert (tried["tier"].isin(LISTED).to_numpy() == accepted_last).all()
