"""`bee effect`: what a verdict would change is what it changes, and the figure is that of `bee review`."""

import datetime
from dataclasses import asdict, replace

import pytest
from conftest import snapshot

from pipeline import run
from pipeline.review import effect as measuring
from pipeline.review import queue as queueing
from pipeline.store import Workspace
from pipeline.tables import frames


@pytest.fixture(scope="module")
def tables(ran_once):
    """What a run makes of the sample."""
    return run.update(Workspace(ran_once))


def effect(tables, word, verdict, **changed):
    made = replace(tables, **changed)
    decisions = run.decide_words(made, made.flags, made.estimates, made.verdicts)
    found = measuring.effect(word, verdict, replace(made, decisions=decisions))
    names = ("tier", "tier_after", "added", "removed", "p", "record")
    facts = {name: getattr(found, name) for name in names}
    return facts | {"days": found.days_per_year, "year": asdict(found.last_year), "says": found.sentences()}


def test_the_gain_of_a_word_is_that_of_the_queue(tables):
    queue = queueing.words_to_ask(tables)
    row = frames.rows(queue[queue["gain"] > 0])[0]
    found = effect(tables, row["word"], "keep" if row["tier"] == "review" else "drop")
    assert found["added"] + found["removed"] == [row["word"]]
    assert found["days"] == round(365 * row["gain"], 3) > 0
    gain = queueing.frequency_text(row["gain"], "more day")
    assert f"The right decision would make {gain} exactly right." in found["says"]
    assert effect(tables, row["word"], "drop" if row["tier"] == "review" else "keep")["days"] == 0


def test_a_verdict_that_only_moves_the_tier_says_so(tables):
    found = effect(tables, "zine", "keep")
    assert (found["tier"], found["tier_after"]) == ("likely", "core")
    assert found["says"][0].startswith("The list would not change: zine is already on it (untried: ")
    assert found["says"][1] == "Only its tier would change, from likely to core."


def test_a_word_in_no_list_could_be_kept_and_dropping_it_does_nothing(tables):
    kept, dropped = (effect(tables, "qwertq", verdict) for verdict in ("keep", "drop"))
    assert (kept["tier"], kept["added"], kept["p"], kept["record"]) == ("unknown", ["qwertq"], None, {})
    assert kept["says"][-1].startswith("We cannot estimate")
    assert dropped["says"][0] == (
        "The list would not change: qwertq is already off it (no list that we use has it as a common word)."
    )
    assert "tier" not in " ".join(dropped["says"])
    row = {"word": "qwertq", "verdict": "keep", "reason": "So.", "by": "ann", "after": "2025-03-01"}
    again = effect(tables, "qwertq", "drop", verdicts=frames.from_rows([row], "verdicts"))
    assert (again["tier"], again["removed"], again["p"]) == ("core", ["qwertq"], None)


@pytest.mark.slow
def test_the_puzzles_of_the_last_covered_year_are_counted_to_the_day(tables):
    trials = tables.answers
    word, date = trials[["word", "date"]].iloc[0]
    last = tables.coverage.dates
    possible = effect(tables, word, "keep")["year"]
    assert possible["accepted"] >= 1
    assert possible["possible"] == possible["accepted"] + possible["refused"]
    assert possible["puzzles"] == 14
    assert min(last) == date, "the word is an answer of the first day"
    for later, there in ((364, 1), (365, 0)):
        day = datetime.date.fromisoformat(date) + datetime.timedelta(days=later)
        covered = replace(tables.coverage, dates=frozenset({day.isoformat()}))
        assert effect(tables, word, "keep", coverage=covered)["year"]["puzzles"] == 14 - 1 + there
    none = replace(tables.coverage, dates=frozenset({"2028-01-01"}))
    told = effect(tables, word, "drop", coverage=none)
    assert told["year"] == {"puzzles": 0, "possible": 0, "accepted": 0, "refused": 0}
    assert "on disk" not in " ".join(told["says"])
    assert any(line.startswith("Puzzles accepted it ") for line in told["says"])


@pytest.mark.parametrize(
    ("p", "says", "against"),
    [
        (0.5, "50%", True), (0.49, "49%", False), (0.99, "99%", True), (1.0, "more than 99%", True),
        (0.01, "1%", False), (0.0, "less than 1%", False),
    ],
)  # fmt: skip
def test_a_verdict_against_the_estimate_is_told_to_need_a_good_reason(tables, p, says, against):
    word = tables.record["word"].iloc[0]
    estimates = tables.estimates.assign(p=tables.estimates["p"].mask(tables.estimates["word"] == word, p))
    accepted = tables.record["accepted"].iloc[0] > 0
    found = effect(tables, word, "drop" if accepted else "keep", estimates=estimates)
    told = " ".join(found["says"])
    assert f"with a probability of {says}." in told
    assert ("contradicts that estimate" in told) == (against if accepted else not against)


@pytest.mark.slow
def test_it_writes_nothing_and_what_it_tells_of_a_word_and_its_forms_is_what_the_verdict_then_does(bee, ran):
    before = snapshot(ran)
    shown = bee("drop", "zine", "--dry-run", "--data", ran).out
    assert snapshot(ran) == before
    assert shown.splitlines()[:2] == ["drop zine", "  The list would lose 2 words: zine, zines."]
    listed = set((ran / "custom/wordlist.txt").read_text().split())
    bee("drop", "zine", "--reason", "hardly used", "--by", "ann", "--data", ran)
    assert bee("run", "--data", ran).code == 0
    assert listed - set((ran / "custom/wordlist.txt").read_text().split()) == {"zine", "zines"}
    back = bee("keep", "zine", "--dry-run", "--data", ran).out
    assert "zine, zines" in back
    assert "`bee undo zine --kind verdict` undoes that." in back
    shown = bee("drop", "zine", "--dry-run", "--data", ran).out
    assert "The list would not change: zine is already off it.\n" in shown


TOO_SHORT = "cannot be an answer of a puzzle: too short: an answer has at least 4 letters"


def test_the_effect_on_a_word_of_no_puzzle_is_one_sentence(bee, ran_once):
    done = bee("keep", "bee", "--dry-run", "--data", ran_once)
    assert (done.code, done.out, done.err) == (1, "", f'bee: "bee" {TOO_SHORT}.\n')
