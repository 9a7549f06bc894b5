"""The files of a release, as bytes: the list, the tables that explain it, and their description.

They depend only on files in the repository (lexicon, evidence, verdicts, and the last release for its version). So a
fresh clone makes the same bytes, without an archive and without a network.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pipeline import reader
from pipeline.facts import evidence, seal
from pipeline.opinions import model as modeling
from pipeline.opinions.model import Model
from pipeline.play import daily
from pipeline.publishing.diff import by_word
from pipeline.reader import Release, ReleaseError
from pipeline.tables import columns, frames
from pipeline.tables.frames import csv_bytes
from pipeline.violations import VIOLATIONS
from pipeline.words import BY_P, GAME, LISTED, TIERS, BeeError, in_play, rule_broken

IN_PLAY = "wordlist-in-play.txt"
"""Releases up to 2026.07.24.1 do not have this file."""
DESCRIPTIONS = {
    "LICENSES.txt": "The licence of this release, and of every source that it is made from, in full.",
    "wordlist.txt": "The list: tiers core and likely, one word a line, A to Z.",
    IN_PLAY: "The words of the list that an official puzzle can have: no S, and not both E and R.",
    "words.csv": "Words of the list, and others tried or in doubt: tier, p (the chance to be accepted next), record, "
    "flags, reason.",
    "flags.csv": "The flags of all words of the tiers core, likely and review.",
    "diffs.csv": "Words on whose trials list and record differ, with the number of puzzles.",
    "violations.csv": "What the checks found about this release.",
    "since-approved.csv": "The words that came and went since the release that a person last approved.",
    daily.FILE: "Our own puzzles of the day, center first. Later releases add rows and change none.",
}
SINCE = "since-approved.csv"
GUESSED = 0.01
"""An unlisted pangram with at least this p may be the guess of its letters. Of 17 guesses in the backtest, all correct,
5 had a p below `DOUBTFUL`, and one had exactly this p."""
UNKNOWN = 0.5
"""The p of a word that a person keeps and that is in no list and no puzzle: there is no evidence for either side."""
FILES = (*DESCRIPTIONS, reader.PACKAGE, "CHANGES.md", reader.SUMS)
"""All files of a release."""


def wordlist(decisions: pd.DataFrame) -> list[str]:
    """Return the words of the list, A to Z."""
    return sorted(decisions["word"][columns.among(decisions["tier"], LISTED)].tolist())


def lists(listed: Iterable[str]) -> dict[str, bytes]:
    """Write the list, and its words that are in play, name to bytes.

    >>> lists(["octave", "coves", "cove"])
    {'wordlist.txt': b'cove\\ncoves\\noctave\\n', 'wordlist-in-play.txt': b'cove\\noctave\\n'}
    """
    words = sorted(listed)
    both = {"wordlist.txt": words, IN_PLAY: filter(in_play, words)}
    return {name: "".join(f"{word}\n" for word in chosen).encode() for name, chosen in both.items()}


def words(
    decisions: pd.DataFrame, estimates: pd.DataFrame, evidence: pd.DataFrame, flags: pd.DataFrame
) -> pd.DataFrame:
    """Make the table `words.csv`, whose columns are in `words.WORDS`.

    It has every word of the tiers core, likely and review, every word that was ever tried, and the pangrams with p of
    at least `GUESSED` of letters that have no listed pangram. All other words are too unlikely and are left out.
    """
    spelled = columns.masks(decisions["word"])
    p = columns.look_up(decisions["word"], estimates.set_index("word")["p"], UNKNOWN)
    told = pd.to_numeric(decisions["details"].str.split("|").str[0], errors="coerce")  # with verdicts on other forms
    p = told.where(columns.among(decisions["kind"], BY_P) & told.notna(), p)
    has = spelled[columns.among(decisions["tier"], LISTED)]
    guessed = (p >= GUESSED) & columns.among(decisions["kind"], BY_P) & ~np.isin(spelled, has)
    guessed &= np.bitwise_count(spelled) == GAME.letters
    kept = (decisions["tier"] != "refused") | (decisions["by"] != "estimate") | guessed
    frame = decisions[kept].assign(p=p[kept].map("{:.2f}".format))
    record = evidence.set_index("word")
    for name in ("offered", "accepted"):
        frame[name] = columns.look_up(frame["word"], record[name], 0)
    marked = flags[["word", "flag"]][columns.among(flags["word"], frame["word"])]
    frame["flags"] = columns.look_up(frame["word"], columns.joined(marked, "flag"), "")
    return frames.check(frame[list(frames.CONTRACTS["words"].columns)], "words")


def make(
    tables: Mapping[str, pd.DataFrame],
    covered: Iterable[str],
    model: Model,
    sources: pd.DataFrame,
    licences: Mapping[str, str],
    before: Mapping[str, Any],
    days: Callable[[pd.DataFrame], bytes],
    since: Iterable[tuple[str, str]] = (),
    approved: bool = True,
) -> dict[str, bytes]:
    """Make the files of a release except its changes and checksums, name to bytes, from tables by name.

    `licences` are full texts by title. `before` is the parsed `datapackage.json` of the last release, or empty; if the
    content is the same, the version stays. `days` makes `daily.csv` from the table `words.csv`. `since` are the words
    that changed since the release that was `approved` last, which may be this one.
    """
    decisions, flags, violations = tables["decisions"], tables["flags"], tables["violations"]
    shown = decisions["word"][decisions["tier"] != "refused"]
    in_release = violations["rule"].map(lambda rule: VIOLATIONS[rule].scope == "release").astype(bool)
    table = words(decisions, tables["estimates"], tables["evidence"], flags)
    files = {
        "LICENSES.txt": "\n\n".join(
            f"{title}\n{'=' * len(title)}\n\n{text}" for title, text in licences.items()
        ).encode(),
        "words.csv": csv_bytes(table),
        "flags.csv": csv_bytes(frames.check(flags[columns.among(flags["word"], shown)], "release_flags")),
        "diffs.csv": csv_bytes(by_word(tables["evidence"], decisions)),
        "violations.csv": csv_bytes(violations[in_release]),
        **lists(wordlist(decisions)),
        SINCE: csv_bytes(pd.DataFrame(list(since), columns=["word", "change"])),
        daily.FILE: days(table),
    }
    package = _datapackage(files, table, sorted(covered), model, sources)
    package["approved"] = "" if approved else str(before.get("approved") or before.get("version", ""))
    package["version"] = version(package, before)
    package["approved"] = package["approved"] or package["version"]
    files[reader.PACKAGE] = (json.dumps(package, indent=2, ensure_ascii=False) + "\n").encode()
    return files


def version(package: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Return the version of a release: the last date that it covers and a build number from 1.

    A release with the same content as the last one keeps its version.

    >>> package = {"covers": {"last": "2025-12-31"}, "words": {"core": 2}}
    >>> first = version(package, {})
    >>> first, version(package, {**package, "version": first}), version({**package, "words": {}}, {"version": first})
    ('2025.12.31.1', '2025.12.31.1', '2025.12.31.2')
    """
    day, _, build = str(before.get("version", "")).rpartition(".")
    last = (package["covers"]["last"] or "0000-00-00").replace("-", ".")
    if day != last or not build.isdecimal():
        return f"{last}.1"
    before = {**before, "approved": package["approved"]} if before.get("approved") == before["version"] else before
    same = {**package, "version": ""} == {**before, "version": ""}
    return f"{day}.{build}" if same else f"{day}.{int(build) + 1}"


