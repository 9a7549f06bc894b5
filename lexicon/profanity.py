"""Two lists of rude words: cuss, with a rating, 0 to 2, of how likely words are meant as profanity, and LDNOOBW."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping

import pandas as pd

from lexicon.packages import Origin, npm
from pipeline.facts.word_files import ListError, RejectedLines
from pipeline.words import rule_broken


def parse_cuss(files: Mapping[str, str]) -> tuple[pd.DataFrame, RejectedLines]:
    """Parse the word map of the npm package cuss as text; its code never runs. Columns word, sureness (0 to 2)."""
    pattern = r"""^\s+(?:'([^']*)'|"([^"]*)"|(\w+)): ([012]),?$"""
    pairs = re.findall(pattern, files.get("index.js", ""), flags=re.MULTILINE)
    return _kept(((a or b or c, int(sureness)) for a, b, c, sureness in pairs), ["word", "sureness"], "cuss")


def parse_ldnoobw(files: Mapping[str, str]) -> tuple[pd.DataFrame, RejectedLines]:
    """Parse the English list of the npm package naughty-words. Column word."""
    return _kept(((word,) for word in json.loads(files.get("en.json", "[]"))), ["word"], "LDNOOBW")


def _kept(rows: Iterable[tuple[object, ...]], columns: list[str], name: str) -> tuple[pd.DataFrame, RejectedLines]:
    """Return the rows that start with a playable word, and the counts of the others."""
    kept, rejected = set(), Counter[str]()
    for row in rows:
        if rule := rule_broken(str(row[0])):
            rejected[rule] += 1
        else:
            kept.add(row)
    if not kept:
        raise ListError(f"There are no words of {name}; its npm package has them.")
    return pd.DataFrame(sorted(kept, key=str), columns=columns), rejected


CUSS = Origin("cuss", "MIT", "https://github.com/words/cuss", npm("cuss"), parse_cuss)
LDNOOBW = Origin(
    "List of Dirty, Naughty, Obscene and Otherwise Bad Words",
    "CC-BY-4.0",
    "https://github.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words",
    npm("naughty-words"),
    parse_ldnoobw,
)
