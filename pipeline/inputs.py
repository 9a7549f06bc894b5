"""Inputs: reads the tables that a run starts from: of the last release, of the files of people, and the word lists."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pipeline import custom, reader, store
from pipeline.errors import DataError
from pipeline.facts import by_hand, own_lists, record
from pipeline.facts.coverage import Coverage
from pipeline.facts.new_record import PublishedTables
from pipeline.facts.own_lists import OwnLists
from pipeline.opinions import model
from pipeline.opinions.model import Model
from pipeline.publishing import datapackage
from pipeline.reader import Release
from pipeline.store import Workspace
from pipeline.tables import frames


def published(release: Release | None) -> PublishedTables:
    """Return the tables of a release from which a run goes on; empty without a release."""
    if release is None:
        return PublishedTables(frames.empty("record"), Coverage(), frames.empty("track"), pd.Series(dtype="str"))
    return PublishedTables(
        record.decode(release.files["words.csv"]),
        datapackage.coverage_of(release.files[reader.PACKAGE]),
        read_track(release),
        pd.Series(release.files["wordlist.txt"].decode().split(), dtype="str"),
    )


def read_track(release: Release) -> pd.DataFrame:
    """Return the track record of a release."""
    data = release.files[datapackage.TRACK]
    return frames.from_text(frames.read_csv(data, datapackage.TRACK), "track")


def table_by_people(table: str, files: Mapping[str, bytes]) -> pd.DataFrame:
    """Return a table that people write, from the files of `read_made_with`; raise BeeError if it is damaged."""
    return _table(table, files.get(Path(by_hand.FILES[table].path).name, b""))


def _table(table: str, data: bytes) -> pd.DataFrame:
    rows = by_hand.parse(table, data)
    return frames.from_text(pd.DataFrame(rows, columns=list(frames.CONTRACTS[table].columns), dtype="str"), table)


def read_table_by_people(workspace: Workspace, table: str) -> pd.DataFrame:
    """Read a table that people write; raise BeeError if it is lost or damaged."""
    return _table(table, custom.read_file_by_people(workspace, table))


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
    """Read the word lists; raise StoreError if there is no lexicon, and DataError for a file in `raw/lists/` that is
    no list."""
    lexicon = workspace.raw / "lexicon"
    if not lexicon.is_dir():
        raise store.missing_file(lexicon, "bee init")
    paths = [path for path in sorted(lexicon.rglob("*")) if path.is_file()]
    files = {path.relative_to(lexicon).as_posix(): store.read_bytes(path, "bee init") for path in paths}
    own = {}
    for path in sorted((workspace.raw / "lists").glob("[!.]*")):
        if path.suffix != ".txt":
            convert = f"`bee convert {shlex.quote(str(path))} -o NAME.txt`"
            raise DataError(f"{path} is no .txt file; {convert} makes a list of it.")
        own[path.relative_to(workspace.root).as_posix()] = store.read_bytes(path, "")
    return WordLists(files, own_lists.decode(own))