def covered(package: bytes) -> frozenset[str]:
    """Return the dates that a release covers, from `datapackage.json`; releases up to 2026.07.24.2 name none."""
    try:
        return seal.dates(json.loads(package)["covers"].get("dates", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ReleaseError(f"{reader.PACKAGE} is damaged; `bee restore` brings the release back.") from None


def _datapackage(
    files: Mapping[str, bytes], table: pd.DataFrame, covered: list[str], model: Model, sources: pd.DataFrame
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
            "hash": f"sha256:{reader.sha256(data)}",
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
        "covers": {
            "first": min(covered, default=""),
            "last": max(covered, default=""),
            "days": len(covered),
            "dates": seal.ranges(covered),
        },
        "model": {
            "path": "model.csv",
            "hash": f"sha256:{reader.sha256(modeling.encode(model))}",
            "fitted": {"last": max(model.covered, default=""), "days": len(model.covered)},
        },
        "words": {tier: int((table["tier"] == tier).sum()) for tier in TIERS},
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


BESIDE = ("evidence.csv", "track.csv", "model.csv")
"""Files outside `SHA256SUMS`: the record and the weights, each with its own checksum, and the track record."""


def verify(files: Mapping[str, bytes], where: object) -> Release:
    """Return the release in some files, name to bytes, including `SHA256SUMS`, after every check.

    Raises ReleaseError with the first problem: checksums, the description, the columns and rows of a table, the list
    itself, or the files of `BESIDE` if present.
    """
    made = reader.check({name: data for name, data in files.items() if name not in BESIDE}, where, whole=True)
    try:
        described(made, where)
        _follows(made, where)
        daily.published(made)
        _beside(files, where)
    except ReleaseError:
        raise
    except (BeeError, KeyError, TypeError, ValueError) as error:
        raise ReleaseError(f"The release in {where} contradicts itself: {error}") from error
    return made


def described(made: Release, where: object) -> Release:
    """Return a release; raise ReleaseError unless datapackage.json describes each file and its columns correctly."""
    resources = {resource["path"]: resource for resource in made.package["resources"]}
    lacking = sorted(made.files.keys() - resources.keys() - {reader.PACKAGE, "CHANGES.md"})
    if lacking or resources.keys() - made.files.keys():
        names = [*lacking, *sorted(resources.keys() - made.files.keys())]
        raise ReleaseError(f"{reader.PACKAGE} in {where} and the files differ on {', '.join(names)}.")
    for name, resource in resources.items():
        data = made.files[name]
        if (resource["bytes"], resource["hash"]) != (len(data), f"sha256:{reader.sha256(data)}"):
            raise ReleaseError(f"{name} in {where} is not the file that {reader.PACKAGE} describes.")
        if "schema" in resource:
            columns = list(frames.read_csv(data.partition(b"\n")[0] + b"\n", name).columns)
            if columns != [field["name"] for field in resource["schema"]["fields"]]:
                raise ReleaseError(f"{name} in {where} has the columns {', '.join(columns)}, not those described.")
    return made


def _follows(made: Release, where: object) -> None:
    """Check that the list agrees with words.csv, and that both are consistent."""
    words = frames.from_text(frames.read_csv(made.files["words.csv"], "words.csv"), "words")
    if odd := sorted(set(words["tier"]) - set(TIERS)):
        raise ReleaseError(f'words.csv in {where} has the tier "{odd[0]}"; there are {", ".join(TIERS)}.')
    listed = words[words["tier"].isin(LISTED)]
    for name, data in lists(listed["word"]).items():
        if (name != IN_PLAY or name in made.files) and made.files[name] != data:
            which = f"{' or '.join(LISTED)}{' and in play' if name == IN_PLAY else ''}"
            raise ReleaseError(f"{name} in {where} is not the words of words.csv that are {which}.")
    for word in listed["word"]:
        if rule := rule_broken(word):
            raise ReleaseError(f'"{word}" in {where} is on the list and cannot be an answer: {rule}.')
    bad = words[(words["accepted"] > words["offered"]) | (words["accepted"] < 0) | (words["because"] == "")]
    if len(bad):
        raise ReleaseError(f'The record of "{bad["word"].iloc[0]}" in words.csv in {where} contradicts itself.')
    counts = {tier: int((words["tier"] == tier).sum()) for tier in ("core", "likely", "review")}
    described = {tier: made.package["words"][tier] for tier in counts}
    if counts != described:
        raise ReleaseError(f"{reader.PACKAGE} in {where} counts {described}, words.csv has {counts}.")
    approved_list(made)


def _beside(files: Mapping[str, bytes], where: object) -> None:
    """Check the checksum of the evidence, that the track record has only days that the evidence covers, and that the
    model is the one of the release."""
    covered = evidence.decode(files["evidence.csv"]).covered if "evidence.csv" in files else None
    model = Release(dict(files)).package.get("model")
    if model and "model.csv" in files and model["hash"] != f"sha256:{reader.sha256(files['model.csv'])}":
        raise ReleaseError(f"model.csv in {where} is not the one that this release was made with.")
    if "track.csv" not in files:
        return
    track: pd.DataFrame = frames.from_text(frames.read_csv(files["track.csv"], "track.csv"), "track")
    if covered is not None and (late := sorted(set(track["date"]) - covered)):
        raise ReleaseError(f"track.csv in {where} has {late[0]}, which evidence.csv does not cover.")
    wrong = track["exact"] != ((track["missing"] + track["extra"]) == 0).astype(int)
    if wrong.any():
        raise ReleaseError(f"track.csv in {where} contradicts itself on {track['date'][wrong].iloc[0]}.")


def approved_list(last: reader.Release | None) -> list[str]:
    """Return the list of the last release that a person approved. A release without this information counts as
    approved."""
    if not last:
        return []
    words = set(last.files["wordlist.txt"].decode().split())
    since = frames.read_csv(last.files[SINCE], SINCE) if SINCE in last.files else None
    for row in frames.rows(since) if since is not None else []:
        if (row["change"] == "added") != (row["word"] in words):
            raise Refusal(f"Not published: {SINCE} does not fit wordlist.txt; restore both from git.")
        words ^= {row["word"]}
    return sorted(words)


class Refusal(BeeError):
    """The release must not be published; the message gives the reason and what to do."""
