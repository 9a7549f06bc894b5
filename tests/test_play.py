"""The tables for players: definitions, difficulty, our own puzzles."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from conftest import reseal

import pipeline
from lexicon.wordnet import Sense, read_senses
from pipeline import reader
from pipeline.errors import BeeError, ReleaseError
from pipeline.play import daily, difficulty, glosses, puzzles
from pipeline.words import pangram, puzzle

pytestmark = pytest.mark.slow

WORDNET = {
    "data.noun": "\n".join([
        "  1 license",
        "00000001 05 n 02 cat 0 Cat 0 000 | feline mammal; \"a black cat\"  ",
        "00000002 05 n 01 cat 0 000 | a spiteful woman gossip; \"what a cat she is!\"  ",
        "00000007 15 n 01 paris 0 001 @i 00000001 n 0000 | a city  ",
        "00000008 05 n 01 Rome 0 000 | another city  ",
    ]),
    "data.verb": "00000009 29 v 01 cat 0 00 | beat with a cat  ",
    "data.adj": "00000011 00 s 01 galore(ip) 0 000 | existing in abundance  ",
    "data.adv": "",
    "index.noun": "cat n 2 0 2 1 00000001 00000002  \nparis n 1 0 1 0 00000007  \nrome n 1 0 1 0 00000008  ",
    "index.verb": "cat v 1 0 1 0 00000009  ",
    "index.adj": "galore a 1 0 1 0 00000011  ",
    "index.adv": "",
    "cntlist.rev": "cat%1:05:00:: 1 18\ncat%2:29:00:: 1 20\n",
}  # fmt: skip


def test_senses_come_by_frequency_without_examples_and_names_have_none():
    verb = Sense("verb", "beat with a cat", 20)
    nouns = [Sense("noun", "feline mammal", 18), Sense("noun", "a spiteful woman gossip", 0)]
    assert read_senses(WORDNET) == {
        "cat": [verb, *nouns],
        "galore": [Sense("adjective", "existing in abundance", 0)],
    }


@pytest.fixture(scope="module")
def meanings() -> glosses.Glosses:
    return glosses.load(reader.RELEASE)


def test_words_that_are_looked_up_have_the_definitions_of_the_whole_table(meanings):
    words = {min(meanings), max(meanings), "null", "luffs", "went", "zzyzx", "", "aa,,n", "aa\n"}
    assert "null" in meanings
    many = set(list(meanings)[::2])  # more than are looked up one by one, and so are their bases
    for some in (words, {"luffs"}, set(), many):
        assert glosses.load(reader.RELEASE, some) == {word: meanings[word] for word in some if word in meanings}
    assert len(meanings["luffs"].senses) > 1


def test_definitions_on_the_command_line(bee):
    done = bee("define", "LEAVES")
    assert done.code == 0
    assert {"leaves, plural of leaf", "leaves, third person of leave"} <= set(done.out.splitlines())
    nothing = bee("define", "xqzzt")
    assert (nothing.code, nothing.out) == (1, "xqzzt: no definition\n")
    assert bee("define").code == 2
    assert re.search(r"core: ([\d,]+) of \1 words have a definition", bee("define", "--coverage").out)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The part of the release that says which definitions it has."""
    for name in (reader.GLOSSES, reader.PACKAGE, reader.SUMS):
        shutil.copy(reader.RELEASE / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("break_it", "says"),
    [
        (Path.unlink, r"glosses\.csv is missing from "),
        (lambda path: path.write_text("word,pos,gloss\nluff,noun\n"), r"is damaged"),
        (lambda path: path.write_bytes(b"word,pos,gloss\n\xff"), r"is damaged"),
        (lambda path: path.write_text(""), r"is damaged"),
        (lambda path: path.write_text("pos,word,gloss\n"), r"has other columns"),
        (lambda path: path.write_text("word,pos,gloss\nluff,,flap\n"), r"has other columns"),
    ],
)
def test_a_lost_or_damaged_file_of_our_definitions_is_an_error_about_this_file(release, break_it, says):
    break_it(release / reader.GLOSSES)
    with pytest.raises(ReleaseError, match=says):
        reader.glosses(release)


def test_a_release_that_was_made_without_our_definitions_has_those_of_wordnet(release):
    (release / reader.GLOSSES).unlink()
    package = json.loads((release / reader.PACKAGE).read_text())
    del package["made_with"][reader.GLOSSES]
    (release / reader.PACKAGE).write_text(json.dumps(package))
    reseal(release)
    table = glosses.load(release, {"hoodie", "caked"})
    assert "hoodie" not in table
    assert table["caked"].base == "cake"


