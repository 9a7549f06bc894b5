"""SCOWL (Kevin Atkinson), from the Debian package `scowl`: one file per region, variant level, kind and size."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

import pandas as pd

from pipeline.facts.word_list import NO_SIZE, ListError, Rejected, WordList, debian
from pipeline.words import rule_broken

_FILE = re.compile(
    r"(?:(american|australian|british_z|british|canadian|english|special)_?)?(?:variant_([1-3]))?"
    r"-(words|upper|proper-names|abbreviations|contractions|hacker|roman-numerals)\.(\d\d)"
)
_CAPITALISED = ("upper", "proper-names", "abbreviations")


def parse(files: Mapping[str, str]) -> tuple[pd.DataFrame, Rejected]:
    """Parse SCOWL files, text by name, as (word, kind, region, variant, size).

    The kinds written with capitals are converted to lower case. A word with an accent breaks a rule and is counted, but
    its plain spelling is kept with the kind `accented`. Region `english` means all of them, variant 0 the usual one.
    """
    rows: set[tuple[str, str, str, int, int]] = set()
    rejected: Rejected = Counter()
    for name, text in sorted(files.items()):
        if not (match := _FILE.fullmatch(name)):
            raise ListError(f"{name} is not a SCOWL file: expected region[_variant_N]-kind.size.")
        region, variant, kind, size = match.groups()
        for line in text.splitlines():
            word = line.lower() if kind in _CAPITALISED else line
            if rule := rule_broken(word):
                rejected[rule] += 1
                if rule != "accent" or kind != "words" or rule_broken(word := without_accents(word)):
                    continue
            written = "accented" if rule else kind
            rows.add((word, written, region or "english", int(variant or 0), int(size)))
    if not rows:
        raise ListError("There are no SCOWL word lists; the Debian package scowl has them.")
    return pd.DataFrame(sorted(rows), columns=["word", "kind", "region", "variant", "size"]), rejected


def without_accents(word: str) -> str:
    """Return a word without its accents.

    >>> without_accents("café")
    'cafe'
    """
    return "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))


def attributes(table: pd.DataFrame) -> dict[str, pd.Series]:
    """Return each word's smallest size by kind, region and spelling, and its lowest level of a variant spelling."""
    usual = table["variant"] == 0
    american = table["region"].isin(["english", "american"])
    plain = table["kind"].isin(["words", "accented"])
    rows = {
        "scowl_size": plain & usual & american,
        "scowl_british": plain & usual & ~american,
        "scowl_variant": plain & ~usual,
        "scowl_upper": table["kind"] == "upper",
        "scowl_name": table["kind"] == "proper-names",
        "scowl_abbreviation": table["kind"] == "abbreviations",
        "scowl_special": table["kind"].isin(["hacker", "roman-numerals"]),
    }
    sizes = {name: table[chosen].groupby("word")["size"].min() for name, chosen in rows.items()}
    return {**sizes, "scowl_variant_level": table[plain & ~usual].groupby("word")["variant"].min()}


LIST = WordList(
    name="scowl",
    title="SCOWL",
    license="SCOWL (MIT-like)",
    home="http://wordlist.aspell.net/",
    package=debian("scowl", "dict/scowl"),
    parse=parse,
    numbers=("variant", "size"),
    attributes=attributes,
    defaults=dict.fromkeys(("scowl_size", "scowl_british", "scowl_variant", "scowl_upper"), NO_SIZE)
    | dict.fromkeys(("scowl_name", "scowl_abbreviation", "scowl_special"), NO_SIZE)
    | {"scowl_variant_level": 0},
)
