"""Reads WordNet (Princeton) from the Debian package `wordnet-base`, in the format wndb(5WN): the entries of each word,
and short definitions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pandas as pd

from lexicon.packages import Origin, debian
from pipeline.word_list import LeftOut
from pipeline.words import GAME, playable, rule_broken

_LETTER_OF_FILE = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
"""The letter of the part of speech in each file, such as `data.noun`."""
_PART_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
_LETTER_OF_DIGIT = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "s"}
"""The letter of the part of speech for each digit in a sense key. `s` is an adjective that depends on another one."""
_DOMAINS = (";u", ";c", ";r")
"""The pointers to the domain of a sense: usage, topic and region."""

MAX_SENSES = 3
"""The maximum number of senses of a word; further senses are rare. A part of speech of a base has at least two."""


@dataclass(frozen=True, slots=True)
class _SynsetWord:
    """A word of a synset as it is written, and its lexical id, which distinguishes it from the same word in other
    synsets."""

    form: str
    lexical_id: int


@dataclass(frozen=True, slots=True)
class _Pointer:
    """A pointer of a synset: its symbol, the part of speech and offset of its target, and the number of the word in the
    synset to which it belongs, or 0 if it belongs to all of them."""

    symbol: str
    target: str
    source: int


@dataclass(frozen=True, slots=True)
class _Synset:
    """A line of a data file. `pos` is the letter of the part of speech, `file` is the number of the lexicographer file,
    and `text` is the gloss with its examples."""

    offset: str
    pos: str
    file: int
    words: list[_SynsetWord]
    pointers: list[_Pointer]
    text: str

    @property
    def is_instance(self) -> bool:
        """Whether this is a single thing, such as a city."""
        return any(pointer.symbol == "@i" for pointer in self.pointers)

    def has_form(self, form: str) -> bool:
        """Return whether a form is among the words as they are written."""
        return any(word.form == form for word in self.words)


def _synsets(text: str) -> Iterator[_Synset]:
    """Yield the synsets of a data file."""
    for line in text.splitlines():
        if line.startswith("  "):
            continue  # the license at the start of the file
        head, _, gloss = line.partition(" | ")
        fields = head.split()
        offset, file, pos = fields[:3]
        number_of_words = int(fields[3], 16)
        pointers_start = 4 + 2 * number_of_words
        words = []
        for position in range(4, pointers_start, 2):
            form = fields[position].partition("(")[0]  # without the position marker of some adjectives
            words.append(_SynsetWord(form, int(fields[position + 1], 16)))
        number_of_pointers = int(fields[pointers_start])
        pointers = []
        for pointer in range(number_of_pointers):
            position = pointers_start + 1 + 4 * pointer
            symbol, target, target_pos, source = fields[position : position + 4]
            pointers.append(_Pointer(symbol, target_pos.replace("s", "a") + target, int(source[:2], 16)))
        yield _Synset(offset, pos, int(file), words, pointers, gloss)


@dataclass(frozen=True, slots=True)
class _Tag:
    """A line of cntlist.rev: how often a sense of a word occurs in the tagged texts."""

    word: str
    pos: str
    file: int
    lexical_id: int
    sense: int
    times: int


def _tags(files: Mapping[str, str]) -> Iterator[_Tag]:
    """Yield the lines of cntlist.rev: sense key (lemma, part of speech, file, lexical id), sense number, count."""
    for line in files.get("cntlist.rev", "").splitlines():
        key, sense, count = line.split()
        word, _, rest = key.partition("%")
        digit, file, lexical_id = rest.split(":")[:3]
        yield _Tag(word, _LETTER_OF_DIGIT[digit], int(file), int(lexical_id), int(sense), int(count))


@dataclass(slots=True)
class _Entry:
    """What WordNet has about a word; `parse` explains the columns."""

    pos: set[str] = field(default_factory=set)
    senses: int = 0
    tagged: int = 0
    capitalised: int = 0
    labels: Counter[str] = field(default_factory=Counter)

    def row(self, word: str) -> dict[str, object]:
        """Return the row of the table."""
        return {
            "word": word,
            "pos": "".join(sorted(self.pos)),
            "senses": self.senses,
            "tagged": self.tagged,
            "capitalised": self.capitalised,
            "labels": " ".join(f"{name}={times}" for name, times in sorted(self.labels.items())),
        }


def parse(files: Mapping[str, str]) -> tuple[pd.DataFrame, LeftOut]:
    """Return a table with one row per word from WordNet's `data.*` and `cntlist.rev` (text by name).

    Columns: word; pos (letters of n v a r); senses (the number of senses in lower case); tagged (how often these occur
    in tagged texts); capitalised (the number of senses with a capital, or of a single thing, such as a city); labels
    (usage, topic and region domains with the number of senses, as in `archaism=1 chemistry=2`).
    """
    tagged: Counter[tuple[str, str, int, int]] = Counter()
    for tag in _tags(files):
        tagged[tag.word, tag.pos, tag.file, tag.lexical_id] += tag.times
    domain_names = _domain_names(files)
    entries: defaultdict[str, _Entry] = defaultdict(_Entry)
    rejected: LeftOut = Counter()
    rejected_forms: set[str] = set()
    for name, letter in _LETTER_OF_FILE.items():
        for synset in _synsets(files[f"data.{name}"]):
            is_instance = synset.is_instance
            for number, synset_word in enumerate(synset.words, 1):
                form = synset_word.form
                word = form.lower()
                rule = rule_broken(word)
                if rule:
                    if form not in rejected_forms:
                        rejected[rule] += 1
                    rejected_forms.add(form)
                    continue
                entry = entries[word]
                if is_instance or form != word:
                    entry.capitalised += 1
                    continue
                entry.pos.add(letter)
                entry.senses += 1
                entry.tagged += tagged[word, synset.pos, synset.file, synset_word.lexical_id]
                for pointer in synset.pointers:
                    if pointer.symbol in _DOMAINS and pointer.source in (0, number):
                        entry.labels[domain_names[pointer.target]] += 1
    return pd.DataFrame([entries[word].row(word) for word in sorted(entries)]), rejected


def _domain_names(files: Mapping[str, str]) -> dict[str, str]:
    """Return the first word of every synset, by part of speech and offset."""
    names = {}
    for name, letter in _LETTER_OF_FILE.items():
        for synset in _synsets(files[f"data.{name}"]):
            names[letter + synset.offset] = synset.words[0].form.lower()
    return names


@dataclass(frozen=True, slots=True)
class Sense:
    """A sense: its part of speech in words, gloss, and how often it occurs in tagged texts."""

    pos: str
    gloss: str
    times: int


def glosses(senses: Mapping[str, list[Sense]], bases: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Return the table of glosses: columns word, pos (the part of speech in words), gloss.

    `senses` are those of `read_senses`, and `bases` are the words whose forms have their senses, each with a part of
    speech. The rows of a word are in the order in which they are shown. A word has its first three senses, and a base
    also the first two of each part of speech.
    """
    is_base = set(bases)
    rows = [
        (word, sense.pos, sense.gloss)
        for word in sorted(senses)
        for sense in _shown_senses(word, senses[word], is_base)
        if playable(word) or (word, sense.pos) in is_base
    ]
    return pd.DataFrame(rows, columns=["word", "pos", "gloss"])


