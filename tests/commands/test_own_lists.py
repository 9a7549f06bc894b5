"""The user's own lists: added, used, explained, measured and removed; and lists that are cleaned for a solver."""

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

from pipeline.facts.lexicon import is_common
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
    files = snapshot(data / "custom")
    return {name: files[name] for name in files if name not in ("datapackage.json", "CHANGES.md", "SHA256SUMS")}


@pytest.mark.slow
def test_a_list_brings_candidates_with_its_license_is_warned_of_and_leaves_without_a_trace(bee, ran, mine):
    def warned() -> list[str]:
        return bee("check", "--only", "own-list", "--data", ran).out.splitlines()

    before = release(ran)
    assert warned() == []
    brought = bee("lists", "add", mine, "--name", "mine", "--license", "MIT", "--data", ran)
    assert brought.code == 0
    for says in ("2 words stored as the list mine", "1 left out: capital", "`bee flag --fit all --data"):
        assert says in brought.err
    bee("lists", "add", mine, "--name", "other", "--data", ran)
    (row,) = csv.DictReader(io.StringIO((ran / "raw/lists/mine/receipt.csv").read_text()))
    assert (row["list"], row["license"], row["bytes"]) == ("mine", "MIT", str(len(mine.read_bytes())))
    assert re.search("check .* warnings 4", bee("run", "--data", ran).out)
    lexicon = registry.load(Workspace(ran), "lexicon").set_index("word")["own"]
    assert (lexicon[NEW], lexicon["organ"], lexicon["groin"]) == ("mine other", "mine other", "")
    assert NEW in set(registry.load(Workspace(ran), "candidates")["word"])
    shown = bee("why", NEW, "--data", ran).out
    assert "mine: listed; one of your own lists" in shown
    assert "refused, by estimate" in shown.splitlines()[0], "a day of the sample has its letters, but is counted"
    assert "mine (a list of the user)" in (ran / "custom/datapackage.json").read_text()
    assert "mine (a list of the user), MIT" in (ran / "custom/LICENSES.txt").read_text()
    assert [line.split()[:2] for line in warned()] == [["warning", "own-list"]] * 2
    assert "mine: MIT; " in warned()[0]
    assert "other: license not stated; " in warned()[1]
    for name in ("mine", "other"):
        assert bee("lists", "remove", name, "--data", ran).code == 0
        assert not (ran / "raw/lists" / name).exists()
    assert bee("run", "--data", ran).code == 0
    assert (release(ran), warned()) == (before, [])


@pytest.mark.slow
def test_bringing_the_same_list_again_changes_nothing_and_another_takes_its_place(bee, data, mine):
    def add() -> dict[str, bytes]:
        assert bee("lists", "add", mine, "--name", "mine", "--data", data).code == 0
        return snapshot(data / "raw/lists")

    add()
    receipt = data / "raw/lists/mine/receipt.csv"
    receipt.write_text(re.sub(r"20\d\d-\d\d-\d\dT", "2020-01-01T", receipt.read_text()))
    assert snapshot(data / "raw/lists") == add()
    mine.write_text("organ\n")
    assert len(add()) == 2
    assert registry.load(Workspace(data), "own_lists")["mine"].words == ("organ",)


@pytest.mark.slow
def test_lists_are_shown_with_words_license_file_and_time(bee, data, mine, tmp_path):
    none = bee("lists", "show", "--data", data)
    assert (none.code, none.out, "`bee lists --help" in none.err) == (0, "", True)
    assert json.loads(bee("lists", "show", "--json", "--data", data).out)["rows"] == []
    (tmp_path / "en.dic").write_text("1\ncove/S\n")
    (tmp_path / "en.aff").write_text("SFX S Y 1\nSFX S 0 s .\n")
    bee("lists", "add", mine, "--name", "mine", "--data", data)
    bee("lists", "add", tmp_path / "en.dic", "--license", "MIT", "--data", data)
    assert registry.load(Workspace(data), "own_lists")["en"].words == ("cove", "coves")
    rows = json.loads(bee("lists", "show", "--json", "--data", data).out)["rows"]
    assert [tuple(row.values())[:4] for row in rows] == [("en", 2, "MIT", "en.dic"), ("mine", 2, "", "My words.txt")]
    assert {tuple(row) for row in rows} == {("name", "words", "license", "file", "added_at")}
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT[\d:]{8}\+00:00", row["added_at"]) for row in rows)
    shown = bee("lists", "show", "--data", data).out.splitlines()
    assert [line.split()[0] for line in shown] == ["en", "mine"]
    assert ("MIT  en.dic" in shown[0], "license not stated  My words.txt" in shown[1]) == (True, True)


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["changed", "gone", "receipt"])
def test_a_damaged_list_stops_a_run_and_the_advised_command_mends_it_and_keeps_its_license(bee, ran, mine, harm):
    bee("lists", "add", mine, "--name", "mine", "--license", "MIT", "--data", ran)
    (stored,) = (ran / "raw/lists/mine").glob("*-My_words.txt")
    if harm == "receipt":
        (ran / "raw/lists/mine/receipt.csv").write_text("a,b\n")
    elif harm == "gone":
        stored.unlink()
    else:
        stored.write_text("cove\n")
    refused = bee("run", "--data", ran)
    assert refused.code == 1
    assert harm == "receipt" or "`bee lists remove mine" in refused.err
    assert bee("lists", "add", mine, "--name", "mine", "--data", ran).code == 0
    assert stored.read_bytes() == mine.read_bytes()
    assert registry.load(Workspace(ran), "own_lists")["mine"].license == ("" if harm == "receipt" else "MIT")
    assert bee("run", "--no-publish", "--data", ran).code == 0


