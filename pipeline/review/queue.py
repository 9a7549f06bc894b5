"""Queue: the words for which a verdict is most useful, in the order in which to ask about them.

Words that a new day left open come first, newest day first. Then come words whose estimate does not fit how common they
are, then all other doubtful words, and then words with letters that official puzzles rarely have. Within these groups,
the words with the most expected points come first: the probability that a puzzle makes the word possible, times the
probability that the list is wrong about it, times its points. The words of a family are one question. Forms with a
small gain are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.facts import track
from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import decide
from pipeline.opinions.catalog import LARGE_SIZE, SELDOM_ZIPF, UNCOMMON_ZIPF
from pipeline.opinions.decide import GONE
from pipeline.play import puzzles
from pipeline.run import Update
from pipeline.tables import columns, frames
from pipeline.words import DOUBTFUL, GAME, LISTED, UNSAFE_FLAGS, count, in_play, score

EXACT = 0.67
"""The share of days whose list is exact: 67.5% in docs/ACCURACY.md. Only on such a day does one word decide."""
PRIOR = 500
"""The weight of the letters, in puzzles, in the estimate of how often a word is possible. The record has the rest."""
SMALL_GAIN = 0.01
"""A gain of fewer exact lists a year than this, one in 100 years, is too small to ask about a form of a word."""
COLUMNS = [
    "word", "family", "asks", "tier", "p", "offered", "accepted", "chance", "doubt", "gain", "points", "folded",
    "because",
]  # fmt: skip


def words_to_ask(tables: Update) -> pd.DataFrame:
    """Return the words on which a person should decide, in order, with the columns `COLUMNS`: none with a verdict that
    holds.

    `asks` says why the word is there. `gain` is in exact lists per puzzle, and `points` is in expected points per
    puzzle. In the row of the first word of a family, `folded` has the forms with a small gain, which have no row.
    """
    open_words = {word: (date, why) for date, word, why in track.open_words(tables.track, tables.coverage.dates)}
    decisions = pd.concat([tables.decisions, _without_decision(tables.decisions, open_words)], ignore_index=True)
    verdicts = decide.that_hold(tables.verdicts, tables.record)
    undecided = decisions[~columns.is_in(decisions["word"], verdicts["word"])].reset_index(drop=True)
    frame = _select(add_doubt(undecided), tables, open_words)
    frame = add_gain(frame, tables.record, tables.coverage.dates)
    frame["points"] = frame["chance"] * frame["doubt"] * [score(word) for word in frame["word"]]
    base = columns.look_up(frame["word"], tables.lexicon.set_index("word")["base"], "")
    frame["family"] = base.mask(base == "", frame["word"])
    families = frame.groupby("family")
    frame["newest"] = families["day"].transform("max")
    frame["best_rank"] = families["rank"].transform("min")
    frame["most_points"] = families["points"].transform("max")
    is_ascending = {
        "newest": False, "best_rank": True, "most_points": False, "family": True,
        "day": False, "rank": True, "points": False, "word": True,
    }  # fmt: skip
    frame = frame.sort_values(list(is_ascending), ascending=list(is_ascending.values()), ignore_index=True)
    is_folded = frame.duplicated("family") & (frame["day"] == "") & (365 * frame["gain"] < SMALL_GAIN)
    folded_forms = frame[is_folded].groupby("family")["word"].agg(" ".join)
    shown = frame[~is_folded].reset_index(drop=True)
    folded = columns.look_up(shown["family"], folded_forms, "").mask(shown.duplicated("family"), "")
    return shown.assign(folded=folded)[COLUMNS]


OpenWords = Mapping[str, tuple[str, str]]
"""The words that the last days left open, each with the date and why."""


def _without_decision(decisions: pd.DataFrame, open_words: OpenWords) -> pd.DataFrame:
    """Return decisions on the open words on which nothing was decided, because no list has them as common words."""
    words = columns.sorted_words([list(open_words)])
    unknown = words[~columns.is_in(words, decisions["word"])]
    cells = {"word": unknown, "tier": "refused", "by": "none", "kind": "gone", "because": GONE, "p": 0.0}
    return frames.check(pd.DataFrame(cells), "decisions")


def _select(frame: pd.DataFrame, tables: Update, open_words: OpenWords) -> pd.DataFrame:
    """Return the rows of `add_doubt` to ask about, with asks, day (that left the word open, or "") and rank (0 comes
    first)."""
    lexicon = tables.lexicon.set_index("word")
    size = columns.look_up(frame["word"], lexicon["scowl_size"], NO_SIZE)
    zipf = columns.look_up(frame["word"], lexicon["zipf"], 0.0)
    grades = tables.flags[columns.is_in(tables.flags["flag"], UNSAFE_FLAGS)].set_index("word")
    grade = columns.look_up(frame["word"], grades["flag"], "")
    grade_detail = columns.look_up(frame["word"], grades["detail"], "")
    by_estimate = frame["by"] == "estimate"
    in_review = frame["tier"] == "review"
    is_doubtful = by_estimate & (frame["doubt"] >= DOUBTFUL) & ~grade_detail.str.match(BY_PEOPLE)
    cases = {
        "rare": by_estimate & frame["tier"].isin(LISTED) & (size >= LARGE_SIZE) & (zipf < SELDOM_ZIPF),
        "common": by_estimate & in_review & (size < LARGE_SIZE) & (zipf >= UNCOMMON_ZIPF),
        "offensive": is_doubtful & (grade != ""),
    }
    case = pd.Series(np.select(list(cases.values()), list(cases), "doubtful"), frame.index)
    is_asked = is_doubtful | (case != "doubtful") | columns.is_in(frame["word"], list(open_words))
    words, cases_of_words, grades_of_words, details = (
        column[is_asked].tolist() for column in (frame["word"], case, grade, grade_detail)
    )
    return frame[is_asked].assign(
        asks=[
            "{}: {}".format(*open_words[word]) if word in open_words else WHY[name].format(word_grade, detail)
            for word, name, word_grade, detail in zip(words, cases_of_words, grades_of_words, details, strict=True)
        ],
        day=[open_words[word][0] if word in open_words else "" for word in words],
        rank=[
            int(name == "doubtful") + 2 * (not in_play(word)) for word, name in zip(words, cases_of_words, strict=True)
        ],
    )


WHY = {
    "rare": "on the list, although few people know it",
    "common": "off the list, although most people know it",
    "offensive": "off the list, because one list marks it as {}: {}",
    "doubtful": "no puzzle has tried it, and we are not sure",
}
"""The reasons for asking about a word that no new day left open. A reader is surprised by a rare word on the list, and
by a common word off the list."""
BY_PEOPLE = "graded by hand|made from|a form of"
"""The beginnings of the detail of a grade that a person gave, or that follows from such a grade."""


def add_doubt(decisions: pd.DataFrame) -> pd.DataFrame:
    """Add `doubt` to decisions: the probability that the list is wrong about the word, 0 if it has no p."""
    doubt = decisions["p"].mask(decisions["tier"].isin(LISTED), 1 - decisions["p"])
    return decisions.assign(doubt=doubt.fillna(0.0).round(9))


def add_gain(frame: pd.DataFrame, record: pd.DataFrame, covered: Iterable[str]) -> pd.DataFrame:
    """Add offered, accepted, `chance` (that a puzzle makes the word possible) and `gain` to rows of `add_doubt`."""
    counts = record.set_index("word")
    offered = columns.look_up(frame["word"], counts["offered"], 0)
    accepted = columns.look_up(frame["word"], counts["accepted"], 0)
    accepted_words = record["word"][record["accepted"] > 0]
    played_sets = columns.masks(accepted_words[columns.is_pangram(accepted_words)])
    by_letters = share_of_puzzles(columns.masks(frame["word"]), played_sets)
    chance = (offered + PRIOR * by_letters) / (len(set(covered)) + PRIOR)
    return frame.assign(offered=offered, accepted=accepted, chance=chance, gain=chance * frame["doubt"] * EXACT)


def benefit_of(queue: pd.DataFrame) -> str:
    """Return a sentence on the benefit of deciding on all words of a queue."""
    gain = frequency_text(float(queue["gain"].sum()), "more day")
    return f"Deciding {count(len(queue), 'word')} correctly would make {gain} exactly right."


def frequency_text(rate: float, noun: str) -> str:
    """Return in words how often something happens that has this rate per puzzle; there is one puzzle a day.

    >>> frequency_text(12.3 / 365, "puzzle"), frequency_text(1 / 365, "puzzle")
    ('about 12 puzzles a year', 'about one puzzle a year')
    >>> [frequency_text(yearly / 365, "day") for yearly in (0.66, 0.1, 0.001)]
    ['about one day in 18 months', 'about one day in 10 years', 'less than one day in 100 years']
    """
    yearly = round(365 * rate, 6)
    if yearly < 0.01:
        return f"less than one {noun} in 100 years"
    if yearly >= 1.5:
        return f"about {yearly:.0f} {noun}s a year"
    months = round(12 / yearly)
    if months <= 12:
        return f"about one {noun} a year"
    return f"about one {noun} in {months} months" if months < 24 else f"about one {noun} in {months / 12:.0f} years"


def share_of_puzzles(masks: columns.Numbers, played_sets: columns.Numbers) -> npt.NDArray[np.float64]:
    """Estimate the share of puzzles that make each mask possible, from the sets of letters that were played.

    A set counts once, and any of its letters may be the center. Half a set is added for every mask.
    """
    different_masks, rows = np.unique(masks, return_inverse=True)
    sets = np.unique(played_sets)
    hits = np.zeros(len(different_masks))
    for subset in puzzles.subsets(sets, different_masks):
        np.add.at(hits, subset.mask_rows, 1.0)
    centers = np.bitwise_count(different_masks) / GAME.letter_count
    return np.asarray(((hits + 0.5) / (len(sets) + 1) * centers)[rows])
