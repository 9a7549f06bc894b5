"""The description of a release, `datapackage.json`: what it covers, was made with, and who approved it.

In the folder of a release are the files that it was made with: the weights and the decisions of people. The description
has their checksums as used, under `made_with`. A changed file is not applied yet.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pipeline import reader
from pipeline.errors import DataError, ReleaseError
from pipeline.facts import coverage
from pipeline.facts.coverage import Coverage
from pipeline.reader import Release

TRACK = "track.csv"
MADE_WITH = (reader.MODEL, *reader.BY_PEOPLE)
"""The files next to a release that it is made with."""


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
