"""Git: what the repository of a workspace has, and which merge it has not finished. There may be no repository."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class UnfinishedMerge:
    """A merge, rebase or cherry-pick that git has begun: the revisions that it joins, and what finishes it.

    `theirs` is joined with HEAD; `base` is the last commit that both have, "" if there is none. `unmerged` are the
    files with both versions, by paths from the top of the repository, `top`.
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
"""The reference that git keeps while a merge is not finished, with the name of the merge and what finishes it."""


def run(folder: Path | str, *arguments: str) -> bytes | None:
    """Return what git prints about the repository of a folder; None if it fails, or if there is no git."""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        return subprocess.check_output(["git", "-C", str(folder), *arguments], stderr=subprocess.DEVNULL)
    return None


def text(folder: Path | str, *arguments: str) -> str:
    """Return what git prints as text without the last line end; "" if it fails."""
    return (run(folder, *arguments) or b"").decode("utf-8", "replace").strip()


def unfinished_merge(folder: Path) -> UnfinishedMerge | None:
    """Return the merge that is not finished in the repository of a folder, None if there is none."""
    private = _private_folder(folder)
    if private is None:
        return None
    rebasing = (private / "rebase-merge").is_dir() or (private / "rebase-apply").is_dir()
    for reference, (name, finish) in _KINDS.items():
        if not (private / reference).is_file() or (name == "rebase" and not rebasing):
            continue
        base = (
            text(folder, "merge-base", "HEAD", reference)
            if name == "merge"
            else text(folder, "rev-parse", f"{reference}^")
        )
        unmerged = text(folder, "diff", "--name-only", "--diff-filter=U", "-z").split("\0")
        top = Path(text(folder, "rev-parse", "--show-toplevel"))
        return UnfinishedMerge(name, reference, base, finish, tuple(filter(None, unmerged)), top)
    return None


def _private_folder(folder: Path) -> Path | None:
    """Return the folder in which git keeps the state of the work tree that a folder belongs to."""
    for parent in (folder.resolve(), *folder.resolve().parents):
        entry = parent / ".git"
        if entry.is_dir():
            return entry
        if entry.is_file():  # a work tree beside the repository, or a submodule
            return parent / entry.read_text().removeprefix("gitdir:").strip()
    return None


def shown(folder: Path | str, revision: str, path: str) -> bytes | None:
    """Return a file at a revision, by its path below a folder of the repository; None if it is not there."""
    return run(folder, "show", "--end-of-options", f"{revision}:./{path}")


def commits(folder: Path, most: int) -> Iterator[tuple[str, str]]:
    """Yield the commits that changed a folder, the last one first: the short name and the date of each."""
    for line in text(folder, "log", f"-{most}", "--format=%h %cs", "HEAD", "--", ".").splitlines():
        name, _, date = line.partition(" ")
        yield name, date


FEW = 5
"""So many lines at most come back beside a new one without a person's doing."""


def lines_taken_out(folder: Path, names: Sequence[str], most: int) -> dict[tuple[str, str], str]:
    """Return the lines of some files of a folder whose last commit took them out, by file and line: commit and author.

    Merges are passed over: a line of theirs that a merge has brought back is still one that a person took out. So is
    one that comes back beside a new line, as in a commit that a rebase has moved. A person who wants a line again adds
    it alone, or restores many. At most so many commits are read.
    """
    commits_read = ["--full-history", "--no-merges", "--topo-order", f"-{most}"]
    as_changes = ["-p", "--unified=0", "--no-color", "--no-ext-diff", "--relative", f"--format={_COMMIT}%h by %an"]
    history = "\n" + text(folder, "log", *commits_read, *as_changes, "HEAD", "--", *names)
    taken_out: dict[tuple[str, str], str] = {}
    for commit in reversed(history.split(f"\n{_COMMIT}")[1:]):
        title, _, changes = commit.partition("\n")
        removed: list[tuple[str, str]] = []
        added: set[tuple[str, str]] = set()
        name = ""
        for line in changes.splitlines():
            if line.startswith(("--- ", "+++ ")):
                name = line[4:].removeprefix("a/").removeprefix("b/")
            elif line.startswith("-"):
                removed.append((name, line[1:]))
            elif line.startswith("+"):
                added.add((name, line[1:]))
        back = added & taken_out.keys()
        if len(back) == len(added) or len(back) > FEW:
            for line_of in back:
                del taken_out[line_of]
        taken_out |= {line_of: title for line_of in removed if line_of not in added}
    return taken_out


_COMMIT = "commit: "
"""What begins the first line of each commit in the log; no line of a change begins so."""
