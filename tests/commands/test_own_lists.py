"""Lists of one's own: brought, considered, explained, measured, taken back; and lists cleaned for a solver."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys

import pytest
from conftest import PROJECT, Result, snapshot

from pipeline.facts.lexicon import plain, with_strangers
from pipeline.measure import backtest
from pipeline.opinions import estimate
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames

NEW = "gorafin"
"""A word that a puzzle of the sample spells and nobody ever listed."""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "My words.txt"
    path.write_text(f"{NEW}\norgan\nRome\nbee\n")
    return path


def release(data) -> dict[str, bytes]:
    """The release without what a further build of it names: version, changes and checksums."""
    told = snapshot(data / "custom")
    return {name: told[name] for name in told if name not in ("datapackage.json", "CHANGES.md", "SHA256SUMS")}


@pytest.mark.slow
def test_a_list_brings_candidates_with_receipt_and_license_and_leaves_without_a_trace(bee, ran, mine):
    before = release(ran)
    brought = bee("lists", "add", mine, "--name", "mine", "--license", "MIT", "--data", ran)
    assert brought.code == 0
    assert "2 words kept as the list mine" in brought.err
    assert "1 left out: capital" in brought.err
    receipt = list(csv.DictReader(io.StringIO((ran / "raw/lists/mine/receipt.csv").read_text())))
    assert [(row["list"], row["license"], row["bytes"]) for row in receipt] == [
        ("mine", "MIT", str(len(mine.read_bytes())))
    ]
    assert bee("run", "--data", ran).code == 0
    lexicon = registry.load(Workspace(ran), "lexicon").set_index("word")["own"]
    assert (lexicon[NEW], lexicon["organ"], lexicon["groin"]) == ("mine", "mine", "")
    assert NEW in set(registry.load(Workspace(ran), "candidates")["word"])
    told = bee("why", NEW, "--data", ran)
    assert "mine: listed; a list of the user" in told.out
    assert "refused" in told.out.splitlines()[0], "it was possible on a day of the sample and was not accepted"
    assert "mine (a list of the user)" in (ran / "custom/datapackage.json").read_text()
    assert "mine (a list of the user), MIT" in (ran / "custom/LICENSES.txt").read_text()
    assert bee("lists", "remove", "mine", "--data", ran).code == 0
    assert not (ran / "raw/lists/mine").exists()
    assert bee("run", "--data", ran).code == 0
    assert release(ran) == before


@pytest.mark.slow
def test_a_release_with_a_list_of_the_user_is_warned_of_until_the_list_is_gone(bee, ran, mine):
    def warned() -> list[str]:
        return bee("check", "--only", "own-list", "--data", ran).out.splitlines()

    assert warned() == []
    bee("lists", "add", mine, "--name", "mine", "--license", "MIT", "--data", ran)
    bee("lists", "add", mine, "--name", "other", "--data", ran)
    told = bee("run", "--data", ran)
    assert re.search("check .* warnings 3", told.out)
    assert [line.split()[:2] for line in warned()] == [["warning", "own-list"]] * 2
    assert "mine: MIT; " in warned()[0]
    assert "other: license not stated; " in warned()[1]
    for name in ("mine", "other"):
        bee("lists", "remove", name, "--data", ran)
    bee("run", "--data", ran)
    assert warned() == []


def test_bringing_the_same_list_again_changes_nothing_and_another_takes_its_place(bee, ran, mine):
    bee("lists", "add", mine, "--name", "mine", "--data", ran)
    receipt = ran / "raw/lists/mine/receipt.csv"
    receipt.write_text(re.sub(r"20\d\d-\d\d-\d\dT", "2020-01-01T", receipt.read_text()))
    first = snapshot(ran / "raw/lists")
    bee("lists", "add", mine, "--name", "mine", "--data", ran)
    assert snapshot(ran / "raw/lists") == first
    mine.write_text("organ\n")
    bee("lists", "add", mine, "--name", "mine", "--data", ran)
    there = registry.load(Workspace(ran), "own_lists")["mine"]
    assert there.words == ("organ",)
    assert len(snapshot(ran / "raw/lists")) == 2


def test_a_hunspell_dictionary_comes_with_the_affix_file_beside_it(bee, data, tmp_path):
    (tmp_path / "en.dic").write_text("1\ncove/S\n")
    (tmp_path / "en.aff").write_text("SFX S Y 1\nSFX S 0 s .\n")
    assert bee("lists", "add", tmp_path / "en.dic", "--data", data).code == 0
    assert registry.load(Workspace(data), "own_lists")["en"].words == ("cove", "coves")


def test_a_form_that_a_hunspell_dictionary_forbids_is_left_out_wherever_it_comes_from(bee, tmp_path):
    (tmp_path / "en.dic").write_text("4\ncove/S\ncoves/*\noctave/S*\ndrake/S\n")
    (tmp_path / "en.aff").write_text("FORBIDDENWORD *\nSFX S Y 1\nSFX S 0 s .\n")
    assert bee("convert", tmp_path / "en.dic").out.split() == ["cove", "drake", "drakes"]


def test_a_list_in_capitals_under_a_heading_is_folded(bee, tmp_path):
    (tmp_path / "a.txt").write_text("My word list, version 2\nCOVE\nOCTAVE\n")
    told = bee("convert", tmp_path / "a.txt")
    assert told.out.split() == ["cove", "octave"]


@pytest.mark.parametrize("good", [True, False])
def test_the_estimate_learns_from_the_record_what_a_list_is_worth(ran, good):
    there = registry.load_all(Workspace(ran), "lexicon", "strangers", "links", "sisters", "evidence", "candidates")
    record, lexicon = there["evidence"].record, with_strangers(there["lexicon"], there["strangers"])
    tried = set(record["word"])
    likes = set(record["word"][(record["accepted"] > 0) == good])
    common = zip(lexicon["word"], plain(lexicon), strict=True)
    own = ["mine" if is_common and (word in likes or word not in tried) else "" for word, is_common in common]
    tables = there["links"], there["sisters"], record
    known = [estimate.Known(words, *tables, frames.empty("manners")) for words in (lexicon.assign(own=own), lexicon)]
    words = there["candidates"]["word"]
    with_list, without = (estimate.estimate(each, estimate.fit(each), words)["p"].mean() for each in known)
    assert with_list > without if good else with_list < without


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("add nowhere.txt", "nowhere.txt is not there"),
        ("add LIST --name ../up", "is no name for a list"),
        ("add LIST --name scowl", "is the name of SCOWL"),
        ("add LIST --column w", 'no column "w"'),
        ("remove other", 'There is no list "other"'),
    ],
)
def test_a_list_that_cannot_be_added_is_told_in_one_sentence(bee, data, mine, arguments, says):
    told = bee("lists", *[mine if each == "LIST" else each for each in arguments.split()], "--data", data)
    assert told.code
    assert says in told.err
    assert len(told.err.strip().splitlines()) == 1
    assert not (data / "raw/lists").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("remove mine --name other", "--name does not apply to bee lists remove"),
        ("remove mine --json", "--json does not apply to bee lists remove"),
        ("show --license MIT", "--license does not apply to bee lists show"),
        ("show --column w", "--column does not apply to bee lists show"),
        ("add LIST --json", "--json does not apply to bee lists add"),
        ("add", "The command is bee lists add FILE."),
        ("remove", "The command is bee lists remove NAME."),
        ("show mine", "The command is bee lists show."),
        ("move mine", "is not one of"),
    ],
)
def test_options_that_do_not_apply_to_a_list_are_refused(bee, ran, mine, arguments, says):
    bee("lists", "add", mine, "--name", "mine", "--data", ran)
    before = snapshot(ran)
    told = bee("lists", *[mine if each == "LIST" else each for each in arguments.split()], "--data", ran)
    assert (told.code, told.out, says in told.err) == (2, "", True), told.err
    assert snapshot(ran) == before


def test_lists_are_shown_with_words_license_file_and_time(bee, ran, mine, tmp_path):
    none = bee("lists", "show", "--data", ran)
    assert (none.code, none.out, "says how to add one" in none.err) == (0, "", True)
    assert bee("lists", "show", "--json", "--data", ran).out.endswith('"rows": []\n}\n')
    (tmp_path / "en.dic").write_text("1\ncove/S\n")
    (tmp_path / "en.aff").write_text("SFX S Y 1\nSFX S 0 s .\n")
    bee("lists", "add", mine, "--name", "mine", "--data", ran)
    bee("lists", "add", tmp_path / "en.dic", "--license", "MIT", "--data", ran)
    rows = json.loads(bee("lists", "show", "--json", "--data", ran).out)["rows"]
    assert [tuple(row.values())[:4] for row in rows] == [("en", 2, "MIT", "en.dic"), ("mine", 2, "", "My words.txt")]
    assert {tuple(row) for row in rows} == {("name", "words", "license", "file", "added_at")}
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT[\d:]{8}\+00:00", row["added_at"]) for row in rows)
    shown = bee("lists", "show", "--data", ran).out.splitlines()
    assert [line.split()[0] for line in shown] == ["en", "mine"]
    assert ("MIT  en.dic" in shown[0], "license not stated  My words.txt" in shown[1]) == (True, True)


def test_a_list_without_any_playable_word_is_refused(bee, data, tmp_path):
    (tmp_path / "a.txt").write_text("Rome\nbee\n")
    told = bee("lists", "add", tmp_path / "a.txt", "--data", data)
    assert told.code == 1
    assert "no playable word" in told.err


def test_a_damaged_list_stops_the_run_and_says_how_to_mend_it(bee, ran, mine):
    bee("lists", "add", mine, "--name", "mine", "--data", ran)
    stored = next((ran / "raw/lists/mine").glob("*-My_words.txt"))
    stored.write_text("cove\n")
    told = bee("run", "--data", ran)
    assert told.code == 1
    assert "`bee lists remove mine" in told.err


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["changed", "gone", "receipt"])
def test_the_advised_command_mends_a_damaged_list_and_keeps_its_license(bee, ran, mine, harm):
    bee("lists", "add", mine, "--name", "mine", "--license", "MIT", "--data", ran)
    stored = next((ran / "raw/lists/mine").glob("*-My_words.txt"))
    if harm == "receipt":
        (ran / "raw/lists/mine/receipt.csv").write_text("a,b\n")
    elif harm == "gone":
        stored.unlink()
    else:
        stored.write_text("cove\n")
    assert bee("run", "--data", ran).code == 1
    assert bee("lists", "add", mine, "--name", "mine", "--data", ran).code == 0
    told = bee("run", "--data", ran)
    assert told.code == 0, told.err
    assert stored.read_bytes() == mine.read_bytes()
    there = registry.load(Workspace(ran), "own_lists")["mine"]
    assert there.license == ("" if harm == "receipt" else "MIT")


@pytest.mark.slow
def test_the_worth_of_a_list_is_what_the_same_backtest_says_with_it_and_without(bee, ran, tmp_path):
    since = "2025-03-01"
    words = frames.rows(registry.load(Workspace(ran), "answers"))
    late = sorted({row["word"] for row in words if row["date"] >= since})
    (tmp_path / "late.txt").write_text("\n".join(late))
    (tmp_path / "noise.txt").write_text(f"{NEW}\nfargino\nnorafig\n")
    for name in ("late", "noise"):
        bee("lists", "add", tmp_path / f"{name}.txt", "--name", name, "--data", ran)
    bee("run", "--data", ran)
    told = bee("audit", "--own", "--since", since, "--json", "--data", ran)
    rows = {row["list"]: row for row in json.loads(told.out)["own"]}
    tables = registry.load_all(Workspace(ran), "lexicon", "answers", "trials", "puzzles")
    later = tables["trials"][tables["trials"]["date"] >= since].merge(tables["puzzles"][["date", "center"]], on="date")
    official = {date: set(group["word"]) for date, group in later[later["accepted"]].groupby("date")}

    def listed(*names: str) -> set[str]:
        """The solver's list, learned before `since` with these lists of the user only."""
        own = tables["lexicon"]["own"].map(lambda cell: " ".join(name for name in cell.split() if name in names))
        known = backtest.past({**tables, "lexicon": tables["lexicon"].assign(own=own)}, since)
        return backtest.lists(known, later)[backtest.SOLVER]

    def exact(words: set[str]) -> set[str]:
        """The days on which these words are the official answers, of all that was possible."""
        possible = {date: set(group["word"]) for date, group in later.groupby("date")}
        return {date for date, answers in official.items() if words & possible[date] == answers}

    both = listed("late", "noise")
    for name, less in {"late": listed("noise"), "noise": listed("late")}.items():
        row = rows[name]
        figures = {
            "added": both - less, "removed": less - both, "puzzles": official, "exact": exact(both),
            "without": exact(less), "puzzles won": exact(both) - exact(less), "puzzles lost": exact(less) - exact(both),
        }  # fmt: skip
        assert {key: row[key] for key in figures} == {key: len(each) for key, each in figures.items()}
        shown = tuple(row[key] for key in ("words", "added", "removed", "puzzles won", "puzzles lost"))
        assert shown == {"late": (1, 18, 0, 1, 0), "noise": (3, 0, 0, 0, 0)}[name]


