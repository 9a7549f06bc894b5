"""Queue: the words for which a verdict is most useful, in the order in which a reader of the list would ask.

First come the words that the newest days taught, newest day first; then words whose estimate does not fit how common
they are; then all doubtful words; then those with letters that official puzzles rarely have. Among these, the words
with the most expected points come first: the probability that a puzzle makes the word possible, times the probability
that the list is wrong about it, times its points. The words of a family are one question. Forms with a small gain are
left out.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions.catalog import LARGE_SIZE, SELDOM_ZIPF, UNCOMMON_ZIPF
from pipeline.opinions.reasons import sentences
from pipeline.play import puzzles
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import columns, frames
from pipeline.words import DOUBTFUL, GAME, LISTED, NEVER_LISTED, count, in_play, score

UNWITNESSED = 0.5
"""The doubt about a word that a single source reported once: there is no evidence for either side."""
EXACT = 0.67
"""The share of lists that are exact: 756 of 1,120 in docs/ACCURACY.md. Only in these does one word decide."""
PRIOR = 500
"""The weight, in puzzles, of the letters in the estimate of how often a word is possible; the record has the rest."""
NEW = 14
"""The number of days that are new: as many as the first notebook shows."""
SMALL = 0.01
"""A gain of fewer exact lists a year than this, one in 100 years, is too small to ask about a form of a word."""
COLUMNS = "word family asks tier p offered accepted chance doubt gain points folded because".split()


def load(workspace: Workspace) -> dict[str, Any]:
    """Return the tables that `queue` needs, by name; `covered` are the dates of the record."""
    more = registry.load_all(workspace, "news", "waiting", "versions", "conflicts")
    return {**registry.load_opinions(workspace), **more, "covered": registry.load(workspace, "evidence").covered}


def queue(tables: Mapping[str, Any]) -> pd.DataFrame:
    """Order the words without a verdict on which a person should decide, from the tables of `load`: columns `COLUMNS`.

    `asks` says why the word is there. `gain` is in exact lists per puzzle, `points` in expected points per puzzle. The
    first word of a family has in `folded` its forms with a small gain, which have no row.
    """
    decisions = tables["decisions"]
    frame = doubts(decisions[~columns.is_in(decisions["word"], tables["verdicts"]["word"])], tables["estimates"])
    frame = _asked(frame, tables)
    frame = gains(frame, tables["evidence"], tables["covered"])
    frame["points"] = frame["chance"] * frame["doubt"] * [score(word) for word in frame["word"]]
    lemma = columns.look_up(frame["word"], tables["lexicon"].set_index("word")["lemma"], "")
    frame["family"] = lemma.mask(lemma == "", frame["word"])
    families = frame.groupby("family")
    frame["newest"], frame["first"] = families["day"].transform("max"), families["rank"].transform("min")
    frame["best"] = families["points"].transform("max")
    order = ["newest", "first", "best", "family", "day", "rank", "points", "word"]
    frame = frame.sort_values(order, ascending=[False, True, False, True, False, True, False, True], ignore_index=True)
    folded = frame.duplicated("family") & (frame["day"] == "") & (365 * frame["gain"] < SMALL)
    forms = frame[folded].groupby("family")["word"].agg(" ".join)
    shown = frame[~folded].reset_index(drop=True)
    forms = columns.look_up(shown["family"], forms, "").mask(shown.duplicated("family"), "")
    return shown.assign(folded=forms, because=sentences(shown))[COLUMNS]


def _asked(frame: pd.DataFrame, tables: Mapping[str, Any]) -> pd.DataFrame:
    """Choose the rows of `doubts` to ask about: add asks, day (of the news, or "") and rank (0 comes first)."""
    lexicon, flags = tables["lexicon"].set_index("word"), tables["flags"]
    size = columns.look_up(frame["word"], lexicon["scowl_size"], NO_SIZE)
    zipf = columns.look_up(frame["word"], lexicon["zipf"], 0.0)
    grades = flags[columns.is_in(flags["flag"], NEVER_LISTED)].set_index("word")
    grade, why = (columns.look_up(frame["word"], grades[name], "") for name in ("flag", "detail"))
    by_p, listed, review = frame["by"] == "estimate", frame["tier"].isin(LISTED), frame["tier"] == "review"
    doubtful = by_p & (frame["doubt"] >= DOUBTFUL) & ~why.str.match(BY_PEOPLE)
    cases = {
        "waits": (frame["by"] == "evidence") & review,
        "odd": by_p & listed & (size >= LARGE_SIZE) & (zipf < SELDOM_ZIPF),
        "usual": by_p & review & (size < LARGE_SIZE) & (zipf >= UNCOMMON_ZIPF),
        "rude": doubtful & (grade != ""),
    }
    found = np.select(list(cases.values()), list(cases), "doubtful")
    news = {word: (day, says) for day, word, says in sorted(_newest(tables), key=lambda row: row[0])}
    asks = [
        news[word][1] if word in news else WHY[case].format(grade, detail)
        for word, case, grade, detail in zip(frame["word"], found, grade, why, strict=True)
    ]
    first = (found != "doubtful").astype(int)
    frame = frame.assign(asks=asks, day=[news.get(word, ("",))[0] for word in frame["word"]])
    frame["rank"] = 1 - first + 2 * ~frame["word"].map(in_play)
    return pd.DataFrame(frame[doubtful | (first == 1) | (frame["day"] != "")])


WHY = {
    "waits": "one source accepted it, and no second one did so far",
    "odd": "on the list, and few people know it",
    "usual": "off the list, and most people know it",
    "rude": "off the list, because it is a {} by one list: {}",
    "doubtful": "no puzzle tried it, and we are not sure",
}
"""Why the queue asks about a word, if no new day does; a reader is surprised by an odd or a usual one."""
BY_PEOPLE = "graded by hand|made from|a form of"
"""How the detail of a grade begins that follows from the grade of a person."""


def _newest(tables: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the day, the word and what happened, for each word that a new day taught or on which sources differ."""
    said = {(row["date"], row["subject"]): row["detail"] for row in frames.rows(tables["conflicts"])}
    news, waiting, versions = (tables[name] for name in ("news", "waiting", "versions"))
    last = max([*tables["covered"], *news["date"], *waiting["date"]], default="2000-01-01")
    first = str(datetime.date.fromisoformat(last) - datetime.timedelta(days=NEW - 1))
    for (word, side), rows in news[news["date"] >= first].groupby(["word", "side"]):
        day, sources = max(rows["date"]), count(int(rows["witnesses"].iloc[-1]), "source")
        days = f"on {day}" if len(rows) == 1 else f"on {len(rows)} days, last on {day}"
        told = f"{sources} accepted it" if side == "missing" else f"{sources} refused it"
        yield day, word, f"{side} {days}: {said.get((day, word), told)}"
    lists = versions.assign(word=versions["words"].str.split()).explode("word").dropna()
    for row in frames.rows(waiting[waiting["kind"] != "provisional"]):
        day, subject = row["date"], row["subject"]
        if subject != "day":
            yield day, subject, f"waits since {day}: {said.get((day, subject), row['detail'])}"
            continue
        for word, sources in lists[lists["date"] == day].groupby("word")["source"]:
            yield day, str(word), f"{day} is held, and of its lists only that of {' and '.join(sources)} has {word}"


