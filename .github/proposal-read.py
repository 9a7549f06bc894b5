#!/usr/bin/env python3
"""Answers the proposal of a word, and writes its verdict if a maintainer accepted it: proposal-read.py FOLDER

The job of this script has no write permissions. It reads the event of an issue (GITHUB_EVENT_PATH) and takes only three
things from it: one word, keep or drop, and a reason of plain letters. It writes `comment.md`, the answer, into FOLDER.
If the event is the label `accepted`, it also writes `verdict.csv`, one line without a header, and `pull.md`, the text
of a pull request, which says how the release will change. To measure this, it makes a release in its own workspace,
which is not kept.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.facts import by_hand

MARKER = "<!-- bee proposal -->"
"""The first line of the comment, by which the next run finds the comment."""
LABEL = "accepted"
VERDICTS = {"on the list": "keep", "off the list": "drop"}
"""The choices of the form."""
FIELDS = ("Word", "The word should be", "Why")
"""The labels of the fields of the form, which are the headings in the issue."""
LONGEST_BODY, LONGEST_REASON = 20_000, 200
"""The maximum number of characters of an issue that are read, and of a reason. A longer reason is cut after a word."""
MOST_ROWS = 40
"""The maximum number of added and removed words that the text of a pull request names."""
LOGIN = "[A-Za-z0-9][A-Za-z0-9-]{0,38}"

Bee = Callable[..., "subprocess.CompletedProcess[str]"]


class Refused(Exception):
    """Raised if a proposal cannot be measured. The message is the answer."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a person proposes, in safe characters only, and whom to credit."""

    word: str
    verdict: str
    reason: str
    credit: str


