"""Word lists that `bee convert` cleans for a solver, and that `bee audit` scores: their formats and encodings."""

import bz2
import codecs
import gzip
import io
import json
import os
import subprocess
import sys

import pytest
from conftest import PROJECT, Result

FORMS = {
    "words.txt": "cove\noctave\n",
    "blanks": "  cove \n\noctave",
    "comments.txt": "# my words\ncove # a bay\noctave\t#\n",
    "commas.txt": "cove, octave; vac\noctave\n",
    "counts.txt": "cove 23135851162\noctave 1.2e-05\n",
    "counts-first.txt": "     12 cove\n      3 octave\n",
    "upper-case.txt": "My list, version 2\nCOVE;100\nOCTAVE;94\n",
    "words.csv": "rank,word\n1,cove\n2,octave\n",
    "single.csv": "word\ncove\noctave\n",
    "no-header.csv": '"cove","1,234"\n"octave","12"\n',
    "semicolons.CSV": "Word;rank\ncove;1\noctave;2\n",
    "words.tsv": "word\trank\ncove\t1\noctave\t2\n",
    "table.txt": "word,tier\ncove,core\noctave,core\n",
    "array.json": '["cove", "octave"]',
    "objects.json": '[{"word": "cove", "count": 3}, {"count": 4, "word": "octave"}]',
    "keys.json": '{"cove": 1, "octave": 2.5}',
    "array-inside.json": '{"version": 1, "title": "mine", "words": ["cove", "octave"]}',
    "json.txt": '\n["cove", "octave"]\n',
}
ENCODINGS = {
    "UTF-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16, big": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-32": lambda text: codecs.BOM_UTF32_LE + text.encode("utf-32-le"),
    "UTF-32, big": lambda text: codecs.BOM_UTF32_BE + text.encode("utf-32-be"),
    "Windows-1252": lambda text: f"{text}café\n".encode("cp1252"),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
}


@pytest.fixture
def piped(bee, monkeypatch):
    """Run `bee` with bytes on its standard input."""

    def run(given: bytes, *arguments: object) -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        return bee(*arguments)

    return run


