"""Publish: the release as bytes, or a refusal. `stages` writes it.

The release depends only on what the repository holds (lexicon, evidence, verdicts, and the last release, for its
version), so a fresh clone makes the same bytes again, without an archive and without a network.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from pipeline import frames
from pipeline.check import RULES
from pipeline.decide import LISTED, TIERS
from pipeline.diff import by_word
from pipeline.frames import csv_bytes
from pipeline.words import BeeError

MOVED = 0.02
"""The share of the list that may come and go in one release: a day moves about two words, a new lexicon is a choice."""

DESCRIPTIONS = {
    "LICENSES.txt": "The licence of this release, and of every source that it is made from, in full.",
    "wordlist.txt": "The list: tiers core and likely, one word a line, A to Z.",
    "words.csv": "Tried words and likely ones: tier, p (only where no trial exists), record, flags, reason.",
    "flags.csv": "The flags of all words of the tiers core, likely and review.",
    "diffs.csv": "Words on whose trials list and record differ, with the number of puzzles.",
    "violations.csv": "What the checks found about this release.",
}


class Refusal(BeeError):
    """The release must not go out; the message says why and what to do."""


def wordlist(decisions: pd.DataFrame) -> list[str]:
    """Return the words of the list, A to Z."""
    return sorted(decisions["word"][decisions["tier"].isin(LISTED)])


def words(
    decisions: pd.DataFrame, estimates: pd.DataFrame, evidence: pd.DataFrame, flags: pd.DataFrame
) -> pd.DataFrame:
    """Make the table `words.csv`: word, tier, p, offered, accepted, flags, because.

    It has every word of the tiers core, likely and review, and every word that was ever tried. The rest, words that
    nobody would miss, is in the lexicon with the same reason each: too unlikely.
    """
    codes = flags.groupby("word")["flag"].agg(" ".join)
    frame = decisions.merge(evidence[["word", "offered", "accepted"]], on="word", how="left", validate="one_to_one")
    frame = frame[(frame["tier"] != "refused") | (frame["by"] != "estimate")].reset_index(drop=True)
    frame[["offered", "accepted"]] = frame[["offered", "accepted"]].fillna(0).astype(int)
    p = estimates.set_index("word")["p"].map("{:.2f}".format)
    frame["p"] = frames.look_up(frame["word"], p, "")
    frame["flags"] = frames.look_up(frame["word"], codes, "")
    return frame[["word", "tier", "p", "offered", "accepted", "flags", "because"]]


def refuse(old: list[str], new: list[str], violations: pd.DataFrame) -> None:
    """Raise Refusal when there are errors, or when the list moved too much to go out unseen."""
    errors = violations[violations["severity"] == "error"]
    if len(errors):
        first = errors.iloc[0]
        raise Refusal(
            f"Not published: {len(errors)} violations of severity error, the first {first['rule']} on "
            f'"{first["subject"]}" ({first["detail"]}). bee check lists them.'
        )
    if not new:
        raise Refusal("Not published: the list would be empty.")
    moved = len(set(old) ^ set(new))
    if old and moved > MOVED * len(old):
        raise Refusal(
            f"Not published: {moved} words would come or go, more than {MOVED:.0%} of the {len(old)} on the list. "
            "Look at them with bee diff; bee publish --force goes ahead."
        )


def changes(old: list[str], new: list[str], version: str, before: str, because: Mapping[str, str]) -> str:
    """Write CHANGES.md: the words added and removed since the last release, each with its reason."""
    added, removed = sorted(set(new) - set(old)), sorted(set(old) - set(new))
    if not (old and before):
        return f"# Changes in {version}\n\nThe first release: {len(new)} words.\n"
    lines = [f"# Changes in {version}", "", f"Since {before}: {len(added)} words added, {len(removed)} removed."]
    for title, listed in (("Added", added), ("Removed", removed)):
        if listed:
            lines += ["", f"## {title}", ""]
            lines += [f"- `{word}`: {because.get(word, 'no list knows it any more')}" for word in listed]
    return "\n".join(lines) + "\n"


def read_changes(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Read CHANGES.md back: the words added and the words removed, each with its reason.

    >>> read_changes(changes(["cave", "cove"], ["cove", "octave"], "2", "1", {"octave": "accepted"}))
    ({'octave': 'accepted'}, {'cave': 'no list knows it any more'})
    """
    sides: dict[str, dict[str, str]] = {"Added": {}, "Removed": {}}
    for part in text.split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        for line in rest.splitlines():
            if line.startswith("- `"):
                word, _, reason = line[3:].partition("`: ")
                sides[title][word] = reason
    return sides["Added"], sides["Removed"]


