"""What `bee keep`, `drop` and `grade` write and say, and how long a verdict holds."""

import dataclasses

import pandas as pd
import pytest
from conftest import reseal
from test_flow import bring

from pipeline import reader, run, words
from pipeline.errors import DecisionError
from pipeline.review import verdicts as writing
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames

UNKNOWN = "gorafin"
"""A word that no list and no record has."""
BY = ("--reason", "as people use it", "--by", "ann")


def listed(data) -> list[str]:
    return (data / "custom/wordlist.txt").read_text().split()


def verdicts(data) -> str:
    path = data / "custom/verdicts.csv"
    return path.read_text() if path.exists() else ""


def decisions_of_release(data) -> dict[str, dict[str, str]]:
    return {row["word"]: row for row in reader.rows((data / "custom/words.csv").read_bytes(), "words.csv")}


def decided(data, tier: str, kind: str) -> str:
    """The first word of the release with a tier and a kind of reason."""
    rows = decisions_of_release(data).values()
    return next(row["word"] for row in rows if (row["tier"], row["kind"]) == (tier, kind))


@pytest.mark.slow
@pytest.mark.parametrize("verdict", ["keep", "drop"])
def test_a_word_that_no_list_has_is_decided_by_force_only(bee, ran, verdict):
    refused = bee("--data", ran, verdict, UNKNOWN, *BY)
    assert (refused.code, verdicts(ran), "--force" in refused.err) == (1, "", True)
    assert bee("--data", ran, verdict, UNKNOWN, *BY, "--force").code == 0
    assert verdicts(ran).splitlines()[1] == f"{UNKNOWN},{verdict},as people use it,ann,2025-03-05"
    assert bee("--data", ran, "run").code == 0
    assert (UNKNOWN in listed(ran)) == (verdict == "keep")


@pytest.mark.slow
@pytest.mark.parametrize(("tier", "kind"), [("core", "accepted"), ("likely", "estimate")])
def test_a_verdict_says_where_the_word_stands_and_is_changed_after_undo_only(bee, ran, tier, kind):
    word = decided(ran, tier, kind)
    made = bee("--data", ran, "keep", word, *BY)
    assert (made.code, f"So far it was {tier}: " in made.err) == (0, True)
    assert bee("--data", ran, "keep", word, *BY).code == 0, "it says the same"
    refused = bee("--data", ran, "drop", word, *BY)
    assert (refused.code, f"`bee undo {word} --kind verdict`" in refused.err) == (1, True)
    assert bee("--data", ran, "undo", word).out == f"Removed: keep {word}, by ann: as people use it\n"
    assert bee("--data", ran, "drop", word, *BY).code == 0
    assert bee("--data", ran, "run").code == 0
    assert word not in listed(ran)
    assert "verdict-ended" not in bee("--data", ran, "check").out


DAY = Day("2025-03-06", words.puzzle("zinetao"), ("zineato",))
"""A day after all others, with letters of *zine*, which no puzzle tried before."""


@pytest.mark.slow
def test_a_puzzle_takes_off_what_a_person_kept_and_nobody_has_to_act(bee, ran, tmp_path):
    """Of the two words one is in a list, and the other in none."""
    kept = {"zine", "zizitane"}
    for word in kept:
        assert bee("--data", ran, "keep", word, *BY, "--force").code == 0
    assert bee("--data", ran, "run").code == 0
    assert kept <= {*listed(ran)}
    bring(bee, ran, tmp_path / "new.txt", DAY)
    assert bee("--data", ran, "run", "--force").code == 0
    assert not kept & {*listed(ran)}
    ended = bee("--data", ran, "check", "--only", "verdict-ended").out
    assert ended.count("the puzzle of 2025-03-06 decided") == len(kept)
    for word in kept:
        assert "refused once, on 2025-03-06" in bee("--data", ran, "why", word).out
    assert bee("--data", ran, "run", "--rebuild", "--force").code == 0
    assert not kept & {*listed(ran)}


@pytest.mark.slow
def test_a_puzzle_brings_back_what_a_person_dropped(bee, ran, tmp_path, sample_days):
    day = dataclasses.replace(sample_days[0], date="2025-03-06")
    tiers = {row["word"]: row["tier"] for row in decisions_of_release(ran).values()}
    word = decided(ran, "likely", "estimate")
    answer = next(each for each in day.answers if tiers.get(each) == "core")
    for each in (answer, word):
        assert bee("--data", ran, "drop", each, *BY).code == 0
    assert bee("--data", ran, "run").code == 0
    assert not {answer, word} & {*listed(ran)}, "the person knew the trials"
    bring(bee, ran, tmp_path / "new.txt", day)
    assert bee("--data", ran, "run", "--force").code == 0
    assert (answer in listed(ran), word in listed(ran)) == (True, False)


