"""The command `bee restore`: brings back the record, lost files and damaged releases, and never loses a decision."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from pipeline import git, reader, store
from pipeline.commands import RUN, command
from pipeline.commands.release import files_of, whole_release
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError, DecisionError
from pipeline.publishing import verify as verifying
from pipeline.words import count

MOST_COMMITS = 200
"""At most so many commits are tried, the last one first."""
TABLES = {name: "grades" if name == "offensive.csv" else name.removesuffix(".csv") for name in verifying.DECISIONS}
"""The table of each decision file."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What files are brought back from: its name, its files, and whether it is older than what the workspace has."""

    name: str
    files: dict[str, bytes]
    older: bool = False


@command(RUN, "bee restore", "bee restore --only track.csv")
def restore(
    settings: Settings,
    source: Annotated[
        str,
        typer.Argument(
            metavar="FROM",
            help="A folder, an archive or a git revision with a release; default the last commit that verifies, else "
            "the release that came with the program.",
        ),
    ] = "",
    only: Annotated[str, typer.Option(help="Take this file only, also if there is another one.")] = "",
    force: Annotated[bool, typer.Option("--force", help="With --only: drop decisions that no commit has.")] = False,
) -> None:
    """Bring back the record, the track record and lost files from a release that verifies.

    Decisions of people that are there stay as they are, and lost ones come from the last commit. A release that is
    damaged is brought back as a whole. In a merge that is not finished, release and record are those of one side, and
    the decisions those of both.
    """
    from pipeline.run import registry, runner

    workspace = settings.find_workspace()
    custom = workspace.custom
    with settings.lock(workspace, repair=False):
        origin = _named(source, custom) if source else _last_that_verifies(settings, custom)
        merge = git.unfinished_merge(custom)
        if only:
            if only not in origin.files:
                raise BeeError(f"{origin.name} has no {only}; it has {', '.join(sorted(origin.files))}.")
            if only in TABLES and not force:
                _refuse_to_drop(custom, only, origin.files[only], merge)
            chosen = _with_release(custom, origin, only)
        else:
            chosen = {**_record_and_release(custom, origin, bool(merge)), **_joined_decisions(custom, merge)}
        if reader.SUMS in chosen:
            store.delete_replacement(custom)
        written = [name for name in sorted(chosen) if store.write_bytes(custom / name, chosen[name])]
        settings.say(f"From {origin.name}: {', '.join(written) or 'nothing; all files were as they are there'}.")
        _tell_of_broken_lines(settings, custom, chosen)
        if verifying.TRACK in chosen:
            runner.accept_track_record(workspace)
        covered = registry.load(workspace, "settled").covered
        merge = git.unfinished_merge(custom)  # what finishes it may have changed
    then = f"{runner.how_to_finish(workspace, merge)}, then `bee run`" if merge else "`bee run` goes on from there"
    settings.say(f"The record covers {count(len(covered), 'day')} up to {max(covered, default='none')}; {then}.")


def _named(source: str, custom: Path) -> Origin:
    """Return what a person named; raises BeeError if it is no release that verifies."""
    files = files_of(source, str(custom))
    verifying.verify(files, source)
    return Origin(source, files)


def _last_that_verifies(settings: Settings, custom: Path) -> Origin:
    """Return the last commit with a release that verifies, else the release that came with the program.

    Says which newer commits were passed over, and why.
    """
    newer = 0
    for commit, date in git.commits(custom, MOST_COMMITS):
        if git.shown(custom, commit, reader.SUMS) is None:
            newer += 1
            continue
        try:
            files = files_of(commit, str(custom))
            verifying.verify(files, commit)
        except BeeError as error:
            newer += 1
            reason = str(error).partition("; ")[0].partition(". ")[0]
            settings.say(f"The commit {commit} of {date} does not verify: {reason}.")
            continue
        if not newer:
            return Origin("HEAD", files)
        settings.say(f"The release is that of {commit} of {date}; {count(newer, 'newer commit')} passed over.")
        return Origin(commit, {**files, **_decisions_since(custom, files)}, older=True)
    return Origin(str(reader.RELEASE), files_of(str(reader.RELEASE)))