def test_an_audit_of_own_lists_needs_one(bee, ran):
    told = bee("audit", "--own", "--data", ran)
    assert told.code == 1
    assert "no list of yours" in told.err


def test_an_audit_takes_the_column_that_is_named(bee, ran, tmp_path):
    (tmp_path / "words.txt").write_text("organ\ngroin\n")
    (tmp_path / "table.csv").write_text("word,answer\nseven,organ\neleven,groin\n")
    asked = ["--worst", "9999", "--json", "--data", ran]
    by_list, by_column, by_word = (
        json.loads(bee("audit", tmp_path / name, *column, *asked).out)
        for name, *column in [("words.txt",), ("table.csv", "--column", "answer"), ("table.csv",)]
    )
    assert by_list["missing"] == by_column["missing"] != by_word["missing"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--live", "--since", "2025-01-01"], "--since"),
        (["--live", "--until", "2025-01-01"], "--until"),
        (["--live", "--column", "w"], "name its FILE"),
    ],
)
def test_an_audit_refuses_options_that_it_would_not_use(bee, ran, arguments, says):
    told = bee("audit", *arguments, "--data", ran)
    assert told.code == 2
    assert says in told.err


@pytest.mark.parametrize("command", [["audit"], ["convert"], ["lists", "add"]], ids=" ".join)
def test_text_without_a_playable_word_is_no_list_for_any_command(bee, data, tmp_path, command):
    (tmp_path / "prose.md").write_text("# A heading\n\nThis is prose, and no list.\n")
    (tmp_path / "table.csv").write_text("word,answer\n1,cove\n")
    where = [] if command == ["convert"] else ["--data", data]
    told = bee(*command, tmp_path / "prose.md", *where)
    assert (told.code, told.out) == (1, "")
    assert "prose.md has no playable word" in told.err
    assert "--column" not in told.err
    assert "--column NAME" in bee(*command, tmp_path / "table.csv", *where).err


