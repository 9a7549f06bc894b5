"""Verifies that a release is as it was published and that its files agree. Standard library only.

A release has the files that `SHA256SUMS` lists. In the same folder are the files that it was made with: the record, the
track record and the weights, which `bee merge` and `bee flag --fit` write between releases, and the decisions of
people. `datapackage.json` describes them under `made_with`, so a missing or changed file is noticed.
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

RECORD, TRACK, MODEL = WRITTEN_BY_COMMANDS = ("evidence.csv", "track.csv", "model.csv")
"""The files next to a release that commands write."""
DECISIONS = ("admitted.csv", "corrections.csv", reader.GLOSSES, "offensive.csv", "verdicts.csv")
"""The files next to a release that people write."""
_HASHED = (*WRITTEN_BY_COMMANDS, reader.GLOSSES)
"""The files next to a release whose checksums are in its description, because its readers use them."""
RECORD_AND_DECISIONS = (*WRITTEN_BY_COMMANDS, *DECISIONS)
"""All files that a release is made with."""
IN_PLAY, SINCE = "wordlist-in-play.txt", "since-approved.csv"
MISSING = Message(Command("restore"), " brings it back.")
_TRACK_SUMS = ("days", "exact", "missing", "extra")

WordRows = Mapping[str, Mapping[str, str]]
"""The rows of `words.csv`, by word."""


def describe_inputs(files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """Return the description, by name, of the files that a release is made with. Those in `_HASHED` have a checksum;
    other decision files are only named, if they have any rows."""
    descriptions: dict[str, dict[str, Any]] = {}
    for name in _HASHED:
        if name in files:
            descriptions[name] = {"hash": f"sha256:{reader.sha256(files[name])}"}
    if TRACK in files:
        descriptions[TRACK] |= track_sums(files[TRACK])
    for name in DECISIONS:
        number_of_rows = files.get(name, b"").strip().count(b"\n")  # without the header
        if number_of_rows:
            descriptions.setdefault(name, {})
    return dict(sorted(descriptions.items()))


def track_sums(track: bytes) -> dict[str, int]:
    """Return the totals of a track record: its days, exact lists, missing words and extra words."""
    rows = cells.read_rows(track, TRACK)
    return {"days": len(rows), **{name: sum(int(row[name]) for row in rows) for name in _TRACK_SUMS[1:]}}


def inputs_of(package: bytes) -> dict[str, dict[str, Any]]:
    """Return, by name, the descriptions in `datapackage.json` of the files that a release was made with; raise
    ReleaseError if it is damaged."""
    return dict(_parse_package(package)["made_with"])


def covered_dates(package: bytes) -> frozenset[str]:
    """Return the settled dates that a release covers, from its `datapackage.json`; raise ReleaseError if it is
    damaged."""
    return seal.dates(_parse_package(package)["covers"]["dates"])


def _parse_package(package: bytes) -> dict[str, Any]:
    """Return the content of `datapackage.json`; raise ReleaseError if it lacks what the release covers or is made
    with."""
    try:
        description = dict(json.loads(package))
        inputs = description["made_with"].values()
        is_complete = bool(description["covers"]) and all(isinstance(about, dict) for about in inputs)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_complete = False
    if not is_complete:
        raise ReleaseError(f"{reader.PACKAGE} is damaged; ", Command("restore"), " brings the release back.")
    return description


def verify_release(files: Mapping[str, bytes], origin: object) -> Release:
    """Return the release in some files (name to bytes, including `SHA256SUMS`) after all checks.

    Raises ReleaseError for the first problem with its checksums, its description, the columns and rows of its tables,
    the list, the puzzles of the day, or the files that it was made with.
    """
    files_of_release = {name: data for name, data in files.items() if name not in RECORD_AND_DECISIONS}
    release = reader.check(files_of_release, origin, whole=True)
    try:
        check_description(release, origin)
        words = {row["word"]: row for row in reader.check_words(release.files["words.csv"])}
        _check_list(release, words, origin)
        _check_puzzles_of_days(release)
        _check_inputs(release, files, words, origin)
    except ReleaseError:
        raise
    except (BeeError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise ReleaseError(f"The release in {origin} contradicts itself: {error}") from error
    return release


def _check_puzzles_of_days(release: Release) -> None:
    """Raise ReleaseError if the puzzles of the day cannot be read."""
    daily.published(release)


def check_description(release: Release, origin: object) -> None:
    """Raise ReleaseError if datapackage.json does not describe each file and its columns correctly."""
    try:
        resources = {resource["path"]: resource for resource in release.package["resources"]}
        names = (release.files.keys() - {reader.PACKAGE, "CHANGES.md"}) ^ resources.keys()
        if names:
            raise ReleaseError(
                f"{reader.PACKAGE} in {origin} does not list the same files as the release: {', '.join(sorted(names))}."
            )
        for name, resource in resources.items():
            data = release.files[name]
            if (resource["bytes"], resource["hash"]) != (len(data), f"sha256:{reader.sha256(data)}"):
                raise ReleaseError(f"{name} in {origin} is not the file that {reader.PACKAGE} describes.")
            if "schema" in resource:
                columns = cells.read_table(data.partition(b"\n")[0] + b"\n", name)[0]
                if columns != [field["name"] for field in resource["schema"]["fields"]]:
                    raise ReleaseError(f"{name} in {origin} does not have the columns in {reader.PACKAGE}.")
    except (KeyError, TypeError) as error:
        raise ReleaseError(f"{reader.PACKAGE} in {origin} does not describe a release ({error}).") from error


def write_lists(listed: list[str]) -> dict[str, bytes]:
    """Return the files of the list and of the smaller list in play, name to bytes.

    >>> write_lists(["octave", "coves", "cove"])
    {'wordlist.txt': b'cove\\ncoves\\noctave\\n', 'wordlist-in-play.txt': b'cove\\noctave\\n'}
    """
    words = sorted(listed)
    lists = {"wordlist.txt": words, IN_PLAY: filter(in_play, words)}
    return {name: "".join(f"{word}\n" for word in words_of_list).encode() for name, words_of_list in lists.items()}


def _check_list(release: Release, words: WordRows, origin: object) -> None:
    """Raise ReleaseError if the list does not match words.csv, or one of them contradicts itself."""
    listed = [word for word, row in words.items() if row["tier"] in LISTED]
    for name, data in write_lists(listed).items():
        is_older_than_list = name == IN_PLAY and name not in release.files
        if not is_older_than_list and release.files[name] != data:
            tiers = " or ".join(LISTED)
            condition = f"{tiers} and in play" if name == IN_PLAY else tiers
            raise ReleaseError(f"{name} in {origin} does not match the words in words.csv that are {condition}.")
    for word in listed:
        if rule := rule_broken(word):
            raise ReleaseError(f'"{word}" is on the list in {origin} but cannot be an answer: {rule}.')
    for word, row in words.items():
        if int(row["accepted"]) > int(row["offered"]) or not row["because"]:
            raise ReleaseError(f'The record of "{word}" in words.csv in {origin} contradicts itself.')
    tiers_of_rows = [row["tier"] for row in words.values()]
    for tier in ("core", "likely", "review"):
        described, actual = release.package["words"][tier], tiers_of_rows.count(tier)
        if described != actual:
            raise ReleaseError(
                f"{reader.PACKAGE} in {origin} counts {described} words of tier {tier}, but words.csv has {actual}."
            )
    approved_list(release)


def _check_inputs(release: Release, files: Mapping[str, bytes], words: WordRows, origin: object) -> None:
    """Raise ReleaseError if a file that a release was made with is missing, if one that a command writes has changed,
    or if one contradicts the release."""
    covered: frozenset[str] = frozenset()
    if RECORD in files:
        covered = seal.coverage(files[RECORD])
        provisional_days = release.package["covers"]["days"] - len(covered)
        for contradiction in _contradictions(files[RECORD], words, provisional_days):
            raise ReleaseError(f"{RECORD} in {origin} contradicts words.csv: {contradiction}.")
    if TRACK in files:
        _check_track(files[TRACK], covered, origin)
    for name, description in inputs_of(release.files[reader.PACKAGE]).items():
        if name not in files:
            raise ReleaseError(f"{name} is missing from {origin}; the release was made with it. ", MISSING)
        if (
            name in WRITTEN_BY_COMMANDS
            and "hash" in description
            and description["hash"] != f"sha256:{reader.sha256(files[name])}"
        ):
            raise ReleaseError(
                *(f"{name} in {origin} is not the file that this release was made with. ", Command("run")),
                " publishes a release with the changed file; ",
                Command(f"restore --only {name}"),
                " brings back the file of this release.",
            )
        if name == TRACK and track_sums(files[TRACK]) != {sum_name: description[sum_name] for sum_name in _TRACK_SUMS}:
            raise ReleaseError(f"The totals of {TRACK} in {origin} do not match those in {reader.PACKAGE}.")


def changed_decisions(release: Release, files: Mapping[str, bytes]) -> list[str]:
    """Return the names of the decision files with a checksum that have changed since a release was made with them.

    This is not a fault, because people decide between releases.
    """
    changed = []
    for name, description in inputs_of(release.files[reader.PACKAGE]).items():
        has_checksum = name in DECISIONS and name in files and "hash" in description
        if has_checksum and description["hash"] != f"sha256:{reader.sha256(files[name])}":
            changed.append(name)
    return changed


def _contradictions(record: bytes, words: WordRows, provisional_days: int) -> Iterator[str]:
    """Yield the contradictions between a record and words.csv. Days that were provisional at the release count only in
    words.csv."""
    record_rows = {row["word"]: row for row in cells.read_rows(record, RECORD)}
    unknown_words = sorted(record_rows.keys() - words.keys())
    if unknown_words:
        yield f'it has "{unknown_words[0]}", which is not in words.csv'
    for word, row in words.items():
        for name in ("offered", "accepted"):
            recorded = record_rows[word][name] if word in record_rows else "0"
            if not 0 <= int(row[name]) - int(recorded) <= max(provisional_days, 0):
                yield f'"{word}" was {name} {recorded} times, but words.csv says {row[name]}'


def _check_track(track: bytes, covered: frozenset[str], origin: object) -> None:
    """Raise ReleaseError if a track record has a day that the evidence does not cover, or a row contradicts itself."""
    for row in cells.read_rows(track, TRACK):
        if covered and row["date"] not in covered:
            raise ReleaseError(f"{TRACK} in {origin} has {row['date']}, which {RECORD} does not cover.")
        is_exact = int(row["missing"]) + int(row["extra"]) == 0
        if int(row["exact"]) != is_exact:
            raise ReleaseError(f"{TRACK} in {origin} contradicts itself on {row['date']}.")


def approved_list(last: Release | None) -> list[str]:
    """Return the list of the last release that a person approved, computed from the last release. A release without
    `since-approved.csv` counts as approved."""
    if not last:
        return []
    words = set(last.files["wordlist.txt"].decode().split())
    changes = cells.read_rows(last.files[SINCE], SINCE) if SINCE in last.files else []
    for row in changes:
        was_added = row["change"] == "added"
        if was_added != (row["word"] in words):
            raise BeeError(
                f"Not published: {SINCE} contradicts wordlist.txt; ", Command("restore"), " brings the release back."
            )
        words ^= {row["word"]}
    return sorted(words)
