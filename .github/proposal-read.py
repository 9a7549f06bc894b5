#!/usr/bin/env python3
"""Answer the proposal of a word, and write its verdict if a maintainer accepted it: proposal-read.py FOLDER

The job of this script has no right to write. It reads the event of an issue (GITHUB_EVENT_PATH), of which it takes one
word, keep or drop, and a reason of plain letters. FOLDER gets `comment.md`, the answer. If the event is the label
`accepted`, FOLDER also gets `verdict.csv`, one line without a header, and `pull.md`, the text of a pull request, which
says what the release will gain. To measure that, the script makes a release in its own workspace and throws it away.
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
"""The first line of the comment, by which the next run finds it again."""
LABEL = "accepted"
VERDICTS = {"on the list": "keep", "off the list": "drop"}
"""The choices of the form."""
FIELDS = ("Word", "The word should be", "Why")
"""The labels of the form, which are the headings of the issue."""
LONGEST_BODY, LONGEST_REASON = 20_000, 200
"""More characters of an issue are not read; a longer reason is cut at the end of a word."""
MOST_ROWS = 40
"""The number of added and removed words that the text of a pull request names."""
LOGIN = "[A-Za-z0-9][A-Za-z0-9-]{0,38}"

Bee = Callable[..., "subprocess.CompletedProcess[str]"]


class Refused(Exception):
    """The proposal cannot be measured; the message is the answer."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a person proposes, made of safe characters only, and whom to credit."""

    word: str
    verdict: str
    reason: str
    credit: str


