"""Evidence: the record of every word that was ever possible, kept as counts about words, never as puzzles.

The file starts with one line that seals the rest and says which dates it covers, so that counts and coverage are
written in one piece and a part of them is never taken for the whole:

    # sha256 5d41… covers 2018-05-09..2025-06-02 2025-06-04..2025-12-31
    word,offered,accepted,first_accepted,last_accepted,last_rejected,vouched

`vouched` is the most sources that named the word on one day. All columns are sums, least or greatest values, so days
can be folded in one by one or all at once, in any order, with the same result.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterable

import pandas as pd

from pipeline import frames
from pipeline.words import BeeError

NEVER = "9999-99-99"
REPAIR = "restore it from the repository, or make it anew from the archives with bee merge --rebuild"


class EvidenceError(BeeError):
    """The evidence file and the captures on disk do not fit together."""


def tally(trials: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Count trials into evidence, one row a word; `answers` says how many sources vouched for an acceptance."""
    if trials.empty:
        return frames.empty("evidence")
    accepted = trials[trials["accepted"]].merge(answers, on=["date", "word"], how="left", validate="one_to_one")
    rejected = trials[~trials["accepted"]]
    yes, no = accepted.groupby("word"), rejected.groupby("word")
    frame = trials.groupby("word").agg(offered=("date", "size"), accepted=("accepted", "sum")).reset_index()
    for name, column in {
        "first_accepted": yes["date"].min(),
        "last_accepted": yes["date"].max(),
        "last_rejected": no["date"].max(),
    }.items():
        frame[name] = frames.look_up(frame["word"], column, "")
    frame["vouched"] = frames.look_up(frame["word"], yes["vouched"].max(), 0)
    return frames.check(frame, "evidence")


def add(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
    """Add two records that cover different days."""
    both = pd.concat([left, right], ignore_index=True)
    if both.empty:
        return frames.empty("evidence")
    both["first_accepted"] = both["first_accepted"].replace("", NEVER)
    columns = {
        "offered": "sum",
        "accepted": "sum",
        "first_accepted": "min",
        "last_accepted": "max",
        "last_rejected": "max",
        "vouched": "max",
    }
    frame = both.groupby("word").agg(columns).reset_index()
    frame["first_accepted"] = frame["first_accepted"].replace(NEVER, "")
    return frames.check(frame, "evidence")


def fold(
    kept: pd.DataFrame,
    covered: set[str],
    trials: pd.DataFrame,
    answers: pd.DataFrame,
    on_disk: set[str],
    seen: set[str] | None = None,
) -> tuple[pd.DataFrame, set[str]]:
    """Bring the evidence up to date with the days on disk; return it with the dates that it covers.

    `on_disk` are the dates of the trials, `seen` those that the captures have at all: a correction takes a day from the
    first and not from the second. When every covered day is among them, everything is counted anew from the trials,
    which cannot go wrong. Otherwise the kept record stays, and only days that it does not cover are added: a list that
    grew after its day was folded in is counted at the next rebuild. A word that the record does not have yet counts on
    all days on disk: had it been possible on a covered day as the word that it is now, it would be there.
    """
    if covered <= (on_disk if seen is None else seen):
        return tally(trials, answers), on_disk
    new = ~trials["date"].isin(covered) | ~trials["word"].isin(set(kept["word"]))
    return add(kept, tally(trials[new], answers)), covered | on_disk


def need_all(covered: set[str], seen: set[str]) -> None:
    """Raise EvidenceError when counting anew would forget days that are covered and not on disk."""
    if lost := covered - seen:
        raise EvidenceError(
            f"Rebuilding would forget {len(lost)} days that the evidence covers and raw/ does not hold, "
            f"{ranges(lost)[:60]}. Fetch them first: bee fetch --from ARCHIVE."
        )


def ranges(dates: Iterable[str]) -> str:
    """Write dates as ranges.

    >>> ranges(["2018-05-09", "2018-05-10", "2018-05-12"])
    '2018-05-09..2018-05-10 2018-05-12..2018-05-12'
    """
    spans: list[list[datetime.date]] = []
    for date in sorted(map(datetime.date.fromisoformat, dates)):
        if spans and (date - spans[-1][1]).days == 1:
            spans[-1][1] = date
        else:
            spans.append([date, date])
    return " ".join(f"{first}..{last}" for first, last in spans)


def dates(ranges: str) -> set[str]:
    """Read what `ranges` writes.

    >>> sorted(dates("2018-05-09..2018-05-10 2018-05-12..2018-05-12"))
    ['2018-05-09', '2018-05-10', '2018-05-12']
    """
    covered = set()
    for span in ranges.split():
        first, _, last = span.partition("..")
        try:
            date, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
        except ValueError:
            raise EvidenceError(f'The evidence\'s first line has "{span}", which is no range of dates.') from None
        covered |= {str(date + datetime.timedelta(days=day)) for day in range((end - date).days + 1)}
    return covered


def sealed(covered: Iterable[str], body: bytes) -> bytes:
    """Put the first line before the body of the evidence file."""
    return f"# sha256 {hashlib.sha256(body).hexdigest()} covers {ranges(covered)}\n".encode() + body


def coverage(data: bytes) -> set[str]:
    """Return the dates that an evidence file covers; raise EvidenceError when its first line or its seal is broken."""
    first, _, body = data.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    match = re.fullmatch(r"# sha256 ([0-9a-f]{64}) covers ?(.*)", first.decode("utf-8", errors="replace").strip())
    if not match:
        raise EvidenceError(f"evidence.csv does not start with `# sha256 SUM covers DATES`; {REPAIR}.")
    covered = dates(match[2])
    if hashlib.sha256(body).hexdigest() != match[1]:
        raise EvidenceError(
            f"evidence.csv was changed or cut short: its rows are not those that were sealed; {REPAIR}."
        )
    return covered