def release(
    tables: Mapping[str, pd.DataFrame],
    covered: Iterable[str],
    sources: pd.DataFrame,
    licences: Mapping[str, str],
    before: Mapping[str, Any],
) -> dict[str, bytes]:
    """Make the files of the release, name to bytes, from the tables named as in `frames.CONTRACTS`.

    `licences` are texts in full by title; `before` is `datapackage.json` of the last release, parsed, or empty: what
    is the same keeps its version. `datapackage.json` comes last and has the checksums of the others, so that a
    release that was cut short shows.
    """
    decisions, flags, violations = tables["decisions"], tables["flags"], tables["violations"]
    shown = set(decisions["word"][decisions["tier"] != "refused"])
    in_release = violations["rule"].map(lambda rule: RULES[rule].scope == "release").astype(bool)
    files = {
        "LICENSES.txt": "\n\n".join(
            f"{title}\n{'=' * len(title)}\n\n{text}" for title, text in licences.items()
        ).encode(),
        "words.csv": csv_bytes(words(decisions, tables["estimates"], tables["evidence"], flags)),
        "flags.csv": csv_bytes(flags[flags["word"].isin(shown)]),
        "diffs.csv": csv_bytes(by_word(tables["evidence"], decisions)),
        "violations.csv": csv_bytes(violations[in_release]),
        "wordlist.txt": "".join(f"{word}\n" for word in wordlist(decisions)).encode(),
    }
    package = _datapackage(files, decisions, sorted(covered), sources)
    package["version"] = version(package, before)
    files["datapackage.json"] = (json.dumps(package, indent=2, ensure_ascii=False) + "\n").encode()
    return files


def version(package: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Name a release: the last date that it covers, and which of its releases this is, counted from 1.

    What says the same as the release before keeps its version.

    >>> package = {"covers": {"last": "2025-12-31"}, "words": {"core": 2}}
    >>> first = version(package, {})
    >>> first, version(package, {**package, "version": first}), version({**package, "words": {}}, {"version": first})
    ('2025.12.31.1', '2025.12.31.1', '2025.12.31.2')
    """
    day, _, build = str(before.get("version", "")).rpartition(".")
    last = (package["covers"]["last"] or "0000-00-00").replace("-", ".")
    if day != last or not build.isdecimal():
        return f"{last}.1"
    same = {**package, "version": ""} == {**before, "version": ""}
    return f"{day}.{build}" if same else f"{day}.{int(build) + 1}"


def seal(files: Mapping[str, bytes]) -> bytes:
    """Write SHA256SUMS: a line a file, as `sha256sum -c` reads it."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()


def _datapackage(
    files: Mapping[str, bytes], decisions: pd.DataFrame, covered: list[str], sources: pd.DataFrame
) -> dict[str, Any]:
    resources = []
    for name, data in files.items():
        resource: dict[str, object] = {
            "name": name.partition(".")[0].lower(),
            "path": name,
            "description": DESCRIPTIONS[name],
            "format": name.rpartition(".")[2],
            "mediatype": "text/csv" if name.endswith(".csv") else "text/plain",
            "encoding": "utf-8",
            "bytes": len(data),
            "hash": f"sha256:{hashlib.sha256(data).hexdigest()}",
        }
        if name.endswith(".csv"):
            header = data.partition(b"\n")[0].decode().split(",")
            fields = [{"name": column, "type": _TYPES.get(column, "string")} for column in header]
            resource |= {"type": "table", "schema": {"fields": fields, "missingValues": [""]}}
        resources.append(resource)
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "bee-wordlist",
        "title": "A curated word list for the Spelling Bee",
        "description": "Not affiliated with The New York Times.",
        "version": "",
        "covers": {"first": min(covered, default=""), "last": max(covered, default=""), "days": len(covered)},
        "words": {tier: int((decisions["tier"] == tier).sum()) for tier in TIERS},
        "licenses": [
            {"name": "MIT", "title": "MIT License, see LICENSES.txt"},
            {"name": "CC-BY-4.0", "title": "for flags.csv and the column flags of words.csv, see LICENSES.txt"},
        ],
        "sources": [
            {"title": f"{row['title']} {row['version']}, {row['licence']}", "path": row["home"]}
            for row in frames.rows(sources)
        ],
        "resources": resources,
    }


_TYPES = {"p": "number", "offered": "integer", "accepted": "integer", "puzzles": "integer"}
