"""The site: a page that solves, explains and keeps score in the browser. Pure: the release in, file name to bytes out.

The page itself (`page/`: one HTML, one CSS, one JS) is the same for every release; what a release says goes into two
data files that script tags can load, also where no server is. `words.js` has what solving needs: every word of the
tiers core, likely and review. `record.js` has the rest, asked for when somebody wants to know more: refused words,
records, reasons, flags, changes, the accuracy report.

Words are front-coded: `A` to `S` says how many letters a word shares with the one before (0 to 18), then come the
other letters, the number of its tier, p in percent where there is one, and `!` where the word is flagged offensive.
A record is five numbers to base 36 with dots between: offered, accepted, and the days from `since` to the first and
the last acceptance and to the last refusal. The reason for an estimate is its phrases, two digits to base 36 each.
A reason that neither form gives back word for word stands in `notes` as it is.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from pipeline import frames
from pipeline.decide import TIERS
from pipeline.flag import OFFENSIVE, RULES
from pipeline.words import BeeError, playable

COLUMNS = ("word", "tier", "p", "offered", "accepted", "flags", "because")
DOCUMENTS = (CHANGES, LICENCES) = ("CHANGES.md", "LICENSES.txt")
PAGE = ("index.html", "style.css", "app.js")
REPORT = "ACCURACY.md"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
ESTIMATE = re.compile(r"never tried; p = (\d\.\d\d): (.+)")

Row = Mapping[str, Any]


class SiteError(BeeError):
    """The release is not what a site can be made of."""


def site(
    tables: Mapping[str, pd.DataFrame],
    package: Mapping[str, Any],
    documents: Mapping[str, bytes],
    page: Mapping[str, bytes],
    report: Mapping[str, bytes],
) -> dict[str, bytes]:
    """Make the files of the site, name to bytes; the same input always makes the same bytes.

    `tables` are `words` (all cells text) and `evidence` of the release, `package` is its datapackage.json,
    `documents` and `page` are the files named in `DOCUMENTS` and `PAGE`, `report` is the accuracy report with its
    plots, or nothing.
    """
    rows = _rows(tables["words"])
    listed = [row for row in rows if row["tier"] != "refused"]
    refused = [row for row in rows if row["tier"] == "refused"]
    told = {key: package.get(key) for key in ("version", "covers", "words", "licenses", "sources")}
    # The rows of record.js follow the words of words.js, so the two must be of one release: both carry this id.
    solving = front_coded(listed)
    release = hashlib.sha256(solving.encode()).hexdigest()[:16]
    reasons = _reasons([*listed, *refused], frames.rows(tables["evidence"]))
    words = {"id": release, **told, "report": REPORT in report, "list": solving}
    record = {
        "of": release,
        "list": front_coded(refused),
        "flags": [
            {"id": rule.id, "severity": rule.severity, "name": rule.name, "says": rule.sentence} for rule in RULES
        ],
        **reasons,
        "changes": documents[CHANGES].decode("utf-8", "replace"),
        "report": report[REPORT].decode("utf-8", "replace") if REPORT in report else "",
    }
    plots = {name: data for name, data in report.items() if name != REPORT}
    scripts = {"words.js": _script("beeWords", words), "record.js": _script("beeRecord", record)}
    return {**page, **scripts, LICENCES: documents[LICENCES], **plots}


def front_coded(rows: Iterable[Row]) -> str:
    """Write sorted words with tier, p and manners as one string.

    >>> rude = {"word": "abed", "tier": "likely", "p": "0.97", "flags": "rare vulgar"}
    >>> front_coded([{"word": "abbey", "tier": "core", "p": "", "flags": ""}, rude])
    'Aabbey0Ced197!'
    """
    tokens, before = [], ""
    for row in rows:
        word = row["word"]
        shared = _shared(before, word)
        percent = str(round(100 * float(row["p"]))) if row["p"] else ""
        manners = "!" if set(row["flags"].split()) & set(OFFENSIVE) else ""
        tokens.append(f"{chr(65 + shared)}{word[shared:]}{TIERS.index(row['tier'])}{percent}{manners}")
        before = word
    return "".join(tokens)


def base36(number: int) -> str:
    """Write a whole number to base 36, as JavaScript's parseInt(text, 36) reads it.

    >>> base36(0), base36(35), base36(261)
    ('0', 'z', '79')
    """
    digits = DIGITS[number % 36]
    while number := number // 36:
        digits = DIGITS[number % 36] + digits
    return digits


def plots(report: str) -> list[str]:
    """Name the pictures of a report, all of which lie beside it.

    >>> plots("![By month](accuracy-months.svg) and ![far](https://example.org/a.svg)")
    ['accuracy-months.svg']
    """
    return re.findall(r"!\[[^\]]*\]\(([\w-]+\.svg)\)", report)


def _shared(one: str, other: str) -> int:
    """Count the letters that two words have in common at the start."""
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    return at


def _rows(words: pd.DataFrame) -> list[dict[str, str]]:
    """Return the rows of words.csv, A to Z; raise SiteError when they are none."""
    if absent := [name for name in COLUMNS if name not in words.columns]:
        raise SiteError(f"words.csv has no column {absent[0]}; `bee publish` makes it anew.")
    rows = sorted(frames.rows(words), key=lambda row: row["word"])
    flags, before = {rule.id for rule in RULES}, ""
    for row in rows:
        wrong = (
            (not playable(row["word"]) and "is no playable word")
            or (row["word"] == before and "stands there twice")
            or (row["tier"] not in TIERS and f'has the tier "{row["tier"]}", which is none')
            or (not re.fullmatch(r"|[01]\.\d\d", row["p"]) and f'has the p "{row["p"]}", which is no such number')
            or (not flags.issuperset(row["flags"].split()) and f'has the flags "{row["flags"]}", not all known')
        )
        if wrong:
            raise SiteError(f'words.csv: "{row["word"]}" {wrong}; `bee publish` makes it anew.')
        before = row["word"]
    if not rows:
        raise SiteError("words.csv has no words; `bee publish` makes it anew.")
    return rows


def _reasons(rows: list[dict[str, str]], evidence: list[dict[str, Any]]) -> dict[str, Any]:
    """Code the flags, the record and the reason of each word, and what is needed to read the code again."""
    records = {row["word"]: row for row in evidence}
    dates = [row[name] for row in evidence for name in _DATES if row[name]]
    since = min(dates, default="2000-01-01")
    phrases = _phrases(rows)
    codes = {rule.id: chr(65 + at) for at, rule in enumerate(RULES)}
    coded, notes = [], {}
    for row in rows:
        known = records.get(row["word"])
        reason = "" if known is None else _record(known, since)
        if known is None and (match := _estimated(row)):
            reason = "".join(phrases.get(phrase, "") for phrase in match.split(", "))
        if row["because"] != _rebuilt(row, known, phrases):
            notes[row["word"]] = row["because"]
        coded.append("".join(codes[flag] for flag in row["flags"].split()) + reason)
    return {"since": since, "phrases": list(phrases), "notes": notes, "rows": " ".join(coded)}


_DATES = ("first_accepted", "last_accepted", "last_rejected")


def _record(known: Row, since: str) -> str:
    """Write a record as five numbers."""
    start = datetime.date.fromisoformat(since)
    days = [(datetime.date.fromisoformat(known[name]) - start).days if known[name] else None for name in _DATES]
    numbers = [known["offered"], known["accepted"], *days]
    return ".".join("" if number is None else base36(number) for number in numbers)


def _estimated(row: Row) -> str:
    """Return the phrases of a reason that is an estimate with the p of its row."""
    match = ESTIMATE.fullmatch(row["because"])
    return match[2] if match and match[1] == row["p"] else ""


def _phrases(rows: list[dict[str, str]]) -> dict[str, str]:
    """Number the phrases of all estimates, the commonest first: phrase to two digits."""
    counts = Counter(phrase for row in rows if (said := _estimated(row)) for phrase in said.split(", "))
    often = sorted(counts, key=lambda phrase: (-counts[phrase], phrase))
    return {phrase: base36(at).rjust(2, "0") for at, phrase in enumerate(often[: 36 * 36])}


def _rebuilt(row: Row, known: Row | None, phrases: Mapping[str, str]) -> str:
    """Say what the page will make of a row's code, so that every other reason is written out."""
    if known is None:
        said = _estimated(row)
        return row["because"] if said and all(phrase in phrases for phrase in said.split(", ")) else ""
    record = f"accepted {known['accepted']} of {known['offered']} times"
    if row["tier"] == "core":
        return f"{record}, last on {known['last_accepted']}"
    return f"{record}, refused at its last trial on {known['last_rejected']}"


def _script(name: str, value: object) -> bytes:
    """Write a value as a script that sets one global name: a page opened from a folder may load no other data."""
    return f"globalThis.{name} = {json.dumps(value, separators=(',', ':'))};\n".encode()
