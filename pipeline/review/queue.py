"""Queue: the words for which a verdict is most useful, in the order in which to ask about them.

Words that the last days left open come first, newest day first. Then come the words without a trial on which the list
may be wrong, by points: the probability that a puzzle makes the word possible, times the probability that the list is
wrong about it, times its points. It reads the last release, without pandas, so that a review begins at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline import custom, reader
from pipeline.facts import by_hand
from pipeline.facts.coverage import first_open
from pipeline.play.about import WHY_UNKNOWN
from pipeline.publishing import datapackage
from pipeline.store import Workspace
from pipeline.words import DOUBTFUL, GAME, LISTED, WORD_COLUMNS, mask, pangram, score

DOUBT = "no puzzle has tried it, and we are not sure"
"""Why a review asks about a word that no day left open."""

Question = dict[str, Any]
"""A row of `words.csv`, whose p is a number, with `asks` (why a review asks about the word), `day` (that left it open,
or "") and `points` (expected, per puzzle)."""


def questions(workspace: Workspace) -> list[Question]:
    """Return the words on which a person should decide, in order: none that has a verdict.

    Raises BeeError if the release or the file of verdicts is damaged.
    """
    release = reader.read(workspace.custom)
    verdicts = by_hand.parse("verdicts", custom.read_decisions(workspace, "verdicts"))
    covered = datapackage.coverage_of(release.files[reader.PACKAGE]).dates
    track = reader.rows(release.files[datapackage.TRACK], datapackage.TRACK)
    left_open = open_words([row for row in track if row["date"] >= first_open(covered)])
    rows = {row["word"]: row for row in reader.rows(release.files["words.csv"], "words.csv")}
    decided = {row["word"] for row in verdicts if last_trial(rows.get(row["word"], {})) <= row["after"]}
    asked = [_question(row, left_open) for row in rows.values() if row["word"] in left_open or doubt(row) >= DOUBTFUL]
    asked += [_question(_unknown(word), left_open) for word in left_open.keys() - rows.keys()]
    asked = [question for question in asked if question["word"] not in decided]
    played = [row["word"] for row in rows.values() if int(row["accepted"])]
    for question, share in zip(asked, share_of_puzzles([row["word"] for row in asked], played), strict=True):
        question["points"] = float(share) * doubt(question) * score(question["word"])
    asked.sort(key=lambda row: row["word"])
    return sorted(asked, key=lambda row: (row["day"], row["points"]), reverse=True)


def open_words(track: Iterable[Mapping[str, str]]) -> dict[str, tuple[str, str]]:
    """Return the words that some rows of the track record left open, each with the date and why: a word has no trial on
    its day, or the sites differ on what was counted."""
    found: dict[str, tuple[str, str]] = {}
    for row in track:
        words = [word for word in row["differs"].split() if ":" not in word]
        found |= {word: (row["date"], "the list of a second site differs on it") for word in words}
        found |= {word: (row["date"], "it has no trial on that day") for word in row["without_trial"].split()}
    return found


def last_trial(row: Mapping[str, str]) -> str:
    """Return the date of the last trial of a word, from its row in `words.csv`; "" if no puzzle tried it."""
    return max((row.get(name, "") for name in ("last_accepted", "last_refused")), default="")


def doubt(row: Mapping[str, Any]) -> float:
    """Return the probability that the list is wrong about a word without a trial; 0 for other words."""
    if row["kind"] != "estimate":
        return 0.0
    p = float(row["p"])
    return 1 - p if row["tier"] in LISTED else p


def _unknown(word: str) -> dict[str, str]:
    """Return the row of a word that `words.csv` does not have."""
    return {**dict.fromkeys(WORD_COLUMNS, ""), "word": word, "tier": "unknown", "p": "0", "because": WHY_UNKNOWN}


def _question(row: Mapping[str, str], left_open: Mapping[str, tuple[str, str]]) -> Question:
    day, why = left_open.get(row["word"], ("", DOUBT))
    return {**row, "p": float(row["p"]), "asks": f"{day}: {why}" if day else why, "day": day}


def share_of_puzzles(words: Iterable[str], played: Iterable[str]) -> npt.NDArray[np.float64]:
    """Estimate the share of puzzles that make each word possible, from the sets of letters that were played: those of
    the accepted pangrams.

    A set counts once, and any of its letters may be the center. Half a set is added for every word.
    """
    sets = np.unique(np.array([mask(word) for word in played if pangram(word)], dtype=np.int64))
    masks, places = np.unique(np.array([mask(word) for word in words], dtype=np.int64), return_inverse=True)
    hits = np.array([np.count_nonzero(sets & each == each) for each in masks], dtype=np.float64)
    centers = np.bitwise_count(masks) / GAME.letter_count
    return np.asarray(((hits + 0.5) / (len(sets) + 1) * centers)[places])
