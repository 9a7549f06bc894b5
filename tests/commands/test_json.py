"""`--json`: what commands report as JSON has the shape that the documents promise; `--quiet` leaves talk out."""

import json
import re

import pytest
from conftest import PROJECT

from pipeline import reader, solver
from pipeline.play import difficulty
from pipeline.play.daily import similar
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.words import puzzle, ranks, score

PAGE = (PROJECT / "docs/CONSUMERS.md").read_text()
SHAPES = dict(re.findall(r"^\| `bee ([a-z -]+)` \| (.*) \|$", PAGE.partition("## JSON from")[2], re.MULTILINE))
OPEN = {"answers", "ranks", "lists", "record", "verdict", "gloss"}
"""What has names of its own below it: tiers, ranks, lists."""


def names(value: object) -> set[str]:
    """All names in a JSON value."""
    if isinstance(value, list):
        return set().union(*map(names, value))
    if not isinstance(value, dict):
        return set()
    inside = [names(each) for name, each in value.items() if name not in OPEN]
    return set(value).union(*inside)


def promised(command: str) -> set[str]:
    return set(re.findall(r"`([a-z_0-9]+)`", SHAPES[command]))


def unsettled(ran) -> str:
    decisions = registry.load(Workspace(ran), "decisions")
    return decisions["word"][decisions["tier"] == "review"].iloc[0]


@pytest.fixture
def asked(ran, bee):
    """Run a command in a workspace that ran and return its JSON."""

    def run(*arguments: object, codes=(0,)):
        done = bee(*arguments, "--json", "--data", ran)
        assert done.code in codes, done.err
        told = json.loads(done.out)
        assert told.pop("version") == reader.read(ran / "custom").version
        return told.pop("rows", told)

    return run


def test_the_effect_of_a_verdict_has_the_promised_names(asked, ran):
    assert names(asked("effect", unsettled(ran), "keep")) == promised("effect")


def test_diffs_are_rows(asked, ran, bee):
    words = sorted(solver.load_release(ran / "custom"))
    bee("drop", words[0], "--reason", "hardly used", "--by", "ann", "--data", ran)
    bee("run", "--data", ran)
    found = asked("diff")
    assert {row["word"] for row in found} == {words[0]}
    assert names(found) == promised("diff")


def test_violations_are_rows_and_errors_still_end_with_1(asked, ran):
    assert asked("check") == []
    (ran / "custom/verdicts.csv").write_text(
        "word,verdict,reason,by,on\nqzzx,keep,why,ann,2025-01-01\nzzzyx,drop,w,a,2025-01-01\n"
    )
    assert names(asked("check", codes=(0, 1))) == promised("check")


def test_a_verdict_says_what_was_written(asked, ran):
    word = unsettled(ran)
    told = asked("keep", word, "--reason", "a common word", "--by", "ann")
    given = [told[name] for name in ("word", "verdict", "reason", "by")]
    assert given == [word, "keep", "a common word", "ann"]
    assert told["cost"].startswith("No puzzle tried it; we think that one would accept it with a probability of ")
    assert set(told) == promised("keep")
    assert asked("undo", word) == {name: cell for name, cell in told.items() if name not in ("cost", "family")}
    assert set(told) - {"cost", "family"} == promised("undo")
    pangram = next(word for word in solver.load_release(ran / "custom") if len(set(word)) == 7)
    assert "pangram" in asked("drop", pangram, "--reason", "hardly used", "--by", "ann")["cost"]


def test_figures_are_numbers(asked, tmp_path):
    (tmp_path / "words.txt").write_text("\n".join(solver.load_words()[::2]))
    told = asked("audit", tmp_path / "words.txt", "--worst", "2")
    assert set(told) == {"scores", "missing", "extra"}
    assert names(told) == promised("audit")
    assert told["scores"][0]["puzzles"] == 14
    assert 0 < told["scores"][0]["f1"] < 1
    assert len(told["missing"]) == 2
    told = asked("backtest", "--cutoff", "2025-03-01")
    assert set(told) == {"scores", "reliability", "constancy", "promised", "flags"}
    assert names(told) == promised("backtest")


