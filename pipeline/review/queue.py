"""Queue: the words for which a verdict is most useful: untried ones of doubtful p, and those that wait for a witness.

The gain of a decision is in exact lists per puzzle: the probability that a puzzle makes the word possible, times the
probability that the list is wrong about it, times the share of lists that are otherwise exact. Words of a family follow
their most valuable member, so that they can be decided together.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.play import puzzles
from pipeline.tables import cells, columns, frames
from pipeline.words import DOUBTFUL, GAME, LISTED, VERDICTS, BeeError, count

UNWITNESSED = 0.5
"""The doubt about a word that a single source reported once: there is no evidence for either side."""
EXACT = 0.67
"""The share of lists that are exact: 756 of 1,120 in docs/ACCURACY.md. Only in these does one word decide."""
PRIOR = 500
"""The weight, in puzzles, of the letters in the estimate of how often a word is possible; the record has the rest."""
COLUMNS = ["word", "family", "tier", "p", "offered", "accepted", "chance", "doubt", "gain", "because"]


def queue(
    decisions: pd.DataFrame,
    estimates: pd.DataFrame,
    evidence: pd.DataFrame,
    lexicon: pd.DataFrame,
    verdicts: pd.DataFrame,
    covered: Iterable[str],
) -> pd.DataFrame:
    """Order the doubtful words without a verdict by the benefit of deciding on them; columns `COLUMNS`.

    `covered` are the dates of the evidence; `gain` is in exact lists per puzzle.
    """
    frame = doubts(decisions[~columns.among(decisions["word"], verdicts["word"])], estimates)
    waits = (frame["by"] == "evidence") & (frame["tier"] == "review")
    frame = frame[waits | (frame["by"] == "estimate") & (frame["doubt"] >= DOUBTFUL)]
    frame = gains(frame, evidence, covered)
    lemma = columns.look_up(frame["word"], lexicon.set_index("word")["lemma"], "")
    frame["family"] = [lemma or word for lemma, word in zip(lemma, frame["word"], strict=True)]
    frame["best"] = frame.groupby("family")["gain"].transform("max")
    order = ["best", "family", "gain", "word"]
    return frame.sort_values(order, ascending=[False, True, False, True], ignore_index=True)[COLUMNS]


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
    by_letters = spelled(columns.masks(frame["word"]), columns.masks(met[columns.pangrams(met)]))
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
    for _, _, rows in puzzles.subsets(sets, wanted):
        np.add.at(hits, rows, 1.0)
    centers = np.bitwise_count(wanted) / GAME.letters
    return np.asarray(((hits + 0.5) / (len(sets) + 1) * centers)[at])


NOTHING = "Nothing was taken over."
REASON = "looked at in review"
"""The reason of a verdict that has none."""

_COLUMNS = ("word", "verdict", "reason")


class SheetError(BeeError):
    """A sheet cannot be imported; nothing of it was."""


def to_csv(queue: pd.DataFrame, flags: pd.DataFrame) -> bytes:
    """Write a queue as CSV, with the flags of the words and empty columns verdict and reason."""
    codes = columns.joined(flags[columns.among(flags["word"], queue["word"])], "flag")
    sheet = queue.assign(flags=columns.look_up(queue["word"], codes, ""), verdict="", reason="")
    sheet["p"] = sheet["p"].map("{:.2f}".format, na_action="ignore").fillna("")
    sheet["exact_lists_per_1000_puzzles"] = sheet["gain"].map(lambda gain: f"{1000 * gain:.3f}")
    shown = ["word", "family", "tier", "p", "offered", "accepted", "flags", "exact_lists_per_1000_puzzles", "because"]
    sheet = sheet[[*shown, "verdict", "reason"]].astype("str")
    return frames.csv_bytes(sheet.map(cells.guarded))


def decided(data: bytes, where: object) -> list[dict[str, str]]:
    """Read the rows with a verdict: word, verdict, reason. The separator is a comma or a semicolon.

    A verdict without a reason gets `REASON`. Raises SheetError if the file is not such a sheet, or a verdict is neither
    keep nor drop.
    """
    try:
        text = data.decode("utf-8-sig")
        text = text.partition("\n")[2] if text.startswith("sep=") else text
        mark = max(",;\t", key=text.partition("\n")[0].count)
        header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    except ValueError:
        raise SheetError(f"{where} has no rows, or is not text in UTF-8. {NOTHING}") from None
    except csv.Error as error:
        raise SheetError(f"{where} is not CSV: {error}. {NOTHING}") from error
    if absent := [name for name in _COLUMNS if header.count(name) != 1]:
        like = "`bee review --export queue.csv` writes a good table"
        raise SheetError(f"{where} has no column {absent[0]}, or has it twice; {like}. {NOTHING}")
    found: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows, 2):
        if row and len(row) != len(header):
            raise SheetError(f"{where}, row {number}: {count(len(row), 'cell')}, not {len(header)}. {NOTHING}")
        word, verdict, reason = (
            (cells.unguarded(row[header.index(name)].strip()) for name in _COLUMNS) if row else [""] * 3
        )
        if not verdict:
            continue
        if verdict.lower() not in VERDICTS:
            raise SheetError(f'{where}, row {number}: "{verdict}" is neither keep nor drop. {NOTHING}')
        decision = {"word": word.lower(), "verdict": verdict.lower(), "reason": reason or REASON}
        if found.setdefault(decision["word"], decision)["verdict"] != decision["verdict"]:
            raise SheetError(f"{where}, row {number}: {word} is kept in one row and dropped in another. {NOTHING}")
    return list(found.values())