def _shown_senses(word: str, senses: list[Sense], bases: set[tuple[str, str]]) -> Iterator[Sense]:
    """Yield the first senses of a word, and those of each part of speech of which it is a base."""
    senses_of_pos: Counter[str] = Counter()
    for rank, sense in enumerate(senses, 1):
        senses_of_pos[sense.pos] += 1
        if rank <= MAX_SENSES or ((word, sense.pos) in bases and senses_of_pos[sense.pos] < MAX_SENSES):
            yield sense


def read_senses(files: Mapping[str, str]) -> dict[str, list[Sense]]:
    """Return the senses of every word, the most frequent in the tagged texts first."""
    times = {(tag.word, tag.pos.replace("s", "a"), tag.sense): tag.times for tag in _tags(files)}
    senses: defaultdict[str, list[Sense]] = defaultdict(list)
    for name, letter in _LETTER_OF_FILE.items():
        synsets = {synset.offset: synset for synset in _synsets(files[f"data.{name}"])}
        for word, offsets in _index(files[f"index.{name}"]):
            for rank, offset in enumerate(offsets, 1):
                synset = synsets[offset]
                if synset.has_form(word) and not synset.is_instance:
                    gloss = _without_examples(synset.text)
                    senses[word].append(Sense(_PART_OF_SPEECH[letter], gloss, times.get((word, letter, rank), 0)))
    for senses_of_word in senses.values():
        senses_of_word.sort(key=lambda sense: -sense.times)  # senses that are equally frequent stay in WordNet's order
    return dict(senses)


def _without_examples(gloss: str) -> str:
    """Return a gloss without its examples.

    >>> _without_examples('a deep narrow valley; "they camped in the vale"  ')
    'a deep narrow valley'
    """
    return re.split(r'; ?"|\s+--\s*"', gloss.strip())[0].strip().rstrip(";:")


def _index(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the words of an index file that can be lemmas of playable words, with their synsets in the order of
    senses."""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word.isalpha() and 2 <= len(word) <= GAME.max_length:
            fields = rest.split()
            number_of_synsets = int(fields[1])
            yield word, fields[-number_of_synsets:]


ORIGIN = Origin(
    title="WordNet",
    license="WordNet 3.0",
    home="https://wordnet.princeton.edu/",
    package=debian("wordnet-base", "wordnet", paragraph="WordNet3.0"),
    parse=parse,
)