def test_convert_cleans_a_list_and_counts_what_it_leaves_out(bee, mine, tmp_path):
    told = bee("convert", mine)
    assert told.out == f"{NEW}\norgan\n"
    assert "1 left out: capital" in told.err
    assert "1 left out: too short" in told.err
    assert "2 words kept" in told.err
    assert bee("convert", mine, "--format", "json").out == f'["{NEW}", "organ"]\n'
    assert bee("convert", mine, "--format", "csv").out == f"word\n{NEW}\norgan\n"
    assert bee("convert", mine, "--format", "hunspell", "-o", tmp_path / "own").code == 0
    assert (tmp_path / "own.dic").read_text() == f"2\n{NEW}\norgan\n"


def piped(given: bytes, *arguments: object) -> Result:
    """Run `bee` with bytes on its standard input, through a real pipe."""
    command = [sys.executable, "-m", "pipeline", *map(str, arguments)]
    done = subprocess.run(command, input=given, cwd=PROJECT, capture_output=True, check=False)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("dash", [["-"], []])
@pytest.mark.parametrize(
    "given",
    [
        b"cove\noctave\n", b"cove 12\noctave 3\n", b"rank,word\n1,cove\n2,octave\n", b'["cove", "octave"]',
        gzip.compress(b"cove\noctave\n", mtime=0), "cove\noctave\n".encode("utf-16"),
    ],
)  # fmt: skip
def test_convert_reads_a_pipe_with_a_dash_and_without(given, dash):
    done = piped(given, "convert", *dash)
    assert (done.code, done.out, "2 words kept" in done.err) == (0, "cove\noctave\n", True)
    header = piped(given, "convert", *dash, "--format", "js").out
    assert "cleaned for a solver" in header