@pytest.mark.slow
def test_the_estimate_learns_from_the_record_what_a_list_is_worth(ran_once):
    names = ("vocabulary", "links", "same_stem", "record", "candidates")
    there = registry.load_all(Workspace(ran_once), *names)
    record, lexicon = there["record"], there["vocabulary"]
    tried, words = set(record["word"]), there["candidates"]["word"]

    def mean_p(known_words) -> float:
        known = estimate.EstimateInput(
            known_words, there["links"], there["same_stem"], record, frames.empty("offensive_words")
        )
        return float(estimate.estimate(known, estimate.fit(known), words)["p"].mean())

    def with_list(liked: set[str]) -> float:
        common = zip(lexicon["word"], is_common(lexicon), strict=True)
        own = ["mine" if usual and (word in liked or word not in tried) else "" for word, usual in common]
        return mean_p(lexicon.assign(own=own))

    accepted = set(record["word"][record["accepted"] > 0])
    assert with_list(tried - accepted) < mean_p(lexicon) < with_list(accepted)


@pytest.mark.slow
def test_an_audit_takes_the_column_that_is_named(bee, ran_once, tmp_path):
    (tmp_path / "words.txt").write_text("organ\ngroin\n")
    (tmp_path / "table.csv").write_text("word,answer\nseven,organ\neleven,groin\n")
    asked = ["--worst", "9999", "--json", "--data", ran_once]
    by_list, by_column, by_word = (
        json.loads(bee("audit", tmp_path / name, *column, *asked).out)["missing"]
        for name, *column in [("words.txt",), ("table.csv", "--column", "answer"), ("table.csv",)]
    )
    assert by_list == by_column != by_word


def test_convert_cleans_a_list_and_counts_what_it_leaves_out(bee, mine, tmp_path):
    result = bee("convert", mine)
    assert result.out == f"{NEW}\norgan\n"
    for says in ("1 left out: capital", "1 left out: too short", "2 words kept"):
        assert says in result.err
    assert bee("convert", mine, "--format", "json").out == f'["{NEW}", "organ"]\n'
    assert bee("convert", mine, "--format", "csv").out == f"word\n{NEW}\norgan\n"
    assert bee("convert", mine, "--format", "hunspell", "-o", tmp_path / "own").code == 0
    assert (tmp_path / "own.dic").read_text() == f"2\n{NEW}\norgan\n"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.txt": "My word list, version 2\nCOVE\nOCTAVE\n"}, ["cove", "octave"]),
        (
            {
                "en.dic": "4\ncove/S\ncoves/*\noctave/S*\ndrake/S\n",
                "en.aff": "FORBIDDENWORD *\nSFX S Y 1\nSFX S 0 s .\n",
            },
            ["cove", "drake", "drakes"],
        ),
    ],
    ids=["capitals under a heading", "a form that is forbidden wherever it comes from"],
)
def test_convert_reads_lists_as_their_authors_mean_them(bee, tmp_path, files, words):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert bee("convert", tmp_path / next(iter(files))).out.split() == words


