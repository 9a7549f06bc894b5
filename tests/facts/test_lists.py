"""The word lists of the lexicon, from their own formats."""

from pathlib import Path

import pandas as pd
import pytest

from pipeline import features, frames, lexicon, lexicon_files, lists, store
from pipeline.store import Workspace

PROJECT = Path(__file__).parent.parent

NOUN = (
    "  1 This line is the licence at the head of the file\n"
    "00000001 03 n 02 slang 0 cant 1 000 | a manner of speech\n"
    "00000002 15 n 01 Rome 0 001 @i 00000001 n 0000 | a city\n"
    "00000003 13 n 02 beaner 0 taco_shell 0 001 ;u 00000001 n 0101 | only the first word is slang\n"
    "00000004 13 n 01 taco 0 000 | food\n"
    "00000005 14 n 01 taco 1 001 ;c 00000001 n 0000 | a second sense\n"
)
WORDNET = {
    "data.noun": NOUN,
    "data.verb": "00000006 30 v 01 eat 2 000 01 + 08 00 | take in\n",
    "data.adj": "00000007 00 s 01 galore(ip) 0 000 | in plenty\n",
    "data.adv": "",
    "cntlist.rev": "taco%1:13:00:: 1 7\ntaco%1:14:01:: 2 2\ngalore%5:00:00:plenty:00 1 3\n",
    "noun.exc": "mice mouse\n",
    "verb.exc": "ate eat\n",
}


def words(frame: pd.DataFrame) -> dict[str, dict]:
    return {row["word"]: row for row in frame.to_dict("records")}


def test_scowl_keeps_region_variant_kind_and_size():
    table, _ = lists.scowl(
        {
            "english-words.10": "null\n",
            "british_z-words.35": "null\nzilch\n",
            "variant_2-words.80": "zilsh\n",
            "english-proper-names.50": "Rome\n",
            "american-abbreviations.70": "ASAP\n",
        }
    )
    assert sorted(table.itertuples(index=False, name=None)) == [
        ("asap", "abbreviations", "american", 0, 70),
        ("null", "words", "british_z", 0, 35),
        ("null", "words", "english", 0, 10),
        ("rome", "proper-names", "english", 0, 50),
        ("zilch", "words", "british_z", 0, 35),
        ("zilsh", "words", "english", 2, 80),
    ]


def test_lines_that_break_a_rule_are_counted_not_dropped_silently():
    text = "cafe\nbee\nRome\ncafe's\nall-in\nbackground\nnullnullnullnullnull\nøre\nÅland2\n"
    table, rejected = lists.scowl({"english-words.10": text})
    assert list(table["word"]) == ["cafe"]
    assert rejected == {
        "too short": 1, "capital": 1, "apostrophe": 1, "hyphen": 1, "more than 7 letters": 1, "too long": 1,
        "accent": 1, "digit or sign": 1,
    }  # fmt: skip
    assert sum(rejected.values()) + len(table) == len(text.splitlines())


def test_a_word_with_an_accent_is_counted_and_its_plain_spelling_is_kept():
    table, rejected = lists.scowl({"english-words.35": "cliché\n"})
    assert table.to_dict("records") == [
        {"word": "cliche", "kind": "accented", "region": "english", "variant": 0, "size": 35}
    ]
    assert rejected == {"accent": 1}


def test_a_file_that_is_not_scowl_is_named():
    with pytest.raises(lists.ListError, match="english-words"):
        lists.scowl({"english-words": "null\n"})


def test_wordnet_counts_senses_tags_labels_and_capitals():
    table, rejected = lists.wordnet(WORDNET)
    found = words(table)
    assert found["taco"] == {
        "word": "taco", "pos": "n", "senses": 2, "tagged": 9, "capitalised": 0, "labels": "slang=1", "base": "",
    }  # fmt: skip
    assert (found["rome"]["senses"], found["rome"]["capitalised"]) == (0, 1)
    assert found["beaner"]["labels"] == "slang=1"
    assert found["galore"]["tagged"] == 3
    assert found["mice"]["base"] == "mouse"
    assert rejected == {"blank": 1, "too short": 1}


def test_wordnet_without_its_files_says_which_package_has_them():
    with pytest.raises(lists.ListError, match="wordnet-base"):
        lists.wordnet({"data.noun": NOUN})


