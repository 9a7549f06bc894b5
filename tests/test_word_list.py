"""The one reader of word lists, as `convert`, `audit`, `solve --list`, `puzzles --list` and `changes` use it."""

import io
import sys

import pytest
from conftest import Bee

import pipeline
from pipeline import solver, word_list
from pipeline.errors import BeeError
from pipeline.reader import RELEASE

FORMS = {
    "words.txt": "cove\noctave\n",
    "no-ending": "\ufeff  cove \r\n\r\noctave",
    "comments.txt": "# my words\ncove # a bay\noctave\t#\n",
    "capitals.txt": "COVE\nOCTAVE\nICE CREAM\n",
    "half-no-words.txt": "cove\n12345\noctave\n67890\n",
    "pangrams.txt": "cove*\n** octave\n",
    "named-pangrams.txt": "cove (pangram)\noctave (Perfect Pangram)\n",
    "words.csv": "rank,Word\n1,cove\n2,octave\n",
    "one-column.csv": "cove\noctave\n",
    "quotes.csv": 'word,sense\ncove,"a bay, small"\noctave\n',
    "words.tsv": "word\trank\ncove\t1\noctave\t2\n",
    "release.csv": "word,tier\ncove,core\ncave,review\noctave,likely\nvote,refused\n",
    "array.json": '["cove", "octave"]',
}


@pytest.mark.parametrize("name", FORMS)
def test_each_form_of_a_list_gives_its_words(tmp_path, name):
    (tmp_path / name).write_text(FORMS[name])
    assert word_list.read(tmp_path / name).words == ["cove", "octave"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "word,answer\nseven,cove\neleven,octave\nnine\n"),
        ("a.csv", "tier,answer\nrefused,cove\nrefused,octave\n"),
        ("a.txt", "answer,meaning\ncove,a bay\noctave,eight\n"),
        ("a.json", '[{"answer": "cove", "word": "seven"}, {"answer": "octave"}]'),
        ("a.json", '{"answer": ["cove", "octave"], "others": ["seven"]}'),
    ],
)
def test_the_words_are_in_the_column_or_field_that_is_named(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert word_list.read(tmp_path / name, "answer").words == ["cove", "octave"]


def test_an_entry_that_is_no_word_is_left_out_whole_and_counted(bee, tmp_path):
    entries = "cove;octave;bee;Rome;it's;café;all-in;cove;background;a1bc;ice cream;New York;haif,a;NATO;vote"
    (tmp_path / "a.txt").write_text(entries.replace(";", "\n"))
    done = bee("convert", tmp_path / "a.txt")
    assert done.out.split() == ["cove", "octave", "vote"]
    rules = ["too short", "apostrophe", "accent", "hyphen", "repeated", "more than 7 different letters"]
    assert "3 words; left out: 2 capital, 2 digit or sign, 2 blank, " in done.err
    assert all(f"1 {rule}" in done.err for rule in rules)
    assert bee("convert", tmp_path / "a.txt", "-o", tmp_path / "out").out == ""
    assert (tmp_path / "out").read_text() == done.out


def test_all_that_read_lists_read_them_alike(bee: Bee, tmp_path, ran_once):
    """Every line of this list was once read differently by two commands."""
    path, others = tmp_path / "list.txt", tmp_path / "other.txt"
    path.write_text("cove, evacee\ncovenant*\nNew York\nice cream\nhaifa\nHaifa\nocta\nvote\n")
    others.write_text("haifa\n")
    words = ["covenant", "haifa", "octa", "vote"]
    assert word_list.read(path).words == words
    assert bee("convert", path).out.split() == words
    assert {*bee("solve", "vctaoen", "--list", path).out.split()} == {"covenant", "vote"}
    assert "7 possible puzzles from 4 words.\n" in bee("puzzles", "--list", path).err
    changes = bee("changes", others, path).out
    assert [line.split(",")[0] for line in changes.splitlines()[1:]] == ["covenant", "octa", "vote"]
    for command in (["--data", ran_once, "audit", path], ["changes", others, path]):
        assert "list.txt: 4 words; left out: 3 blank, 1 capital.\n" in bee(*command).err


@pytest.mark.slow
def test_our_own_list_is_read_whole_with_pangrams_marked_and_as_the_table_of_a_release(tmp_path):
    listed = solver.load_release(RELEASE)
    marked = [f"{word} (pangram)" if pipeline.pangram(word) else word for word in listed]
    (tmp_path / "marked.txt").write_text("\n".join(marked))
    assert pipeline.load_words(tmp_path / "marked.txt") == listed
    assert pipeline.load_words(RELEASE / "words.csv") == listed == pipeline.load_words()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"Rome\ncove-like\n", "has no playable word: 0 words; left out: 1 capital, 1 hyphen"),
        ("a.txt", b"co\0ve", "it is not plain text"),
        ("a.txt", "café\n".encode("cp1252"), "it is not text in UTF-8 (byte 3)"),
        ("a.dic", b"2\ncove/S\noctave/S\n", "no list with one word per line"),
        ("a.txt", b"the 23135851162\nof 13151942776\nand\n", 'such as "the 23135851162"'),
        ("a.csv", b"term,tag\ncove,noun one\n", "has no column word; name the one with the words: --column NAME"),
        ("a.csv", b"word,tier\ncove,review\n", "has no playable word: 0 words; left out: 1 of tier review"),
        ("a.csv", b"word\n" + b'"' + b"x" * 200_000, "is not a table"),
        ("a.json", b'["cove"', "is not JSON"),
        ("a.json", b'["cove", 4]', "Item 2 of "),
        ("a.json", b'[{"term": "cove"}]', "is no word; --column NAME names a field"),
        ("a.json", b'{"cove": true, "vane": false}', "is no JSON array of words"),
        ("a.txt", b'{"word": "cove"}\n{"word": "octave"}\n', "is JSON Lines"),
        ("a.json", b'{"word": "cove"}\n{"word": "octave"}\n', "If it is JSON Lines"),
        ("a.txt", b"<!DOCTYPE html>\ncove\noctave\nvote\n</html>\n", "it is not plain text"),
        ("a.csv", b"\n", "a.csv is empty"),
        ("a.csv", b"word,word\ncove,octave\n", "has two columns word"),
    ],
)
def test_a_file_that_is_no_list_is_refused_in_one_sentence(bee, tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    refused = bee("convert", tmp_path / name)
    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
    assert name in refused.err
    assert message in refused.err


def test_a_file_that_cannot_be_read_or_lacks_a_column_is_named(bee, tmp_path):
    (tmp_path / "a.csv").write_text("word,answer\nseven,cove\n")
    assert "a.csv has no column term" in bee("convert", tmp_path / "a.csv", "--column", "term").err
    with pytest.raises(BeeError, match="No such file"):
        pipeline.load_words(tmp_path / "none.txt")


def test_a_list_can_be_piped_and_a_terminal_is_not_waited_for(bee, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(b"cove\noctave\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert bee("convert").out.split() == ["cove", "octave"]
    monkeypatch.setattr(stdin, "isatty", lambda: True)
    told = bee("convert")
    assert (told.code, "Name a FILE, or pipe a list" in told.err) == (2, True)
