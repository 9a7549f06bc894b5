"""The tables for players: definitions, difficulty, our own puzzles."""

from __future__ import annotations

import csv
import io
import json

import pandas as pd
import pytest
from conftest import PROJECT

import pipeline
from lexicon import wordnet as making
from pipeline import reader
from pipeline.facts.word_list import ListError
from pipeline.play import daily, difficulty, glosses, puzzles
from pipeline.words import FAMILY, SAFE, BeeError, pangram, puzzle

WORDNET = {
    "data.noun": "\n".join([
        "  1 license",
        "00000001 05 n 02 cat 0 Cat 0 000 | feline mammal; \"a black cat\"  ",
        "00000002 05 n 01 cat 0 000 | a spiteful woman gossip; \"what a cat she is!\"  ",
        "00000003 05 n 01 cat 0 000 | a whip with nine knotted cords  ",
        "00000004 05 n 01 cat 0 000 | an informal term for a youth or man  ",
        "00000005 18 n 01 bogan 0 001 ;u 00000006 n 0000 | a coarse person  ",
        "00000006 10 n 01 ethnic_slur 0 000 | a slur  ",
        "00000007 15 n 01 paris 0 001 @i 00000001 n 0000 | a city  ",
        "00000008 05 n 01 Rome 0 000 | another city  ",
    ]),
    "data.verb": "00000009 29 v 01 cat 0 00 | beat with a cat  \n00000010 29 v 01 go 0 000 00 | move  \n",
    "data.adj": "00000011 00 s 01 galore(ip) 0 000 | existing in abundance  \n",
    "data.adv": "",
    "index.noun": "cat n 4 0 4 1 00000001 00000002 00000003 00000004  \nbogan n 1 0 1 0 00000005  \n"
    "paris n 1 0 1 0 00000007  \nrome n 1 0 1 0 00000008  \nethnic_slur n 1 0 1 0 00000006  \n",
    "index.verb": "cat v 1 0 1 0 00000009  \ngo v 1 0 1 0 00000010  \n",
    "index.adj": "galore a 1 0 1 0 00000011  \n",
    "index.adv": "",
    "verb.exc": "went go\ngone go\n",
    "cntlist.rev": "cat%1:05:00:: 1 18\ncat%2:29:00:: 1 20\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def table() -> list[tuple[str, ...]]:
    made = making.glosses(WORDNET, ["cats", "catting", "paris", "boganing", "goes", "went", "qqqq"])
    return [tuple(row) for row in made.itertuples(index=False)]


def test_a_word_has_its_three_most_frequent_senses_without_examples(table):
    assert [row for row in table if row[0] == "cat"] == [
        ("cat", "", "v", "beat with a cat", ""),
        ("cat", "", "n", "feline mammal", ""),
        ("cat", "", "n", "a spiteful woman gossip", ""),
    ]


def test_inflected_forms_lead_to_their_lemma_regular_or_not(table):
    bases = {word: base for word, base, *_ in table if base}
    assert bases == {"cats": "cat", "catting": "cat", "boganing": "bogan", "goes": "go", "went": "go", "gone": "go"}


def test_names_have_no_gloss_and_offensive_senses_are_marked(table):
    words = {row[0]: row for row in table}
    assert not {"paris", "rome", "qqqq"} & words.keys()
    assert words["bogan"][-1] == "!"
    assert words["galore"][2:] == ("a", "existing in abundance", "")


def test_wordnet_without_an_index_is_refused():
    with pytest.raises(ListError, match=r"missing: index\.verb"):
        making.glosses({name: text for name, text in WORDNET.items() if name != "index.verb"}, [])


def test_a_word_that_is_looked_up_has_the_definition_of_the_whole_table():
    table = glosses.load()
    words = [min(table), max(table), "null", "luff", "luffs", "went", "zzyzx", "", "aa,,n", "Aa", "aa\n"]
    assert [glosses.look_up(word) for word in words] == [glosses.define(word, table) for word in words]
    assert len(glosses.look_up("luffs").senses) == len(glosses.look_up("luff").senses) > 1


def test_null_has_a_gloss_like_any_other_word():
    assert glosses.define("null", glosses.load()).senses[0].gloss.startswith("lacking")


def test_most_of_the_list_has_a_gloss(bee):
    have, listed = glosses.coverage(pipeline.load_words(), glosses.load())
    assert have / listed > 0.9
    assert f"{have:,} of {listed:,}" in bee("define", "--coverage").out


def test_definitions_on_the_command_line(bee):
    done = bee("define", "LEAVES")
    assert (done.code, done.out.splitlines()[0]) == (0, "leaves (form of leaf)")
    made = json.loads(bee("define", "leaves", "--json").out)
    assert (made["base"], made["senses"][0]["pos"]) == ("leaf", "noun")
    nothing = bee("define", "xqzzt")
    assert (nothing.code, nothing.out) == (1, "xqzzt: no definition in WordNet\n")
    assert bee("define").code == 2


def test_answers_can_carry_their_definitions(bee):
    lines = bee("solve", "vctaoen", "--define").out.splitlines()
    assert lines[0] == "covenant"
    assert lines[1].startswith("    noun, a signed written agreement")
    made = json.loads(bee("solve", "vctaoen", "--define", "--json").out)
    assert made["words"][0]["gloss"] in lines[1]


def test_a_damaged_table_says_which_and_what_to_do(tmp_path):
    (tmp_path / "glosses.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(BeeError, match=r"glosses\.csv\.gz .*git checkout HEAD"):
        glosses.load(tmp_path)


# ---------------------------------------------------------------- difficulty


def test_hardness_is_the_smallest_size_less_ten_for_a_familiar_word():
    hard = difficulty.load(["covenant", "canto", "xqzzt"], {"canto": 5, "covenant": 4})
    assert hard["xqzzt"] == difficulty.HARDEST
    assert hard["covenant"] in (35, 40)
    assert difficulty.load(["canto"], {"canto": 4})["canto"] - hard["canto"] == difficulty.EASIER


def test_the_difficulty_of_all_puzzles_is_that_of_each():
    listed = ["covenant", "cove", "cave", "octave", "coven", "concave"]
    hard = {"covenant": 35, "cove": 55, "cave": 20, "octave": 50, "coven": 80, "concave": 45}
    every = puzzles.possible(listed, hard)
    assert len(every) == 7
    for row in every.itertuples():
        answers = [word for word in listed if row.center in word]
        assert row.difficulty == difficulty.difficulty(answers, hard)


def test_puzzles_can_be_chosen_by_difficulty(bee):
    for level, fits in {
        "easy": lambda figure: figure < difficulty.FAIR,
        "fair": lambda figure: difficulty.FAIR <= figure < difficulty.HARD,
        "hard": lambda figure: figure >= difficulty.HARD,
    }.items():
        rows = list(csv.DictReader(io.StringIO(bee("puzzles", "--difficulty", level, "--csv").out)))
        assert len(rows) == 20
        assert all(fits(float(row["difficulty"])) and row["level"] == level for row in rows)


def test_hints_tell_how_hard_the_puzzle_is(bee):
    assert bee("solve", "vctaoen", "--hints").out.splitlines()[1] == "DIFFICULTY: 36.1, hard"
    assert json.loads(bee("solve", "vctaoen", "--hints", "--json").out)["level"] == "hard"


# ---------------------------------------------------------------- puzzles of our own


def test_the_puzzle_of_a_day_depends_on_the_date_and_seldom_on_the_pool():
    pool = ["".join(sorted("abcdefghijklm"[at : at + 7])) for at in range(7)] + ["vacenot", "cehimny"]
    days = [f"2026-01-{day:02}" for day in range(1, 31)]
    same = dict.fromkeys(pool, "fair")
    chosen = [daily.daily(same, day) for day in days]
    assert len(set(chosen)) > 3
    assert chosen == [daily.daily(dict(reversed(same.items())), day) for day in days]
    without = [daily.daily(dict.fromkeys(pool[1:], "fair"), day) for day in days]
    assert all(one == other for one, other in zip(chosen, without, strict=True) if one != pool[0])


def test_a_third_of_the_days_has_each_level():
    levels = {f"{letter}bcdefg": difficulty.LEVELS[at % 3] for at, letter in enumerate("hijklmnopqr")}
    days = [f"{year}-{month:02}-{day:02}" for year in (2026, 2027) for month in range(1, 13) for day in range(1, 29)]
    counts = pd.Series([levels[daily.daily(levels, day)] for day in days]).value_counts(normalize=True)
    assert all(0.28 < share < 0.39 for share in counts)
    assert set(counts.index) == set(difficulty.LEVELS)


def test_the_levels_part_the_official_puzzles_into_thirds(shared):
    lines = (shared / "archive/nyt_puzzles_plus.txt").read_text().splitlines()
    rows = [line.split()[1:3] for line in lines if line[:8].isdigit()]
    index = pipeline.solver.index(listed := pipeline.load_words())
    hard = difficulty.load(listed, difficulty.accepted(reader.RELEASE))
    solved = [pipeline.solver.solve(index, puzzle("".join(set(seven) - {center}), center)) for seven, center in rows]
    levels = pd.Series([difficulty.level(difficulty.difficulty(answers, hard)) for answers in solved])
    assert all(0.31 < share < 0.36 for share in levels.value_counts(normalize=True))


def test_no_puzzle_of_our_own_was_ever_official(shared, bee):
    """Letters and center of all official puzzles of the archive, so also those within 60 days of any date."""
    lines = (shared / "archive/nyt_puzzles_plus.txt").read_text().splitlines()
    official = {"".join(sorted(line.split()[1])) for line in lines if line[:8].isdigit()}
    assert len(official) > 1000
    rows = csv.DictReader(io.StringIO(bee("puzzles", "--own", "--limit", "0", "--csv").out))
    ours = {"".join(sorted(row["center"] + row["outer"])) for row in rows}
    assert len(ours) > 500
    assert not ours & official


def test_the_pool_holds_no_accepted_pangram_and_every_level(bee):
    accepted = difficulty.accepted(reader.RELEASE)
    rows = list(csv.DictReader(io.StringIO(bee("puzzles", "--own", "--limit", "0", "--csv").out)))
    assert {row["level"] for row in rows} == set(difficulty.LEVELS)
    sets = {frozenset(row["center"] + row["outer"]) for row in rows}
    listed = set(pipeline.load_words())
    for word in listed:
        if pangram(word) and frozenset(word) in sets:
            assert not accepted.get(word, 0), word
    table = csv.DictReader(io.StringIO((PROJECT / "data/custom/words.csv").read_text()))
    flags = {row["word"]: set(row["flags"].split()) for row in table if pangram(row["word"])}
    assert any(flags[word] & set(FAMILY) and not flags[word] & set(SAFE) for word in flags)
    assert [word for word in flags if frozenset(word) in sets and word in listed and flags[word] & set(FAMILY)] == []
