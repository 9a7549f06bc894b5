"""The word lists behind the lexicon: from the text of each list to one table of playable words.

Pure functions; `bee lexicon` finds the files. Each returns the table and how many lines broke which rule, so that no
line of a list is dropped without a trace.

* SCOWL (Kevin Atkinson), Debian package `scowl`: one file a region, variant level, kind and size.
* WordNet (Princeton), Debian package `wordnet-base`: the file format is wndb(5WN), the irregular forms are *.exc.
* cuss (Titus Wormer), npm package `cuss`: words with a rating, 0 to 2, of how surely they are meant as profanity.
* LDNOOBW, npm package `naughty-words`: the List of Dirty, Naughty, Obscene and Otherwise Bad Words.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import pandas as pd

from pipeline.words import BeeError, rule_broken

Rejected = Counter[str]
"""How many lines of a list broke each rule of `words.rule_broken`."""

_SCOWL_FILE = re.compile(
    r"(?:(american|australian|british_z|british|canadian|english|special)_?)?(?:variant_([1-3]))?"
    r"-(words|upper|proper-names|abbreviations|contractions|hacker|roman-numerals)\.(\d\d)"
)
_CAPITALISED = ("upper", "proper-names", "abbreviations")

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


class ListError(BeeError):
    """A word list is not what it should be."""


def scowl(files: Mapping[str, str]) -> tuple[pd.DataFrame, Rejected]:
    """Read SCOWL files, name to text, into (word, kind, region, variant, size).

    The kinds that are written with capitals (upper, proper-names, abbreviations) are folded to lower case, as the kind
    says it already; a capital in any other kind breaks the rule. A word with an accent breaks it too and is counted,
    but its plain spelling, which a puzzle can have, is kept as kind `accented`. Region `english` stands for all,
    variant 0 for the usual spelling.
    """
    rows: set[tuple[str, str, str, int, int]] = set()
    rejected: Rejected = Counter()
    for name, text in sorted(files.items()):
        if not (match := _SCOWL_FILE.fullmatch(name)):
            raise ListError(f"{name} is no SCOWL file: region[_variant_N]-kind.size is expected.")
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
        raise ListError("No SCOWL word lists there; the Debian package scowl has them.")
    return pd.DataFrame(sorted(rows), columns=["word", "kind", "region", "variant", "size"]), rejected


def without_accents(word: str) -> str:
    """Return a word with its accents taken off.

    >>> without_accents("café")
    'cafe'
    """
    return "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))


def wordnet(files: Mapping[str, str]) -> tuple[pd.DataFrame, Rejected]:
    """Read WordNet's `data.*`, `cntlist.rev` and `*.exc`, name to text, one row a word.

    Columns: word, pos (of n v a r, those it has), senses (written in lower case), tagged (how often those were met in
    the tagged texts), capitalised (senses written with a capital, or that are instances, such as a city), labels
    (usage, topic and region domains with the number of senses, `archaism=1 chemistry=2`), base (of an irregular form).
    """
    absent = [f"data.{part}" for part in _PARTS if f"data.{part}" not in files]
    if absent:
        raise ListError(f"WordNet's {', '.join(absent)} not there; the Debian package wordnet-base has them.")
    tags = _tag_counts(files.get("cntlist.rev", ""))
    domains = _domain_names(files)
    pos: defaultdict[str, set[str]] = defaultdict(set)
    senses: Counter[str] = Counter()
    tagged: Counter[str] = Counter()
    capitalised: Counter[str] = Counter()
    labels: defaultdict[str, Counter[str]] = defaultdict(Counter)
    rejected: Rejected = Counter()
    seen: set[str] = set()
    for part, letter in _PARTS.items():
        for fields, pointers in _synsets(files[f"data.{part}"]):
            instance = any(symbol == "@i" for symbol, _, _ in pointers)
            for number, (form, lexical_id) in enumerate(fields.words, 1):
                word = form.lower()
                if rule := rule_broken(word):
                    rejected[rule] += form not in seen
                    seen.add(form)
                elif instance or form != word:
                    capitalised[word] += 1
                else:
                    pos[word].add(letter)
                    senses[word] += 1
                    tagged[word] += tags.get((word, fields.kind, fields.file, lexical_id), 0)
                    for symbol, target, source in pointers:
                        if symbol in (";u", ";c", ";r") and source in (0, number):
                            labels[word][domains[target]] += 1
    bases = _irregular(files)
    rows = [
        (
            word,
            "".join(sorted(pos[word])) if word in pos else "",
            senses[word],
            tagged[word],
            capitalised[word],
            " ".join(f"{label}={count}" for label, count in sorted(labels[word].items())) if word in labels else "",
            bases.get(word, ""),
        )
        for word in sorted(senses.keys() | capitalised.keys() | bases.keys())
    ]
    columns = ["word", "pos", "senses", "tagged", "capitalised", "labels", "base"]
    return pd.DataFrame(rows, columns=columns), rejected


class _Synset:
    """The head of one line of a data file: part of speech, lexicographer file, (form, lexical id) of its words."""

    __slots__ = ("file", "kind", "words")

    def __init__(self, kind: str, file: int, words: list[tuple[str, int]]):
        self.kind, self.file, self.words = kind, file, words


def _synsets(text: str) -> Iterable[tuple[_Synset, list[tuple[str, str, int]]]]:
    """Yield each synset of a data file with its pointers (symbol, target, number of the source word or 0)."""
    for line in text.splitlines():
        if line.startswith("  "):
            continue  # the licence at the head
        fields = line.partition(" | ")[0].split()
        count = int(fields[3], 16)
        forms = fields[4 : 4 + 2 * count : 2]
        words = [
            (form.partition("(")[0], int(number, 16))
            for form, number in zip(forms, fields[5 : 5 + 2 * count : 2], strict=True)
        ]
        start = 4 + 2 * count
        pointers = [
            (
                fields[at],
                {"s": "a"}.get(fields[at + 2], fields[at + 2]) + fields[at + 1],
                int(fields[at + 3][:2], 16),
            )
            for at in range(start + 1, start + 1 + 4 * int(fields[start]), 4)
        ]
        yield _Synset(fields[2], int(fields[1]), words), pointers


def _domain_names(files: Mapping[str, str]) -> dict[str, str]:
    """Name every synset by its first word, under its part of speech and offset."""
    names = {}
    for part, letter in _PARTS.items():
        for line in files[f"data.{part}"].splitlines():
            if not line.startswith("  "):
                fields = line.split(" ", 5)
                names[letter + fields[0]] = fields[4].partition("(")[0].lower()
    return names


def _tag_counts(text: str) -> dict[tuple[str, str, int, int], int]:
    """Read cntlist.rev: sense key (lemma, part, file, id), sense number, count."""
    kinds = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "s"}
    counts: Counter[tuple[str, str, int, int]] = Counter()
    for line in text.splitlines():
        key, _, count = line.split()
        lemma, _, sense = key.partition("%")
        kind, file, number = sense.split(":")[:3]
        counts[lemma, kinds[kind], int(file), int(number)] += int(count)
    return counts


def _irregular(files: Mapping[str, str]) -> dict[str, str]:
    """Read the exception lists: irregular form to its first base form."""
    bases: dict[str, str] = {}
    for part in _PARTS:
        for line in files.get(f"{part}.exc", "").splitlines():
            form, base = line.split()[:2]
            if not rule_broken(form) and form != base:
                bases.setdefault(form, base)
    return bases


def cuss(script: str) -> tuple[pd.DataFrame, Rejected]:
    """Read the word map of the npm package cuss, as text: never run. Columns word, sureness (0 to 2)."""
    pairs = re.findall(r"""^\s+(?:'([^']*)'|"([^"]*)"|(\w+)): ([012]),?$""", script, flags=re.MULTILINE)
    return _kept(((a or b or c, int(sureness)) for a, b, c, sureness in pairs), ["word", "sureness"], "cuss")


def ldnoobw(text: str) -> tuple[pd.DataFrame, Rejected]:
    """Read the English list of the npm package naughty-words. Column word."""
    return _kept(((word,) for word in json.loads(text)), ["word"], "LDNOOBW")


def _kept(rows: Iterable[tuple[object, ...]], columns: list[str], name: str) -> tuple[pd.DataFrame, Rejected]:
    """Split rows that start with a word into the playable ones and the counts of the others."""
    kept, rejected = set(), Counter[str]()
    for row in rows:
        if rule := rule_broken(str(row[0])):
            rejected[rule] += 1
        else:
            kept.add(row)
    if not kept:
        raise ListError(f"No words of {name} there; its npm package has them.")
    return pd.DataFrame(sorted(kept, key=str), columns=columns), rejected
