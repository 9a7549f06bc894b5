"""Queue: the words for which a verdict is most useful, in the order in which to ask about them.

Words in doubt on a new day come first, and then other words that are news on the newest days, newest day first. Then
come words whose estimate does not fit how common they are, then all other doubtful words, and then words with letters
that official puzzles rarely have. Within these groups, the words with the most expected points come first: the
probability that a puzzle makes the word possible, times the probability that the list is wrong about it, times its
points. The words of a family are one question. Forms with a small gain are left out.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions.catalog import LARGE_SIZE, SELDOM_ZIPF, UNCOMMON_ZIPF
from pipeline.opinions.decide import GONE
from pipeline.opinions.why import OpinionTables
from pipeline.play import puzzles
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import columns, frames
from pipeline.words import DOUBTFUL, GAME, LISTED, UNSAFE_FLAGS, count, in_play, score

EXACT = 0.67
"""The share of days whose list is exact: 67.6% in docs/ACCURACY.md. Only on such a day does one word decide."""
PRIOR = 500
"""The weight of the letters, in puzzles, in the estimate of how often a word is possible. The record has the rest."""
NEW_DAYS = 14
"""The number of days that count as new, which is also the number that the first notebook shows."""
SMALL_GAIN = 0.01
"""A gain of fewer exact lists a year than this, one in 100 years, is too small to ask about a form of a word."""
COLUMNS = [
    "word", "family", "asks", "tier", "p", "offered", "accepted", "chance", "doubt", "gain", "points", "folded",
    "because",
]  # fmt: skip


@dataclass(frozen=True)
class QueueTables(OpinionTables):
    """The tables that a queue is made from; `covered` has the dates of the record."""

    conflicts: pd.DataFrame
    covered: Collection[str]
    days: pd.DataFrame
    doubts: pd.DataFrame
    news: pd.DataFrame
    waits: pd.DataFrame


def load(workspace: Workspace) -> QueueTables:
    """Return the tables that `words_to_ask` needs."""
    return QueueTables(
        **vars(registry.load_opinions(workspace)),
        **registry.load_all(workspace, "conflicts", "days", "doubts", "news", "waits"),
        covered=registry.load(workspace, "coverage").dates,
    )


def words_to_ask(tables: QueueTables) -> pd.DataFrame:
    """Return the words without a verdict on which a person should decide, in order, with the columns `COLUMNS`.

    `asks` says why the word is there. `gain` is in exact lists per puzzle, and `points` is in expected points per
    puzzle. In the row of the first word of a family, `folded` has the forms with a small gain, which have no row.
    """
    decisions = pd.concat([tables.decisions, _without_decision(tables)], ignore_index=True)
    undecided = decisions[~columns.is_in(decisions["word"], tables.verdicts["word"])].reset_index(drop=True)
    frame = _select(add_doubt(undecided), tables)
    frame = add_gain(frame, tables.record, tables.covered)
    frame["points"] = frame["chance"] * frame["doubt"] * [score(word) for word in frame["word"]]
    base = columns.look_up(frame["word"], tables.lexicon.set_index("word")["base"], "")
    frame["family"] = base.mask(base == "", frame["word"])
    families = frame.groupby("family")
    frame["any_in_doubt"] = families["in_doubt"].transform("max")
    frame["newest"] = families["day"].transform("max")
    frame["best_rank"] = families["rank"].transform("min")
    frame["most_points"] = families["points"].transform("max")
    is_ascending = {
        "any_in_doubt": False, "newest": False, "best_rank": True, "most_points": False, "family": True,
        "day": False, "rank": True, "points": False, "word": True,
    }  # fmt: skip
    frame = frame.sort_values(list(is_ascending), ascending=list(is_ascending.values()), ignore_index=True)
    is_folded = frame.duplicated("family") & (frame["day"] == "") & (365 * frame["gain"] < SMALL_GAIN)
    folded_forms = frame[is_folded].groupby("family")["word"].agg(" ".join)
    shown = frame[~is_folded].reset_index(drop=True)
    folded = columns.look_up(shown["family"], folded_forms, "").mask(shown.duplicated("family"), "")
    return shown.assign(folded=folded)[COLUMNS]


def _without_decision(tables: QueueTables) -> pd.DataFrame:
    """Return decisions on the words in doubt on which nothing was decided, because no list has them as common words."""
    words = columns.sorted_words([tables.doubts["word"]])
    unknown = words[~columns.is_in(words, tables.decisions["word"])]
    cells = {"word": unknown, "tier": "refused", "by": "none", "kind": "gone", "because": GONE, "p": 0.0}
    return frames.check(pd.DataFrame(cells), "decisions")


def _select(frame: pd.DataFrame, tables: QueueTables) -> pd.DataFrame:
    """Return the rows of `add_doubt` to ask about, with asks, day (of the news, or ""), in_doubt (on that day) and rank
    (0 comes first)."""
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
    news = {item.word: item for item in sorted(_news(tables), key=lambda item: (item.in_doubt, item.day))}
    is_asked = is_doubtful | (case != "doubtful") | columns.is_in(frame["word"], news)
    words, cases_of_words, grades_of_words, details = (
        column[is_asked].tolist() for column in (frame["word"], case, grade, grade_detail)
    )
    return frame[is_asked].assign(
        asks=[
            news[word].text if word in news else WHY[name].format(word_grade, detail)
            for word, name, word_grade, detail in zip(words, cases_of_words, grades_of_words, details, strict=True)
        ],
        day=[news[word].day if word in news else "" for word in words],
        in_doubt=[word in news and news[word].in_doubt for word in words],
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
"""The reasons for asking about a word that is not news. A reader is surprised by a rare word on the list, and by a
common word off the list."""
BY_PEOPLE = "graded by hand|made from|a form of"
"""The beginnings of the detail of a grade that a person gave, or that follows from such a grade."""


class _News(NamedTuple):
    """News about a word: that it is in doubt, or its outcome on a new day."""

    day: str
    word: str
    text: str
    in_doubt: bool = False


def _news(tables: QueueTables) -> Iterator[_News]:
    """Yield the news of the newest days."""
    conflicts = {(row["date"], row["subject"]): row["detail"] for row in frames.rows(tables.conflicts)}
    last = max([*tables.covered, *tables.news["date"], *tables.waits["date"]], default="2000-01-01")
    first = str(datetime.date.fromisoformat(last) - datetime.timedelta(days=NEW_DAYS - 1))
    for (word, side), rows in tables.news[tables.news["date"] >= first].groupby(["word", "side"]):
        day = max(rows["date"])
        days = f"on {day}" if len(rows) == 1 else f"on {len(rows)} days, last on {day}"
        sources = count(int(rows["witnesses"].iloc[-1]), "source")
        outcome = f"{sources} accepted it" if side == "missing" else f"{sources} refused it"
        yield _News(day, str(word), f"{side} {days}: {conflicts.get((day, word), outcome)}")
    yield from _differences_of_waiting_days(tables.days, tables.waits)
    for row in frames.rows(tables.doubts):
        day, word = row["date"], row["word"]
        yield _News(day, word, f"in doubt on {day}: {conflicts.get((day, word), row['because'])}", in_doubt=True)


def _differences_of_waiting_days(days: pd.DataFrame, waits: pd.DataFrame) -> Iterator[_News]:
    """Yield the words that only some sources of a day that waits have, of those with the same letters."""
    of_waiting_days = days[columns.is_in(days["date"], waits["date"])]
    for (date, _, _), lists in of_waiting_days.groupby(["date", "center", "outer"]):
        answers_of = dict(zip(lists["source"], lists["answers"].str.split(), strict=True))
        for word in sorted(set().union(*answers_of.values())):
            having = [source for source, answers in answers_of.items() if word in answers]
            if len(having) < len(answers_of):
                yield _News(
                    str(date), word, f"{date} waits, and this word is only on the list of {' and '.join(having)}"
                )


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