@pytest.mark.slow
def test_a_verdict_that_a_puzzle_ended_makes_room_for_a_new_one(bee, ran):
    word = decided(ran, "core", "accepted")
    path = ran / "custom/verdicts.csv"
    last = decisions_of_release(ran)[word]["last_accepted"]
    path.write_text(f"word,verdict,reason,by,after\n{word},drop,old,bob,{last}\n")
    assert bee("--data", ran, "keep", word, *BY).code == 1, "he knew the last trial"
    path.write_text(f"word,verdict,reason,by,after\n{word},drop,old,bob,2025-02-01\n")
    assert bee("--data", ran, "keep", word, *BY).code == 0
    assert verdicts(ran).splitlines()[1:] == [f"{word},keep,as people use it,ann,2025-03-05"]
    refused = bee("--data", ran, "drop", word, *BY)
    assert (refused.code, "already has a decision" in refused.err) == (1, True), "this one holds"


@pytest.mark.slow
def test_what_a_list_has_or_a_day_left_open_is_known_without_the_release(bee, ran):
    """*Abbo* is in a list of rude words, and *gorafing* in the track record."""
    words_of_release = (ran / "custom/words.csv").read_text()
    assert "\nabbo," not in words_of_release
    assert bee("--data", ran, "grade", "abbo", "slur", *BY).code == 0
    row = {"date": "2025-03-05", "source": "plus", "witnesses": "1", "answers": "20", "missing": "0", "extra": "0"}
    track = pd.DataFrame([{**row, "without_trial": "gorafing", "differs": ""}])
    (ran / "custom/track.csv").write_bytes(frames.csv_bytes(track))
    reseal(ran / "custom")
    assert bee("--data", ran, "keep", "gorafing", *BY).code == 0


@pytest.mark.slow
def test_a_grade_says_what_it_changes(bee, ran):
    def told(tier: str, kind: str, grade: str) -> str:
        done = bee("--data", ran, "grade", decided(ran, tier, kind), grade, *BY)
        assert done.code == 0
        return done.err

    says = told("likely", "estimate", "slur")
    assert "takes it off the list. `bee export --safe` and `bee export --family` will" in says
    assert "off the list" not in told("review", "estimate", "slur")
    says = told("core", "accepted", "crude")
    assert ("off the list" in says, "--safe" in says) == (False, False)
    again = bee("--data", ran, "grade", decided(ran, "likely", "estimate"), "crude", *BY)
    assert (again.code, "Its forms get" in again.err) == (1, False)


@pytest.mark.slow
def test_a_verdict_names_its_undecided_relatives_and_dry_run_what_comes_and_goes(bee, ran):
    tiers = {row["word"]: row["tier"] for row in decisions_of_release(ran).values() if row["kind"] == "estimate"}
    forms = run.read_facts(Workspace(ran)).forms
    pairs = forms[forms["word"].isin(tiers) & forms["base"].isin(tiers)]
    base, form = pairs[["base", "word"]].iloc[0]
    listed_before = set(listed(ran))
    planned = bee("--data", ran, "drop", base, "--dry-run")
    assert (planned.code, verdicts(ran)) == (0, "")
    told = bee("--data", ran, "drop", base, *BY)
    assert f"{form} ({tiers[form]})" in told.err.splitlines()[-1]
    assert bee("--data", ran, "run").code == 0
    now = set(listed(ran))
    assert planned.out.split("\n")[:-1] == [f"+ {word}" for word in sorted(now - listed_before)] + [
        f"- {word}" for word in sorted(listed_before - now)
    ]
    assert bee("--data", ran, "undo", base).code == 0
    assert bee("--data", ran, "keep", base, *BY).code == 0
    assert f"- {base}" in bee("--data", ran, "drop", base, "--dry-run").out.splitlines(), "in place of the verdict"


def test_in_python_the_functions_behind_the_commands_write_the_same_line(bee, ran):
    word = decided(ran, "core", "accepted")
    assert bee("--data", ran, "drop", word, *BY).code == 0
    by_command = verdicts(ran)
    assert writing.undo(word, workspace=Workspace(ran)) == f"Removed: drop {word}, by ann: as people use it"
    assert f"drop {word}: written" in writing.drop(word, "as people use it", "ann", workspace=Workspace(ran))
    assert verdicts(ran) == by_command
    with pytest.raises(DecisionError, match="no list has it"):
        writing.keep(UNKNOWN, "why not", "ann", workspace=Workspace(ran))
