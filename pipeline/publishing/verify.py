"""Verifies that a release is as it was published and that its files agree. Standard library only.

A release has the files that `SHA256SUMS` lists. In the same folder are the files that it was made with: the weights and
the decisions of people. `datapackage.json` has their checksums as used, under `made_with`. A changed file is not
applied yet, and a missing one is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipeline import reader
from pipeline.errors import BeeError, DataError, ReleaseError
from pipeline.facts import coverage
from pipeline.facts.coverage import Coverage
from pipeline.play import daily
from pipeline.reader import Release
from pipeline.tables import cells
from pipeline.words import LISTED, rule_broken

RECORD, TRACK = "record.csv", "track.csv"
MADE_WITH = (reader.MODEL, *reader.BY_PEOPLE)
"""The files next to a release that it is made with."""

WordRows = Mapping[str, Mapping[str, str]]
"""The rows of `words.csv`, by word."""


def checksums_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the checksums, by name, of the files that a release is made with; files of people without any row are left
    out."""
    checksums = {}
    for name in sorted(MADE_WITH):
        data = files.get(name, b"")
        if (name == reader.MODEL and data) or data.strip().count(b"\n"):  # the first line is the header
            checksums[name] = f"sha256:{reader.sha256(data)}"
    return checksums


def inputs_of(package: bytes) -> dict[str, str]:
    """Return the checksums, by name, of the files that a release was made with, from its `datapackage.json`; raise
    ReleaseError if it is damaged."""
    return dict(_parse_package(package)["made_with"])


def coverage_of(package: bytes) -> Coverage:
    """Return what the record of a release covers, from its `datapackage.json`; raise ReleaseError if it is damaged."""
    try:
        return coverage.parse(_parse_package(package)["covers"])
    except DataError as error:
        raise ReleaseError(f"{reader.PACKAGE}: {error}") from error


def _parse_package(package: bytes) -> dict[str, Any]:
    """Return the content of `datapackage.json`; raise ReleaseError if it lacks what the release covers or is made
    with."""
    try:
        description = dict(json.loads(package))
        inputs = description["made_with"].values()
        is_complete = bool(description["covers"]) and all(isinstance(checksum, str) for checksum in inputs)
        is_complete = is_complete and description["made_with"].keys() <= {*MADE_WITH}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_complete = False
    if not is_complete:
        raise ReleaseError(f"{reader.PACKAGE} is damaged, or of another version of the program.")
    return description


