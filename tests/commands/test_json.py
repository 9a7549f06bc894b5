"""`--json`: the JSON of commands; `--quiet` prints no messages."""

import json

import pytest

from pipeline import reader, solver
from pipeline.play import difficulty
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.words import puzzle, ranks, score


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


@pytest.mark.slow
def test_what_reads_has_its_tables(asked, tmp_path):
    status = asked("status", codes=(0, 1))
    assert all(set(line) == {"says", "todo"} for line in status.values())
    (tmp_path / "words.txt").write_text("\n".join(solver.load_words()[::2]))
    audit = asked("audit", tmp_path / "words.txt", "--worst", "2")
    assert set(audit) == {"scores", "missing", "extra"}
    assert (audit["scores"][0]["puzzles"], len(audit["missing"])) == (14, 2)
    assert 0 < audit["scores"][0]["f1"] < 1
    backtest = asked("backtest", "--cutoff", "2025-03-01")
    assert set(backtest) == {"scores", "reliability", "constancy", "promised", "flags"}


@pytest.mark.slow
def test_diffs_and_violations_are_rows_and_errors_still_end_with_1(asked, ran, bee):
    assert asked("check") == []
    word = min(solver.load_release(ran / "custom"))
    bee("drop", word, "--reason", "hardly used", "--by", "ann", "--force", "--data", ran)
    bee("run", "--data", ran)
    found = asked("diff")
    assert {row["word"] for row in found} == {word}
    (ran / "raw/lexicon/licences/cuss.txt").write_text("edited\n")
    bee("run", "--data", ran)
    assert asked("check", codes=(1,))


def test_a_verdict_says_what_was_written(asked, ran):
    word = unsettled(ran)
    told = asked("keep", word, "--reason", "a common word", "--by", "ann")
    given = [told[name] for name in ("word", "verdict", "reason", "by")]
    assert given == [word, "keep", "a common word", "ann"]
    assert told["cost"].startswith("No puzzle has tried it")
    (undone,) = asked("undo", word)
    assert undone == {name: cell for name, cell in told.items() if name not in ("cost", "family")}
    pangram = next(word for word in solver.load_release(ran / "custom") if len(set(word)) == 7)
    assert "pangram" in asked("drop", pangram, "--reason", "hardly used", "--by", "ann", "--force")["cost"]


@pytest.mark.slow
def test_the_track_record_is_rows(bee, real_run):
    told = json.loads(bee("audit", "--live", "--json", "--data", real_run).out)
    assert told.pop("version")
    assert told["live"][0]["days"] == 30


@pytest.mark.slow
def test_puzzles_are_described_in_full(bee, ran_once):
    told = json.loads(bee("puzzles", "--limit", "3", "--json", "--data", ran_once).out)
    assert told.pop("version") == reader.read(ran_once / "custom").version
    listed = set(bee("export", "--data", ran_once).out.split())
    assert len(told["puzzles"]) == 3
    for each in told["puzzles"]:
        answers = sorted(word for words in each["answers"].values() for word in words)
        assert set(each["answers"]) <= {"core", "likely"}
        assert answers == sorted(solver.scan(listed, puzzle(each["outer"], each["center"])))
        assert each["points"] == sum(map(score, answers))
        assert each["ranks"] == ranks(each["points"])
        assert each["level"] == difficulty.level(each["difficulty"])


@pytest.mark.slow
def test_puzzles_of_any_list_have_no_tiers_and_no_version(bee, tmp_path):
    (tmp_path / "words.txt").write_text("covenant\noctave\ncove\ncoves\n")
    told = json.loads(bee("puzzles", "--limit", "1", "--list", tmp_path / "words.txt", "--json").out)
    assert told["version"] is None
    assert [each["answers"] for each in told["puzzles"]] == [{"listed": ["cove", "covenant", "octave"]}]
    head, row = bee("puzzles", "--limit", "1", "--list", tmp_path / "words.txt").out.splitlines()
    shown = dict(zip(head.split(","), row.split(","), strict=True))
    assert (shown["words"], shown["pangrams"]) == ("3", "1")


@pytest.mark.slow
def test_quiet_leaves_out_messages_and_not_errors(bee, ran_once):
    loud = bee("diff", "--data", ran_once)
    assert loud.err
    for before, after in ((["--quiet"], []), ([], ["-q"])):
        still = bee(*before, "diff", "--data", ran_once, *after)
        assert (still.code, still.out, still.err) == (0, loud.out, "")
        failed = bee(*before, "why", "luff", "vc", "--data", ran_once, *after)
        assert (failed.code, failed.err.startswith("bee: A puzzle has seven letters")) == (2, True)
    assert bee("diff", "--data", ran_once).err == loud.err