def bee(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `bee`, never through a shell."""
    return subprocess.run(["bee", *arguments], capture_output=True, text=True, check=False)


def require_success(result: subprocess.CompletedProcess[str], command: str) -> None:
    """End the script if a command of `bee` failed."""
    if result.returncode:
        sys.exit(f"bee {command} failed: {result.stderr}")


def read_event(path: str) -> dict[str, Any]:
    """Read the event of an issue; ends the script if it is none."""
    try:
        event = json.loads(Path(path).read_bytes())
        issue = event["issue"]
        if isinstance(issue["number"], int) and isinstance(issue["user"]["login"], str):
            return dict(event)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    sys.exit(f"{path or 'GITHUB_EVENT_PATH'} is not the event of an issue.")


def read_form(body: str) -> dict[str, str]:
    """Return the answers of the form by heading, the first one of each."""
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
    """Reduce a text to one line of letters, digits and a few signs, so that it is nothing but text anywhere.

    No link, mention, reference, HTML or Markdown can be made of what is left.
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
    """Take the proposal out of an issue; raises Refused."""
    form = read_form(str(issue.get("body") or ""))
    word, reason = form.get("Word", ""), plain(form.get("Why", "")).rstrip(" .,")
    verdict = VERDICTS.get(form.get("The word should be", ""))
    if not (word and verdict and not by_hand.says_nothing(reason)):
        raise Refused(
            "The form is not filled in, so this proposal cannot be measured. Please edit it: one word, on or off the "
            "list, and a reason in a few words."
        )
    if not re.fullmatch("[A-Za-z]{4,19}", word):
        raise Refused(
            "This is no word of the game: a word has 4 to 19 letters from a to z, without accents, hyphens or blanks. "
            "Please edit the proposal if it was a typing error."
        )
    word = word.lower()
    if len(set(word)) > 7:
        raise Refused(f"{word} is no word of the game: a puzzle has 7 letters, and {word} needs {len(set(word))}.")
    login = issue["user"]["login"]
    credit = f"proposed by {login}" if re.fullmatch(LOGIN, login) else f"proposed in issue {issue['number']}"
    return Proposal(word, verdict, reason, credit)


def measure(proposal: Proposal, bee: Bee) -> tuple[dict[str, Any], str]:
    """Return the effect of a proposal and the text of `bee why`."""
    effect = bee(proposal.verdict, proposal.word, "--dry-run", "--only", "--json")
    require_success(effect, f"{proposal.verdict} {proposal.word} --dry-run")
    return json.loads(effect.stdout), bee("why", proposal.word).stdout


def is_offensive(word: str, bee: Bee) -> bool:
    """Return whether a word is graded as offensive; a comment never weighs such a word."""
    flags = {flag["flag"] for flag in json.loads(bee("why", word, "--json").stdout)["flags"]}
    return not flags.isdisjoint({"slur", "vulgar", "explicit", "crude", "sensitive"})


def indented(text: str) -> str:
    """Indent a text so that Markdown shows it as it is, without signs that mean something elsewhere."""
    return "".join(f"    {line}\n" for line in re.sub(r"[@<>\]]|://", "", text).splitlines())


def why_no_change(proposal: Proposal, effect: dict[str, Any]) -> str:
    """Say why a proposal changes nothing, or "" if it does."""
    word, listed = proposal.word, effect["tier"] in ("core", "likely")
    if verdict := effect["decided"]:
        source = f"{plain(verdict['by'])} on {plain(verdict['on'])}: {plain(verdict['reason']).rstrip('.')}"
        advice = "If you know more, please say so in a comment to this issue."
        if verdict["verdict"] == proposal.verdict:
            advice = "So it is as you propose."
        return f"A person already decided to {verdict['verdict']} `{word}`, {source}. {advice}"
    if not (effect["added"] or effect["removed"]):
        return f"`{word}` is {'on' if listed else 'off'} the list already, so this would change nothing."
    return ""


def has_branch(word: str) -> bool:
    """Return whether a proposal of the word was accepted before, and its branch is still there."""
    command = ["git", "ls-remote", "--exit-code", "--heads", "origin", f"refs/heads/word-{word}"]
    return not subprocess.run(command, capture_output=True, check=False).returncode


def comment(proposal: Proposal, effect: dict[str, Any], why: str, accepted: bool) -> str:
    """Write the answer."""
    known = ["What is known about the word (`bee why`):", indented(why)]
    no_change = why_no_change(proposal, effect)
    if no_change:
        return paragraphs(no_change, *known)
    branch = f"the pull request of the branch `word-{proposal.word}`"
    if accepted:
        then = f"It is accepted: {branch} adds the verdict. After it is merged, the main branch makes the new list."
    elif has_branch(proposal.word):
        then = f"There is a verdict on `{proposal.word}` already: see {branch}."
    else:
        then = f"A maintainer decides. The label `{LABEL}` makes a pull request."
    return paragraphs(
        f"Thank you. This is what it would change to {proposal.verdict} `{proposal.word}` (`--dry-run`):",
        indented("\n".join(effect["says"])),
        "This would be published as the reason:",
        indented(f"{proposal.reason}; {proposal.credit}"),
        then,
        *known,
    )


def paragraphs(*parts: str) -> str:
    """Join parts of Markdown."""
    return "\n\n".join(part.rstrip("\n") for part in parts)


def pull_request_text(proposal: Proposal, effect: dict[str, Any], why: str, changes: str) -> str:
    """Write the text of the pull request; `changes` is the table of `bee changes`."""
    rows = list(csv.DictReader(changes.splitlines()))
    differences = [f"{row['change']:7} {row['word']}: {row['because']}" for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        differences.append(f"and {len(rows) - MOST_ROWS} more")
    return paragraphs(
        f"A verdict, {proposal.credit}: {proposal.verdict} `{proposal.word}`. The reason, as it is published:",
        indented(proposal.reason),
        "What it changes, measured before (`--dry-run`):",
        indented("\n".join(effect["says"])),
        f"The words that the next release adds and removes because of it, measured now: {len(rows)}",
        indented("\n".join(differences)),
        "What was known about the word (`bee why`):",
        indented(why),
        "This pull request adds one line to `data/custom/verdicts.csv`. After it is merged, the workflow `daily` "
        "makes the release on the main branch, and `CHANGES.md` publishes the reason with its credit. If it "
        f"conflicts with the main branch, take the label `{LABEL}` off the issue and give it again: the branch is "
        "then made anew.",
    )


def accept(proposal: Proposal, effect: dict[str, Any], by: str, folder: Path, bee: Bee) -> str:
    """Put the line of the verdict into the folder, and return what the release will gain, as CSV."""
    custom = Path(os.environ.get("BEE_DATA", "data")) / "custom"
    lines_before = verdict_lines(custom)
    force = ["--force"] if effect["tier"] == "unknown" else []
    reason = f"{proposal.reason}; {proposal.credit}"
    with tempfile.TemporaryDirectory() as scratch:
        release_before = shutil.copytree(custom, Path(scratch) / "custom")
        for command in (
            [proposal.verdict, proposal.word, "--only", "--reason", reason, "--by", by, *force],
            ["run"],
            ["changes", str(release_before), str(custom)],
        ):
            result = bee(*command)
            require_success(result, command[0])
    new_lines = [line for line in verdict_lines(custom) if line not in lines_before]
    if len(new_lines) != 1:
        sys.exit(f"bee {proposal.verdict} changed {len(new_lines)} lines of verdicts.csv, not one.")
    (folder / "verdict.csv").write_text(f"{new_lines[0]}\n", encoding="utf-8")
    return result.stdout


def verdict_lines(custom: Path) -> list[str]:
    """Return the lines of `verdicts.csv` in a folder after its header, without their ends."""
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
            text = "This word is graded as offensive, so maintainers decide about it without a machine."
            accepted = False
        if accepted and not why_no_change(proposal, effect):
            login = str((event.get("sender") or {}).get("login"))
            by = login if re.fullmatch(LOGIN, login) else "maintainers"
            changes = accept(proposal, effect, by, folder, bee)
            (folder / "pull.md").write_text(pull_request_text(proposal, effect, why, changes) + "\n", encoding="utf-8")
    (folder / "comment.md").write_text(f"{MARKER}\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), read_event(os.environ.get("GITHUB_EVENT_PATH", "")))
