"""WordNet (Princeton), from the Debian package `wordnet-base`, in the format wndb(5WN): the entries of each word, and
short definitions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from lexicon.packages import Origin, debian
from pipeline.facts import endings
from pipeline.facts.word_files import ListError, RejectedLines
from pipeline.words import GAME, playable, rule_broken

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_NAMES = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
_KINDS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "s"}
"""The part of speech of a sense key; `s` is an adjective that only occurs beside another one."""
_DOMAINS = (";u", ";c", ";r")
"""The pointers to the domain of a sense: usage, topic and region."""

SENSES = 3
"""The number of senses that are kept of a word; further ones are rare. Of a part of speech that has forms, there are
two."""
GLOSSES = ["word", "base", "pos", "gloss", "rude"]
"""The columns of the table of glosses."""
_RUDE_USAGE = {"ethnic_slur", "disparagement", "dirty_word"}
"""WordNet's usage domains for offensive senses."""
_RUDE = re.compile(
    r"ethnic slur|(offensive|obscene|vulgar|derogatory|disparaging|insulting|pejorative|contemptuous)(ly)? "
    r"(and [a-z]+ )?(term|word|name|slang|expression|reference)|considered (offensive|vulgar|obscene)|"
    r"\((usually |often )?(vulgar|obscene|offensive|derogatory|ethnic)|\bprostitut|\bsexual|\bgenital|\bslut|\bwhore",
)
"""Matches the gloss of an offensive sense. Deliberately wide: a match only keeps the sense from being a clue."""


class _Synset(NamedTuple):
    """A line of a data file: offset, part of speech, lexicographer file, (form, lexical id) of its words, pointers
    (symbol, target, number of the source word or 0), and gloss with examples."""

    offset: str
    kind: str
    file: int
    words: list[tuple[str, int]]
    pointers: list[tuple[str, str, int]]
    text: str

    @property
    def forms(self) -> set[str]:
        """The words as written."""
        return {form for form, _ in self.words}

    @property
    def instance(self) -> bool:
        """Whether this is one thing, such as a city."""
        return any(symbol == "@i" for symbol, _, _ in self.pointers)


def _synsets(text: str) -> Iterator[_Synset]:
    """Yield the synsets of a data file."""
    for line in text.splitlines():
        if line.startswith("  "):
            continue  # the license at the start of the file
        head, _, gloss = line.partition(" | ")
        fields = head.split()
        count = int(fields[3], 16)
        start = 4 + 2 * count
        words = [
            (form.partition("(")[0], int(number, 16))  # without the position marker of some adjectives
            for form, number in zip(fields[4:start:2], fields[5 : start + 1 : 2], strict=True)
        ]
        end = start + 1 + 4 * int(fields[start])
        pointers = [
            (symbol, part.replace("s", "a") + target, int(source[:2], 16))
            for symbol, target, part, source in zip(*(fields[start + at : end : 4] for at in range(1, 5)), strict=True)
        ]
        yield _Synset(fields[0], fields[2], int(fields[1]), words, pointers, gloss)


class _Tag(NamedTuple):
    """A line of cntlist.rev: how often a sense of a word occurs in the tagged texts."""

    word: str
    kind: str
    file: int
    lexical_id: int
    sense: int
    times: int


def _tags(text: str) -> Iterator[_Tag]:
    """Yield the lines of cntlist.rev: sense key (lemma, part, file, id), sense number, count."""
    for line in text.splitlines():
        key, sense, count = line.split()
        lemma, _, rest = key.partition("%")
        kind, file, number = rest.split(":")[:3]
        yield _Tag(lemma, _KINDS[kind], int(file), int(number), int(sense), int(count))


def _need(files: Mapping[str, str], kind: str) -> None:
    """Raise ListError if the files of one kind are not all there."""
    if absent := [f"{kind}.{part}" for part in _PARTS if f"{kind}.{part}" not in files]:
        raise ListError(f"WordNet files are missing: {', '.join(absent)}; the Debian package wordnet-base has them.")


