"""Word files: every format of a list that a user may import, and the errors of invalid files."""

import bz2
import codecs
import gzip
import json
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import DataError
from pipeline.facts import word_files

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
    "object.json": b'{"cove": 1, "octave": 2.5, "vac": null}',
    "true.json": b'{"cove": true, "octave": true}',
    "texts.json": b'{"cove": "a bay", "octave": "eight notes"}',
    "objects.json": b'{"cove": {"n": 1}, "octave": {"n": [2]}}',
    "list-inside.json": b'{"version": 1, "title": "mine", "words": ["cove", "octave"]}',
    "rows.json": b'[{"word": "cove", "count": 3}, {"count": 4, "word": "octave"}]',
    "rows-inside.json": b'{"version": 1, "rows": [{"word": "cove"}, {"word": "octave"}]}',
    "json-in-a.txt": b'\n["cove", "octave"]\n',
    "table-in-a.txt": b"word,definition\ncove,a bay\noctave,eight notes\n",
    "comma-list.txt": b"cove,octave\n",
    "comma-lines.txt": b"cove, octave; vac\noctave\n",
    "comments.txt": b"# my words\ncove # a bay\noctave\t#\n",
    "plain.dic": b"cove\noctave\n",
    "blank.txt": b"cove 23135851162\noctave 12\n",
    "tab.txt": b"cove\t23135851162\r\noctave\t1.2e-05\r\n",
    "comma.txt": b"cove,12\noctave,3\n",
    "uniq.txt": b"     12 cove\n      3 octave\n",
    "rank.txt": b"1 cove 0.5% 23\n2 octave .25% 9\n",
    "scored.txt": b"COVE;100\nOCTAVE;94\n",
    "headless.csv": b"cove,12\noctave,3\n",
    "quoted.csv": b'"cove","1,234"\n"octave","12"\n',
    "headless.tsv": b"12\tcove\n3\toctave\n",
    "headless.csv.gz": gzip.compress(b"cove;12\noctave;3\n", mtime=0),
    "little.txt": codecs.BOM_UTF16_LE + "cove\r\noctave\r\n".encode("utf-16-le"),
    "big.txt": codecs.BOM_UTF16_BE + "cove\noctave\n".encode("utf-16-be"),
    "excel.txt": "cove\t12\noctave\t3\n".encode("utf-16"),
    "big.csv": codecs.BOM_UTF16_BE + "rank,word\n1,cove\n2,octave\n".encode("utf-16-be"),
    "little.json": '["cove", "octave"]'.encode("utf-16"),
    "utf-32.txt": codecs.BOM_UTF32_LE + "cove\noctave\n".encode("utf-32-le"),
    "utf-32-big.txt": codecs.BOM_UTF32_BE + "cove\noctave\n".encode("utf-32-be"),
    "big.txt.gz": gzip.compress("cove\noctave\n".encode("utf-16"), mtime=0),
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


def test_a_column_is_taken_by_name_and_beats_one_called_word():
    table = b"word,answer\nseven,cove\neleven,octave\n"
    assert word_files.read({"t.csv": table}, "answer")[0] == ["cove", "octave"]
    assert word_files.read({"t.txt": table}, "answer")[0] == ["cove", "octave"]
    assert word_files.read({"t.csv": table})[0] == ["eleven", "seven"]
    with pytest.raises(DataError, match=r'no column "c"; it has word, answer'):
        word_files.read({"t.csv": table}, "c")
    assert word_files.read({"t.csv": table + b"nine\n"}, "answer")[0] == ["cove", "octave"]  # a row that is cut short


def test_the_column_names_a_field_of_json():
    rows = b'{"version": 1, "terms": [{"term": "cove", "word": "no"}, {"word": "octave"}], "other": ["x"]}'
    assert word_files.read({"t.json": rows}, "terms") == (["octave"], {"too short": 1})
    with pytest.raises(DataError, match='no field "words" that is an array; it has version'):
        word_files.read({"t.json": rows}, "words")
    with pytest.raises(DataError, match='no field "version" that is an array'):
        word_files.read({"t.json": rows}, "version")
    array = b'[{"term": "cove", "word": "no"}, {"term": "octave"}]'
    assert word_files.read({"t.json": array}, "term")[0] == ["cove", "octave"]


def test_a_comma_list_in_which_word_occurs_is_no_table():
    assert word_files.read({"c.txt": b"work,word,wore\ncove,octave,latte\n"})[0] == [
        "cove", "latte", "octave", "word", "wore", "work",
    ]  # fmt: skip
    assert word_files.read({"c.txt": b"a word, words, cove\n"}) == ([], {"blank": 1})


