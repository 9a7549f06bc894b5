#!/usr/bin/env python3
"""Posts the answer to a proposal, and opens the pull request for an accepted one: proposal-write.py FOLDER

The job of this script has write permissions and runs none of the project's code. It takes files with fixed names from
FOLDER, which the job that reads untrusted text has made, and checks each file. There is one comment for each issue, and
one branch and pull request for each word; a second run edits them. The branch adds one line to `verdicts.csv` and
changes nothing else. The main branch makes the release.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

MARKER = "<!-- bee proposal -->"
"""The first line of our comment."""
BOT = "github-actions[bot]"
"""The author of our comment. Comments of other people are not changed, even if they begin in the same way."""
AUTHOR = "word proposals"
VERDICTS = Path("data/custom/verdicts.csv")
HEADER = "word,verdict,reason,by,on\n"
LINE = (
    r"([a-z]{4,19}),(keep|drop),"
    r"""([A-Za-z0-9 .;'-]+( \(in no list\))?|"[A-Za-z0-9 ,.;'-]+( \(in no list\))?"),"""
    r"[A-Za-z0-9-]{1,39},20\d\d-\d\d-\d\d\n"
)
"""The one line that may be added to `verdicts.csv`: word, verdict, reason (in quotes if it has a comma), by, on."""
LARGEST = 60_000
"""The maximum size of a comment and of the text of a pull request. The hosting service accepts 65,536 characters."""


class Verdict(NamedTuple):
    """A line of `verdicts.csv`, with its word and its decision, keep or drop."""

    line: str
    word: str
    decision: str


def run(*command: str) -> str:
    """Run a program with arguments, without a shell, and return what it printed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def refuse(what: str) -> NoReturn:
    """End the script with a message. Nothing is posted or pushed after this."""
    sys.exit(f"{what}. Nothing was written.")


def read_file(path: Path) -> bytes:
    """Return the content of a file from the first job; refuse a link and a missing file."""
    if path.is_symlink() or not path.is_file():
        refuse(f"{path} is not a file")
    return path.read_bytes()


def read_text(path: Path) -> str:
    """Return a text to post; refuse it if it is too long or has mentions, HTML or links."""
    text = read_file(path).decode("utf-8")
    if len(text) > LARGEST or re.search(r"@|<|://|\]\(", text.removeprefix(MARKER)):
        refuse(f"{path} is too long, or has a mention, HTML or a link")
    return text


def post(repository: str, number: int, path: Path) -> None:
    """Edit our comment on an issue, or make a new one. Our comment is found by its first line and its author."""
    if not read_text(path).startswith(MARKER):
        refuse(f"{path} is not an answer")
    comments = f"repos/{repository}/issues/{number}/comments"
    is_ours = f'.[] | select(.user.login == "{BOT}" and (.body | startswith("{MARKER}"))) | .id'
    comment_ids = run("gh", "api", "--paginate", comments, "--jq", is_ours).split()
    body = ["--silent", "--field", f"body=@{path}"]
    if comment_ids:
        run("gh", "api", "--method", "PATCH", f"repos/{repository}/issues/comments/{int(comment_ids[0])}", *body)
    else:
        run("gh", "api", "--method", "POST", comments, *body)


def read_verdict(path: Path) -> Verdict:
    """Return the verdict in a file from the first job; refuse any other file."""
    line = read_file(path).decode("utf-8", "replace")
    match = re.fullmatch(LINE, line)
    if not match:
        refuse(f"{path.name} is not one line with a verdict")
    return Verdict(line, word=match[1], decision=match[2])


def with_line(text: str, line: str, word: str) -> str:
    """Return the text of `verdicts.csv` with a new line before the first line with a greater word.

    All other lines stay the same. A word that already has a line is refused.
    """
    lines = list(io.StringIO(text, newline=""))
    if lines[:1] != [HEADER] or not lines[-1].endswith("\n"):
        refuse(f"{VERDICTS} of the main branch is damaged")
    rows = csv.reader(lines)
    next(rows)  # the header
    place = None
    row_start = rows.line_num
    for row in rows:
        if row and row[0] == word:
            refuse(f"{VERDICTS} already has a verdict on {word}")
        if row and row[0] > word and place is None:
            place = row_start
        row_start = rows.line_num  # a quoted reason may have several lines
    if place is None:
        place = len(lines)
    lines.insert(place, line)
    return "".join(lines)


def may_accept(repository: str, event: dict[str, Any]) -> bool:
    """Return whether the person who added the label may write to the repository."""
    login = str(event["sender"]["login"])
    if not re.fullmatch("[A-Za-z0-9_-]{1,100}", login):
        return False
    permission = f"repos/{repository}/collaborators/{login}/permission"
    return run("gh", "api", permission, "--jq", ".permission") in ("admin", "write")


def push(word: str, title: str, branch: str) -> None:
    """Commit the verdict on the branch of the word. A branch to which a person has pushed is not changed."""
    remote_branch = run("git", "ls-remote", "--heads", "origin", f"refs/heads/{branch}").split()
    if remote_branch:
        run("git", "fetch", "--quiet", "--depth=1", "origin", branch)
        if run("git", "log", "-1", "--format=%an", "FETCH_HEAD") != AUTHOR:
            refuse(f"A person pushed to the branch {branch}; decide on {word} there")
    run("git", "config", "user.name", AUTHOR)
    run("git", "config", "user.email", "actions@users.noreply.github.com")
    run("git", "add", str(VERDICTS))
    run("git", "commit", "--quiet", "-m", title)
    expected_commit = remote_branch[0] if remote_branch else ""
    lease = f"--force-with-lease=refs/heads/{branch}:{expected_commit}"
    run("git", "push", "--quiet", lease, "origin", f"HEAD:refs/heads/{branch}")


def main(folder: Path) -> None:
    """Post the answer, and make the pull request if the proposal was accepted."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_bytes())
    repository, number = os.environ["GITHUB_REPOSITORY"], int(event["issue"]["number"])
    pull_path = folder / "pull.md"
    if not pull_path.exists():
        post(repository, number, folder / "comment.md")
        return
    if not may_accept(repository, event):
        refuse("Only a person who may write to the repository can accept a proposal")
    verdict = read_verdict(folder / "verdict.csv")
    verdicts = with_line(read_file(VERDICTS).decode("utf-8"), verdict.line, verdict.word)
    body = folder / "body.md"
    body.write_text(f"Closes #{number}. {read_text(pull_path)}", encoding="utf-8")
    VERDICTS.write_text(verdicts, encoding="utf-8", newline="")
    branch, title = f"word-{verdict.word}", f'{verdict.decision.capitalize()} "{verdict.word}"'
    push(verdict.word, title, branch)
    if run("gh", "pr", "list", "--head", branch, "--state", "open", "--json", "number", "--jq", ".[].number"):
        run("gh", "pr", "edit", branch, "--title", title, "--body-file", str(body))
    else:
        run("gh", "pr", "create", "--head", branch, "--title", title, "--body-file", str(body))
    post(repository, number, folder / "comment.md")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except subprocess.CalledProcessError as failed:
        sys.exit(f"{' '.join(failed.cmd[:3])} failed with exit code {failed.returncode}.")