def verify_release(files: Mapping[str, bytes], origin: object) -> Release:
    """Return the release in some files (name to bytes, including `SHA256SUMS`) after all checks.

    Raises ReleaseError for the first problem with its checksums, its description, the columns and rows of its tables,
    the list, the puzzles of the day, or the files that it was made with.
    """
    files_of_release = {name: data for name, data in files.items() if name not in MADE_WITH}
    release = reader.check(files_of_release, origin, whole=True, needed=("words.csv", "wordlist.txt", RECORD, TRACK))
    try:
        check_description(release, origin, whole=True)
        words = {row["word"]: row for row in reader.check_words(release.files["words.csv"])}
        _check_list(release, words, origin)
        _check_puzzles_of_days(release)
        _check_record(release, words, origin)
        _check_inputs(release, files, origin)
    except ReleaseError:
        raise
    except (BeeError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise ReleaseError(f"The release in {origin} contradicts itself: {error}") from error
    return release


def _check_puzzles_of_days(release: Release) -> None:
    """Raise ReleaseError if the puzzles of the day cannot be read."""
    daily.published(release)


def check_description(release: Release, origin: object, whole: bool = False) -> None:
    """Raise ReleaseError if datapackage.json does not describe each file and its columns correctly; with `whole`, also
    if it describes a file that the release lacks."""
    try:
        resources = {resource["path"]: resource for resource in release.package["resources"]}
        described = resources.keys() if whole else resources.keys() & release.files.keys()
        names = (release.files.keys() - {reader.PACKAGE, "CHANGES.md"}) ^ described
        if names:
            raise ReleaseError(
                f"{reader.PACKAGE} in {origin} does not list the same files as the release: {', '.join(sorted(names))}."
            )
        for name in sorted(described):
            data, resource = release.files[name], resources[name]
            if (resource["bytes"], resource["hash"]) != (len(data), f"sha256:{reader.sha256(data)}"):
                raise ReleaseError(f"{name} in {origin} is not the file that {reader.PACKAGE} describes.")
            if "schema" in resource:
                columns = cells.read_table(data.partition(b"\n")[0] + b"\n", name)[0]
                if columns != [field["name"] for field in resource["schema"]["fields"]]:
                    raise ReleaseError(f"{name} in {origin} does not have the columns in {reader.PACKAGE}.")
    except (KeyError, TypeError) as error:
        raise ReleaseError(f"{reader.PACKAGE} in {origin} does not describe a release ({error}).") from error


def write_list(listed: Iterable[str]) -> bytes:
    """Return the file of the list.

    >>> write_list(["octave", "coves"])
    b'coves\\noctave\\n'
    """
    return "".join(f"{word}\n" for word in sorted(listed)).encode()


def _check_list(release: Release, words: WordRows, origin: object) -> None:
    """Raise ReleaseError if the list does not match words.csv, or one of them contradicts itself."""
    listed = [word for word, row in words.items() if row["tier"] in LISTED]
    if release.files["wordlist.txt"] != write_list(listed):
        tiers = " or ".join(LISTED)
        raise ReleaseError(f"wordlist.txt in {origin} does not match the words in words.csv that are {tiers}.")
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


def _check_record(release: Release, words: WordRows, origin: object) -> None:
    """Raise ReleaseError if the record contradicts words.csv, or the track record contradicts the covered days."""
    for contradiction in _contradictions(release.files[RECORD], words):
        raise ReleaseError(f"{RECORD} in {origin} contradicts words.csv: {contradiction}.")
    covered = coverage_of(release.files[reader.PACKAGE]).dates
    if release.package["covers"]["days"] != len(covered):
        raise ReleaseError(f"{reader.PACKAGE} in {origin} does not count the days that it covers.")
    for row in cells.read_rows(release.files[TRACK], TRACK):
        if row["date"] not in covered:
            raise ReleaseError(f"{TRACK} in {origin} has {row['date']}, which the record does not cover.")
        is_exact = int(row["missing"]) + int(row["extra"]) == 0
        if int(row["exact"]) != is_exact:
            raise ReleaseError(f"{TRACK} in {origin} contradicts itself on {row['date']}.")


def _contradictions(record: bytes, words: WordRows) -> Iterator[str]:
    """Yield the contradictions between a record and words.csv."""
    record_rows = {row["word"]: row for row in cells.read_rows(record, RECORD)}
    unknown_words = sorted(record_rows.keys() - words.keys())
    if unknown_words:
        yield f'it has "{unknown_words[0]}", which is not in words.csv'
    for word, row in words.items():
        for name in ("offered", "accepted"):
            recorded = record_rows[word][name] if word in record_rows else "0"
            if row[name] != recorded:
                yield f'"{word}" was {name} {recorded} times, but words.csv says {row[name]}'


def _check_inputs(release: Release, files: Mapping[str, bytes], origin: object) -> None:
    """Raise ReleaseError if a file that a release was made with is missing."""
    for name in inputs_of(release.files[reader.PACKAGE]):
        if name not in files:
            raise ReleaseError(f"{name} is missing from {origin}; the release was made with it.")


def not_applied(release: Release, files: Mapping[str, bytes]) -> list[str]:
    """Return the names of the files that a release is made with that have changed since, so that they are not applied
    yet."""
    used, now = inputs_of(release.files[reader.PACKAGE]), checksums_of(files)
    return sorted(name for name in used.keys() | now.keys() if used.get(name) != now.get(name))


def approved_list(last: Release | None) -> list[str]:
    """Return the list of the last release that a person approved, computed from the last release."""
    if not last:
        return []
    words = set(last.files["wordlist.txt"].decode().split())
    since: Any = last.package.get("since_approved")
    try:
        added, removed = (set(since[change]) for change in ("added", "removed"))
        is_consistent = added <= words and not words & removed and all(isinstance(word, str) for word in removed)
    except (TypeError, KeyError):
        is_consistent = False
    if not is_consistent:
        raise ReleaseError(f"Not published: since_approved in {reader.PACKAGE} contradicts wordlist.txt.")
    return sorted(words - added | removed)