@pytest.mark.parametrize("name", FORMS)
def test_each_form_of_a_list_gives_the_same_words_as_a_file_and_piped(bee, piped, tmp_path, name):
    (tmp_path / name).write_text(FORMS[name])
    assert bee("convert", tmp_path / name).out.split() == ["cove", "octave"]
    for dash in (["-"], []) if name != "single.csv" else ():
        assert piped(FORMS[name].encode(), "convert", *dash).out.split() == ["cove", "octave"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", ["words.txt", "words.csv"])
def test_each_encoding_and_end_of_line_gives_the_same_words(bee, tmp_path, name, encoding):
    (tmp_path / name).write_bytes(ENCODINGS[encoding](FORMS[name]))
    assert bee("convert", tmp_path / name).out.split() == ["cove", "octave"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "word,answer\nseven,cove\neleven,octave\nnine\n"),
        ("a.txt", 'answer;meaning\ncove;"a bay;\na word"\noctave;eight\n'),
        ("a.json", '[{"answer": "cove", "word": "seven"}, {"answer": "octave"}]'),
        ("a.json", '{"answer": ["cove", "octave"], "others": ["seven"]}'),
        ("a.json", '{"words": [{"answer": "cove"}, {"answer": "octave"}]}'),
    ],
)
def test_the_words_are_in_the_column_or_field_that_is_named(bee, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert bee("convert", tmp_path / name, "--column", "answer").out.split() == ["cove", "octave"]


def test_convert_counts_what_it_leaves_out_and_writes_any_format_of_words(bee, tmp_path):
    lines = "cove,9 octave,8 bee,7 Rome,6 it's,5 café,4 all-in,3 cove,2 background,1 a1bc,1".split()
    (tmp_path / "a.txt").write_text("\n".join([*lines, "ice cream,1"]))
    done = bee("convert", tmp_path / "a.txt")
    assert done.out.split() == ["cove", "octave"]
    left_out = ["too short", "capital", "apostrophe", "accent", "hyphen", "repeated", "blank", "digit or sign"]
    for rule in [*left_out, "more than 7 different letters"]:
        assert f" 1 left out: {rule}\n" in done.err
    assert "2 words kept" in done.err
    assert json.loads(bee("convert", tmp_path / "a.txt", "--format", "json").out) == ["cove", "octave"]
    assert bee("convert", tmp_path / "a.txt", "--format", "hunspell", "-o", tmp_path / "own").code == 0
    assert (tmp_path / "own.dic").read_text() == "2\ncove\noctave\n"


def test_numbers_are_part_of_phrases_if_most_lines_have_none(bee, tmp_path):
    (tmp_path / "a.txt").write_text("apollo 11\narea 51\nice cream\ncove\n")
    assert bee("convert", tmp_path / "a.txt").out.split() == ["cove"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"", "has no playable word (it is empty); give a list with one word per line"),
        ("a.txt", b"Rome\n", "has no playable word (1 capital)"),
        ("a.txt", b"co\0ve", "is not text"),
        ("a.txt", "cove".encode("utf-16-le"), "is not text"),
        ("a.txt", codecs.BOM_UTF16_BE + b"\0c\0", "looks like UTF-16 but is damaged"),
        ("a.txt", codecs.BOM_UTF32_LE + b"c", "looks like UTF-32 but is damaged"),
        ("a.bz2", bz2.compress(b"cove\n"), "is not text"),
        ("a.txt.gz", gzip.compress(b"cove\n", mtime=0), "is compressed with gzip; unpack it first"),
        ("a.dic", b"1\ncove/S\n", "is part of a Hunspell dictionary; give a list with one word per line"),
        ("a.csv", b"term,tag\ncove,noun one\n", "name the column with the words: --column NAME"),
        ("a.csv", b"word\n" + b'"' + b"x" * 200_000, "is not a CSV table"),
        ("a.json", b'["cove"', "is not JSON"),
        ("a.json", b"[" * 100_000, "is not JSON"),
        ("a.json", b'"cove"', "has no array of words"),
        ("a.json", b'["cove", 4]', "Item 2 of a.json is neither a word nor an object with a word."),
        ("a.json", b'[{"term": "cove", "n": 1}]', "its fields are term, n. Name the one with the word: --column NAME"),
        ("a.json", b'{"word": "cove", "count": 3}', "has no array of words and is no object from words to numbers"),
        (
            "a.json",
            b'{"a": ["apple"], "b": ["berry"]}',
            "has 2 arrays (a, b); name the one with the words",
        ),
        ("a.json", b'{"words": ["cove"], "words": ["octave"]}', 'has the field "words" twice'),
    ],
)
def test_a_file_that_is_no_list_is_told_in_one_sentence(bee, tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    refused = bee("convert", tmp_path / name)
    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
    assert name in refused.err
    assert message in refused.err


def test_a_wrong_column_is_told_with_those_that_there_are(bee, tmp_path):
    (tmp_path / "a.csv").write_text("word,answer\nseven,cove\n")
    assert (
        'a.csv has no column "term"; it has word, answer.' in bee("convert", tmp_path / "a.csv", "--column", "term").err
    )
    assert "is a folder; name the file with the words." in bee("convert", tmp_path).err
    assert "does not exist; name the file with the words." in bee("convert", tmp_path / "b.csv").err


@pytest.mark.slow
def test_an_audit_takes_a_column_and_a_pipe_like_the_file(piped, ran_once, tmp_path):
    (tmp_path / "words.txt").write_text("organ 12\ngroin 7\n")
    (tmp_path / "table.csv").write_text("word,answer\nseven,organ\neleven,groin\n")

    def audited(*arguments: object) -> dict:
        told = piped(
            (tmp_path / "words.txt").read_bytes(), "audit", *arguments, "--worst", "9999", "--json", "--data", ran_once
        )
        return json.loads(told.out)["missing"]

    by_file, by_pipe = audited(tmp_path / "words.txt"), audited("-")
    assert by_file == by_pipe == audited(tmp_path / "table.csv", "--column", "answer")
    assert by_file != audited(tmp_path / "table.csv")


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
