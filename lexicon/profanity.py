"""Two lists of offensive words: LDNOOBW, and cuss, which rates from 0 to 2 how likely a word is used as profanity."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pandas as pd

from lexicon.packages import Origin, npm, playable_rows
from pipeline.word_list import LeftOut

_RATED_WORD = re.compile(
    r"""^\s+(?:'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<bare>\w+)): (?P<sureness>[012]),?$""", re.MULTILINE
)


def parse_cuss(files: Mapping[str, str]) -> tuple[pd.DataFrame, LeftOut]:
    """Return the word map of the npm package cuss as a table: columns word, sureness (0 to 2). It is read as text, and
    the code of the package never runs."""
    rows = []
    for match in _RATED_WORD.finditer(files.get("index.js", "")):
        word = match["single"] or match["double"] or match["bare"] or ""
        rows.append((word, int(match["sureness"])))
    return playable_rows(pd.DataFrame(rows, columns=["word", "sureness"]), "cuss")


def parse_ldnoobw(files: Mapping[str, str]) -> tuple[pd.DataFrame, LeftOut]:
    """Return the English list of the npm package naughty-words as a table with the column word."""
    return playable_rows(pd.DataFrame({"word": json.loads(files.get("en.json", "[]"))}, dtype="str"), "LDNOOBW")


CUSS = Origin(
    title="cuss",
    license="MIT",
    home="https://github.com/words/cuss",
    package=npm("cuss"),
    parse=parse_cuss,
)
LDNOOBW = Origin(
    title="List of Dirty, Naughty, Obscene and Otherwise Bad Words",
    license="CC-BY-4.0",
    home="https://github.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words",
    package=npm("naughty-words"),
    parse=parse_ldnoobw,
)