def test_convert_takes_a_column_of_a_piped_table():
    assert piped(b"word,answer\nseven,cove\n", "convert", "--column", "answer").out == "cove\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell and a terminal")
def test_convert_without_a_file_does_not_wait_for_a_terminal_or_a_closed_stdin():
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "pipeline", "convert"]
    done = subprocess.run(command, stdin=theirs, cwd=PROJECT, capture_output=True, text=True, timeout=60, check=False)
    os.close(theirs)
    os.close(ours)
    closed = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m pipeline convert <&-'],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    for each in (done, closed):
        assert (each.returncode, each.stdout, "Name a FILE, or pipe a list" in each.stderr) == (2, "", True)


@pytest.mark.skipif(os.name != "posix", reason="needs named pipes")
def test_a_named_pipe_is_read_like_a_file(bee, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", f"echo cove > '{tmp_path}/pipe'"]):
        assert bee("convert", tmp_path / "pipe").out == "cove\n"


def test_a_piped_list_is_added_under_its_name_and_read_again_in_its_format(data):
    table = b"rank,word\n1,cove\n2,octave\n"
    done = piped(table, "lists", "add", "-", "--name", "mine", "--license", "MIT", "--data", data)
    assert (done.code, "2 words kept as the list mine" in done.err) == (0, True), done.err
    there = registry.load(Workspace(data), "own_lists")["mine"]
    assert (there.words, there.license) == (("cove", "octave"), "MIT")
    (row,) = json.loads(piped(b"", "lists", "show", "--json", "--data", data).out)["rows"]
    assert (row["file"], row["words"]) == ("stdin.csv", 2)


def test_a_piped_list_without_a_name_is_refused(data):
    done = piped(b"cove\n", "lists", "add", "-", "--data", data)
    assert (done.code, "A list from stdin needs --name NAME." in done.err) == (2, True)
    assert not (data / "raw/lists").exists()


def test_an_audit_scores_a_piped_list_like_the_file(ran, tmp_path):
    (tmp_path / "words.txt").write_text("organ 12\ngroin 7\n")
    asked = ["--worst", "9", "--json", "--data", ran]
    by_file = json.loads(piped(b"", "audit", tmp_path / "words.txt", *asked).out)
    by_pipe = json.loads(piped((tmp_path / "words.txt").read_bytes(), "audit", "-", *asked).out)
    assert by_pipe["scores"][0].pop("list") == "stdin.txt"
    assert by_file["scores"][0].pop("list") == "words.txt"
    assert by_pipe == by_file


@pytest.mark.parametrize(
    "command", [["audit", "-"], ["convert"], ["lists", "add", "-", "--name", "mine"]], ids=" ".join
)
def test_an_empty_pipe_is_no_list_for_any_command(data, command):
    done = piped(b"", *command, *([] if command == ["convert"] else ["--data", data]))
    assert (done.code, done.out, "has no playable word (it is empty)" in done.err) == (1, "", True)


@pytest.mark.parametrize("form", ["scored", "sqlite"])
def test_convert_refuses_formats_that_need_a_release(bee, mine, form):
    told = bee("convert", mine, "--format", form)
    assert told.code == 2
    assert "needs data that only a release has" in told.err


def test_convert_says_when_nothing_is_left(bee, tmp_path):
    (tmp_path / "a.txt").write_text("Rome\n")
    told = bee("convert", tmp_path / "a.txt")
    assert told.code == 1
    assert told.out == ""
    assert told.err.splitlines()[-1].endswith("has no playable word (1 capital); give a list with one word per line.")
