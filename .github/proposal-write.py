#!/usr/bin/env python3
"""Post the answer to a proposal, and open the pull request of an accepted one: proposal-write.py FOLDER

The job of this script may write, and runs none of the project's code. It takes files by fixed names from FOLDER, which
the job that reads untrusted text made, and checks each. There is one comment for each issue and one branch and pull
request for each word: a second run edits them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

MARKER = "<!-- bee proposal -->"
"""The first line of our comment."""
BOT = "github-actions[bot]"
"""Who posts it: a comment of another person that begins alike is left alone."""
RELEASE = """CHANGES.md LICENSES.txt SHA256SUMS daily.csv datapackage.json diffs.csv flags.csv since-approved.csv
violations.csv wordlist-in-play.txt wordlist.txt words.csv""".split()
"""The files that a verdict may change. The record and the track record stay as they are."""
SAME = ("evidence.csv", "track.csv")
AUTHOR = "word proposals"
LINE = r"""([a-z]{4,19}),(keep|drop),"?[A-Za-z0-9 ,.;'-]+( \(in no list\))?"?,[A-Za-z0-9-]{1,39},20\d\d-\d\d-\d\d\n"""
"""The one line that may be added to `verdicts.csv`."""
LARGEST = 60_000
"""The size of a comment or of the text of a pull request; the hosting service takes 65,536 characters."""


def run(*command: str) -> str:
    """Run a program with arguments, never through a shell; return what it printed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def refuse(what: str) -> NoReturn:
    """End the script; nothing is posted or pushed after this."""
    sys.exit(f"{what}. Nothing was written.")


def file(path: Path) -> bytes:
    """Read a file that was handed over; a link or a missing file is refused."""
    if path.is_symlink() or not path.is_file():
        refuse(f"{path} is not a file")
    return path.read_bytes()


def text(path: Path) -> str:
    """Read a text that is posted: not too long, without mentions, HTML or links."""
    found = file(path).decode("utf-8")
    if len(found) > LARGEST or re.search(r"@|<|://|\]\(", found.removeprefix(MARKER)):
        refuse(f"{path} is too long, or has a mention, HTML or a link")
    return found


def post(repository: str, number: int, path: Path) -> None:
    """Edit our comment on an issue, or make it. `gh api` finds it by its first line and its author."""
    if not text(path).startswith(MARKER):
        refuse(f"{path} is not an answer")
    comments = f"repos/{repository}/issues/{number}/comments"
    ours = f'.[] | select(.user.login == "{BOT}" and (.body | startswith("{MARKER}"))) | .id'
    found = run("gh", "api", "--paginate", comments, "--jq", ours).split()
    body = ["--silent", "--field", f"body=@{path}"]
    if found:
        run("gh", "api", "--method", "PATCH", f"repos/{repository}/issues/comments/{int(found[0])}", *body)
    else:
        run("gh", "api", "--method", "POST", comments, *body)


def verdict(made: Path, custom: Path) -> tuple[str, str]:
    """Return the word and the verdict of the line that was added to `verdicts.csv`; anything else is refused."""
    old, new = file(custom / "verdicts.csv"), file(made / "custom/verdicts.csv")
    line = re.fullmatch(LINE, new.removeprefix(old).decode("utf-8", "replace"))
    if not (new.startswith(old) and line):
        refuse("verdicts.csv has other changes than one verdict")
    return line[1], line[2]


def take(made: Path, custom: Path, changes: Path) -> None:
    """Check the release that was handed over, and copy its files by name."""
    new = made / "custom"
    for name in SAME:
        if file(new / name) != file(custom / name):
            refuse(f"{name} is not that of the main branch; give the label again")
    if not file(new / "daily.csv").startswith(file(custom / "daily.csv")):
        refuse("daily.csv changes or lacks puzzles that were published")
    rows = [row.partition("  ") for row in file(new / "SHA256SUMS").decode().splitlines()]
    if sorted(name for _, _, name in rows) != sorted(set(RELEASE) - {"SHA256SUMS"}):
        refuse("SHA256SUMS does not list the files of a release, each once")
    for digest, _, name in rows:
        if hashlib.sha256(file(new / name)).hexdigest() != digest:
            refuse(f"{name} does not fit SHA256SUMS")
    version = json.loads(file(new / "datapackage.json"))["version"]
    if not re.fullmatch(r"\d{4}(\.\d{1,4}){3}", version):
        refuse("the version is not a version")
    table = file(made / "changes.csv")
    if not table.startswith(b"word,change,before,after,because\n"):
        refuse("changes.csv is not a table of changes")
    for name in [*RELEASE, "verdicts.csv"]:
        (custom / name).write_bytes(file(new / name))
    changes.mkdir(parents=True, exist_ok=True)
    if (changes / f"{version}.csv").exists():
        refuse(f"there is a release {version} already; give the label again")
    (changes / f"{version}.csv").write_bytes(table)


def may_accept(repository: str, event: dict[str, Any]) -> bool:
    """Return whether the person who gave the label may write to the repository."""
    login = str(event["sender"]["login"])
    if not re.fullmatch("[A-Za-z0-9_-]{1,100}", login):
        return False
    asked = f"repos/{repository}/collaborators/{login}/permission"
    return run("gh", "api", asked, "--jq", ".permission") in ("admin", "write")


def push(word: str, title: str, branch: str) -> None:
    """Commit the release on the branch of the word; a branch to which a person pushed stays as it is."""
    there = run("git", "ls-remote", "--heads", "origin", f"refs/heads/{branch}").split()
    if there:
        run("git", "fetch", "--quiet", "--depth=1", "origin", branch)
        if run("git", "log", "-1", "--format=%an", "FETCH_HEAD") != AUTHOR:
            refuse(f"A person pushed to the branch {branch}; decide on {word} there")
    run("git", "config", "user.name", AUTHOR)
    run("git", "config", "user.email", "actions@users.noreply.github.com")
    run("git", "add", "data/custom", "docs/changes")
    run("git", "commit", "--quiet", "-m", title)
    lease = f"--force-with-lease=refs/heads/{branch}:{there[0] if there else ''}"
    run("git", "push", "--quiet", lease, "origin", f"HEAD:refs/heads/{branch}")


def main(made: Path) -> None:
    """Post the answer, then make the pull request, if there is one to make."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_bytes())
    repository, number = os.environ["GITHUB_REPOSITORY"], int(event["issue"]["number"])
    pull = made / "pull.md"
    if not pull.exists():
        post(repository, number, made / "comment.md")
        return
    if not may_accept(repository, event):
        refuse("Only a person who may write to the repository accepts a proposal")
    custom = Path("data/custom")
    word, decision = verdict(made, custom)
    body = made / "body.md"
    body.write_text(f"Closes #{number}. {text(pull)}", encoding="utf-8")
    take(made, custom, Path("docs/changes"))
    branch, title = f"word-{word}", f'{decision.capitalize()} "{word}"'
    push(word, title, branch)
    if run("gh", "pr", "list", "--head", branch, "--state", "open", "--json", "number", "--jq", ".[].number"):
        run("gh", "pr", "edit", branch, "--title", title, "--body-file", str(body))
    else:
        run("gh", "pr", "create", "--head", branch, "--title", title, "--body-file", str(body))
    post(repository, number, made / "comment.md")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except subprocess.CalledProcessError as failed:
        sys.exit(f"{' '.join(failed.cmd[:3])} failed with exit code {failed.returncode}.")
