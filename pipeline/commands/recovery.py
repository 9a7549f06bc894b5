"""The files that `bee restore` restores: a verified release, lost files, and the decisions of both sides of a merge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pipeline import git, reader, store
from pipeline.commands.release_files import files_of, is_whole
from pipeline.errors import BeeError, Command, DecisionError, Message
from pipeline.facts import decision_files
from pipeline.facts.by_hand import TABLE_OF_FILE
from pipeline.publishing.verify import MADE_WITH, MODEL, verify_release
from pipeline.words import count

MAX_COMMITS = 200
"""The maximum number of commits that are tried, newest first."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A place to restore files from: its name, its files, and whether it is older than the last commit."""

    name: str
    files: dict[str, bytes]
    is_older: bool = False

    @property
    def release(self) -> dict[str, bytes]:
        """The files of the release, without the weights and the decisions next to it."""
        return {name: data for name, data in self.files.items() if name not in MADE_WITH}


def single_file(
    custom: Path, origin: Origin, name: str, merge: git.UnfinishedMerge | None, force: bool
) -> dict[str, bytes]:
    """Return one file to restore, or the whole release if the file belongs to a release that is damaged.

    Raises BeeError if the file belongs to a different release than the one in `custom`, and DecisionError if decisions
    would be lost, unless forced.
    """
    if name not in origin.files:
        raise BeeError(f"{origin.name} has no {name}; it has {', '.join(sorted(origin.files))}.")
    data = origin.files[name]
    if name in TABLE_OF_FILE and not force:
        _refuse_to_lose_decisions(custom, name, data, merge)
    if name in MADE_WITH:
        return {name: data}
    if not is_whole(custom):
        return origin.release
    if origin.files[reader.SUMS] != (custom / reader.SUMS).read_bytes():
        raise BeeError(f"{name} of {origin.name} is from a different release than {custom}; nothing was changed.")
    return {name: data}


def verified_origin(source: str, custom: Path) -> Origin:
    """Return the release that a person named; raises BeeError if it is not a release or fails verification."""
    try:
        files = files_of(source, str(custom))
        verify_release(files, source)
    except BeeError as error:
        restore = Message(Command("restore"), " uses the last commit, or the release of the program.")
        raise BeeError(error.message, " ", restore) from error
    return Origin(source, files)


def last_that_verifies(custom: Path, say: Callable[[str], object]) -> Origin:
    """Return the newest commit whose release passes verification, or else the release that came with the program.

    `say` is called with a sentence for each newer commit that fails, and with one that says how many were skipped.
    """
    newer = 0
    for commit, date in git.commits(custom, MAX_COMMITS):
        if git.shown(custom, commit, reader.SUMS) is None:
            newer += 1
            continue
        try:
            files = files_of(commit, str(custom))
            verify_release(files, commit)
        except BeeError as error:
            newer += 1
            reason = str(error).partition("; ")[0].partition(". ")[0]
            say(f"The release in commit {commit} of {date} fails verification: {reason}.")
            continue
        if not newer:
            return Origin("HEAD", files)
        say(f"Using the release in commit {commit} of {date}; skipped {count(newer, 'newer commit')}.")
        return Origin(commit, files | _decisions_since(custom, files), is_older=True)
    return Origin(str(reader.RELEASE), files_of(str(reader.RELEASE)))


def _decisions_since(custom: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the decision files of HEAD, because people decide after a release, too.

    A damaged file is joined with the same file of the older commit.
    """
    decisions = {}
    for name, table in TABLE_OF_FILE.items():
        committed = _text(git.shown(custom, "HEAD", name))
        if not committed:
            continue
        text_to_join_with = committed  # joining a file with itself removes conflict markers from it
        if decision_files.salvage(table, committed).unreadable_lines:
            text_to_join_with = _text(files.get(name))
        joined = decision_files.merge(table, base="", ours=committed, theirs=text_to_join_with)
        decisions[name] = joined.encode()
    return decisions


def unreadable_lines(custom: Path, files: dict[str, bytes]) -> list[str]:
    """Return a sentence for each decision file with lines that cannot be read and that a person must correct."""
    sentences = []
    for name in sorted(TABLE_OF_FILE.keys() & files.keys()):
        unreadable = decision_files.salvage(TABLE_OF_FILE[name], _text(files[name])).unreadable_lines
        if unreadable:
            lines = "; ".join(line.rstrip("\n") for line in unreadable)
            number = count(len(unreadable), "line")
            sentences.append(f"Correct {number} at the end of {custom / name}: {lines}")
    return sentences


def release_and_lost_files(custom: Path, origin: Origin, is_merging: bool) -> dict[str, bytes]:
    """Return the files to write: lost files, and the release if it is damaged.

    The weights and the release belong together. So both are restored in a merge, and from an older commit.
    """
    names = {name for name in MADE_WITH if store.is_missing_or_empty(custom / name)}
    if is_merging or origin.is_older:
        names.add(MODEL)
    if is_merging or origin.is_older or not is_whole(custom):
        names |= origin.release.keys()
    return {name: origin.files[name] for name in names & origin.files.keys()}


def joined_decisions(custom: Path, merge: git.UnfinishedMerge | None) -> dict[str, bytes]:
    """Return the decision files that have conflict markers, each with the decisions of both sides and of the file
    itself."""
    joined = {}
    for name, table in TABLE_OF_FILE.items():
        here = store.read_if_exists(custom / name)
        if not decision_files.conflict_lines(here):
            continue
        ours = _text(git.shown(custom, "HEAD", name))
        theirs, base = ours, ours
        if merge:
            theirs = _text(git.shown(custom, merge.theirs, name))
            base = _text(git.shown(custom, merge.base, name)) if merge.base else ""
        joined[name] = decision_files.merge(table, base=base, ours=ours, theirs=theirs, current=_text(here)).encode()
    return joined


def _refuse_to_lose_decisions(custom: Path, name: str, next_data: bytes, merge: git.UnfinishedMerge | None) -> None:
    """Raise DecisionError if a decision file would lose decisions that are in no commit, or only on the other side of a
    merge."""
    on_disk = _text(store.read_if_exists(custom / name))
    committed = _text(git.shown(custom, "HEAD", name))
    next_text = _text(next_data)
    lost = decision_files.lost_lines(now=on_disk, committed=committed, next_text=next_text)
    way_out = Message()
    if merge:
        theirs = _text(git.shown(custom, merge.theirs, name))
        lost_of_other_side = decision_files.lost_lines(now=theirs, committed=committed, next_text=next_text)
        lost = list(dict.fromkeys([*lost, *lost_of_other_side]))
        way_out = Message(" ", Command("restore"), " keeps the decisions of both sides.")
    if lost:
        raise DecisionError(
            f"This would delete {count(len(lost), 'line')} that HEAD does not have from {custom / name}: "
            f"{'; '.join(lost)}. ",
            "Nothing was changed.",
            way_out,
            can_force=True,
        )


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8-sig", "replace")
