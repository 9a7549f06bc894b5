"""Inputs: reads the files that a run starts from.

These are the last release, the files that people write, the weights, and the word lists. A lost file is never taken for
an empty one: a release says with which files it was made.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pipeline import reader, store
from pipeline.errors import ReleaseError, StoreError
from pipeline.facts import by_hand, own_lists, record
from pipeline.facts.coverage import Coverage
from pipeline.facts.new_record import Published
from pipeline.facts.own_lists import OwnLists
from pipeline.opinions import model
from pipeline.opinions.model import Model
from pipeline.publishing import datapackage
from pipeline.publishing.release import FILES
from pipeline.reader import Release
from pipeline.store import Workspace
from pipeline.tables import frames


def read_release(workspace: Workspace) -> Release | None:
    """Return the last release, checked; None if there is no file of one, as in a new workspace. Raises ReleaseError if
    it is damaged or lacks a file."""
    custom = workspace.custom
    is_there = any((custom / name).exists() for name in (*FILES, reader.READY))
    return reader.read(custom) if is_there else None


def require_folder(workspace: Workspace) -> None:
    """Raise ReleaseError if the folder of the release and of the files of people is lost."""
    if not workspace.custom.is_dir():
        raise ReleaseError(
            f"There is no folder {workspace.custom}; `bee init` makes it, with the release of the program."
        )


def published(release: Release | None) -> Published:
    """Return the tables of a release from which a run goes on; empty without a release."""
    if release is None:
        return Published(frames.empty("record"), Coverage(), frames.empty("track"), pd.Series(dtype="str"))
    return Published(
        record.decode(release.files["words.csv"]),
        datapackage.coverage_of(release.files[reader.PACKAGE]),
        read_track(release),
        pd.Series(release.files["wordlist.txt"].decode().split(), dtype="str"),
    )


def read_track(release: Release) -> pd.DataFrame:
    """Return the track record of a release."""
    data = release.files[datapackage.TRACK]
    return frames.from_text(frames.read_csv(data, datapackage.TRACK), "track")


def read_coverage(workspace: Workspace) -> Coverage:
    """Return what the record of the last release covers; nothing before the first release."""
    release = read_release(workspace)
    return datapackage.coverage_of(release.files[reader.PACKAGE]) if release else Coverage()


def read_made_with(workspace: Workspace, made_anew: Collection[str] = ()) -> dict[str, bytes]:
    """Return the files of people and the weights, by name, those that exist. Raises StoreError if one is missing or
    empty with which the last release was made, unless it is `made_anew`."""
    paths = {name: workspace.custom / name for name in datapackage.MADE_WITH}
    absent = {name for name, path in paths.items() if store.is_missing_or_empty(path)}
    release = read_release(workspace) if absent else None
    used = datapackage.inputs_of(release.files[reader.PACKAGE]) if release else {}
    for name in sorted(absent & used.keys() - {*made_anew}):
        fit = f" {model.FIT} makes a new one." if name == reader.MODEL else ""
        raise StoreError(f"{paths[name]} is missing or empty, and the release was made with it.{fit}")
    return {name: store.read_if_exists(path) for name, path in paths.items() if path.exists()}


def decisions(table: str, files: Mapping[str, bytes]) -> pd.DataFrame:
    """Return a table that people write, from the files of `read_made_with`; raise BeeError if it is damaged."""
    rows = by_hand.parse(table, files.get(Path(by_hand.FILES[table].path).name, b""))
    return frames.from_text(pd.DataFrame(rows, columns=list(frames.CONTRACTS[table].columns), dtype="str"), table)


def read_decisions(workspace: Workspace, table: str) -> pd.DataFrame:
    """Read a table that people write; raise BeeError if it is lost or damaged."""
    return decisions(table, read_made_with(workspace, made_anew=[reader.MODEL]))


def weights(files: Mapping[str, bytes]) -> Model | None:
    """Return the weights of the estimates, from the files of `read_made_with`; None if there are none yet. Raises
    DataError if they are damaged."""
    return model.decode(files[reader.MODEL]) if reader.MODEL in files else None


@dataclass(frozen=True, slots=True)
class WordLists:
    """The files of `raw/lexicon/`, by path, and the user's own lists."""

    files: Mapping[str, bytes]
    own: OwnLists


def read_word_lists(workspace: Workspace) -> WordLists:
    """Read the word lists; raise StoreError if there is no lexicon, and DataError for an own list that is no list."""
    lexicon = workspace.raw / "lexicon"
    if not lexicon.is_dir():
        raise store.missing_file(lexicon, "bee init")
    paths = [path for path in sorted(lexicon.rglob("*")) if path.is_file()]
    files = {path.relative_to(lexicon).as_posix(): store.read_bytes(path, "bee init") for path in paths}
    own = {
        path.relative_to(workspace.root).as_posix(): store.read_bytes(path, "")
        for path in sorted((workspace.raw / "lists").glob("*.txt"))
    }
    return WordLists(files, own_lists.decode(own))