@pytest.fixture
def piped(bee, monkeypatch):
    """Run `bee` with bytes on its standard input."""

    def run(given: bytes, *arguments: object) -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        return bee(*arguments)

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [
        b"cove\noctave\n", b"cove 12\noctave 3\n", b"rank,word\n1,cove\n2,octave\n", b'["cove", "octave"]',
        gzip.compress(b"cove\noctave\n", mtime=0), "cove\noctave\n".encode("utf-16"),
    ],
)  # fmt: skip
def test_convert_reads_a_pipe_with_a_dash_and_without(piped, given):
    for dash in (["-"], []):
        done = piped(given, "convert", *dash)
        assert (done.code, done.out, "2 words kept" in done.err) == (0, "cove\noctave\n", True)
    assert "cleaned for a solver" in piped(given, "convert", "--format", "js").out


@pytest.mark.slow
def test_a_piped_list_is_added_under_its_name_and_audited_like_the_file(piped, ran, tmp_path):
    assert piped(b"word,answer\n1,organ\n", "convert", "--column", "answer").out == "organ\n"
    table = b"rank,word\n1,organ\n2,groin\n"
    refused = piped(table, "lists", "add", "-", "--data", ran)
    assert (refused.code, "A list from stdin needs --name NAME." in refused.err) == (2, True)
    done = piped(table, "lists", "add", "-", "--name", "mine", "--license", "MIT", "--data", ran)
    assert (done.code, "2 words stored as the list mine" in done.err) == (0, True), done.err
    there = registry.load(Workspace(ran), "own_lists")["mine"]
    assert (there.words, there.license) == (("groin", "organ"), "MIT")
    (row,) = json.loads(piped(b"", "lists", "show", "--json", "--data", ran).out)["rows"]
    assert (row["file"], row["words"]) == ("stdin.csv", 2)
    (tmp_path / "words.txt").write_text("organ 12\ngroin 7\n")
    by_file = json.loads(piped(b"", "audit", tmp_path / "words.txt", "--json", "--data", ran).out)
    by_pipe = json.loads(piped((tmp_path / "words.txt").read_bytes(), "audit", "-", "--json", "--data", ran).out)
    assert by_pipe["scores"][0].pop("list") == "stdin.txt"
    assert by_file["scores"][0].pop("list") == "words.txt"
    assert by_pipe == by_file


@pytest.mark.slow
@pytest.mark.parametrize("command", [["audit"], ["convert"], ["lists", "add", "--name", "mine"]], ids=" ".join)
def test_text_without_a_playable_word_is_no_list_for_any_command(piped, data, tmp_path, command):
    (tmp_path / "prose.md").write_text("# A heading\n\nThis is prose, and no list.\n")
    (tmp_path / "table.csv").write_text("word,answer\n1,cove\n")
    where = [] if command == ["convert"] else ["--data", data]
    result = piped(b"", *command, tmp_path / "prose.md", *where)
    assert (result.code, result.out, "prose.md has no playable word" in result.err) == (1, "", True)
    assert "--column" not in result.err
    assert "--column NAME" in piped(b"", *command, tmp_path / "table.csv", *where).err
    empty = piped(b"", *command, "-", *where)
    assert (empty.code, empty.out, "has no playable word (it is empty)" in empty.err) == (1, "", True)
    names = piped(b"Rome\n", *command, "-", *where)
    assert "has no playable word (1 capital); give a list with one word per line." in names.err
    assert not (data / "raw/lists").exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a shell and a terminal")
def test_convert_without_a_file_does_not_wait_for_a_terminal_or_a_closed_stdin():
    ours, theirs = os.openpty()
    convert = [sys.executable, "-m", "pipeline", "convert"]
    shell = ["sh", "-c", f'"{sys.executable}" -m pipeline convert <&-']
    for command, stdin in ((convert, theirs), (shell, None)):
        done = subprocess.run(command, stdin=stdin, cwd=PROJECT, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, "Name a FILE, or pipe a list" in done.stderr) == (2, "", True)
    os.close(theirs)
    os.close(ours)


@pytest.mark.parametrize(("others", "named"), [([], "no lists"), (["one", "two"], "one, two")])
def test_a_list_that_is_not_there_is_refused_with_the_names_of_those_that_are(bee, tmp_path, others, named):
    for folder in ("raw", "build", "custom"):
        (tmp_path / folder).mkdir()
    (tmp_path / "words.txt").write_text("cove\n")
    for name in others:
        assert bee("lists", "add", tmp_path / "words.txt", "--name", name, "--data", tmp_path).code == 0
    refused = bee("lists", "remove", "mine", "--data", tmp_path)
    assert (refused.code, f"; it has {named}." in refused.err) == (1, True), refused.err
