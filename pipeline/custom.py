"""Custom: the folder `custom/` of a workspace, with the last release, the files of people, and the weights.

A lost file is never taken for an empty one: a release says with which files it was made. Without pandas, so that a
decision is written at once.
"""

from __future__ import annotations

from collections.abc import Collection

from pipeline import reader, store
from pipeline.errors import ReleaseError, StoreError
from pipeline.facts import by_hand
from pipeline.facts.coverage import Coverage
from pipeline.publishing import datapackage
from pipeline.reader import Release
from pipeline.store import Workspace


def read_release(workspace: Workspace) -> Release | None:
    """Return the last release, checked; None if there is no file of one, as in a new workspace. Raises ReleaseError if
    it is damaged or lacks a file."""
    names = (*reader.NEEDED, reader.SUMS, reader.READY)
    is_there = any((workspace.custom / name).exists() for name in names)
    return reader.read(workspace.custom) if is_there else None


def require_folder(workspace: Workspace) -> None:
    """Raise ReleaseError if the folder of the release and of the files of people is lost."""
    if not workspace.custom.is_dir():
        raise ReleaseError(
            f"There is no folder {workspace.custom}; `bee init` makes it, with the release of the program."
        )


def require_release(workspace: Workspace) -> Release:
    """Return the last release, checked; raise ReleaseError if there is none."""
    require_folder(workspace)
    release = read_release(workspace)
    if release is None:
        raise ReleaseError(f"There is no release in {workspace.custom} yet; `bee run` makes it.")
    return release


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
        fit = " `bee flag --fit` makes a new one." if name == reader.MODEL else ""
        raise StoreError(f"{paths[name]} is missing or empty, and the release was made with it.{fit}")
    return {name: store.read_if_exists(path) for name, path in paths.items() if path.exists()}


def read_file_by_people(workspace: Workspace, table: str) -> bytes:
    """Return the file of a table that people write, or no bytes if there is none; raises BeeError if it is lost."""
    made_with = read_made_with(workspace, made_anew=[reader.MODEL])
    return made_with.get((workspace.root / by_hand.FILES[table].path).name, b"")
