"""The word lists of the lexicon, from their own formats."""

import gzip
from pathlib import Path

import pandas as pd
import pytest

from lexicon import modern, profanity, scowl, wordnet
from pipeline import inputs
from pipeline.errors import DataError
from pipeline.facts import lexicon, lexicon_files
from pipeline.opinions import features
from pipeline.store import Workspace
from pipeline.tables import frames

PROJECT = Path(__file__).parents[2]

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
}


def words(frame: pd.DataFrame) -> dict[str, dict]:
    return {row["word"]: row for row in frame.to_dict("records")}


def test_scowl_keeps_region_variant_kind_and_size():
    table, _ = scowl.parse(
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
    table, rejected = scowl.parse({"english-words.10": text})
    assert list(table["word"]) == ["cafe"]
    assert rejected == {
        "too short": 1, "capital": 1, "apostrophe": 1, "hyphen": 1, "more than 7 different letters": 1, "too long": 1,
        "accent": 1, "digit or sign": 1,
    }  # fmt: skip
    assert sum(rejected.values()) + len(table) == len(text.splitlines())


def test_wordnet_counts_senses_tags_labels_and_capitals():
    table, rejected = wordnet.parse(WORDNET)
    found = words(table)
    assert found["taco"] == {
        "word": "taco", "pos": "n", "senses": 2, "tagged": 9, "capitalised": 0, "labels": "slang=1",
    }  # fmt: skip
    assert (found["rome"]["senses"], found["rome"]["capitalised"]) == (0, 1)
    assert found["beaner"]["labels"] == "slang=1"
    assert found["galore"]["tagged"] == 3
    assert rejected == {"blank": 1, "too short": 1}


def test_cuss_is_read_as_text_and_never_run():
    script = "export const cuss = {\n  damn: 0,\n  'all in': 1,\n  \"butt\": 2\n}\nthrow new Error()\n"
    table, rejected = profanity.parse_cuss({"index.js": script})
    assert table.to_dict("records") == [{"word": "butt", "sureness": 2}, {"word": "damn", "sureness": 0}]
    assert rejected == {"blank": 1}


@pytest.mark.slow
def test_the_committed_lexicon_is_sealed_and_complete():
    workspace = Workspace(PROJECT / "data")
    files = inputs.read_word_lists(workspace).files
    assert list(lexicon_files.changed_files(files)) == []
    sources = lexicon_files.sources(files)
    for row in sources.to_dict("records"):
        assert (workspace.raw / f"lexicon/licences/{row['list']}.txt").stat().st_size > 500
        assert row["version"]
        assert f"{row['title']}" in (PROJECT / "data/LICENSES.md").read_text()
    sizes = frames.read_csv(gzip.decompress(files["scowl.csv.gz"]), "scowl")
    assert {int(size) for size in sizes["size"]} == set(features.SIZES)
    assert {"words", "upper", "proper-names", "abbreviations"} <= set(sizes["kind"])
    assert "null" in set(sizes["word"])


def test_the_lexicon_has_one_row_a_word_and_names_each_list():
    sizes, _ = scowl.parse(
        {
            "english-words.20": "null\ntaco\n",
            "american-words.10": "null\n",
            "british-words.10": "null\nzilches\n",
            "variant_1-words.70": "tacco\n",
            "english-upper.50": "Rome\nTaco\n",
        }
    )
    met = pd.DataFrame([("vlog", 1.5, 0.0, "")], columns=["word", "zipf", "zipf_abroad", "language"])
    frequencies = frames.check(met, "frequencies")
    bases = {"zilches": "zilch", "vlog": "vlo", "qqqq": "qq"}
    forms = frames.from_rows([{"word": word, "base": bases[word], "form": "plural"} for word in bases], "forms")
    opinions = pd.Series({"null": "odd", "vlogger": "fine"})
    of_lists = {
        "scowl": sizes,
        "wordnet": wordnet.parse(WORDNET)[0],
        "cuss": profanity.parse_cuss({"index.js": "  taco: 1,\n"})[0],
        "ldnoobw": profanity.parse_ldnoobw({"en.json": '["beaner"]'})[0],
        "modern": modern.parse({"words.txt": "# version 2026-11-22\nmixtape\n"})[0],
    }
    frame = lexicon.join_lists(of_lists, opinions, ["mice"], forms, frequencies)
    known = lexicon.Lexicon(frame, forms, frequencies)
    every = lexicon.add_unlisted_words(known, ["null", "taco", "vlog", "qqqq"])
    found = words(every)
    assert (found["null"]["scowl_size"], found["null"]["scowl_british"]) == (10, 10)
    assert (found["tacco"]["scowl_variant"], found["tacco"]["scowl_variant_level"]) == (70, 1)
    assert found["tacco"]["scowl_size"] == lexicon.NO_SIZE
    assert (found["taco"]["scowl_upper"], found["taco"]["cuss"], found["taco"]["ldnoobw"]) == (50, 1, False)
    assert (found["beaner"]["ldnoobw"], found["mice"]["own_list"], found["vlog"]["zipf"]) == (True, True, 1.5)
    assert [found[word]["base"] for word in ("zilches", "null", "vlog")] == ["zilch", "", "vlo"]
    assert (found["qqqq"]["base"], found["qqqq"]["zipf"]) == ("qq", 0.0)
    assert (found["null"]["opinion"], found["vlogger"]["opinion"], found["mice"]["opinion"]) == ("odd", "fine", "")
    plain, listed = (set(every["word"][which(every)]) for which in (lexicon.is_common, lexicon.is_in_a_list))
    assert {"taco", "galore"} <= plain
    assert "rome" not in plain
    assert {"rome", "mice", "galore", "beaner"} <= listed
    assert "vlog" not in listed


@pytest.mark.parametrize("damaged", [None, gzip.compress(b"word\nnull\n", mtime=0)])
def test_a_damaged_list_is_named(damaged):
    files = {path.name: path.read_bytes() for path in (PROJECT / "data/raw/lexicon").glob("*.csv.gz")}
    files |= {"cuss.csv.gz": damaged}
    with pytest.raises(DataError, match="cuss"):
        lexicon_files.attributes(lexicon_files.tables({name: data for name, data in files.items() if data is not None}))


@pytest.mark.parametrize("damaged", [b"no gzip", gzip.compress(b"word,form,own\na,plural,\n", mtime=0)])
def test_a_damaged_table_of_forms_is_named(damaged):
    with pytest.raises(DataError, match=r"raw/lexicon/forms\.csv\.gz"):
        lexicon_files.forms({"forms.csv.gz": damaged})


def test_texts_that_are_no_list_are_named_and_ldnoobw_and_accents_are_read():
    with pytest.raises(DataError, match="english-words"):
        scowl.parse({"english-words": "null\n"})
    table, rejected = profanity.parse_ldnoobw({"en.json": '["butt", "2g1c"]'})
    assert (list(table["word"]), rejected) == (["butt"], {"digit or sign": 1})
    table, rejected = scowl.parse({"english-words.35": "cliché\n"})
    assert (table[["word", "kind"]].values.tolist(), rejected) == ([["cliche", "accented"]], {"accent": 1})