def test_cuss_is_read_as_text_and_never_run():
    script = "export const cuss = {\n  damn: 0,\n  'all in': 1,\n  \"butt\": 2\n}\nthrow new Error()\n"
    table, rejected = lists.cuss(script)
    assert table.to_dict("records") == [{"word": "butt", "sureness": 2}, {"word": "damn", "sureness": 0}]
    assert rejected == {"blank": 1}


def test_ldnoobw_is_read():
    table, rejected = lists.ldnoobw('["butt", "2g1c"]')
    assert list(table["word"]) == ["butt"]
    assert rejected == {"digit or sign": 1}


def test_the_committed_lexicon_is_sealed_and_complete():
    workspace = Workspace(PROJECT / "data")
    assert list(lexicon_files.changed(workspace)) == []
    sources = lexicon_files.sources(workspace)
    for row in sources.to_dict("records"):
        assert (workspace.raw / f"lexicon/licences/{row['list']}.txt").stat().st_size > 500
        assert row["version"]
        assert f"{row['title']}" in (PROJECT / "data/LICENSES.md").read_text()
    scowl = frames.read_csv(store.gunzipped((workspace.raw / "lexicon/scowl.csv.gz").read_bytes(), "scowl"), "scowl")
    assert {int(size) for size in scowl["size"]} == set(features.SIZES)
    assert {"words", "upper", "proper-names", "abbreviations"} <= set(scowl["kind"])
    assert "null" in set(scowl["word"])


@pytest.mark.skipif(not Path("/usr/share/dict/scowl").is_dir(), reason="the Debian package scowl is not installed")
def test_scowl_from_the_package_gives_the_committed_table():
    files = {path.name: path.read_text("utf-8") for path in Path("/usr/share/dict/scowl").iterdir()}
    table, rejected = lists.scowl(files)
    path = PROJECT / "data/raw/lexicon/scowl.csv.gz"
    assert frames.csv_bytes(table) == store.gunzipped(path.read_bytes(), path)
    counted = frames.read_csv((PROJECT / "data/raw/lexicon/lines.csv").read_bytes(), "lines.csv")
    counted = counted[(counted["list"] == "scowl") & (counted["rule"] != "kept")]
    assert {row["rule"]: int(row["lines"]) for row in counted.to_dict("records")} == rejected


def test_the_lexicon_has_one_row_a_word_and_names_each_list():
    scowl, _ = lists.scowl(
        {
            "english-words.20": "null\ntaco\n",
            "american-words.10": "null\n",
            "british-words.10": "null\nzilches\n",
            "variant_1-words.70": "tacco\n",
            "english-upper.50": "Taco\n",
        }
    )
    net, _ = lists.wordnet(WORDNET)
    cuss, _ = lists.cuss("  taco: 1,\n")
    rude, _ = lists.ldnoobw('["beaner"]')
    found = words(lexicon.lexicon(lexicon.join(scowl, net, cuss, rude), lexicon.zipf(["null", "taco", "vlog", "qqqq"])))
    assert (found["null"]["scowl_size"], found["null"]["scowl_british"]) == (10, 10)
    assert (found["tacco"]["scowl_variant"], found["tacco"]["scowl_variant_level"]) == (70, 1)
    assert found["tacco"]["scowl_size"] == lexicon.NO_SIZE
    assert (found["taco"]["scowl_upper"], found["taco"]["cuss"], found["taco"]["ldnoobw"]) == (50, 1, False)
    assert found["beaner"]["ldnoobw"]
    assert found["mice"]["lemma"] == "mouse"
    assert found["vlog"]["zipf"] > 1
    assert "qqqq" not in found


def test_words_known_as_names_only_are_no_common_words():
    scowl, _ = lists.scowl({"english-words.20": "taco\n", "english-upper.50": "Rome\n"})
    net, _ = lists.wordnet(WORDNET)
    joined = lexicon.join(scowl, net, lists.cuss("  damn: 0,\n")[0], lists.ldnoobw('["butt"]')[0])
    frame = lexicon.lexicon(joined, lexicon.zipf(["rome", "taco"]))
    plain = set(frame["word"][lexicon.plain(frame)])
    assert {"taco", "galore"} <= plain
    assert not {"rome", "mice", "damn"} & plain