def bee(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `bee` without a shell, and return the result."""
    return subprocess.run(["bee", *arguments], capture_output=True, text=True, check=False)


def require_success(result: subprocess.CompletedProcess[str], command: str) -> None:
    """End the script if a command of `bee` failed."""
    if result.returncode:
        sys.exit(f"bee {command} failed: {result.stderr}")


def read_event(path: str) -> dict[str, Any]:
    """Return the event of an issue; end the script if the file is not one."""
    try:
        event = json.loads(Path(path).read_bytes())
        issue = event["issue"]
        if isinstance(issue["number"], int) and isinstance(issue["user"]["login"], str):
            return dict(event)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    sys.exit(f"{path or 'GITHUB_EVENT_PATH'} is not the event of an issue.")


def read_form(body: str) -> dict[str, str]:
    """Return the answers of the form by heading. If a heading occurs twice, the first one counts."""
    lines_below: dict[str, list[str]] = {"": []}
    last_heading = ""
    for line in body[:LONGEST_BODY].splitlines():
        heading = line.removeprefix("### ").strip()
        if line.startswith("### ") and heading in FIELDS and heading not in lines_below:
            last_heading = heading
            lines_below[heading] = []
        else:
            lines_below[last_heading].append(line)
    answers = {}
    for heading in lines_below.keys() - {""}:
        answer = "\n".join(lines_below[heading]).strip()
        answers[heading] = "" if answer == "_No response_" else answer
    return answers


def plain(text: str) -> str:
    """Return a text as one line of letters, digits and a few signs, so that it is plain text everywhere.

    The result cannot contain links, mentions, references, HTML or Markdown.
    """
    ascii_only = unicodedata.normalize("NFKD", text.replace("’", "'")).encode("ascii", "ignore").decode()
    ascii_only = re.sub(r"<[^>]*>|https?://\S*|www\.\S*", " ", ascii_only)
    safe = re.sub(r"[^A-Za-z0-9 ,.'-]+", " ", re.sub("[;:]", ",", ascii_only))
    safe = re.sub(r"(?<![A-Za-z])-|-(?![A-Za-z])|\.(?=\S)", " ", safe)  # a list, the number of an issue, a link
    line = " ".join(safe.split())
    if len(line) <= LONGEST_REASON:
        return line
    start = line[:LONGEST_REASON]
    return start.rpartition(" ")[0] or start


def read_proposal(issue: dict[str, Any]) -> Proposal:
    """Return the proposal in an issue; raise Refused if it cannot be measured."""
    form = read_form(str(issue.get("body") or ""))
    word, reason = form.get("Word", ""), plain(form.get("Why", "")).rstrip(" .,")
    verdict = VERDICTS.get(form.get("The word should be", ""))
    if not (word and verdict and not by_hand.says_nothing(reason)):
        raise Refused(
            "The form is not complete, so this proposal cannot be measured. Please edit it. It needs one word, whether "
            "the word should be on or off the list, and a reason in a few words."
        )
    if not re.fullmatch("[A-Za-z]{4,19}", word):
        raise Refused(
            "This cannot be an answer of a puzzle. An answer has 4 to 19 letters from a to z, without accents, hyphens "
            "or blanks. If there is a typo, please edit the proposal."
        )
    word = word.lower()
    if len(set(word)) > 7:
        needed = len(set(word))
        raise Refused(f"{word} cannot be an answer: a puzzle has 7 different letters, but {word} needs {needed}.")
    login = issue["user"]["login"]
    credit = f"proposed by {login}" if re.fullmatch(LOGIN, login) else f"proposed in issue {issue['number']}"
    return Proposal(word, verdict, reason, credit)


def measure(proposal: Proposal, bee: Bee) -> tuple[dict[str, Any], str]:
    """Return the effect of a proposal and the text of `bee why`."""
    effect = bee(proposal.verdict, proposal.word, "--dry-run", "--only", "--json")
    require_success(effect, f"{proposal.verdict} {proposal.word} --dry-run")
    return json.loads(effect.stdout), bee("why", proposal.word).stdout


def is_offensive(word: str, bee: Bee) -> bool:
    """Return whether a word is graded as offensive. Comments do not discuss such words."""
    flags = {flag["flag"] for flag in json.loads(bee("why", word, "--json").stdout)["flags"]}
    return not flags.isdisjoint({"slur", "vulgar", "explicit", "crude", "sensitive"})


def indented(text: str) -> str:
    """Return a text indented, so that Markdown shows it unchanged, without signs that have a meaning in other
    places."""
    return "".join(f"    {line}\n" for line in re.sub(r"[@<>\]]|://", "", text).splitlines())


def why_no_change(proposal: Proposal, effect: dict[str, Any]) -> str:
    """Return why a proposal changes nothing, or "" if it changes something."""
    word, listed = proposal.word, effect["tier"] in ("core", "likely")
    if verdict := effect["decided"]:
        source = f"{plain(verdict['by'])} on {plain(verdict['on'])}: {plain(verdict['reason']).rstrip('.')}"
        advice = "If you know more, please say so in a comment to this issue."
        if verdict["verdict"] == proposal.verdict:
            advice = "This is what you propose."
        return f"A person has already decided to {verdict['verdict']} `{word}` ({source}). {advice}"
    if not (effect["added"] or effect["removed"]):
        return f"`{word}` is already {'on' if listed else 'off'} the list, so this would change nothing."
    return ""


def has_branch(word: str) -> bool:
    """Return whether there is a branch for the word, because an earlier proposal was accepted."""
    command = ["git", "ls-remote", "--exit-code", "--heads", "origin", f"refs/heads/word-{word}"]
    return not subprocess.run(command, capture_output=True, check=False).returncode


def comment(proposal: Proposal, effect: dict[str, Any], why: str, accepted: bool) -> str:
    """Return the answer."""
    known = ["What is known about the word (`bee why`):", indented(why)]
    no_change = why_no_change(proposal, effect)
    if no_change:
        return paragraphs(no_change, *known)
    branch = f"the pull request of the branch `word-{proposal.word}`"
    if accepted:
        then = f"It is accepted: {branch} adds the verdict. After it is merged, the main branch makes the new list."
    elif has_branch(proposal.word):
        then = f"There is already a verdict on `{proposal.word}`: see {branch}."
    else:
        then = f"A maintainer will decide. The label `{LABEL}` makes a pull request."
    return paragraphs(
        f"Thank you. This is what would change if we {proposal.verdict} `{proposal.word}` (`--dry-run`):",
        indented("\n".join(effect["says"])),
        "This reason would be published:",
        indented(f"{proposal.reason}; {proposal.credit}"),
        then,
        *known,
    )


def paragraphs(*parts: str) -> str:
    """Return parts of Markdown as paragraphs of one text."""
    return "\n\n".join(part.rstrip("\n") for part in parts)


def pull_request_text(proposal: Proposal, effect: dict[str, Any], why: str, changes: str) -> str:
    """Return the text of the pull request. `changes` is the table that `bee changes` prints."""
    rows = list(csv.DictReader(changes.splitlines()))
    differences = [f"{row['change']:7} {row['word']}: {row['because']}" for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        differences.append(f"and {len(rows) - MOST_ROWS} more")
    return paragraphs(
        f"A verdict, {proposal.credit}: {proposal.verdict} `{proposal.word}`. This reason will be published:",
        indented(proposal.reason),
        "This was the expected change (`--dry-run`):",
        indented("\n".join(effect["says"])),
        f"The number of words that the next release adds and removes because of this verdict: {len(rows)}",
        indented("\n".join(differences)),
        "This was known about the word (`bee why`):",
        indented(why),
        "This pull request adds one line to `data/custom/verdicts.csv`. After it is merged, the workflow `daily` "
        "makes the release on the main branch, and `CHANGES.md` publishes the reason with its credit. If it "
        f"conflicts with the main branch, remove the label `{LABEL}` from the issue and add it again; then the branch "
        "is made again.",
    )


def accept(proposal: Proposal, by: str, folder: Path, bee: Bee) -> str:
    """Write the line of the verdict into the folder, and return how the release will change, as CSV."""
    custom = Path(os.environ.get("BEE_DATA", "data")) / "custom"
    lines_before = verdict_lines(custom)
    reason = f"{proposal.reason}; {proposal.credit}"
    with tempfile.TemporaryDirectory() as scratch:
        release_before = shutil.copytree(custom, Path(scratch) / "custom")
        for command in (
            [
                proposal.verdict,
                proposal.word,
                "--only",
                "--reason",
                reason,
                "--by",
                by,
                "--force",
            ],  # a maintainer saw the record
            ["run"],
            ["changes", str(release_before), str(custom)],
        ):
            result = bee(*command)
            require_success(result, command[0])
    new_lines = [line for line in verdict_lines(custom) if line not in lines_before]
    if len(new_lines) != 1:
        sys.exit(f"bee {proposal.verdict} changed {len(new_lines)} lines of verdicts.csv instead of one.")
    (folder / "verdict.csv").write_text(f"{new_lines[0]}\n", encoding="utf-8")
    return result.stdout


def verdict_lines(custom: Path) -> list[str]:
    """Return the lines of `verdicts.csv` in a folder, without the header and without line ends."""
    path = custom / "verdicts.csv"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    return [line for line in lines[1:] if line]


def main(folder: Path, event: dict[str, Any], bee: Bee = bee) -> None:
    """Write the files of the answer into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    accepted = event.get("action") == "labeled" and (event.get("label") or {}).get("name") == LABEL
    try:
        proposal = read_proposal(event["issue"])
    except Refused as refusal:
        text = str(refusal)
    else:
        require_success(bee("run"), "run")
        effect, why = measure(proposal, bee)
        text = comment(proposal, effect, why, accepted)
        if is_offensive(proposal.word, bee):
            text = "This word is graded as offensive, so it is not measured automatically. Maintainers will decide."
            accepted = False
        if accepted and not why_no_change(proposal, effect):
            login = str((event.get("sender") or {}).get("login"))
            by = login if re.fullmatch(LOGIN, login) else "maintainers"
            changes = accept(proposal, by, folder, bee)
            (folder / "pull.md").write_text(pull_request_text(proposal, effect, why, changes) + "\n", encoding="utf-8")
    (folder / "comment.md").write_text(f"{MARKER}\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), read_event(os.environ.get("GITHUB_EVENT_PATH", "")))