def test_a_field_of_items_is_named_by_column_also_in_an_array_inside():
    rows = b'{"words": [{"term": "cove"}, {"term": "octave"}]}'
    with pytest.raises(DataError, match=r"Item 1 .* has the fields term.*--column"):
        word_files.read({"t.json": rows})
    assert word_files.read({"t.json": rows}, "term")[0] == ["cove", "octave"]


def test_a_key_that_occurs_twice_is_counted_as_repeated():
    assert word_files.read({"t.json": b'{"cove": 1, "octave": 2, "cove": 3}'}) == (["cove", "octave"], {"repeated": 1})


@pytest.mark.parametrize(("fields", "are_words"), [(word_files.FEW_FIELDS, False), (word_files.FEW_FIELDS + 1, True)])
def test_an_object_with_a_word_and_few_fields_is_about_one_word(fields, are_words):
    words = ["word", *(f"{first}{second}ok" for first in "abcde" for second in "abcde")][:fields]
    text = json.dumps(dict.fromkeys(words, 1)).encode()
    if are_words:
        assert "aaok" in word_files.read({"t.json": text})[0]
    else:
        with pytest.raises(DataError, match=r"fields \(word, aaok"):
            word_files.read({"t.json": text})


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


@pytest.mark.needs("hunspell")
def test_hunspell_itself_accepts_every_form(tmp_path):
    stems = "tidy/UD tie/D cry/D play/D like/RS kempt/U! cran/? wrong/*D right played/*"
    (tmp_path / "en.dic").write_text("10\n" + stems.replace(" ", "\n"))
    (tmp_path / "en.aff").write_bytes(AFFIX)
    listed = "\n".join(sorted(forms(stems)))
    run = subprocess.run(["hunspell", "-d", str(tmp_path / "en"), "-l"], input=listed, capture_output=True, text=True)
    assert listed
    assert run.stdout == ""


@pytest.mark.parametrize("name", ["list.txt", "list.csv"])
def test_a_frequency_list_counts_each_line_that_it_leaves_out_by_its_rule(name):
    lines = "cove,9 octave,8 bee,7 Rome,6 it's,5 café,4 all-in,3 cove,2 vacant".split()
    words, rejected = word_files.read({name: "\n".join([*lines, "ice cream,1"]).encode()})
    assert words == ["cove", "octave", "vacant"]
    rules = ("too short", "capital", "apostrophe", "accent", "hyphen", "repeated", "blank")
    assert rejected == dict.fromkeys(rules, 1)


def test_a_text_of_phrases_is_no_frequency_list():
    half = b"apollo 11\narea 51\nice cream\ncove\n"
    assert word_files.read({"a.txt": half}) == (["cove"], {"blank": 3})
    most = b"area 51\napollo 11\ncove\n"
    assert word_files.read({"a.txt": most})[0] == ["apollo", "area", "cove"], "most lines have a number"
    pairs = b"of the 2766332391\nin the 1628795324\ncove of 3\n"
    with_tabs = pairs.replace(b" 2", b"\t2").replace(b" 1", b"\t1").replace(b" 3", b"\t3")
    for phrases in (pairs, with_tabs):
        assert word_files.read({"a.txt": phrases}) == ([], {"blank": 3})


def test_a_table_with_a_header_is_never_taken_for_a_frequency_list():
    with pytest.raises(DataError, match=r"must name its columns; it has term, count\. .*--column"):
        word_files.read({"a.csv": b"term,count\ncove,1\noctave,2\nvacant,3\n"})
    assert word_files.read({"a.csv": b"term,count\ncove,1\noctave,2\n"}, "term")[0] == ["cove", "octave"]


