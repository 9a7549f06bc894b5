"""Word files: every format of a list that a user may import, and the errors of invalid files."""

import gzip
import json
import shutil
import subprocess

import pytest

from pipeline.facts import word_files
from pipeline.facts.word_list import ListError

FORMS = {
    "words.txt": b"cove\noctave\n",
    "bom.txt": b"\xef\xbb\xbfcove\r\noctave\r\n",
    "words": b"  cove \n\noctave",
    "words.txt.gz": gzip.compress(b"cove\noctave\n", mtime=0),
    "words.csv": b"rank,word\n1,cove\n2,octave\n",
    "words.CSV.gz": gzip.compress(b"Word;rank\ncove;1\noctave;2\n", mtime=0),
    "one.csv": b"cove\noctave\n",
    "words.tsv": b"word\trank\ncove\t1\noctave\t2\n",
    "array.json": b'["cove", "octave"]',
    "object.json": b'{"cove": 1, "octave": {}}',
    "plain.dic": b"cove\noctave\n",
}
AFFIX = b"""SET UTF-8
NEEDAFFIX !
ONLYINCOMPOUND ?
FORBIDDENWORD *
PFX U Y 1
PFX U 0 un .
PFX R N 1
PFX R 0 re .
SFX D Y 2
SFX D 0 d e
SFX D y ied [^aeiou]y
SFX L N 1
SFX L e y e
SFX S Y 1
SFX S 0 able/L e
"""


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_words(name):
    assert word_files.read({name: FORMS[name]})[0] == ["cove", "octave"]


def test_a_column_is_taken_by_name_and_beats_one_called_word():
    table = b"word,answer\nseven,cove\neleven,octave\n"
    assert word_files.read({"t.csv": table}, "answer")[0] == ["cove", "octave"]
    assert word_files.read({"t.txt": table}, "answer")[0] == ["cove", "octave"]
    assert word_files.read({"t.csv": table})[0] == ["eleven", "seven"]
    assert word_files.read({"t.csv": table + b"nine\n"}, "answer")[0] == ["cove", "octave"]  # a row that is cut short


def forms(stems: str) -> set[str]:
    dictionary = f"{len(stems.split())}\n" + "\n".join(stems.split())
    return set(word_files.entries("en.dic", dictionary.encode(), AFFIX))


def test_a_hunspell_dictionary_is_expanded_by_its_rules():
    assert forms("tidy/UD") == {"tidy", "untidy", "tidied", "untidied"}
    assert forms("tie/D cry/D play/D") == {"tie", "tied", "cry", "cried", "play"}
    assert forms("like/RS") == {"like", "relike", "likeable", "likeably"}
    assert forms("able/UL") == {"able", "unable", "ably"}, "a suffix that does not cross takes no prefix"
    assert forms("kempt/U!") == {"unkempt"}
    assert forms("cran/? wrong/*D right") == {"right"}


@pytest.mark.skipif(not shutil.which("hunspell"), reason="hunspell is not installed")
def test_hunspell_itself_accepts_every_form(tmp_path):
    stems = "tidy/UD tie/D cry/D play/D like/RS kempt/U! cran/? wrong/*D right played/*"
    (tmp_path / "en.dic").write_text("10\n" + stems.replace(" ", "\n"))
    (tmp_path / "en.aff").write_bytes(AFFIX)
    listed = "\n".join(sorted(forms(stems)))
    run = subprocess.run(["hunspell", "-d", str(tmp_path / "en"), "-l"], input=listed, capture_output=True, text=True)
    assert listed
    assert run.stdout == ""


def test_what_is_left_out_is_counted_by_its_rule():
    kept, rejected = word_files.words(
        ["cove", "cove", "bee", "Rome", "café", "o'clock", "all-in", "background", "a1bc"]
    )
    assert kept == ["cove"]
    assert rejected == {
        "repeated": 1, "too short": 1, "capital": 1, "accent": 1, "apostrophe": 1, "hyphen": 1,
        "more than 7 different letters": 1, "digit or sign": 1,
    }  # fmt: skip


def test_capitals_mark_names_unless_most_of_the_list_has_them():
    assert word_files.words(["COVE", "ROME"])[0] == ["cove", "rome"]
    assert word_files.words(["Words", "COVE", "ROME"])[0] == ["cove", "rome"]
    assert word_files.words(["COVE", "ROME", "octave"])[0] == ["cove", "octave", "rome"]
    assert word_files.words(["COVE", "ROME", "octave", "canoe"])[0] == ["canoe", "octave"]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.txt", b"co\0ve", "not text"),
        ("a.gz", b"\x1f\x8bcove", "damaged gzip"),
        ("a.gz", gzip.compress(b"cove" * 999, mtime=0)[:-9], "damaged gzip"),
        ("a.json", b'["cove"', "not JSON"),
        ("a.json", b"[" * 100_000, "not JSON"),
        ("a.json", b'[["cove"]]', "neither a JSON array"),
        ("a.json", b'"cove"', "neither a JSON array"),
        ("a.csv", b"a,b\ncove,1\n", "--column"),
        ("a.csv", b'a,b\n"co\rve"x,1\n' + b'"' * 200_000, "CSV|column"),
        ("a.dic", b"2\ncove\noctave\n", r"\.aff"),
    ],
)
def test_a_file_that_is_no_list_is_told_in_one_sentence(name, data, says):
    with pytest.raises(ListError, match=says) as told:
        word_files.read({name: data})
    assert "\n" not in str(told.value)
    assert name in str(told.value)


@pytest.mark.parametrize("aff", [b"SFX A Y x\n", b"SET nonsense\n", b"SFX A Y 1\nSFX A [ x [\n", b"SFX A\n"])
def test_a_broken_affix_file_is_told_in_one_sentence(aff):
    with pytest.raises(ListError, match=r"en\.dic and its affix file"):
        word_files.read({"en.dic": b"1\ncove/A\n", "en.aff": aff})


def test_an_affix_file_alone_is_no_list():
    with pytest.raises(ListError, match=r"name its \.dic"):
        word_files.read({"en.aff": AFFIX})


def test_a_column_that_is_not_there_names_those_that_are():
    with pytest.raises(ListError, match=r'no column "c"; it has a, b'):
        word_files.read({"t.csv": b"a,b\ncove,1\n"}, "c")


def test_null_is_a_word_in_every_form():
    for name, data in {"a.csv": b"word\nnull\n", "a.json": json.dumps(["null"]).encode(), "a.txt": b"null"}.items():
        assert word_files.read({name: data})[0] == ["null"]
