"""Verify: whether a release is as it was published, and whether its files agree. Standard library only.

Beside the files that `SHA256SUMS` lists, a release belongs together with files that were there when it was made: the
record, the track record and the weights, which `bee merge` and `bee fit` write between releases, and the decisions of
people. `datapackage.json` describes them under `made_with`, so a lost one is missed, and a changed one is noticed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline import reader
from pipeline.errors import BeeError, Command, Message, ReleaseError
from pipeline.facts import seal
from pipeline.play import daily
from pipeline.reader import Release
from pipeline.tables import cells
from pipeline.words import LISTED, in_play, rule_broken

RECORD, TRACK, MODEL = WRITTEN = ("evidence.csv", "track.csv", "model.csv")
"""The files beside a release that commands write."""
DECISIONS = ("admitted.csv", "corrections.csv", reader.GLOSSES, "offensive.csv", "verdicts.csv")
"""The files beside a release that people write."""
_HASHED = (*WRITTEN, reader.GLOSSES)
"""The files beside a release that are as they were when it was made; its readers use them."""
RECORD_AND_DECISIONS = (*WRITTEN, *DECISIONS)
"""The files that a release is made with, and that are beside it."""
IN_PLAY, SINCE = "wordlist-in-play.txt", "since-approved.csv"
_SUMS = ("days", "exact", "missing", "extra")


def made_with(record_and_decisions: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """Describe the files beside a release, name to bytes: the sums of what is as it was, and what people wrote."""
    said = [
        name for name in DECISIONS if record_and_decisions.get(name, b"").strip().count(b"\n")
    ]  # more than the first line
    about: dict[str, dict[str, Any]] = {name: {} for name in said}
    for name in _HASHED:
        if name in record_and_decisions:
            about[name] = {"hash": f"sha256:{reader.sha256(record_and_decisions[name])}"}
    if TRACK in record_and_decisions:
        about[TRACK] |= track_sums(record_and_decisions[TRACK])
    return dict(sorted(about.items()))


def track_sums(track: bytes) -> dict[str, int]:
    """Return the number of days in a track record, and how many lists were exact, and words missing and extra."""
    rows = cells.read_rows(track, TRACK)
    return {"days": len(rows), **{name: sum(int(row[name]) for row in rows) for name in _SUMS[1:]}}


def needed(package: bytes) -> dict[str, dict[str, Any]]:
    """Return the files that a release was made with, and what `datapackage.json` says of each; raises ReleaseError."""
    try:
        described = json.loads(package)
        if not described["covers"]:
            raise KeyError("covers")
        return dict(described["made_with"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ReleaseError(f"{reader.PACKAGE} is damaged; `bee restore` brings the release back.") from None


def covered(package: bytes) -> frozenset[str]:
    """Return the settled dates that a release covers, from `datapackage.json`."""
    needed(package)
    return seal.dates(json.loads(package)["covers"]["dates"])


def verify(files: Mapping[str, bytes], where: object) -> Release:
    """Return the release in some files, name to bytes, including `SHA256SUMS`, after every check.

    Raises ReleaseError with the first problem: checksums, the description, the columns and rows of a table, the list
    itself, the puzzles of the day, or the files beside it.
    """
    made = reader.check(
        {name: data for name, data in files.items() if name not in RECORD_AND_DECISIONS}, where, whole=True
    )
    try:
        described(made, where)
        words = {row["word"]: row for row in reader.check_words(made.files["words.csv"])}
        _follows(made, words, where)
        daily.published(made)
        _beside(made, files, words, where)
    except ReleaseError:
        raise
    except (BeeError, KeyError, TypeError, ValueError) as error:
        raise ReleaseError(f"The release in {where} contradicts itself: {error}") from error
    return made


def described(made: Release, where: object) -> Release:
    """Return a release; raise ReleaseError unless datapackage.json describes each file and its columns correctly."""
    try:
        resources = {resource["path"]: resource for resource in made.package["resources"]}
        names = made.files.keys() - {reader.PACKAGE, "CHANGES.md"} ^ resources.keys()
        if names:
            raise ReleaseError(f"{reader.PACKAGE} in {where} and the files differ on {', '.join(sorted(names))}.")
        for name, resource in resources.items():
            data = made.files[name]
            if (resource["bytes"], resource["hash"]) != (len(data), f"sha256:{reader.sha256(data)}"):
                raise ReleaseError(f"{name} in {where} is not the file that {reader.PACKAGE} describes.")
            if "schema" in resource:
                columns = cells.read_table(data.partition(b"\n")[0] + b"\n", name)[0]
                if columns != [field["name"] for field in resource["schema"]["fields"]]:
                    raise ReleaseError(f"{name} in {where} has the columns {', '.join(columns)}, not those described.")
    except (KeyError, TypeError) as error:
        raise ReleaseError(f"{reader.PACKAGE} in {where} does not describe a release ({error}).") from error
    return made


def lists(listed: list[str]) -> dict[str, bytes]:
    """Write the list, and the smaller one without the letters that official puzzles rarely have, name to bytes.

    >>> lists(["octave", "coves", "cove"])
    {'wordlist.txt': b'cove\\ncoves\\noctave\\n', 'wordlist-in-play.txt': b'cove\\noctave\\n'}
    """
    words = sorted(listed)
    both = {"wordlist.txt": words, IN_PLAY: filter(in_play, words)}
    return {name: "".join(f"{word}\n" for word in chosen).encode() for name, chosen in both.items()}


def _follows(made: Release, words: Mapping[str, Mapping[str, str]], where: object) -> None:
    """Check that the list agrees with words.csv, and that both are consistent."""
    listed = [word for word, row in words.items() if row["tier"] in LISTED]
    for name, data in lists(listed).items():
        if (name != IN_PLAY or name in made.files) and made.files[name] != data:
            which = f"{' or '.join(LISTED)}{' and in play' if name == IN_PLAY else ''}"
            raise ReleaseError(f"{name} in {where} is not the words of words.csv that are {which}.")
    for word in listed:
        if rule := rule_broken(word):
            raise ReleaseError(f'"{word}" in {where} is on the list and cannot be an answer: {rule}.')
    for word, row in words.items():
        if int(row["accepted"]) > int(row["offered"]) or not row["because"]:
            raise ReleaseError(f'The record of "{word}" in words.csv in {where} contradicts itself.')
    tiers = [row["tier"] for row in words.values()]
    counts = {tier: tiers.count(tier) for tier in ("core", "likely", "review")}
    if counts != (said := {tier: made.package["words"][tier] for tier in counts}):
        raise ReleaseError(f"{reader.PACKAGE} in {where} counts {said}, words.csv has {counts}.")
    approved_list(made)


def _beside(made: Release, files: Mapping[str, bytes], words: Mapping[str, Mapping[str, str]], where: object) -> None:
    """Check the files beside a release: that they are there, that those that commands write are the ones that it was
    made with, and that they agree with it."""
    dates: frozenset[str] = frozenset()
    if RECORD in files:
        dates = seal.coverage(files[RECORD])
        for fault in _of_record(files[RECORD], words, made.package["covers"]["days"] - len(dates)):
            raise ReleaseError(f"{RECORD} in {where} contradicts words.csv: {fault}.")
    if TRACK in files:
        _consistent(files[TRACK], dates, where)
    for name, about in needed(made.files[reader.PACKAGE]).items():
        if name not in files:
            raise ReleaseError(f"{name} is missing in {where}; the release was made with it. {MISSING}")
        if name in WRITTEN and "hash" in about and about["hash"] != f"sha256:{reader.sha256(files[name])}":
            newer = NEWER.format(name)
            raise ReleaseError(f"{name} in {where} is not the one that this release was made with. {newer}")
        if name == TRACK and track_sums(files[TRACK]) != {sum: about[sum] for sum in _SUMS}:
            raise ReleaseError(f"{TRACK} in {where} does not have the sums that {reader.PACKAGE} gives.")


def changed_decisions(made: Release, files: Mapping[str, bytes]) -> list[str]:
    """Name the decision files, of those with a checksum, that have changed since a release was made with them.

    That is no fault: people decide between releases.
    """
    about = needed(made.files[reader.PACKAGE])
    hashes = {name: about[name]["hash"] for name in DECISIONS if "hash" in about.get(name, {})}
    return [name for name, told in hashes.items() if name in files and told != f"sha256:{reader.sha256(files[name])}"]


MISSING = Message(Command("restore"), " brings it back.")
NEWER = "`bee run` publishes it as it is now; `bee restore --only {}` brings back the one before."


def _of_record(record: bytes, words: Mapping[str, Mapping[str, str]], provisional: int) -> Iterator[str]:
    """Yield how a record contradicts words.csv; days that were `provisional` at the release count only in words.csv."""
    rows = {row["word"]: row for row in cells.read_rows(record, RECORD)}
    if lost := sorted(rows.keys() - words.keys()):
        yield f'it has "{lost[0]}"'
    for word, row in words.items():
        for name in ("offered", "accepted"):
            more = int(row[name]) - int(rows[word][name] if word in rows else 0)
            if not 0 <= more <= max(provisional, 0):
                yield f'"{word}" was {name} {rows[word][name] if word in rows else 0} times, not {row[name]}'


def _consistent(track: bytes, covered: frozenset[str], where: object) -> None:
    """Check that a track record has only days that the evidence covers, and that its rows are consistent."""
    for row in cells.read_rows(track, TRACK):
        if covered and row["date"] not in covered:
            raise ReleaseError(f"{TRACK} in {where} has {row['date']}, which {RECORD} does not cover.")
        if int(row["exact"]) != (int(row["missing"]) + int(row["extra"]) == 0):
            raise ReleaseError(f"{TRACK} in {where} contradicts itself on {row['date']}.")


def approved_list(last: Release | None) -> list[str]:
    """Return the list of the last release that a person approved. A release without this information counts as
    approved."""
    if not last:
        return []
    words = set(last.files["wordlist.txt"].decode().split())
    for row in cells.read_rows(last.files[SINCE], SINCE) if SINCE in last.files else []:
        if (row["change"] == "added") != (row["word"] in words):
            raise BeeError(f"Not published: {SINCE} does not fit wordlist.txt; `bee restore` brings the release back.")
        words ^= {row["word"]}
    return sorted(words)