def test_the_track_record_is_rows(bee):
    told = json.loads(bee("audit", "--live", "--json", "--data", PROJECT / "data").out)
    assert told.pop("version")
    assert names(told) == promised("audit --live")
    assert told["live"][0]["days"] == 30


def test_status_and_why_are_objects(asked, ran):
    told = asked("status", codes=(0, 1))
    assert promised("status") <= names(told)
    assert all(set(line) == {"says", "todo"} for line in told.values())
    word = unsettled(ran)
    told = asked("why", word, "vctaoen")
    assert set(told) == promised("why")


def test_puzzles_are_described_in_full(bee):
    done = bee("puzzles", "--max-words", "30", "--best", "difficulty", "--limit", "3", "--json")
    told = json.loads(done.out)
    assert told.pop("version") == reader.read(PROJECT / "data/custom").version
    assert names(told) | {"core", "likely", "listed"} == promised("puzzles")
    listed = solver.load_words()
    assert len(told["puzzles"]) == 3
    for each in told["puzzles"]:
        answers = sorted(word for words in each["answers"].values() for word in words)
        assert set(each["answers"]) <= {"core", "likely"}
        assert answers == sorted(solver.scan(listed, puzzle(each["outer"], each["center"])))
        assert each["points"] == sum(map(score, answers))
        assert each["ranks"] == ranks(each["points"])
        assert each["level"] == difficulty.level(each["difficulty"])
        assert each["similar"] == similar(answers)


def test_puzzles_of_any_list_have_no_tiers_and_no_version(bee, tmp_path):
    (tmp_path / "words.txt").write_text("covenant\noctave\ncove\ncoves\n")
    told = json.loads(bee("puzzles", "--center", "v", "--list", tmp_path / "words.txt", "--json").out)
    assert told["version"] is None
    assert [each["answers"] for each in told["puzzles"]] == [{"listed": ["cove", "covenant", "octave"]}]


def test_safe_puzzles_have_no_offensive_answer_and_few_similar_ones(bee):
    plain = json.loads(bee("puzzles", "--limit", "40", "--max-words", "40", "--json").out)["puzzles"]
    safe = set(bee("export", "--safe").out.split())
    for most in (3,):
        options = ("--safe", "--max-similar", most, "--limit", "40", "--max-words", "40", "--json")
        told = json.loads(bee("puzzles", *options).out)["puzzles"]
        assert len(told) == 40
        for each in told:
            answers = {word for words in each["answers"].values() for word in words}
            assert answers <= safe
            assert similar(answers) <= most
            assert len(answers) <= 40
        assert any(each["similar"] > most for each in plain)


def test_similar_answers_are_counted_with_their_bases():
    assert similar(["bake", "baking", "bakes", "can", "canning", "moss", "ring", "taxes", "tax"]) == 4


@pytest.mark.parametrize("place", ["before", "after"])
def test_quiet_leaves_out_messages_and_not_errors(bee, ran, place):
    def run(*arguments):
        return bee("--quiet", *arguments) if place == "before" else bee(*arguments, "-q")

    loud, still = bee("diff", "--data", ran), run("diff", "--data", ran)
    assert loud.err
    assert (still.code, still.out, still.err) == (0, loud.out, "")
    failed = run("why", "luff", "vc", "--data", ran)
    assert failed.code == 2
    assert failed.err.startswith("bee: A puzzle has seven letters")
    assert bee("diff", "--data", ran).err == loud.err


@pytest.mark.parametrize("options", [[], ["--no-guess"], ["--min-length", "19"], ["--json"], ["--hints"]])
def test_letters_without_a_word_are_said_and_end_with_1(bee, options):
    letters = "vctaoen" if "--min-length" in options else "qxzjvkw"
    done = bee("solve", letters, *options)
    assert done.code == 1
    longer = " with at least 19 letters" if "--min-length" in options else ""
    assert f"The list has no word of these letters{longer}.\n" in done.err
    assert ("--json" in options or "--hints" in options) == bool(done.out)


def test_a_player_who_has_all_words_is_not_told_that_there_are_none(bee, tmp_path):
    (tmp_path / "list.txt").write_text("covenant\noctave\n")
    done = bee("solve", "vctaoen", "--list", tmp_path / "list.txt", "--found", tmp_path / "list.txt")
    assert (done.code, done.out) == (0, "")
    assert "has no word" not in done.err
