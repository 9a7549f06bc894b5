"""SCOWL (Kevin Atkinson), from the Debian package `scowl`: one file per region, variant level, kind and size."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

import pandas as pd

from lexicon.packages import Origin, debian
from pipeline.errors import DataError
from pipeline.word_list import LeftOut
from pipeline.words import rule_broken

_FILE = re.compile(
    r"(?:(american|australian|british_z|british|canadian|english|special)_?)?(?:variant_([1-3]))?"
    r"-(words|upper|proper-names|abbreviations|contractions|hacker|roman-numerals)\.(\d\d)"
)
_CAPITALIZED_KINDS = ("upper", "proper-names", "abbreviations")


def parse(files: Mapping[str, str]) -> tuple[pd.DataFrame, LeftOut]:
    """Return the words of SCOWL files (text by name) as a table: word, kind, region, variant, size.

    Words of the kinds that are written with capitals are converted to lower case. A word with an accent breaks a rule
    and is counted, but its spelling without accents is kept with the kind `accented`. The region `english` means all
    regions, and the variant 0 means the usual spelling.
    """
    rows: set[tuple[str, str, str, int, int]] = set()
    rejected: LeftOut = Counter()
    for name, text in sorted(files.items()):
        match = _FILE.fullmatch(name)
        if not match:
            raise DataError(f"{name} is not a SCOWL file, which has a name like region[_variant_N]-kind.size.")
        region, variant, file_kind, size = match.groups()
        for line in text.splitlines():
            word, kind = line, file_kind
            if file_kind in _CAPITALIZED_KINDS:
                word = line.lower()
            rule = rule_broken(word)
            if rule:
                rejected[rule] += 1
                if rule != "accent" or file_kind != "words":
                    continue
                word, kind = without_accents(word), "accented"
                if rule_broken(word):
                    continue
            rows.add((word, kind, region or "english", int(variant or 0), int(size)))
    if not rows:
        raise DataError("There are no SCOWL word lists; they are in the Debian package scowl.")
    return pd.DataFrame(sorted(rows), columns=["word", "kind", "region", "variant", "size"]), rejected


def without_accents(word: str) -> str:
    """Return a word without its accents.

    >>> without_accents("café")
    'cafe'
    """
    return "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))


ORIGIN = Origin(
    title="SCOWL",
    license="SCOWL (MIT-like)",
    home="http://wordlist.aspell.net/",
    package=debian("scowl", "dict/scowl"),
    parse=parse,
)