def test_capitals_mark_names_unless_most_of_the_list_has_them():
    assert word_files.playable_words(["COVE", "ROME"])[0] == ["cove", "rome"]
    assert word_files.playable_words(["Words", "COVE", "ROME"])[0] == ["cove", "rome"]
    assert word_files.playable_words(["COVE", "ROME", "octave"])[0] == ["cove", "octave", "rome"]
    assert word_files.playable_words(["COVE", "ROME", "octave", "canoe"])[0] == ["canoe", "octave"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"co\0ve", "not text"),
        ("a.txt", "co\0ve".encode("utf-16"), "not text"),
        ("a.txt", codecs.BOM_UTF16_BE + b"\0c\0", "looks like UTF-16 but is damaged"),
        ("a.txt", codecs.BOM_UTF32_LE + b"c", "looks like UTF-32 but is damaged"),
        ("a.txt", "cove".encode("utf-16-le"), "not text"),
        ("a.zip", b"PK\x03\x04\x14cove", "not text"),
        ("a.bz2", bz2.compress(b"cove\n"), "not text"),
        ("a.gz", b"\x1f\x8bcove", "damaged gzip"),
        ("a.gz", gzip.compress(b"cove" * 999, mtime=0)[:-9], "damaged gzip"),
        ("a.json", b'["cove"', "not JSON"),
        ("a.json", b"[" * 100_000, "not JSON"),
        ("a.json", b'[["cove"]]', "Item 1 .* is neither a word nor an object"),
        ("a.json", b'["cove", 4]', "Item 2 .* is neither a word nor an object"),
        ("a.json", b'[{"word": "cove"}, {"term": "octave", "n": 1}]', "Item 2 .* has the fields term, n.*--column"),
        ("a.json", b'"cove"', "neither an array"),
        ("a.json", b'{"word": "cove", "count": 3}', r"fields \(word, count\) do not seem"),
        ("a.json", b'{"word": "cove", "meaning": "a bay"}', r"fields \(word, meaning\)"),
        ("a.json", b'{"words": ["cove"], "words": ["octave"]}', 'has the field "words" twice'),
        ("a.json", b'[{"word": "octave", "word": "canto"}]', 'Item 1 of a.json has the field "word" twice'),
        ("a.json", b'{"data": {"words": ["cove"]}}', r"fields \(data\)"),
        ("a.json", b'{"words": {"cove": 1, "octave": 1}}', r"fields \(words\)"),
        ("a.json", b'{"title": "covenant", "author": "someone"}', r"fields \(title, author\)"),
        ("a.json", b'{"tags": ["noun"], "word": "cove"}', r"fields \(tags, word\)"),
        ("a.json", b'{"title": "mine", "version": 1}', r"fields \(title, version\)"),
        ("a.json", b'{"a": ["apple"], "b": ["berry"]}', r"2 arrays \(a, b\).*--column"),
        ("a.json", b'{"c": {"o": {"v": {"e": 1}}}}', r"fields \(c\)"),
        ("a.csv", b"a,b\ncove,1\n", "--column"),
        ("a.csv", b'a,b\n"co\rve"x,1\n' + b'"' * 200_000, "CSV|column"),
        ("a.dic", b"2\ncove\noctave\n", r"\.aff"),
        ("a.aff", AFFIX, r"give its \.dic file"),
    ],
)
def test_a_file_that_is_no_list_is_told_in_one_sentence(name, data, message):
    with pytest.raises(DataError, match=message) as error:
        word_files.read({name: data})
    assert "\n" not in str(error.value)
    assert name in str(error.value)


@pytest.mark.parametrize("aff", [b"SFX A Y x\n", b"SET nonsense\n", b"SFX A Y 1\nSFX A [ x [\n", b"SFX A\n"])
def test_a_broken_affix_file_is_told_in_one_sentence(aff):
    with pytest.raises(DataError, match=r"en\.dic and its affix file"):
        word_files.read({"en.dic": b"1\ncove/A\n", "en.aff": aff})


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_words_as_a_file_and_piped(name):
    """A headless table and a dictionary that are piped are read as text, with their counts and without affixes."""
    assert word_files.read({name: FORMS[name]})[0] == ["cove", "octave"]
    assert word_files.read({word_files.file_name_for_stdin(FORMS[name]): FORMS[name]})[0] == ["cove", "octave"]


@pytest.mark.parametrize(
    ("text", "words", "rejected"),
    [
        (b"cove 9\noctave 8\nvacant 7\n1913\n1913 4\n", ["cove", "octave", "vacant"], {"digit or sign": 1, "blank": 1}),
        (b"word count\nthe 23135851162\nof 13151942776\ncove 12\n", ["cove"], {"too short": 2, "blank": 1}),
        (b"background\na1bc\nnull\n", ["null"], {"more than 7 different letters": 1, "digit or sign": 1}),
    ],
)
def test_lines_that_are_no_words_are_counted_by_their_rule(text, words, rejected):
    assert word_files.read({"a.txt": text}) == (words, rejected)


@settings(max_examples=20)
@given(st.lists(st.text("abcz", min_size=1), min_size=1), st.integers(0, 10**12), st.sampled_from(" \t,;"))
def test_a_count_before_or_after_each_word_changes_nothing(words, count, between):
    assert word_files.without_counts([f"{word}{between}{count}" for word in words]) == words
    assert word_files.without_counts([f"{count}{between}{word}" for word in words]) == words
    assert word_files.without_counts([f"{word}{between}Ice" for word in words]) == [
        f"{word}{between}Ice" for word in words
    ]
