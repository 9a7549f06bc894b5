"""The user's own lists in `raw/lists/`: used, explained, warned of and deleted."""

import re
import shlex

import pytest
from conftest import snapshot

from pipeline import run
from pipeline.facts.lexicon import is_common
from pipeline.opinions import estimate_untried
from pipeline.store import Workspace

NEW = "gorafin"
"""A word that a puzzle of the sample spells and nobody ever listed."""


def release(data) -> dict[str, bytes]:
    """The release without what a further build of it names: version, changes and checksums."""
    files = snapshot(data / "custom")
    return {name: files[name] for name in files if name not in ("datapackage.json", "CHANGES.md", "SHA256SUMS")}


@pytest.mark.slow
def test_an_own_list_gives_candidates_is_warned_of_and_leaves_without_a_trace(bee, ran):
    def warned() -> list[str]:
        return bee("--data", ran, "check", "--only", "own-list").out.splitlines()

    before = release(ran)
    assert warned() == []
    folder = ran / "raw/lists"
    folder.mkdir()
    (folder / "mine.txt").write_bytes(f"\ufeff# my words\r\n{NEW} # new\r\n\r\norgan\r\nRome\r\nbee\r\n".encode())
    (folder / "yours.txt").write_text("organ\n")
    assert "4 warnings" in bee("--data", ran, "run").out
    known = run.read_facts(Workspace(ran))
    lexicon = known.lexicon.set_index("word")["own_list"]
    assert (lexicon[NEW], lexicon["organ"], lexicon["groin"]) == (True, True, False)
    assert NEW in set(known.candidates["word"])
    shown = bee("--data", ran, "why", NEW).out
    assert "refused, by estimate" in shown.splitlines()[0], "a day of the sample has its letters, but is counted"
    assert [line.split()[:3] for line in warned()] == [
        ["warning", "own-list", "raw/lists/mine.txt:"],
        ["warning", "own-list", "raw/lists/yours.txt:"],
    ]
    for path in folder.iterdir():
        path.unlink()
    assert bee("--data", ran, "run").code == 0
    assert (release(ran), warned()) == (before, [])


@pytest.mark.slow
def test_a_file_that_is_no_list_stops_a_run_and_says_what_to_do(bee, ran):
    path = ran / "raw/lists/mine.txt"
    path.parent.mkdir()
    for data, problem in ((b"Rome\nbee\n", "has no playable word"), (b"PK\x03\x04cove\ncove\n", "is no word list")):
        path.write_bytes(data)
        refused = bee("--data", ran, "run")
        assert (refused.code, f"bee: raw/lists/mine.txt {problem}" in refused.err) == (1, True)


def test_a_file_with_another_ending_stops_a_run_and_the_command_that_makes_a_list_of_it_is_named(bee, data):
    path = data / "raw/lists/mine.csv"
    path.parent.mkdir(parents=True)
    path.write_text(f"word,number\n{NEW},1\n")
    told = bee("--data", data, "merge")
    (command,) = re.findall(rf"{path} is no .txt file; `bee (convert [^`]+)`", told.err)
    assert told.code == 1
    made = path.with_suffix(".txt")
    assert bee(*shlex.split(command.replace("NAME.txt", str(made)))).code == 0
    assert made.read_text().split() == [NEW]


@pytest.mark.slow
def test_the_estimate_learns_from_the_record_what_own_lists_are_worth(ran_once):
    there = run.read_facts(Workspace(ran_once))
    record, lexicon = there.record, there.lexicon
    tried, words = set(record["word"]), there.candidates["word"]

    def mean_p(liked: set[str]) -> float:
        is_listed = lexicon["word"].isin(liked) | ~lexicon["word"].isin(tried)
        words_with_list = lexicon.assign(own_list=is_listed & is_common(lexicon))
        known = estimate_untried.estimate_input(words_with_list, there.forms, record)
        return float(estimate_untried.estimate(known, estimate_untried.fit(known), words)["p"].mean())

    accepted = set(record["word"][record["accepted"] > 0])
    assert mean_p(tried - accepted) < mean_p(accepted)
