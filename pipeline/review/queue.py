"""Queue: the words for which a verdict is most useful, in the order in which to ask about them.

Words that the last days left open come first, newest day first. Then come the words without a trial on which the list
may be wrong, by points: the probability that a puzzle makes the word possible, times the probability that the list is
wrong about it, times its points. It reads the last release, without pandas and numpy, so that a review begins at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pipeline import custom, reader
from pipeline.facts import by_hand
from pipeline.facts.coverage import first_open
from pipeline.play.about import WHY_UNKNOWN
from pipeline.publishing import datapackage
from pipeline.review.verdicts import last_trial
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
    release = custom.require_release(workspace)
    verdicts = by_hand.parse("verdicts", custom.read_file_by_people(workspace, "verdicts"))
    covered = datapackage.coverage_of(release.files[reader.PACKAGE]).dates
    track = reader.rows(release.files[datapackage.TRACK], datapackage.TRACK)
    left_open = open_words([row for row in track if row["date"] >= first_open(covered)])
    table = release.files["words.csv"]
    untried = reader.rows(table, "words.csv", "[a-z]+,(?:likely|review)")
    others = reader.rows(table, "words.csv", reader.any_of(left_open.keys()))
    rows = {row["word"]: row for row in (*untried, *others)}
    asked = [_question(row, left_open) for row in rows.values() if row["word"] in left_open or doubt(row) >= DOUBTFUL]
    asked += [_question(_unknown(word), left_open) for word in left_open.keys() - rows.keys()]
    holds_until = {row["word"]: row["after"] for row in verdicts}
    asked = [row for row in asked if row["word"] not in holds_until or last_trial(row) > holds_until[row["word"]]]
    accepted = re.findall(rb"\n([a-z]+),[^,]*,[^,]*,[^,]*,[1-9]", table)
    share = share_of_puzzles(word.decode() for word in accepted)
    for question in asked:
        question["points"] = share(question["word"]) * doubt(question) * score(question["word"])
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


def share_of_puzzles(accepted: Iterable[str]) -> Callable[[str], float]:
    """Return a function that estimates the share of puzzles that make a word possible, from the sets of letters that
    were played: those of the accepted pangrams.

    A set counts once, and any of its letters may be the center. Half a set is added for every word.
    """
    sets = {mask(word) for word in accepted if pangram(word)}
    hits = Counter(subset for letters in sets for subset in _subsets(letters))

    def share(word: str) -> float:
        center = len(set(word)) / GAME.letter_count
        return (hits[mask(word)] + 0.5) / (len(sets) + 1) * center

    return share


def _subsets(letters: int) -> Iterator[int]:
    """Yield the masks of all letters that can be chosen from a mask."""
    chosen = letters
    while chosen:
        yield chosen
        chosen = (chosen - 1) & letters
