"""WordNet (Princeton), from the Debian package `wordnet-base`.

The file format is wndb(5WN); the irregular forms are in *.exc.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import pandas as pd

from pipeline.facts.word_list import ListError, Rejected, WordList, debian
from pipeline.words import rule_broken

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def parse(files: Mapping[str, str]) -> tuple[pd.DataFrame, Rejected]:
    """Parse WordNet's `data.*`, `cntlist.rev` and `*.exc`, text by name, to one row per word.

    Columns: word, pos (one or more of n v a r), senses (number of senses in lower case), tagged (their occurrences in
    the tagged texts), capitalised (senses written with a capital, or that are instances, such as a city), labels
    (usage, topic and region domains with the number of senses, `archaism=1 chemistry=2`), base (of an irregular form).
    """
    absent = [f"data.{part}" for part in _PARTS if f"data.{part}" not in files]
    if absent:
        raise ListError(f"WordNet files are missing: {', '.join(absent)}; the Debian package wordnet-base has them.")
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
    words = sorted(senses.keys() | capitalised.keys() | bases.keys())
    columns = {
        "pos": ["".join(sorted(pos.get(word, ()))) for word in words],
        "senses": [senses[word] for word in words],
        "tagged": [tagged[word] for word in words],
        "capitalised": [capitalised[word] for word in words],
        "labels": [_counted(labels.get(word, {})) for word in words],
        "base": [bases.get(word, "") for word in words],
    }
    return pd.DataFrame({"word": words, **columns}), rejected


def _counted(labels: Mapping[str, int]) -> str:
    return " ".join(f"{label}={count}" for label, count in sorted(labels.items()))


class _Synset:
    """The head of one line of a data file: part of speech, lexicographer file, (form, lexical id) of its words."""

    __slots__ = ("file", "kind", "words")

    def __init__(self, kind: str, file: int, words: list[tuple[str, int]]):
        self.kind, self.file, self.words = kind, file, words


def _synsets(text: str) -> Iterable[tuple[_Synset, list[tuple[str, str, int]]]]:
    """Yield each synset of a data file with its pointers (symbol, target, number of the source word or 0)."""
    for line in text.splitlines():
        if line.startswith("  "):
            continue  # the license at the start of the file
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
    """Return the first word of every synset, by part of speech and offset."""
    names = {}
    for part, letter in _PARTS.items():
        for line in files[f"data.{part}"].splitlines():
            if not line.startswith("  "):
                fields = line.split(" ", 5)
                names[letter + fields[0]] = fields[4].partition("(")[0].lower()
    return names


def _tag_counts(text: str) -> dict[tuple[str, str, int, int], int]:
    """Parse cntlist.rev: sense key (lemma, part, file, id), sense number, count."""
    kinds = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "s"}
    counts: Counter[tuple[str, str, int, int]] = Counter()
    for line in text.splitlines():
        key, _, count = line.split()
        lemma, _, sense = key.partition("%")
        kind, file, number = sense.split(":")[:3]
        counts[lemma, kinds[kind], int(file), int(number)] += int(count)
    return counts


def _irregular(files: Mapping[str, str]) -> dict[str, str]:
    """Parse the exception lists: the first base form of each irregular form."""
    bases: dict[str, str] = {}
    for part in _PARTS:
        for line in files.get(f"{part}.exc", "").splitlines():
            form, base = line.split()[:2]
            if not rule_broken(form) and form != base:
                bases.setdefault(form, base)
    return bases


def attributes(table: pd.DataFrame) -> dict[str, pd.Series]:
    """Return part of speech, senses, tags, capitals and labels of each word, and the base of irregular forms."""
    net = table.set_index("word")
    told = {f"wordnet_{name}": net[name] for name in ("senses", "tagged", "capitalised", "pos", "labels")}
    return {**told, "lemma": net["base"]}


LIST = WordList(
    name="wordnet",
    title="WordNet",
    license="WordNet 3.0",
    home="https://wordnet.princeton.edu/",
    package=debian("wordnet-base", "wordnet", paragraph="WordNet3.0"),
    parse=parse,
    numbers=("senses", "tagged", "capitalised"),
    attributes=attributes,
    defaults={
        **dict.fromkeys(("wordnet_senses", "wordnet_tagged", "wordnet_capitalised"), 0),
        **dict.fromkeys(("wordnet_pos", "wordnet_labels", "lemma"), ""),
    },
)
