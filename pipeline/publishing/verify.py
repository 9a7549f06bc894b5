"""Verify: check that a folder is one complete, unchanged release, and that its list agrees with its tables."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from pipeline import reader
from pipeline.facts import evidence
from pipeline.publishing import publish
from pipeline.reader import Release, ReleaseError
from pipeline.tables import frames
from pipeline.words import LISTED, TIERS, BeeError, rule_broken

BESIDE = ("evidence.csv", "track.csv")
"""Files outside `SHA256SUMS`: the record with its own checksum, and the track record."""


def verify(files: Mapping[str, bytes], where: object) -> Release:
    """Return the release in some files, name to bytes, including `SHA256SUMS`, after every check.

    Raises ReleaseError with the first problem: checksums, the description, the columns and rows of a table, the list
    itself, or the files of `BESIDE` if present.
    """
    made = reader.check({name: data for name, data in files.items() if name not in BESIDE}, where, whole=True)
    try:
        _described(made, where)
        _follows(made, where)
        _beside(files, where)
    except ReleaseError:
        raise
    except (BeeError, KeyError, TypeError, ValueError) as error:
        raise ReleaseError(f"The release in {where} contradicts itself: {error}") from error
    return made


def _described(made: Release, where: object) -> None:
    """Check that datapackage.json describes each file and its columns correctly."""
    resources = {each["path"]: each for each in made.package["resources"]}
    lacking = sorted(made.files.keys() - resources.keys() - {reader.PACKAGE, "CHANGES.md"})
    if lacking or resources.keys() - made.files.keys():
        names = [*lacking, *sorted(resources.keys() - made.files.keys())]
        raise ReleaseError(f"{reader.PACKAGE} in {where} and the files differ on {', '.join(names)}.")
    for name, told in resources.items():
        data = made.files[name]
        if (told["bytes"], told["hash"]) != (len(data), f"sha256:{reader.sha256(data)}"):
            raise ReleaseError(f"{name} in {where} is not the file that {reader.PACKAGE} describes.")
        if "schema" in told:
            columns = list(frames.read_csv(data, name).columns)
            if columns != [field["name"] for field in told["schema"]["fields"]]:
                raise ReleaseError(f"{name} in {where} has the columns {', '.join(columns)}, not those described.")


def _follows(made: Release, where: object) -> None:
    """Check that the list agrees with words.csv, and that both are consistent."""
    words = frames.from_text(frames.read_csv(made.files["words.csv"], "words.csv"), "words")
    if odd := sorted(set(words["tier"]) - set(TIERS)):
        raise ReleaseError(f'words.csv in {where} has the tier "{odd[0]}"; there are {", ".join(TIERS)}.')
    listed = words[words["tier"].isin(LISTED)]
    if made.files["wordlist.txt"].decode() != "".join(f"{word}\n" for word in sorted(listed["word"])):
        raise ReleaseError(f"wordlist.txt in {where} is not the words of words.csv that are {' or '.join(LISTED)}.")
    for word in listed["word"]:
        if rule := rule_broken(word):
            raise ReleaseError(f'"{word}" in {where} is on the list and cannot be an answer: {rule}.')
    bad = words[(words["accepted"] > words["offered"]) | (words["accepted"] < 0) | (words["because"] == "")]
    if len(bad):
        raise ReleaseError(f'The record of "{bad["word"].iloc[0]}" in words.csv in {where} contradicts itself.')
    counts = {tier: int((words["tier"] == tier).sum()) for tier in ("core", "likely", "review")}
    told = {tier: made.package["words"][tier] for tier in counts}
    if counts != told:
        raise ReleaseError(f"{reader.PACKAGE} in {where} counts {told}, words.csv has {counts}.")
    publish.approved_list(made)


def _beside(files: Mapping[str, bytes], where: object) -> None:
    """Check the checksum of the evidence, and that the track record has only days that the evidence covers."""
    covered = evidence.decode(files["evidence.csv"]).covered if "evidence.csv" in files else None
    if "track.csv" not in files:
        return
    track: pd.DataFrame = frames.from_text(frames.read_csv(files["track.csv"], "track.csv"), "track")
    if covered is not None and (late := sorted(set(track["date"]) - covered)):
        raise ReleaseError(f"track.csv in {where} has {late[0]}, which evidence.csv does not cover.")
    wrong = track["exact"] != ((track["missing"] + track["extra"]) == 0).astype(int)
    if wrong.any():
        raise ReleaseError(f"track.csv in {where} contradicts itself on {track['date'][wrong].iloc[0]}.")
