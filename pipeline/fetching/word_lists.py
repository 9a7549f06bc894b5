"""Lists of the user: adds word lists with their receipts to a workspace, removes them, and shows them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline import reader, store
from pipeline.errors import BeeError, DataError
from pipeline.facts import lists, own_lists, word_files
from pipeline.facts.own_lists import RECEIPT, OwnList
from pipeline.store import Workspace
from pipeline.tables import frames


def add(workspace: Workspace, files: Mapping[str, bytes], name: str, license: str, column: str, now: str) -> OwnList:
    """Store the files of a list under a name, replacing an earlier list of this name, and return the list.

    Nothing changes if the same file is already stored undamaged with the same license and column. Without a license,
    the stored one stays. Raises DataError if the list has no playable word or the name cannot be used.
    """
    folder = _folder(workspace, name)
    old_receipt = _receipt(folder)
    license = " ".join(license.split()) or next(iter(old_receipt["license"]), "")
    rows = []
    data_by_name = {}
    for file, data in files.items():
        digest = reader.sha256(data)
        stored_name = f"{digest[:8]}-{re.sub('[^A-Za-z0-9._+-]', '_', file)[-100:]}"
        row = {"list": name, "file": stored_name, "url": file, "bytes": len(data), "sha256": digest}
        rows.append(row | {"fetched_at": now, "license": license, "column": column})
        data_by_name[stored_name] = data
    receipt = frames.from_rows(rows, "list_receipts")
    list_files = {f"{name}/{file}": data for file, data in data_by_name.items()}
    list_files[f"{name}/{RECEIPT}"] = frames.csv_bytes(receipt)
    try:
        own_list = own_lists.decode(list_files)[name]
    except DataError as error:  # it names the file as it would be stored
        message = str(error)
        for row in rows:
            message = message.replace(str(row["file"]), str(row["url"]))
        raise DataError(message) from error
    if not own_list.words:
        raise word_files.no_words_error(next(iter(files)), own_list.rejected, column)
    for file, data in data_by_name.items():
        store.write_bytes(folder / file, data)
    if not old_receipt.drop(columns="fetched_at").equals(receipt.drop(columns="fetched_at")):
        store.write_bytes(folder / RECEIPT, frames.csv_bytes(receipt))
    for path in folder.iterdir():
        if path.name not in (*data_by_name, RECEIPT):
            path.unlink()
    return own_list


def _receipt(folder: Path) -> pd.DataFrame:
    """Return the receipt of a list; empty if there is none, or if it cannot be read."""
    path = folder / RECEIPT
    try:
        return frames.from_text(frames.read_csv(path.read_bytes(), path), "list_receipts")
    except (OSError, BeeError):
        return frames.empty("list_receipts")


def remove(workspace: Workspace, name: str) -> None:
    """Remove a list; raise DataError if there is none with that name."""
    folder = _folder(workspace, name)
    if not folder.is_dir():
        names = sorted(path.parent.name for path in workspace.raw.glob(f"lists/*/{RECEIPT}"))
        existing = ", ".join(names) or "no lists"
        raise DataError(f'There is no list "{name}" in {workspace.root}; it has {existing}.')
    (folder / RECEIPT).unlink(missing_ok=True)
    shutil.rmtree(folder)
    if not any(folder.parent.iterdir()):
        folder.parent.rmdir()


def show(workspace: Workspace, lists_by_name: Mapping[str, OwnList]) -> list[dict[str, Any]]:
    """Return a row for each list, A to Z: name, number of words, license, original file, and the time it was added."""
    rows = []
    for name, own_list in sorted(lists_by_name.items()):
        receipt = _receipt(_folder(workspace, name)).set_index("file").loc[own_list.file]
        row = {"name": name, "words": len(own_list.words), "license": own_list.license}
        rows.append(row | {"file": receipt["url"], "added_at": receipt["fetched_at"]})
    return rows


def _folder(workspace: Workspace, name: str) -> Path:
    """Return the folder of a list; raises DataError if the name cannot be used."""
    if not re.fullmatch("[a-z0-9_-]{1,40}", name):
        raise DataError(
            f'"{name[:40]}" is not a valid name for a list: use at most 40 characters from a to z, digits, - and _.'
        )
    for item in lists.LISTS:
        if item.name == name:
            raise DataError(
                f'"{name}" is the name of {item.title}, which is already in the lexicon; choose another name.'
            )
    return workspace.raw / "lists" / name