def doubts(decisions: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """Add p and `doubt`, the probability that the list is wrong about the word; both are 0 if there is no estimate."""
    p = columns.look_up(decisions["word"], estimates.set_index("word")["p"], np.nan)
    waits = (decisions["by"] == "evidence") & (decisions["tier"] == "review")
    wrong = p.mask(decisions["tier"].isin(LISTED), 1 - p).fillna(0.0)
    return decisions.assign(p=p.fillna(0.0), doubt=wrong.mask(waits, UNWITNESSED).round(9))


def gains(frame: pd.DataFrame, evidence: pd.DataFrame, covered: Iterable[str]) -> pd.DataFrame:
    """Add offered, accepted, `chance` (that a puzzle makes the word possible) and `gain` to the rows of `doubts`."""
    record = evidence.set_index("word")
    offered, accepted = (columns.look_up(frame["word"], record[name], 0) for name in ("offered", "accepted"))
    met = evidence["word"][evidence["accepted"] > 0]
    by_letters = spelled(columns.masks(frame["word"]), columns.masks(met[columns.is_pangram(met)]))
    chance = (offered + PRIOR * by_letters) / (len(set(covered)) + PRIOR)
    return frame.assign(offered=offered, accepted=accepted, chance=chance, gain=chance * frame["doubt"] * EXACT)


def worth(queue: pd.DataFrame) -> str:
    """Describe the benefit of deciding on all words of a queue."""
    gain = float(queue["gain"].sum())
    return f"Deciding {count(len(queue), 'word')} correctly would make {often(gain, 'more day')} exactly right."


def often(rate: float, noun: str) -> str:
    """Say how often something happens that has this rate per puzzle; there is one puzzle a day.

    >>> often(12.3 / 365, "puzzle"), often(1 / 365, "puzzle"), often(0.66 / 365, "more day")
    ('about 12 puzzles a year', 'about one puzzle a year', 'about one more day in 18 months')
    >>> often(0.1 / 365, "more day"), often(0.001 / 365, "more day")
    ('about one more day in 10 years', 'less than one more day in 100 years')
    """
    yearly = round(365 * rate, 6)
    if yearly < 0.01:
        return f"less than one {noun} in 100 years"
    months = round(12 / yearly)
    if yearly >= 1.5:
        return f"about {yearly:.0f} {noun}s a year"
    when = "a year" if months <= 12 else f"in {months} months" if months < 24 else f"in {months / 12:.0f} years"
    return f"about one {noun} {when}"


def spelled(masks: columns.Numbers, played: columns.Numbers) -> npt.NDArray[np.float64]:
    """Estimate for each mask the share of puzzles that make it possible from the sets of letters that were played.

    A set counts once; any of its letters may be the center. Half a set is added for every mask.
    """
    wanted, at = np.unique(masks, return_inverse=True)
    sets = np.unique(played)
    hits = np.zeros(len(wanted))
    for subset in puzzles.subsets(sets, wanted):
        np.add.at(hits, subset.masks, 1.0)
    centers = np.bitwise_count(wanted) / GAME.letter_count
    return np.asarray(((hits + 0.5) / (len(sets) + 1) * centers)[at])