def test_answers_can_carry_their_definitions_and_hints_tell_how_hard_they_are(bee):
    assert bee("solve", "vctaoen", "--hints").out.splitlines()[1] == "DIFFICULTY: 36.1, hard"
    lines = bee("solve", "vctaoen", "--define").out.splitlines()
    assert lines[0] == "covenant"
    assert lines[1].startswith("    noun, solemn agreement")


@pytest.mark.parametrize("name", ["forms", "glosses"])
def test_a_damaged_table_says_which(tmp_path, name):
    for table in ("forms", "glosses"):
        shutil.copy(reader.LEXICON_FOLDER / f"{table}.csv.gz", tmp_path)
    (tmp_path / f"{name}.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(BeeError, match=rf"{name}\.csv\.gz"):
        glosses.load(reader.RELEASE, {"luff"}, tmp_path)


# ---------------------------------------------------------------- difficulty


def test_the_difficulty_of_all_puzzles_is_that_of_each():
    listed = ["covenant", "cove", "cave", "octave", "coven", "concave"]
    hard = {"covenant": 35, "cove": 55, "cave": 20, "octave": 50, "coven": 80, "concave": 45}
    every = puzzles.possible(listed, hard)
    assert len(every) == 7
    for row in every.itertuples():
        answers = [word for word in listed if row.center in word]
        assert row.difficulty == difficulty.difficulty(answers, hard)


# ---------------------------------------------------------------- puzzles of our own


def test_the_archive_has_a_third_of_each_level_and_no_puzzle_of_our_own(shared, own_puzzles):
    lines = (shared / "archive/nyt_puzzles_plus.txt").read_text().splitlines()
    rows = [line.split()[1:3] for line in lines if line[:8].isdigit()]
    index = pipeline.solver.build_index(listed := pipeline.load_words())
    hard = difficulty.load_hardness(listed, difficulty.load_accepted_counts(reader.RELEASE))
    solved = [pipeline.solver.solve(index, puzzle("".join(set(seven) - {center}), center)) for seven, center in rows]
    levels = pd.Series([difficulty.level(difficulty.difficulty(answers, hard)) for answers in solved])
    assert all(0.31 < share < 0.36 for share in levels.value_counts(normalize=True))
    ours = {"".join(sorted(made["center"] + made["outer"])) for made in own_puzzles}
    assert len(ours) > 500
    assert not ours & {"".join(sorted(seven)) for seven, _ in rows}


def test_the_puzzle_of_a_day_depends_on_the_date_and_seldom_on_the_pool():
    pool = ["".join(sorted("abcdefghijklm"[at : at + 7])) for at in range(7)] + ["vacenot", "cehimny"]
    days = [f"2026-01-{day:02}" for day in range(1, 31)]
    same = dict.fromkeys(pool, "medium")
    chosen = [daily.letters_of_day(same, day) for day in days]
    assert len(set(chosen)) > 3
    assert chosen == [daily.letters_of_day(dict(reversed(same.items())), day) for day in days]
    without = [daily.letters_of_day(dict.fromkeys(pool[1:], "medium"), day) for day in days]
    assert all(one == other for one, other in zip(chosen, without, strict=True) if one != pool[0])


def test_a_third_of_the_days_has_each_level():
    levels = {f"{letter}bcdefg": difficulty.LEVELS[at % 3] for at, letter in enumerate("hijklmnopqr")}
    days = [f"{year}-{month:02}-{day:02}" for year in (2026, 2027) for month in range(1, 13) for day in range(1, 29)]
    counts = pd.Series([levels[daily.letters_of_day(levels, day)] for day in days]).value_counts(normalize=True)
    assert all(0.28 < share < 0.39 for share in counts)
    assert set(counts.index) == set(difficulty.LEVELS)


def test_the_pool_holds_no_accepted_pangram_and_every_level(own_puzzles):
    assert {made["level"] for made in own_puzzles} == set(difficulty.LEVELS)
    accepted = difficulty.load_accepted_counts(reader.RELEASE)
    official = {frozenset(word) for word in pipeline.load_words() if pangram(word) and accepted.get(word)}
    assert len(official) > 1000
    assert official.isdisjoint(frozenset(made["center"] + made["outer"]) for made in own_puzzles)
