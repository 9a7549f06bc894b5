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
from pathlib import Path
from typing import Any, NamedTuple

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


class Proposal(NamedTuple):
    """What a person proposes, made of safe characters only, and whom to credit."""

    word: str
    verdict: str
    reason: str
    credit: str


def bee(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `bee`, never through a shell."""
    return subprocess.run(["bee", *arguments], capture_output=True, text=True, check=False)


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


def answers(body: str) -> dict[str, str]:
    """Return the answers of the form by heading, the first one of each."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in body[:LONGEST_BODY].splitlines():
        name = line.removeprefix("### ").strip()
        if line.startswith("### ") and name in FIELDS and name not in found:
            lines = found[name] = []
        else:
            lines.append(line)
    text = {name: "\n".join(lines).strip() for name, lines in found.items()}
    return {name: "" if answer == "_No response_" else answer for name, answer in text.items()}


def plain(text: str) -> str:
    """Reduce a text to one line of letters, digits and a few signs, so that it is nothing but text anywhere.

    No link, mention, reference, HTML or Markdown can be made of what is left.
    """
    ascii_only = unicodedata.normalize("NFKD", text.replace("’", "'")).encode("ascii", "ignore").decode()
    ascii_only = re.sub(r"<[^>]*>|https?://\S*|www\.\S*", " ", ascii_only)
    kept = re.sub(r"[^A-Za-z0-9 ,.'-]+", " ", re.sub("[;:]", ",", ascii_only))
    kept = re.sub(r"(?<![A-Za-z])-|-(?![A-Za-z])|\.(?=\S)", " ", kept)  # a list, the number of an issue, a link
    line = " ".join(kept.split())
    return line if len(line) <= LONGEST_REASON else line[:LONGEST_REASON].rpartition(" ")[0] or line[:LONGEST_REASON]


def proposal(issue: dict[str, Any]) -> Proposal:
    """Take the proposal out of an issue; raises Refused."""
    form = answers(str(issue.get("body") or ""))
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
    by = f"proposed by {login}" if re.fullmatch(LOGIN, login) else f"proposed in issue {issue['number']}"
    return Proposal(word, verdict, reason, by)


def measured(given: Proposal, bee: Bee) -> tuple[dict[str, Any], str]:
    """Return the effect of a proposal and the text of `bee why`."""
    done = bee(given.verdict, given.word, "--dry-run", "--only", "--json")
    if done.returncode:
        sys.exit(f"bee {given.verdict} {given.word} --dry-run failed: {done.stderr}")
    return json.loads(done.stdout), bee("why", given.word).stdout


def rude(word: str, bee: Bee) -> bool:
    """Return whether a word is graded as offensive; a comment never weighs such a word."""
    flags = {flag["flag"] for flag in json.loads(bee("why", word, "--json").stdout)["flags"]}
    return not flags.isdisjoint({"slur", "vulgar", "explicit", "crude", "sensitive"})


def block(text: str) -> str:
    """Indent a text so that Markdown shows it as it is, without signs that mean something elsewhere."""
    return "".join(f"    {line}\n" for line in re.sub(r"[@<>\]]|://", "", text).splitlines())


def nothing_to_do(given: Proposal, effect: dict[str, Any]) -> str:
    """Say why a proposal changes nothing, or "" if it does."""
    word, listed = given.word, effect["tier"] in ("core", "likely")
    if decided := effect["decided"]:
        who = f"{plain(decided['by'])} on {plain(decided['on'])}: {plain(decided['reason']).rstrip('.')}"
        same = decided["verdict"] == given.verdict
        then = "So it is as you propose." if same else "If you know more, please say so in a comment to this issue."
        return f"A person already decided to {decided['verdict']} `{word}`, {who}. {then}"
    if not (effect["added"] or effect["removed"]):
        return f"`{word}` is {'on' if listed else 'off'} the list already, so this would change nothing."
    return ""


def branch_there(word: str) -> bool:
    """Return whether a proposal of the word was accepted before, and its branch is still there."""
    asked = ["git", "ls-remote", "--exit-code", "--heads", "origin", f"refs/heads/word-{word}"]
    return not subprocess.run(asked, capture_output=True, check=False).returncode


def comment(given: Proposal, effect: dict[str, Any], why: str, accepted: bool) -> str:
    """Write the answer."""
    parts = [nothing_to_do(given, effect)]
    if not parts[0]:
        then = f"A maintainer decides. The label `{LABEL}` makes a pull request."
        if accepted:
            then = (
                f"It is accepted: the pull request of the branch `word-{given.word}` adds the verdict. After it is "
                "merged, the main branch makes the new list."
            )
        elif branch_there(given.word):
            then = (
                f"There is a verdict on `{given.word}` already: see the pull request of the branch `word-{given.word}`."
            )
        parts = [
            f"Thank you. This is what it would change to {given.verdict} `{given.word}` (`--dry-run`):",
            block("\n".join(effect["says"])),
            "This would be published as the reason:",
            block(f"{given.reason}; {given.credit}"),
            then,
        ]
    return "\n\n".join(part.rstrip("\n") for part in [*parts, "What is known about the word (`bee why`):", block(why)])


def pull(given: Proposal, effect: dict[str, Any], why: str, changes: str) -> str:
    """Write the text of the pull request; `changes` is the table of `bee changes`."""
    rows = list(csv.DictReader(changes.splitlines()))
    gains = [f"{row['change']:7} {row['word']}: {row['because']}" for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        gains.append(f"and {len(rows) - MOST_ROWS} more")
    return "\n\n".join(
        part.rstrip("\n")
        for part in [
            f"A verdict, {given.credit}: {given.verdict} `{given.word}`. The reason, as it is published:",
            block(given.reason),
            "What it changes, measured before (`--dry-run`):",
            block("\n".join(effect["says"])),
            f"The words that the next release adds and removes because of it, measured now: {len(rows)}",
            block("\n".join(gains)),
            "What was known about the word (`bee why`):",
            block(why),
            "This pull request adds one line to `data/custom/verdicts.csv`. After it is merged, the workflow `daily` "
            "makes the release on the main branch, and `CHANGES.md` publishes the reason with its credit. If it "
            f"conflicts with the main branch, take the label `{LABEL}` off the issue and give it again: the branch is "
            "then made anew.",
        ]
    )


def accept(given: Proposal, effect: dict[str, Any], by: str, folder: Path, bee: Bee) -> str:
    """Put the line of the verdict into the folder, and return what the release will gain, as CSV."""
    custom = Path(os.environ.get("BEE_DATA", "data")) / "custom"
    lines_before = verdict_lines(custom)
    force = ["--force"] if effect["tier"] == "unknown" else []
    reason = f"{given.reason}; {given.credit}"
    with tempfile.TemporaryDirectory() as scratch:
        release_before = shutil.copytree(custom, Path(scratch) / "custom")
        for command in (
            [given.verdict, given.word, "--only", "--reason", reason, "--by", by, *force],
            ["run"],
            ["changes", str(release_before), str(custom)],
        ):
            done = bee(*command)
            if done.returncode:
                sys.exit(f"bee {command[0]} failed: {done.stderr}")
    new_lines = [line for line in verdict_lines(custom) if line not in lines_before]
    if len(new_lines) != 1:
        sys.exit(f"bee {given.verdict} changed {len(new_lines)} lines of verdicts.csv, not one.")
    (folder / "verdict.csv").write_text(f"{new_lines[0]}\n", encoding="utf-8")
    return done.stdout


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
        given = proposal(event["issue"])
    except Refused as refusal:
        text = str(refusal)
    else:
        if (done := bee("run")).returncode:
            sys.exit(f"bee run failed: {done.stderr}")
        effect, why = measured(given, bee)
        text = comment(given, effect, why, accepted)
        if rude(given.word, bee):
            text, accepted = (
                "This word is graded as offensive, so maintainers decide about it without a machine.",
                False,
            )
        if accepted and not nothing_to_do(given, effect):
            login = str((event.get("sender") or {}).get("login"))
            by = login if re.fullmatch(LOGIN, login) else "maintainers"
            changes = accept(given, effect, by, folder, bee)
            (folder / "pull.md").write_text(pull(given, effect, why, changes) + "\n", encoding="utf-8")
    (folder / "comment.md").write_text(f"{MARKER}\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), read_event(os.environ.get("GITHUB_EVENT_PATH", "")))