def _decisions_since(custom: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the decision files of HEAD, as people decide after a release, too; where one is damaged, it is joined with
    that of an older commit."""
    from pipeline.facts import decision_files

    found = {}
    for name, table in TABLES.items():
        committed = _text(git.shown(custom, "HEAD", name))
        if not committed:
            continue
        older = _text(files.get(name)) if decision_files.salvage(table, committed).unreadable_lines else committed
        found[name] = decision_files.merge(table, "", committed, older).encode()
    return found


def _tell_of_broken_lines(settings: Settings, custom: Path, chosen: dict[str, bytes]) -> None:
    """Name the lines of decision files that cannot be read, and that a person must correct."""
    from pipeline.facts import decision_files

    for name in sorted(TABLES.keys() & chosen.keys()):
        broken = [
            line.rstrip("\n") for line in decision_files.salvage(TABLES[name], _text(chosen[name])).unreadable_lines
        ]
        if broken:
            settings.say(
                f"At the end of {custom / name}, {count(len(broken), 'line')} must be corrected: {'; '.join(broken)}"
            )


def _record_and_release(custom: Path, origin: Origin, merging: bool) -> dict[str, bytes]:
    """Return the files to write: the record and the track record, what is lost, and the release if it is damaged.

    Record, weights and release belong together, so in a merge and from an older commit all of them are taken.
    """
    files = origin.files
    names = {verifying.RECORD, verifying.TRACK}
    names |= {name for name in verifying.RECORD_AND_DECISIONS if store.is_missing_or_empty(custom / name)}
    if merging or origin.older:
        names |= set(verifying.WRITTEN)
    if merging or origin.older or not whole_release(custom):
        names |= files.keys() - {*verifying.RECORD_AND_DECISIONS}
    return {name: files[name] for name in names & files.keys()}


def _with_release(custom: Path, origin: Origin, only: str) -> dict[str, bytes]:
    """Return one file, and with a file of the release the whole release if that is damaged.

    Raises BeeError if the release there is another one.
    """
    files = origin.files
    if only in verifying.RECORD_AND_DECISIONS:
        return {only: files[only]}
    if not whole_release(custom):
        return {name: files[name] for name in {only} | (files.keys() - {*verifying.RECORD_AND_DECISIONS})}
    if files[reader.SUMS] != (custom / reader.SUMS).read_bytes():
        raise BeeError(f"{only} of {origin.name} is from another release than {custom}; nothing changed.")
    return {only: files[only]}


def _joined_decisions(custom: Path, merge: git.UnfinishedMerge | None) -> dict[str, bytes]:
    """Return the decision files with marks of a conflict, with the decisions of both sides and of the file itself."""
    from pipeline.facts import decision_files

    joined = {}
    for name, table in TABLES.items():
        here = store.read_if_exists(custom / name)
        if not decision_files.conflict_lines(here):
            continue
        ours = _text(git.shown(custom, "HEAD", name))
        theirs, base = ours, ours
        if merge:
            theirs = _text(git.shown(custom, merge.theirs, name))
            base = _text(git.shown(custom, merge.base, name)) if merge.base else ""
        joined[name] = decision_files.merge(table, base, ours, theirs, _text(here)).encode()
    return joined


def _refuse_to_drop(custom: Path, name: str, next_data: bytes, merge: git.UnfinishedMerge | None) -> None:
    """Raise DecisionError if a decision file has decisions that are in no commit, or only in the other side of a merge,
    and that it would lose."""
    from pipeline.facts import decision_files

    now = _text(store.read_if_exists(custom / name))
    committed = _text(git.shown(custom, "HEAD", name))
    lost = decision_files.lost_lines(now, committed, _text(next_data))
    of_both = ""
    if merge:
        other = decision_files.lost_lines(_text(git.shown(custom, merge.theirs, name)), committed, _text(next_data))
        lost = list(dict.fromkeys([*lost, *other]))
        of_both = " `bee restore` keeps the decisions of both sides."
    if lost:
        raise DecisionError(
            f"{custom / name} would lose {count(len(lost), 'line')} that HEAD does not have: {'; '.join(lost)}. "
            f"Nothing was changed.{of_both}",
            can_force=True,
        )


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8-sig", "replace")