def parse(files: Mapping[str, str]) -> tuple[pd.DataFrame, RejectedLines]:
    """Parse WordNet's `data.*`, `cntlist.rev` and `*.exc`, text by name, to one row per word.

    Columns: word, pos (of n v a r), senses (their number in lower case), tagged (their occurrences in tagged texts),
    capitalised (senses with a capital, or of one thing, such as a city), labels (usage, topic and region domains with
    the number of senses, `archaism=1 chemistry=2`), base (of an irregular form).
    """
    _need(files, "data")
    tags: Counter[tuple[str, str, int, int]] = Counter()
    for tag in _tags(files.get("cntlist.rev", "")):
        tags[tag.word, tag.kind, tag.file, tag.lexical_id] += tag.times
    domains = _domain_names(files)
    pos: defaultdict[str, set[str]] = defaultdict(set)
    senses, tagged, capitalised = Counter[str](), Counter[str](), Counter[str]()
    labels: defaultdict[str, Counter[str]] = defaultdict(Counter)
    rejected: RejectedLines = Counter()
    seen: set[str] = set()
    for part, letter in _PARTS.items():
        for synset in _synsets(files[f"data.{part}"]):
            instance = synset.instance
            for number, (form, lexical_id) in enumerate(synset.words, 1):
                word = form.lower()
                if rule := rule_broken(word):
                    rejected[rule] += form not in seen
                    seen.add(form)
                elif instance or form != word:
                    capitalised[word] += 1
                else:
                    pos[word].add(letter)
                    senses[word] += 1
                    tagged[word] += tags[word, synset.kind, synset.file, lexical_id]
                    for symbol, target, source in synset.pointers:
                        if symbol in _DOMAINS and source in (0, number):
                            labels[word][domains[target]] += 1
    bases = _irregular(files)
    words = sorted(senses.keys() | capitalised.keys() | bases.keys())
    columns = {
        "pos": ["".join(sorted(pos.get(word, ()))) for word in words],
        "senses": [senses[word] for word in words],
        "tagged": [tagged[word] for word in words],
        "capitalised": [capitalised[word] for word in words],
        "labels": [" ".join(f"{name}={times}" for name, times in sorted(labels[word].items())) for word in words],
        "base": [bases[word][0][0] if word in bases else "" for word in words],
    }
    return pd.DataFrame({"word": words, **columns}), rejected


def _domain_names(files: Mapping[str, str]) -> dict[str, str]:
    """Return the first word of every synset, by part of speech and offset."""
    return {
        letter + synset.offset: synset.words[0][0].lower()
        for part, letter in _PARTS.items()
        for synset in _synsets(files[f"data.{part}"])
    }


