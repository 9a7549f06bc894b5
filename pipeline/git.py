"""Git: reads the repository of a workspace, and finds a merge that is not finished. There may be no repository."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class UnfinishedMerge:
    """An unfinished merge, rebase, cherry-pick or revert: the revisions that it joins, and the command to finish it.

    `theirs` is joined with HEAD. `base` is the revision that the changes up to `theirs` start from, or "" if there is
    none.
    `unmerged` are the files with both versions, by paths from the top of the repository, `top`.
    """

    name: str
    theirs: str
    base: str
    finish: str
    unmerged: tuple[str, ...]
    top: Path


_KINDS = {
    "MERGE_HEAD": ("merge", "git commit --no-edit"),
    "REBASE_HEAD": ("rebase", "git -c core.editor=true rebase --continue"),
    "CHERRY_PICK_HEAD": ("cherry-pick", "git -c core.editor=true cherry-pick --continue"),
    "REVERT_HEAD": ("revert", "git -c core.editor=true revert --continue"),
}
"""The references that git keeps during a merge, each with the name of the merge and the command that finishes it."""


def run(folder: Path | str, *arguments: str) -> bytes | None:
    """Return what git prints about the repository of a folder; None if it fails, or if there is no git."""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        return subprocess.check_output(["git", "-C", str(folder), *arguments], stderr=subprocess.DEVNULL)
    return None


def text(folder: Path | str, *arguments: str) -> str:
    """Return what git prints, as text without blanks at the ends; "" if it fails."""
    return (run(folder, *arguments) or b"").decode("utf-8", "replace").strip()


def unfinished_merge(folder: Path) -> UnfinishedMerge | None:
    """Return the unfinished merge in the repository of a folder, or None if there is none."""
    private = _private_folder(folder)
    if private is None:
        return None
    rebasing = (private / "rebase-merge").is_dir() or (private / "rebase-apply").is_dir()
    for reference, (name, finish) in _KINDS.items():
        if not (private / reference).is_file() or (name == "rebase" and not rebasing):
            continue
        theirs, base = reference, text(folder, "rev-parse", f"{reference}^")
        if name == "merge":
            base = text(folder, "merge-base", "HEAD", reference)
        elif name == "revert":
            theirs, base = base, reference
        unmerged = text(folder, "diff", "--name-only", "--diff-filter=U", "-z").split("\0")
        top = Path(text(folder, "rev-parse", "--show-toplevel"))
        if name in ("cherry-pick", "revert") and not _differs_from_head(top):
            finish = f"git {name} --skip"  # git makes no commit without a change
        return UnfinishedMerge(name, theirs, base, finish, tuple(filter(None, unmerged)), top)
    return None


def _differs_from_head(top: Path) -> bool:
    """Return whether the content of a tracked file differs from HEAD, whether or not the file is merged."""
    names = text(top, "diff", "--name-only", "-z", "HEAD").split("\0")
    for name in filter(None, names):
        path = top / name
        here = path.read_bytes() if path.is_file() else None
        if here != shown(top, "HEAD", name):
            return True
    return False


def _private_folder(folder: Path) -> Path | None:
    """Return the folder in which git keeps the state of the work tree that a folder belongs to."""
    for parent in (folder.resolve(), *folder.resolve().parents):
        entry = parent / ".git"
        if entry.is_dir():
            return entry
        if entry.is_file():  # another work tree of the repository, or a submodule
            return parent / entry.read_text().removeprefix("gitdir:").strip()
    return None


def shown(folder: Path | str, revision: str, path: str) -> bytes | None:
    """Return a file at a revision, by its path below a folder of the repository; None if it is not there."""
    return run(folder, "show", "--end-of-options", f"{revision}:./{path}")


def commits(folder: Path, most: int) -> Iterator[tuple[str, str]]:
    """Yield the short name and the date of each commit that changed a folder, newest first."""
    for line in text(folder, "log", f"-{most}", "--format=%h %cs", "HEAD", "--", ".").splitlines():
        name, _, date = line.partition(" ")
        yield name, date


Line: TypeAlias = tuple[str, str]
"""A file, and one of its lines."""


@dataclass(frozen=True, slots=True)
class Change:
    """The changes of a commit: its title (short name and author), the lines that it removed, and the lines it added."""

    title: str
    removed: set[Line]
    added: set[Line]


FEW = 5
"""If a commit with a new line brings back at most this many removed lines, no person meant to bring them back."""


def lines_taken_out(folder: Path, names: Sequence[str], most: int) -> dict[Line, str]:
    """Return the lines of some files of a folder that a commit removed, each with the commit and its author.

    A line that a later commit brought back is left out, unless the later commit is a merge or also adds a new line, as
    after a rebase. A person who wants a line back adds it alone, or restores many. At most `most` commits are read.
    """
    return _taken_out(_changes(folder, names, most, "HEAD"))


def lines_a_rebase_brought_back(folder: Path, names: Sequence[str], most: int) -> dict[Line, str]:
    """Return the lines of some files of a folder that were removed by a commit which a rebase in this clone dropped.

    Where lines are joined by union, a rebase may find that a commit which only removes a line changes nothing, and drop
    it. The result has the form of `lines_taken_out`. At most `most` entries of the reflog are read.
    """
    found: dict[Line, str] = {}
    if unfinished_merge(folder):
        return found
    for before in _tips_before_rebases(folder, most):
        left_out = _taken_out(_changes(folder, names, most, f"HEAD..{before}"))
        if left_out and (both := text(folder, "merge-base", before, "HEAD")):
            changes = _changes(folder, names, most, f"{both}..HEAD")
            out_in_head = {line for change in changes for line in change.removed}
            found |= {line: title for line, title in left_out.items() if line not in out_in_head}
    return found


def _taken_out(changes: Iterable[Change]) -> dict[Line, str]:
    """Return the removed lines, each with the title of the change; `changes` has the oldest change first."""
    taken_out: dict[Line, str] = {}
    for change in changes:
        back = change.added & taken_out.keys()
        if len(back) == len(change.added) or len(back) > FEW:
            for line in back:
                del taken_out[line]
        taken_out |= {line: change.title for line in change.removed - change.added}
    return taken_out


def _changes(folder: Path, names: Sequence[str], most: int, revisions: str) -> Iterator[Change]:
    """Yield the changes of each commit, except merges, in some files of a folder, oldest first."""
    commits_read = ["--full-history", "--no-merges", "--topo-order", f"-{most}"]
    as_changes = ["-p", "--unified=0", "--no-color", "--no-ext-diff", "--relative", f"--format={_COMMIT}%h by %an"]
    history = "\n" + text(folder, "log", *commits_read, *as_changes, revisions, "--", *names)
    for commit in reversed(history.split(f"\n{_COMMIT}")[1:]):
        title, _, changed = commit.partition("\n")
        removed: set[Line] = set()
        added: set[Line] = set()
        name = ""
        for line in changed.splitlines():
            if line.startswith(("--- ", "+++ ")):
                name = line[4:].removeprefix("a/").removeprefix("b/")
            elif line.startswith("-"):
                removed.add((name, line[1:]))
            elif line.startswith("+"):
                added.add((name, line[1:]))
        yield Change(title, removed, added)


def _tips_before_rebases(folder: Path, most: int) -> list[str]:
    """Return the commits of this clone at which a rebase began, oldest first."""
    entries = text(folder, "reflog", f"-{most}", "--format=%H %gs").splitlines()
    begun = [at for at, entry in enumerate(entries[:-1]) if "rebase" in entry and "(start)" in entry]
    return [entries[at + 1].partition(" ")[0] for at in reversed(begun)]


_COMMIT = "commit: "
"""The start of the first line of each commit in the log; no line of a change starts with it."""
