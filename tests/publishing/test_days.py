"""Our own puzzles in a release made from the real data: like official ones, and the puzzles of the day never change."""

from __future__ import annotations

import csv
import datetime
import io
import json
from pathlib import Path

import pandas as pd
import pytest
from conftest import reseal
from wordfreq import zipf_frequency

from pipeline import reader, solver, words
from pipeline.play import daily, difficulty
from pipeline.publishing import publish
from pipeline.tables import frames

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def days(real_run: Path) -> dict[str, str]:
    return daily.decode((real_run / "custom/daily.csv").read_bytes())


@pytest.fixture(scope="module")
def table(real_run: Path) -> dict[str, dict[str, str]]:
    """The rows of words.csv by word."""
    text = (real_run / "custom/words.csv").read_text()
    return {row["word"]: row for row in csv.DictReader(io.StringIO(text))}


def test_every_puzzle_of_our_own_is_like_the_official_ones(own_puzzles, table):
    sizes = difficulty.load_hardness(table, {word: int(row["accepted"]) for word, row in table.items()})
    unsafe = {word for word, row in table.items() if set(row["flags"].split()) & set(words.UNSAFE_FLAGS)}
    assert len(own_puzzles) > 1000
    for made in own_puzzles:
        measured = daily.measure(made["answers"], sizes)
        for name, (low, high) in daily.BANDS.items():
            assert low <= measured[name] <= high, (made["center"], made["outer"], name)
        best = [word for word in made["answers"] if words.pangram(word) and float(table[word]["p"]) >= 0.75]
        assert max(zipf_frequency(word, "en") for word in best) >= 1.5, best
        assert unsafe.isdisjoint(made["answers"])
        assert len(set("aeiou") & {made["center"], *made["outer"]}) <= 3


def shares(asked: dict[str, list[str]]) -> tuple[float, float]:
    """The share of answers in -ing, and of puzzles with I, N and G, of letters with their answers."""
    every = [word for answers in asked.values() for word in answers]
    ending = sum(word.endswith("ing") for word in every) / len(every)
    return ending, sum(set("ing") <= set(letters) for letters in asked) / len(asked)


def test_there_are_as_many_words_in_ing_as_in_official_puzzles(own_puzzles, days, table):
    ending, lettered = shares({made["center"] + made["outer"]: made["answers"] for made in own_puzzles})
    assert 0.04 <= ending <= 0.07
    assert 0.10 <= lettered <= 0.16
    index = solver.build_index([word for word, row in table.items() if row["tier"] in words.LISTED])
    ending, lettered = shares({letters: solver.solve(index, words.puzzle(letters)) for letters in days.values()})
    assert 0.04 <= ending <= 0.07
    assert 0.10 <= lettered <= 0.16


def test_the_bands_are_those_of_the_official_puzzles(shared):
    """The 5% and 95% quantiles of all puzzles of the archive; percentages are rounded inward."""
    names = ("nyt_puzzles_plus.txt", "nyt_puzzles_plus_2026.txt")
    lines = [line for name in names for line in (shared / "archive" / name).read_text().splitlines()]
    official = [line.partition("|")[2].split() for line in lines if line[:8].isdigit()]
    assert len(official) == 2999
    accepted = difficulty.load_accepted_counts(reader.RELEASE)
    hard = difficulty.load_hardness({word for answers in official for word in answers}, accepted)
    measured = pd.DataFrame([daily.measure(answers, hard) for answers in official])
    for name, (low, high) in daily.BANDS.items():
        lowest, highest = measured[name].quantile(0.05), measured[name].quantile(0.95)
        if name in ("four", "ing", "ed"):
            assert low - 1 < lowest <= low, name
            assert high <= highest < high + 1, name
        else:
            near = 0.5 if name == "difficulty" else 0  # which changes with the number of times a word was accepted
            assert (lowest, highest) == (pytest.approx(low, abs=near), pytest.approx(high, abs=near)), name


def test_the_days_reach_from_the_first_one_a_year_ahead_without_the_same_letters_soon(real_run, days):
    covered = json.loads((real_run / "custom/datapackage.json").read_text())["covers"]["last"]
    later = daily.dates(max(covered, daily.FIRST_RELEASED), 366)
    assert (min(days), max(days)) == ("2026-10-01", later[-1])
    sets = [frozenset(letters) for letters in days.values()]
    assert all(each not in sets[max(0, at - 90) : at] for at, each in enumerate(sets))


# ---------------------------------------------------------------- published rows


def test_days_without_a_puzzle_get_one_and_no_row_changes(real_run, days, table):
    frame = frames.from_rows(
        [{**row, "offered": 0, "accepted": int(row["accepted"])} for row in table.values()], "words"
    )
    scowl = (real_run / "raw/lexicon/scowl.csv.gz").read_bytes()
    whole = (real_run / "custom/daily.csv").read_bytes()

    def made(published: dict[str, str], covered: str) -> bytes:
        return publish.puzzles_of_days(published, covered, frame, scowl)

    last = daily.dates(max(days), 3)
    until = (datetime.date.fromisoformat(last[0]) - datetime.timedelta(365)).isoformat()
    assert made(days, until) == whole
    other = dict.fromkeys(list(days)[1:], "mcegint")
    grown = daily.decode(made(other, daily.dates(until, 3)[-1]))
    assert list(grown) == [daily.FIRST_DAY, *other, *last[1:]]
    assert list(grown.items())[1:-2] == list(other.items()), "no row changes, whatever the rule would choose"
    assert daily.decode(made(grown, until)) == grown, "no row goes when fewer days are covered"


def test_a_published_puzzle_stays_when_the_list_loses_its_pangram(ran, bee, sample_days):
    letters = sample_days[0].puzzle.letters
    (ran / "custom" / daily.FILE).write_text(f"date,letters\n2026-11-22,{letters}\n")
    reseal(ran / "custom")
    daily_puzzle = ("--data", ran, "daily", "2026-11-22")
    pangrams = [word for word in bee("--data", ran, "solve", letters).out.split() if words.pangram(word)]
    assert f"pangrams   {len(pangrams)}\n" in bee(*daily_puzzle).out
    assert pangrams
    for word in pangrams:
        assert bee("--data", ran, "drop", word, "--reason", "hardly used", "--by", "ann", "--force").code == 0
    before = (ran / "custom/daily.csv").read_bytes()
    assert bee("--data", ran, "run").code == 0
    assert set(pangrams).isdisjoint((ran / "custom/wordlist.txt").read_text().split())
    assert (ran / "custom/daily.csv").read_bytes() == before
    shown = dict(line.split() for line in bee(*daily_puzzle).out.splitlines())
    assert (shown["center"] + shown["outer"], shown["pangrams"]) == (letters, "0")
    assert int(shown["words"]) > 20