def _irregular(files: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    """Parse the exception lists: the bases of each irregular form, each with its part of speech in words."""
    bases: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for part, pos in _PARTS.items():
        for line in files.get(f"{part}.exc", "").splitlines():
            form, *found = line.split()
            if not rule_broken(form) and form not in found:
                bases[form] += [(base, _NAMES[pos]) for base in found]
    return dict(bases)


def glosses(files: Mapping[str, str], words: Iterable[str]) -> pd.DataFrame:
    """Make the table of glosses for `words` and their lemmas from `data.*`, `index.*`, `*.exc` and `cntlist.rev`.

    Columns: word; base, the lemma of which the word is a form, or "" for a sense of its own; pos, a part of speech in
    words; gloss, or the name of the form; rude, `!` for an offensive sense. The rows of a word are in the order in
    which they are shown. `words` need not include those of WordNet. Raises ListError if an index is absent.
    """
    senses = _senses(files)
    known = {(word, sense.pos): sense.times for word, found in senses.items() for sense in reversed(found)}
    irregular = _irregular(files)
    forms = {
        word: found
        for word in {*words} | irregular.keys() | senses.keys()
        if playable(word) and (found := _forms(word, irregular.get(word, ()), known))
    }
    needed = {(form.base, form.pos) for found in forms.values() for form in found}
    rows: list[tuple[str, ...]] = []
    for word in sorted({*filter(playable, senses)} | forms.keys() | {base for base, _ in needed}):
        own = [(word, "", sense.pos, sense.gloss, sense.rude) for sense in _kept(word, senses.get(word, []), needed)]
        made = [(word, form.base, form.pos, form.name, "") for form in forms.get(word, [])]
        rows += [*made, *own] if _form_first(word, forms.get(word, []), senses, word in irregular) else [*own, *made]
    return pd.DataFrame(rows, columns=GLOSSES)


class _Sense(NamedTuple):
    """A sense: its part of speech in words, gloss, `!` if it is offensive, and how often it occurs in tagged texts."""

    pos: str
    gloss: str
    rude: str
    times: int


class _Form(NamedTuple):
    """A word as a form of another one: the base, its part of speech, the name of the form, and how often the tagged
    texts have the base with this part of speech."""

    base: str
    pos: str
    name: str
    times: int


def _forms(word: str, irregular: Iterable[tuple[str, str]], known: Mapping[tuple[str, str], int]) -> list[_Form]:
    """Return what a word may be a form of, the most frequent first. `irregular` are pairs of base and part of speech,
    and `known` has the frequency of each such pair."""
    found: dict[tuple[str, str], str] = {}
    regular: set[str] = set()
    for base, pos in irregular:
        if (base, pos) in known:
            found[base, pos] = _form_name(word, pos, True)
    for base in endings.bases(word):
        if word == f"{base}es" and not base.endswith(("s", "x", "z", "ch", "sh", "o")):
            continue  # "testes" is no form of "test"
        for pos in ("noun", "verb", "adjective", "adverb"):
            name = _form_name(word, pos, False)
            if name and pos not in regular and (base, pos) in known:
                regular.add(pos)  # the first base is the usual one: "planed" is from "plane", not from "plan"
                found.setdefault((base, pos), name)
    made = [_Form(*pair, name, known[pair]) for pair, name in found.items() if pair[0] != word]
    return sorted(made, key=lambda form: -form.times)


def _form_name(word: str, pos: str, irregular: bool) -> str:
    """Return the name of the form with which a word ends, or "" if this part of speech has no such form."""
    if pos == "noun":
        return "plural" if irregular or word.endswith("s") else ""
    if pos == "verb":
        names = {"s": "third person", "ing": "present participle", "ed": "past form"}
        return next((name for end, name in names.items() if word.endswith(end)), "past form" if irregular else "")
    return "superlative" if word.endswith("st") else "comparative" if irregular or word.endswith("er") else ""


PAST_SHARE = 4
"""About every fourth verb in texts is a past form, so a form leads if it is likelier than the senses of its own."""


def _form_first(word: str, forms: list[_Form], senses: Mapping[str, list[_Sense]], irregular: bool) -> bool:
    """Return whether a word is above all a form: *sang* is the past form of *sing*, and rarely a herb."""
    own = PAST_SHARE * max((sense.times for sense in senses.get(word, [])), default=0)
    base = max((form.times for form in forms), default=0)
    return own < base or (irregular and own == base)


def _kept(word: str, senses: list[_Sense], needed: set[tuple[str, str]]) -> Iterator[_Sense]:
    """Yield the first senses of a word, and the first of each part of speech of which there are forms."""
    seen: Counter[str] = Counter()
    for at, sense in enumerate(senses):
        seen[sense.pos] += 1
        if at < SENSES or (seen[sense.pos] < SENSES and (word, sense.pos) in needed):
            yield sense


def _senses(files: Mapping[str, str]) -> dict[str, list[_Sense]]:
    """Return the senses of every word, the most frequent in the tagged texts first."""
    _need(files, "index")
    tags = {(tag.word, tag.kind.replace("s", "a"), tag.sense): tag.times for tag in _tags(files.get("cntlist.rev", ""))}
    found: defaultdict[str, list[tuple[int, int, int, _Sense]]] = defaultdict(list)
    rude_usage = {f"n{synset.offset}" for synset in _synsets(files["data.noun"]) if _RUDE_USAGE & synset.forms}
    for place, (part, pos) in enumerate(_PARTS.items()):
        synsets = {synset.offset: synset for synset in _synsets(files[f"data.{part}"])}
        for word, offsets in _index(files[f"index.{part}"]):
            for rank, offset in enumerate(offsets, 1):
                synset = synsets[offset]
                if word in synset.forms and not synset.instance:
                    usage = any(symbol == ";u" and target in rude_usage for symbol, target, _ in synset.pointers)
                    gloss = _plain(synset.text)
                    times = tags.get((word, pos, rank), 0)
                    sense = _Sense(_NAMES[pos], gloss, "!" if usage or _RUDE.search(gloss) else "", times)
                    found[word].append((-times, place, rank, sense))
    return {word: [sense for *_, sense in sorted(senses)] for word, senses in found.items()}


def _plain(text: str) -> str:
    """Return a gloss without its examples.

    >>> _plain('a deep narrow valley; "they camped in the vale"  ')
    'a deep narrow valley'
    """
    return re.split(r'; ?"|\s+--\s*"', text.strip())[0].strip().rstrip(";:")


def _index(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the words of an index file that may be a lemma of playable words, with their synsets in order of sense."""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word.isalpha() and 2 <= len(word) <= GAME.longest:
            fields = rest.split()
            yield word, fields[-int(fields[1]) :]


ORIGIN = Origin(
    "WordNet",
    "WordNet 3.0",
    "https://wordnet.princeton.edu/",
    debian("wordnet-base", "wordnet", paragraph="WordNet3.0"),
    parse,
)
