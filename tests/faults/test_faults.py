"""A sample of the hostile servers, the mutated inputs, the simulated year and the ways out; each module runs all."""

import csv
import shutil
import time

import hands
import inputs
import pytest
import troubles
import ways
import world as worlds
import year
from servers import DEADLINE, PATIENCE, Behavior, Judged, behaviors, fetch, serving

SAMPLE = (
    "closes at once",
    "sends garbage where TLS is spoken",
    "drips a status line",
    "drips 100 Continue",
    "sends headers without end",
    "sends two lengths",
    "sends a negative length",
    "drips one header",
    "sends a chunk extension without end",
    "drips trailers",
    "sends trailers without end",
    "sends 100 Continue without end",
    "drips a body",
    "sends a bomb",
    "drips robots.txt",
    "sends robots.txt with 150,000 rules",
    "sends the bulk archive for a day",
    "sends 4,000 answers",
    "sends 40,000 nested tags",
    "sends 900,000 attributes",
    "sends the good day",
)


@pytest.fixture(scope="module")
def known() -> dict[str, Behavior]:
    return {each.name: each for each in behaviors()}


@pytest.mark.parametrize("name", SAMPLE)
def test_a_hostile_server_is_given_up_in_time_and_named(name, known, monkeypatch):
    behavior = known[name]
    monkeypatch.setattr("servers.PATIENCE", PATIENCE / 5 if behavior.outcomes == ("timeout",) else 10 * PATIENCE)
    started = time.monotonic()
    with serving(behavior) as url:
        outcome, detail = fetch(behavior.source, url)
    judged = Judged(behavior, outcome, detail, time.monotonic() - started, 0)
    assert judged.good, judged


def test_the_sample_names_behaviors_that_exist_and_a_deadline_that_is_one():
    names = [each.name for each in behaviors()]
    assert set(SAMPLE) <= set(names)
    assert len(names) == len(set(names)) > 60
    assert DEADLINE == 4 * PATIENCE + 3


def test_damaged_inputs_give_days_or_named_faults_and_soon():
    tally = inputs.Tally()
    for name, data in inputs.inputs(600, seed=3):
        inputs.judge(name, data, tally)
    assert tally.wrong == []
    assert (tally.count, tally.days > 100, len(tally.faults) > 10) == (600, True, True)


def test_a_sample_of_the_simulated_year_ends_with_the_record_of_the_truth(small_lexicon, tmp_path):
    found = year.live(9, small_lexicon, tmp_path / "data", seed=3, rate=0.7)
    assert year.good(found), found
    assert found["poisoned"] > 0


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_short_day_of_many_hands_loses_no_decision_and_ends_with_the_release_of_a_fresh_clone(tmp_path):
    figures, wrong = hands.a_short_day(tmp_path, seed=1)
    assert wrong == []
    assert min(figures.decisions - 3, figures.rejected_pushes, figures.branches, figures.proposals) > 0
    assert min(figures.releases, figures.restarts) > 0


TROUBLES = (
    "two people released, and joined it by git merge",
    "nytimes.com lies about the letters",
    "a verdict with a flipped letter in its decision",
)


def test_what_the_program_prints_leads_back_to_the_truth(tmp_path):
    chosen = [each for each in troubles.all_troubles() if each.name in TROUBLES]
    found = {way.trouble: way for way in ways.walk_all(chosen, tmp_path)}
    assert {name: way.wrong for name, way in found.items() if way.wrong} == {}
    assert sorted(found) == sorted(TROUBLES)
    assert all(way.ran for way in found.values())


def test_the_documents_have_the_troubles_that_were_walked_and_no_other_commands():
    _, *rows = csv.reader(ways.TABLE.read_text().splitlines())
    assert [row[0] for row in rows] == [each.name for each in troubles.all_troubles()]
    assert [row for row in rows if row[-1] != ways.GOOD] == []
    assert ways.markdown(rows) in ways.DOCUMENT.read_text()
    ran = {*worlds.commands_in(" ".join(row[2] for row in rows)), *ways.STARTS}
    named = worlds.commands_in((ways.DOCUMENT.parent / "TROUBLE.md").read_text())
    assert len(named) > 20
    assert [command for command in named if command not in ran] == []
