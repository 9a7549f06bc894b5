"""Glosses: short definitions. People write those of the release (`glosses.csv`). They replace WordNet's definitions
(see `lexicon/wordnet.py`) of the same part of speech. A form has the senses of its base, by the table of forms
(`lexicon/forms.py`). Standard library only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from pipeline import reader
from pipeline.words import LISTED

MAX_SENSES = 3
"""The maximum number of senses of a word."""
MAX_SENSES_OF_BASE = 2
"""The maximum number of senses from one base if the word also has other senses."""
MAX_OWN_SENSES = 2
"""The number of a word's own senses that come before the sense of its base."""
_PARTS_OF_SPEECH = {
    "plural": ("noun",), "past form": ("verb",), "present participle": ("verb",), "third person": ("verb",),
    "comparative": ("adjective", "adverb"), "superlative": ("adjective", "adverb"),
}  # fmt: skip
"""The part of speech of each form. A comparative has only the first sense of its base as an adjective; without one, it
is that of an adverb."""


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense: part of speech, gloss, and, if it is the sense of a base, the form and the base."""

    pos: str
    gloss: str
    form: str = ""
    base: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the sense as JSON, for the page."""
        return {"pos": self.pos, "gloss": self.gloss, "form": self.form, "base": self.base}


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of a word: up to three senses, the most usual one first."""

    word: str
    senses: tuple[Sense, ...]

    @property
    def base(self) -> str:
        """The base that has the first sense, or "" if the word itself has it."""
        return self.senses[0].base if self.senses else ""


Glosses = Mapping[str, Definition]
"""Definitions with at least one sense each, by word."""


Rows = Mapping[str, Sequence[Mapping[str, str]]]
"""Rows of a table by word, in the order in which they are shown."""


def by_word(rows: Iterable[Mapping[str, str]]) -> Rows:
    """Return the rows of each word."""
    found: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        found.setdefault(row["word"], []).append(row)
    return found


def _senses(word: str, release: Rows, wordnet: Rows, forms: Rows) -> Iterator[Sense]:
    """Yield the senses of a word, the most usual ones first.

    `release` and `wordnet` have the columns pos and gloss, and `forms` has base, form and own. What people say of a
    word in the part of speech of a form, where WordNet has no sense, is about the form: *lapping*, "drinking with quick
    licks".
    """
    rows = _own_rows(word, release, wordnet)
    forms_of_word = forms.get(word, ())
    in_wordnet = {row["pos"] for row in wordnet.get(word, ())}
    about_forms = {
        part: form for form in forms_of_word for part in _PARTS_OF_SPEECH[form["form"]] if part not in in_wordnet
    }
    own = [Sense(row["pos"], row["gloss"]) for row in rows if row["pos"] not in about_forms]
    of_forms: list[Sense] = []
    limit = MAX_SENSES_OF_BASE if own or len(forms_of_word) > 1 else MAX_SENSES
    for form in forms_of_word:
        parts = _PARTS_OF_SPEECH[form["form"]]
        said = [row for row in rows if about_forms.get(row["pos"]) == form]
        found = said or _first_part(_own_rows(form["base"], release, wordnet), parts)
        most = 1 if "adverb" in parts and not said else limit
        of_forms += [Sense(row["pos"], row["gloss"], form["form"], form["base"]) for row in found[:most]]
    is_own_first = bool(forms_of_word) and bool(forms_of_word[0]["own"])
    yield from (own[:MAX_OWN_SENSES] + of_forms + own[MAX_OWN_SENSES:]) if is_own_first else (of_forms + own)


def _own_rows(word: str, release: Rows, wordnet: Rows) -> list[Mapping[str, str]]:
    """Return the senses of a word that are no form: those of the release, and those of WordNet in other parts of
    speech."""
    ours = release.get(word, ())
    our_parts = {row["pos"] for row in ours}
    return [*ours, *(row for row in wordnet.get(word, ()) if row["pos"] not in our_parts)]


def _first_part(rows: Iterable[Mapping[str, str]], parts: Sequence[str]) -> list[Mapping[str, str]]:
    """Return the rows of the first part of speech that has any."""
    rows = list(rows)
    in_parts = ([row for row in rows if row["pos"] == part] for part in parts)
    return next(filter(None, in_parts), [])


def load(
    release: str | os.PathLike[str],
    words: Set[str] | None = None,
    lexicon: str | os.PathLike[str] = reader.LEXICON_FOLDER,
) -> Glosses:
    """Return the definitions of a release and of WordNet; with `words`, only theirs, which is faster.

    Raises BeeError if a table is missing or damaged.
    """
    some = None if words is None else reader.any_of(words)
    forms = reader.rows(reader.lexicon_table("forms", lexicon), "forms", some)
    if words is not None and some is not None:
        some = reader.any_of(words | {row["base"] for row in forms})
    wordnet = reader.rows(reader.lexicon_table("glosses", lexicon), "glosses", some)
    return combine(reader.glosses(release, some), wordnet, forms, words)


def combine(
    release: Iterable[Mapping[str, str]],
    wordnet: Iterable[Mapping[str, str]],
    forms: Iterable[Mapping[str, str]],
    words: Set[str] | None = None,
) -> Glosses:
    """Return the definitions from the rows of a release, those of WordNet, and the table of forms: those of all words
    in them, or of some `words`."""
    tables = by_word(release), by_word(wordnet), by_word(forms)
    definitions = {}
    for word in dict.fromkeys(word for table in tables for word in table) if words is None else words:
        senses = tuple(dict.fromkeys(_senses(word, *tables)))[:MAX_SENSES]
        if senses:
            definitions[word] = Definition(word, senses)
    return definitions


def define(word: str, glosses: Glosses) -> Definition:
    """Return the definition of a word; it has no senses if the word is not in the table.

    >>> define("luff", {}).senses
    ()
    """
    return glosses.get(word, Definition(word, ()))


def _groups(definition: Definition) -> Iterator[tuple[str, list[Sense]]]:
    """Yield each form of a base that the word is, such as "plural of cat", or "", with its senses."""
    for (form, base), senses in groupby(definition.senses, key=lambda sense: (sense.form, sense.base)):
        yield f"{form} of {base}" if base else "", list(senses)


def line(definition: Definition) -> str:
    """Return a definition as one line.

    >>> cats = [Sense("noun", "feline mammal", "plural", "cat"), Sense("noun", "an old musical")]
    >>> line(Definition("cats", tuple(cats)))
    'plural of cat: noun, feline mammal · noun, an old musical'
    >>> line(Definition("luff", ()))
    'no definition'
    """
    groups = []
    for form_of_base, senses in _groups(definition):
        start = f"{form_of_base}: " if form_of_base else ""
        groups.append(start + "; ".join(f"{sense.pos}, {sense.gloss}" for sense in senses))
    return " · ".join(groups) or "no definition"


def text(definition: Definition) -> str:
    """Return a definition as text, with one line per sense.

    >>> print(text(Definition("cats", (Sense("noun", "feline mammal", "plural", "cat"),))))
    cats, plural of cat
      noun          feline mammal
    """
    lines = []
    for form_of_base, senses in _groups(definition):
        lines.append(f"{definition.word}, {form_of_base}" if form_of_base else definition.word)
        for sense in senses:
            lines.append(f"  {sense.pos:13} {sense.gloss}")
    return "\n".join(lines) or f"{definition.word}: no definition"


def coverage(release: reader.Release, glosses: Glosses) -> Iterator[tuple[str, list[str], int]]:
    """Yield, for each tier of the list, its words that have no definition and the number of all its words."""
    tiers: dict[str, list[str]] = {tier: [] for tier in LISTED}
    for row in reader.rows(release.files["words.csv"], "words.csv"):
        if row["tier"] in tiers:
            tiers[row["tier"]].append(row["word"])
    for tier, words in tiers.items():
        yield tier, [word for word in words if word not in glosses], len(words)
