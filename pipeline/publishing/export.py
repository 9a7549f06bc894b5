"""Export: which words of a release go out, chosen by tier, length and manners, and what is to be known of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from pipeline import frames
from pipeline.decide import TIERS
from pipeline.flag import OFFENSIVE
from pipeline.words import MIN_LENGTH, BeeError

CELLS = {
    "word": "[a-z]+",
    "tier": "|".join(TIERS),
    "p": r"|0(\.[0-9]+)?|1(\.0+)?",
    "offered": "[0-9]{1,9}",
    "accepted": "[0-9]{1,9}",
    "flags": "[a-z -]*",
    "because": ".*",
}
"""The columns of `words.csv` and what their cells look like."""
COPYRIGHT = "Copyright (c) 2026 the bee-wordlist maintainers"
AFFILIATION = "Not affiliated with The New York Times."


class ExportError(BeeError):
    """A file of the release cannot be used, or nothing is left of the list."""


class ChoiceError(ExportError):
    """What is asked for does not exist."""

    exit_code = 2


def read(data: bytes, where: object) -> pd.DataFrame:
    """Read `words.csv`, all cells text."""
    words = frames.read_csv(data, where)
    if absent := [column for column in CELLS if column not in words.columns]:
        raise ExportError(f"{where} has no column {absent[0]}; `bee publish` makes it anew.")
    return words[list(CELLS)]


def check_seal(data: bytes, package: Mapping[str, Any], where: object) -> None:
    """Raise ExportError when `words.csv` is not the file whose checksum the description of its release has."""
    resources = package.get("resources")
    for each in resources if isinstance(resources, list) else []:
        named = isinstance(each, dict) and each.get("path") == "words.csv"
        if named and each.get("hash") != f"sha256:{hashlib.sha256(data).hexdigest()}":
            raise ExportError(
                f"{where} is not the file that datapackage.json beside it describes: it was cut short or edited. "
                "Take both from one release."
            )


def choose(words: pd.DataFrame, tiers: Iterable[str], safe: bool, min_length: int) -> pd.DataFrame:
    """Choose rows of `words.csv` (all cells text): by tier, without words flagged offensive when `safe`, by length."""
    tiers = list(tiers)
    if unknown := [tier for tier in tiers if tier not in TIERS]:
        raise ChoiceError(f'"{unknown[0]}" is no tier; there are {", ".join(TIERS)}.')
    rude = words["flags"].map(lambda codes: bool(set(codes.split()) & set(OFFENSIVE))).astype(bool)
    chosen = words[words["tier"].isin(tiers) & (words["word"].str.len() >= min_length) & ~(rude & safe)]
    if chosen.empty:
        raise ExportError("No word is left after this choice.")
    _check(chosen)
    return chosen.sort_values("word", ignore_index=True)


def _check(chosen: pd.DataFrame) -> None:
    """Raise ExportError when a cell is not what its column promises, for other programs trust it."""
    for column, pattern in CELLS.items():
        good = chosen[column].str.fullmatch(f"(?:{pattern})")
        if not good.all():
            word, cell = chosen.loc[~good, ["word", column]].iloc[0]
            raise ExportError(f'words.csv: "{cell}" is no {column} (word "{word}"); `bee publish` makes the file anew.')
    if (twice := chosen["word"].duplicated()).any():
        word = chosen.loc[twice, "word"].iloc[0]
        raise ExportError(f'words.csv has "{word}" twice; `bee publish` makes the file anew.')


def content(count: int, tiers: Iterable[str], safe: bool, min_length: int) -> str:
    """Say which words were chosen.

    >>> content(38723, ["likely"], True, 4)
    '38,723 words of tier likely, without words flagged slur, vulgar or sensitive'
    """
    manners = f", without words flagged {OFFENSIVE[0]}, {' or '.join(OFFENSIVE[1:])}" if safe else ""
    length = f", from {min_length} letters on" if min_length > MIN_LENGTH else ""
    return f"{count:,} words of tier {' and '.join(tiers)}{length}{manners}"


def facts(package: bytes | None, chosen: str, where: object) -> dict[str, str]:
    """Return what is to be known of an export, name to sentence: title, version, content, licence, sources.

    `package` is the `datapackage.json` of the release; without one, version and licence are unknown.
    """
    if package is None:
        told = {"title": "A word list", "version": "unknown", "content": chosen, "licence": "not stated"}
        return told | {"affiliation": AFFILIATION}
    try:
        release = json.loads(package)
        told = {
            "title": release["title"],
            "version": release["version"],
            "content": chosen,
            "licence": "; ".join(f"{each['name']} ({each['title']})" for each in release["licenses"]),
            "copyright": COPYRIGHT,
            "sources": "; ".join(each["title"] for each in release["sources"]),
            "affiliation": AFFILIATION,
        }
        return {name: " ".join(told[name].replace("*/", "").split()) for name in told}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ExportError(f"{where} does not describe a release; `bee publish` makes it anew.") from error
