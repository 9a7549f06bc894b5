"""What `bee keep`, `drop` and `grade` write and say, and how long a verdict holds."""

import dataclasses

import pandas as pd
import pytest
from test_flow import bring

from pipeline import run, words
from pipeline.review import verdicts as writing
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames

UNKNOWN = "gorafin"
"""A word that no list and no record has."""
BY = ("--reason", "as people use it", "--by", "ann")


def decisions(data):
    return run.update(Workspace(data)).decisions.set_index("word")


def listed(data) -> list[str]:
    return (data / "custom/wordlist.txt").read_text().split()


def verdicts(data) -> str:
    path = data / "custom/verdicts.csv"
    return path.read_text() if path.exists() else ""


def decided(data, tier: str, by: str) -> str:
    found = decisions(data)
    return str(found[(found["tier"] == tier) & (found["by"] == by)].index[0])


@pytest.mark.slow
@pytest.mark.parametrize("verdict", ["keep", "drop"])
def test_a_word_that_no_list_has_is_decided_by_force_only(bee, ran, verdict):
    refused = bee(verdict, UNKNOWN, *BY, "--data", ran)
    assert (refused.code, verdicts(ran), "--force" in refused.err) == (1, "", True)
    assert bee(verdict, UNKNOWN, *BY, "--force", "--data", ran).code == 0
    assert verdicts(ran).splitlines()[1] == f"{UNKNOWN},{verdict},as people use it,ann,2025-03-05"
    assert bee("run", "--data", ran).code == 0
    assert (UNKNOWN in listed(ran)) == (verdict == "keep")


@pytest.mark.slow
@pytest.mark.parametrize(("tier", "by"), [("core", "record"), ("refused", "record"), ("likely", "estimate")])
def test_a_verdict_says_where_the_word_stands_and_is_changed_after_undo_only(bee, ran, tier, by):
    word = decided(ran, tier, by)
    made = bee("keep", word, *BY, "--data", ran)
    assert (made.code, f"So far {word} is {tier}: " in made.err) == (0, True)
    assert bee("keep", word, *BY, "--data", ran).code == 0, "it says the same"
    refused = bee("drop", word, *BY, "--data", ran)
    assert (refused.code, f"`bee undo {word} --kind verdict`" in refused.err) == (1, True)
    assert bee("undo", word, "--data", ran).out == f"Removed: keep {word}, by ann: as people use it\n"
    assert bee("drop", word, *BY, "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
    assert word not in listed(ran)
    assert "verdict-ended" not in bee("check", "--data", ran).out


DAY = Day("2025-03-06", words.puzzle("zinetao"), ("zineato",))
"""A day after all others, with letters of *zine*, which no puzzle tried before."""


@pytest.mark.slow
@pytest.mark.parametrize("word", ["zine", "zizitane"])
def test_a_puzzle_takes_off_what_a_person_kept_and_nobody_has_to_act(bee, ran, tmp_path, word):
    """One is in a list, the other in none."""
    assert bee("keep", word, *BY, "--force", "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
    assert word in listed(ran)
    bring(bee, ran, tmp_path / "new.txt", DAY)
    done = bee("run", "--force", "--data", ran)
    assert (done.code, word in listed(ran)) == (0, False), done.err
    assert "refused once, on 2025-03-06" in bee("why", word, "--data", ran).out
    assert "the puzzle of 2025-03-06 decided" in bee("check", "--only", "verdict-ended", "--data", ran).out
    assert bee("run", "--rebuild", "--force", "--data", ran).code == 0
    assert word not in listed(ran)


@pytest.mark.slow
def test_a_puzzle_brings_back_what_a_person_dropped(bee, ran, tmp_path, sample_days):
    day = dataclasses.replace(sample_days[0], date="2025-03-06")
    word = decided(ran, "likely", "estimate")
    answers = next(each for each in sample_days[0].answers if decisions(ran)["tier"].get(each) == "core")
    assert bee("drop", answers, *BY, "--data", ran).code == 0
    assert bee("drop", word, *BY, "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
    assert not {answers, word} & {*listed(ran)}, "the person knew the trials"
    bring(bee, ran, tmp_path / "new.txt", day)
    assert bee("run", "--force", "--data", ran).code == 0
    assert (answers in listed(ran), word in listed(ran)) == (True, False)


def row(kind: str, tier: str, by: str = "record", p: float = 0.5, word: str = "canto") -> pd.DataFrame:
    cells = {"word": word, "tier": tier, "by": by, "kind": kind, "because": "accepted 2 of 9 times", "p": p}
    return frames.from_rows([cells], "decisions")


@pytest.mark.parametrize(
    ("grade", "tier", "by", "says"),
    [
        (
            "slur",
            "likely",
            "estimate",
            "takes it off the list. `bee export --safe` and `bee export --family` will leave",
        ),
        ("explicit", "likely", "estimate", "takes it off the list. `bee export --safe`"),
        ("slur", "core", "record", "`bee export --safe` and `bee export --family` will leave it out. Its"),
        ("slur", "review", "estimate", "`bee export --safe` and `bee export --family` will leave it out. Its"),
        (
            "crude",
            "likely",
            "estimate",
            "Its grade so far is vulgar. `bee export --family` will leave it out. Its forms get the same grade",
        ),
        ("none", "likely", "estimate", "Its grade so far is vulgar. Its forms get the same grade"),
    ],
)
def test_a_grade_says_what_it_changes(grade, tier, by, says):
    offensive_words = pd.DataFrame({"word": ["canto"], "flag": ["vulgar"]})
    said = str(writing.consequences_of_grade("canto", grade, row("estimate", tier, by), offensive_words))
    assert says in said
    assert ("off the list" in said) == (grade in ("slur", "explicit") and tier == "likely")
    assert ("leave the list" in said) == (grade in ("slur", "explicit"))


def test_the_cost_of_a_grade_is_said_before_it_is_written_and_what_is_refused_has_none(bee, ran_once, ran):
    told = decisions(ran_once)
    word = told[(told["tier"] == "likely") & (told["by"] == "estimate")].index[0]
    done = bee("grade", word, "slur", *BY, "--data", ran)
    assert (done.code, done.err.index("Its forms get the same grade") < done.err.index(": written;")) == (0, True)
    again = bee("grade", word, "crude", *BY, "--data", ran)
    assert (again.code, "Its forms get" in again.err) == (1, False)
