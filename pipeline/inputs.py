"""Inputs: reads the files that a run starts from, and names the way back for one that is lost or damaged.

These are the last release, the files that people write, the weights, and the word lists. A lost file is never taken for
an empty one: a release says with which files it was made.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline import reader, store
from pipeline.errors import DataError, ReleaseError, StoreError
from pipeline.facts import by_hand, decision_files, own_lists, record
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
    it is damaged, or if a file is missing, or all of them although git has them."""
    custom = workspace.custom
    is_there = any((custom / name).exists() for name in (*FILES, reader.READY))
    if is_there or store.ask_git(workspace.root, "ls-files", "--", f"{custom.name}/{reader.SUMS}"):
        return reader.read(custom)
    return None


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
    if release:
        used = datapackage.inputs_of(release.files[reader.PACKAGE])
        lost = [_lost(workspace, name) for name in sorted(absent & used.keys() - {*made_anew})]
        if lost:
            raise StoreError("\n".join(lost))
    return {name: store.read_if_exists(path) for name, path in paths.items() if path.exists()}


def _lost(workspace: Workspace, name: str) -> str:
    """Return that a file is lost, how to get it back, and how to go on without it."""
    path = workspace.custom / name
    state = "empty" if path.is_file() else "missing"
    go_on = f"{model.FIT} makes a new one."
    if name != reader.MODEL:
        columns = ",".join(frames.CONTRACTS[by_hand.TABLE_OF_FILE[name]].columns)
        go_on = f"To give up all decisions in it: `echo {columns} > {shlex.quote(str(path))}`."
    return f"{path} is {state}, and the release was made with it. {store.way_back(path)} {go_on}"


def decisions(workspace: Workspace, table: str, files: Mapping[str, bytes]) -> pd.DataFrame:
    """Return a table that people write, from the files of `read_made_with`; raise StoreError if it is damaged."""
    path = workspace.root / by_hand.PATHS[table]
    try:
        return decision_files.read(table, files.get(path.name, b""))
    except DataError as error:
        way_back = store.way_back(path)
        raise StoreError(f"{error} If it cannot be corrected, {way_back[0].lower()}{way_back[1:]}") from error


def read_decisions(workspace: Workspace, table: str) -> pd.DataFrame:
    """Read a table that people write; raise StoreError if it is lost or damaged."""
    return decisions(workspace, table, read_made_with(workspace, made_anew=[reader.MODEL]))


def weights(workspace: Workspace, files: Mapping[str, bytes]) -> Model | None:
    """Return the weights of the estimates, from the files of `read_made_with`; None if there are none yet. Raises
    StoreError if they are damaged."""
    if reader.MODEL not in files:
        return None
    try:
        return model.decode(files[reader.MODEL])
    except DataError as error:
        way_back = store.way_back(workspace.custom / reader.MODEL)
        raise StoreError(f"{error} {way_back} {model.WITHOUT_IT}") from error


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
