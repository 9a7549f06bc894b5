"""Forms: which forms each base has, so that every form has one base for each part of speech.

Forms are made from their bases and looked for among the words; nothing is guessed from the end of a form. Which parts
of speech a base has, and its irregular forms, come from WordNet and from the inflection table of the package
lemminflect (data of the SPECIALIST Lexicon); regular forms follow the rules of spelling. What is still wrong is
corrected in `forms/corrections.csv`.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

import pandas as pd
import wordfreq

from lexicon.packages import python
from lexicon.scowl import without_accents
from lexicon.wordnet import Sense
from pipeline.errors import DataError
from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.words import FORMS, playable

PLURAL, PAST, PARTICIPLE, THIRD = "plural", "past form", "present participle", "third person"
COMPARATIVE, SUPERLATIVE = "comparative", "superlative"
FORMS_OF = {
    "noun": (PLURAL,),
    "verb": (PAST, PARTICIPLE, THIRD),
    "adjective": (COMPARATIVE, SUPERLATIVE),
    "adverb": (COMPARATIVE, SUPERLATIVE),
}
"""The forms of each part of speech."""

_ONE_SYLLABLE = re.compile("[^aeiou]*(?:qu)?[aeiou][^aeiouwxy]")
"""A word of one syllable that doubles its last consonant: *cap* becomes *capped*."""
_LAST_SYLLABLE = re.compile(".*[aeiouy].*[^aeiou](?:qu)?[aeiou][^aeiouwxy]")
"""A longer word that may double it: *refer* becomes *referred*, *offer* becomes *offered*."""
_CONSONANT_Y = re.compile(".*(?:[^aeiou]|qu)y")
_NATIVE_PLURAL = ("men", "ves", "feet", "teeth", "geese", "mice", "lice", "children", "oxen")
"""The ends of irregular plurals beside which there is no plural in -s."""


def spellings(base: str, form: str) -> set[str]:
    """Return the regular spellings of a form of a base.

    >>> spellings("cape", "past form"), spellings("cap", "past form")
    ({'caped'}, {'capped'})
    >>> sorted(spellings("hero", "plural"))
    ['heroes', 'heros']
    """
    if form in (PLURAL, THIRD):
        return _with_s(base)
    ending = {PAST: "ed", PARTICIPLE: "ing", COMPARATIVE: "er", SUPERLATIVE: "est"}[form]
    if form == PARTICIPLE:
        if base.endswith("ie"):
            return {base[:-2] + "ying", base + ending}
        if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
            return {base[:-1] + ending, base + ending}
    elif base.endswith("e"):
        return {base + ending[1:]}
    elif _CONSONANT_Y.fullmatch(base):
        return {base[:-1] + "i" + ending}
    elif base.endswith("ey") and form in (COMPARATIVE, SUPERLATIVE):
        return {base[:-2] + "i" + ending, base + ending}
    if base.endswith("c") and form in (PAST, PARTICIPLE):
        return {base + "k" + ending, base + ending}
    doubled = {base + base[-1] + ending}
    if _ONE_SYLLABLE.fullmatch(base) and not base.endswith("s"):
        return doubled
    return {base + ending} | (doubled if _ONE_SYLLABLE.fullmatch(base) or _LAST_SYLLABLE.fullmatch(base) else set())


def _with_s(base: str) -> set[str]:
    """Return the regular spellings of a plural or third person."""
    if base.endswith("z") and _ONE_SYLLABLE.fullmatch(base):
        return {base + "zes"}
    if base.endswith(("s", "x", "z", "sh")):
        return {base + "es"}
    if base.endswith("ch"):
        return {base + "es", base + "s"}
    if _CONSONANT_Y.fullmatch(base):
        return {base[:-1] + "ies"}
    if base.endswith("o"):
        return {base + "s", base + "es"}
    return {base + "s"}


Inflections = Mapping[tuple[str, str], Mapping[str, Set[str]]]
"""The spellings of each form, by base and part of speech. A form that is spelled like its base has this spelling."""


def read_inflections(text: str) -> Inflections:
    """Return the forms in `infl_lu.csv` of lemminflect: lines such as `axis,noun,axes/axises`. A verb has its past
    form, past participle, participle in -ing and third person."""
    names = {
        "noun": ("noun", (PLURAL,)),
        "verb": ("verb", (PAST, PAST, PARTICIPLE, THIRD)),
        "adj": ("adjective", (COMPARATIVE, SUPERLATIVE)),
        "adv": ("adverb", (COMPARATIVE, SUPERLATIVE)),
    }
    found: dict[tuple[str, str], dict[str, set[str]]] = {}
    for line in text.splitlines():
        base, pos, *cells = line.split(",")
        if pos not in names or not base.isalpha():
            continue
        part_of_speech, forms = names[pos]
        spelled = found.setdefault((base, part_of_speech), defaultdict(set))
        for form, cell in zip(forms, cells, strict=False):
            spelled[form] |= set(filter(None, cell.split("/")))
    return found


def irregular_inflections(exceptions: Mapping[str, str]) -> Inflections:
    """Return the forms in WordNet's lists of exceptions (text by part of speech): lines such as `axes axis ax`."""
    found: dict[tuple[str, str], dict[str, set[str]]] = {}
    for part_of_speech, text in exceptions.items():
        for line in text.splitlines():
            spelling, *bases = line.split()
            for base in bases:
                if base != spelling and base.isalpha():
                    form = _form_by_ending(spelling, part_of_speech)
                    found.setdefault((base, part_of_speech), defaultdict(set))[form].add(spelling)
    return found


def _form_by_ending(spelling: str, part_of_speech: str) -> str:
    """Return which form of this part of speech an irregular form is."""
    if part_of_speech == "noun":
        return PLURAL
    if part_of_speech == "verb":
        return PARTICIPLE if spelling.endswith("ing") else THIRD if re.search("[^s]s$", spelling) else PAST
    return SUPERLATIVE if spelling.endswith("st") else COMPARATIVE


@dataclass(frozen=True, slots=True)
class Words:
    """What is known about words, also those too short for a puzzle: all words; the parts of speech of those with
    senses in WordNet, and of those that people defined; the smallest size in SCOWL's American lists; the rarity in
    texts, in centibels below every word; and inflections."""

    all: Set[str]
    parts_of_speech: Mapping[str, Set[str]]
    defined: Mapping[str, Set[str]]
    sizes: Mapping[str, int]
    rarity: Mapping[str, int]
    listed: Inflections
    irregular: Inflections


def read_words(
    scowl_files: Mapping[str, str],
    senses: Mapping[str, list[Sense]],
    wordnet_files: Mapping[str, str],
    lemminflect_files: Mapping[str, str],
    others: Iterable[str],
    definitions: pd.DataFrame,
) -> Words:
    """Return what the lists know about words, from their files (text by name).

    `senses` are those of WordNet, `others` are words of other lists, and `definitions` are those of people
    (`custom/glosses.csv`). Raises DataError if lemminflect has no inflections.
    """
    if INFLECTIONS not in lemminflect_files:
        raise DataError(f"There is no {INFLECTIONS}.gz in the Python package lemminflect; install it again.")
    sizes: dict[str, int] = {}
    defined: defaultdict[str, set[str]] = defaultdict(set)
    for word, pos in zip(definitions["word"], definitions["pos"], strict=True):
        if pos in FORMS_OF:
            defined[word].add(pos)
    all_words = {*senses, *others, *definitions["word"]}
    for name, text in scowl_files.items():
        if match := re.fullmatch(r"(.*)-words\.(\d\d)", name):
            words = [word for word in map(without_accents, text.splitlines()) if re.fullmatch("[a-z]+", word)]
            all_words.update(words)
            if match[1] in ("english", "american"):
                for word in words:
                    sizes[word] = min(int(match[2]), sizes.get(word, NO_SIZE))
    bins = wordfreq.get_frequency_list("en", wordlist="large")
    rarity = {word: number for number, words in enumerate(bins) for word in words if word in all_words}
    exceptions = {part: wordnet_files.get(f"{name}.exc", "") for name, part in EXCEPTIONS.items()}
    return Words(
        all=frozenset(all_words),
        parts_of_speech={word: {sense.pos for sense in of_word} for word, of_word in senses.items()},
        defined=defined,
        sizes=sizes,
        rarity=rarity,
        listed=read_inflections(lemminflect_files[INFLECTIONS]),
        irregular=irregular_inflections(exceptions),
    )


INFLECTIONS = "infl_lu.csv"
"""The file of lemminflect with the forms of each base."""
EXCEPTIONS = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}
"""The part of speech of each of WordNet's lists of exceptions."""
KNOWN, SUPPOSED, GUESSED = range(3)
"""How sure it is that a base has a form: its part of speech is known; it is, but another form is usual (*skydived*); or
the part of speech is guessed because the words look like its forms (*gamify*: *gamified*, *gamifying*)."""


NEVER = 1000
"""The rarity of a word that wordfreq does not have; the rarest words that it has are at about 800."""


@dataclass(frozen=True, order=True, slots=True)
class Claim:
    """A claim that a word is a form of a base. The smallest claim is the best: the surest, with the commonest base."""

    sureness: int
    size: int
    is_irregular: bool
    rarity: int
    base: str


def claims(words: Words) -> dict[tuple[str, str], list[Claim]]:
    """Return all claims on each word and form (adjectives and adverbs share theirs), best first.

    A plural is a third person, too, only if its base has a sense as a verb: nobody *sisters*.
    """
    found: defaultdict[tuple[str, str], list[Claim]] = defaultdict(list)

    def claim(base: str, part_of_speech: str, sureness: int) -> None:
        for form, spelling, surely in _forms(base, part_of_speech, words):
            if spelling in words.all and spelling != base:
                is_regular = spelling in spellings(base, form)
                rank = (words.sizes.get(base, NO_SIZE), not is_regular, words.rarity.get(base, NEVER), base)
                found[spelling, form].append(Claim(max(sureness, surely), *rank))

    has_senses = words.parts_of_speech.keys() | {base for base, _ in words.listed}
    known: defaultdict[str, set[str]] = defaultdict(set)
    for word, parts in words.parts_of_speech.items():
        known[word] |= parts
    for base, part_of_speech in words.listed:
        known[base].add(part_of_speech)
    for base, parts in known.items():
        for part_of_speech in parts:
            claim(base, part_of_speech, KNOWN)
    forms = {word for word, _ in found}
    for base, parts in words.defined.items():
        for part_of_speech in parts - known[base] if base not in forms else ():
            known[base].add(part_of_speech)
            claim(base, part_of_speech, KNOWN)
    forms = {word for word, _ in found}
    for base in words.all - (forms - has_senses):
        for part_of_speech in _guessed_parts(base, known.get(base, set()), words):
            claim(base, part_of_speech, GUESSED)
    verbs = {base for base, parts in words.parts_of_speech.items() if "verb" in parts}
    verbs |= {base for base, parts in words.defined.items() if "verb" in parts and (base, PAST) not in found}
    best = {}
    for (word, form), claims_on_word in found.items():
        sure = [each for each in claims_on_word if each.sureness == KNOWN or word not in has_senses]
        if form == THIRD and (word, PLURAL) in found and "verb" not in words.defined.get(word, ()):
            sure = [each for each in sure if each.base in verbs]
        if sure:
            best[word, form] = sorted(sure)
    return best


def _guessed_parts(base: str, known: Set[str], words: Words) -> Iterator[str]:
    """Yield the parts of speech that a base seems to have beside those that are known. A verb in un- is not guessed:
    *unpeeled* is an adjective."""

    def has(form: str) -> bool:
        return not words.all.isdisjoint(spellings(base, form))

    if "verb" not in known:
        is_verb = has(PARTICIPLE) and (has(PAST) or bool(known)) and not base.startswith("un")
        if is_verb:
            yield "verb"
        if "noun" not in known and not (is_verb and not known):
            yield "noun"
    if not known and base.endswith("y") and has(COMPARATIVE) and has(SUPERLATIVE):
        yield "adjective"


def _forms(base: str, part_of_speech: str, words: Words) -> Iterator[tuple[str, str, int]]:
    """Yield the forms of a base with their possible spellings, and how sure these are."""
    listed = words.listed.get((base, part_of_speech), {})
    irregular = words.irregular.get((base, part_of_speech), {})
    like = {} if listed or irregular else _like_last_part(base, part_of_speech, words)
    is_said_to_compare = bool(listed.get(COMPARATIVE) or irregular)
    compares = is_said_to_compare or not words.all.isdisjoint(spellings(base, SUPERLATIVE))
    for form in FORMS_OF[part_of_speech]:
        if form == COMPARATIVE and not compares:
            continue
        regular = spellings(base, form)
        said = listed.get(form, set()) | irregular.get(form, set())
        if part_of_speech == "verb" and _ONE_SYLLABLE.fullmatch(base) and not base.endswith("s"):
            said = said - {base + "ed", base + "ing"}  # "taring" is of "tare"
        for spelling in said:
            yield form, spelling, KNOWN
        odd = said - regular
        if part_of_speech == "noun" and any(plural.endswith(_NATIVE_PLURAL) for plural in odd):
            continue
        for spelling in like.get(form, ()):
            yield form, spelling, SUPPOSED
        for spelling in regular - said:
            is_usual = part_of_speech == "noun" or not odd or bool(regular & said)
            if form in (COMPARATIVE, SUPERLATIVE) and not is_said_to_compare:
                is_usual = False
            yield form, spelling, KNOWN if is_usual else SUPPOSED


def _like_last_part(base: str, part_of_speech: str, words: Words) -> Mapping[str, Set[str]]:
    """Return the irregular forms of a base that ends with an irregular base: *presold* like *sold*."""
    for start in range(1, len(base) - 2):
        part = base[start:], part_of_speech
        like = {form: set(cells) for form, cells in words.irregular.get(part, {}).items()}
        if like:
            return {form: {base[:start] + spelling for spelling in cells} for form, cells in like.items()}
    return {}


TITLE, HOME, PACKAGE = "LemmInflect", "https://github.com/bjascob/LemmInflect", python("lemminflect")
COLUMNS = ["word", "base", "form", "own"]
"""The columns of the table."""
PART_OF_SPEECH = {form: part for part, forms in reversed(FORMS_OF.items()) for form in forms}
"""The part of speech of each form; adjectives share theirs with adverbs."""
_PAST_SHARE = 4
"""About every fourth verb in texts is a past form, so a form is more usual than the word's own senses if its base is
more than four times as frequent as they are."""
Times = Mapping[tuple[str, str], int]
"""How often words occur in tagged texts, by word and part of speech."""


def table(
    claimed: Mapping[tuple[str, str], list[Claim]],
    corrections: Iterable[Correction],
    times: Times,
    usual_part: Mapping[str, str],
) -> pd.DataFrame:
    """Return the table of forms: columns word, base, form, own (1 if a sense of the word's own is more usual).

    A word is a form of one base for each part of speech, the best claim; the corrections replace it, or name several
    bases. The rows of a word are in order, the base that is most frequent in tagged texts (`times`) first; of equally
    frequent ones, that in its usual part of speech (`usual_part`). Raises DataError if a correction corrects nothing.
    """
    bases: dict[str, dict[str, list[str]]] = {}
    for (word, form), claims_on_word in claimed.items():
        if playable(word):
            bases.setdefault(word, {})[form] = [claims_on_word[0].base]
    for correction in corrections:
        of_word = bases.setdefault(correction.word, {})
        if of_word.get(correction.form, []) == correction.bases:
            raise DataError(
                f"forms/corrections.csv corrects nothing: {correction.word} is the {correction.form} of "
                f"{' '.join(correction.bases) or 'nothing'} without it; remove the line."
            )
        of_word[correction.form] = correction.bases
    rows = []
    for word, forms in sorted(bases.items()):
        own = max(times.get((word, part), -1) for part in FORMS_OF)
        pairs = [(base, form) for form, of_form in forms.items() for base in of_form]
        frequency = {pair: _times_of_base(pair, times) for pair in pairs}
        is_unusual = {(base, form): usual_part.get(base) != PART_OF_SPEECH[form] for base, form in pairs}
        pairs.sort(key=lambda pair: (-frequency[pair], is_unusual[pair], FORMS.index(pair[1]), pair))
        is_own = pairs and own >= 0 and _PAST_SHARE * own >= frequency[pairs[0]]
        rows += [(word, base, form, "1" if is_own else "") for base, form in pairs]
    return pd.DataFrame(rows, columns=COLUMNS)


def _times_of_base(pair: tuple[str, str], times: Times) -> int:
    """Return how often the base of a form occurs in tagged texts, with the form's part of speech."""
    base, form = pair
    parts = ("adjective", "adverb") if form in (COMPARATIVE, SUPERLATIVE) else (PART_OF_SPEECH[form],)
    return max(times.get((base, part), 0) for part in parts)


@dataclass(frozen=True, slots=True)
class Correction:
    """A line of `forms/corrections.csv`: the word is this form of these bases, or of none."""

    word: str
    form: str
    bases: list[str]


def read_corrections(text: str) -> list[Correction]:
    """Return the corrections: columns word, form, bases (with blanks between them), reason.

    Raises DataError for other columns, a line with other cells, or a form that does not exist.
    """
    header, *lines = list(csv.reader(io.StringIO(text))) or [[]]
    if header != ["word", "form", "bases", "reason"]:
        raise DataError("The corrections of forms must have the columns word, form, bases, reason.")
    for number, line in enumerate(lines, 2):
        if len(line) != len(header) or line[1] not in FORMS:
            raise DataError(f"Line {number} of the corrections of forms must have a word, a form, bases and a reason.")
    rows = (dict(zip(header, line, strict=True)) for line in lines)
    return [Correction(row["word"], row["form"], row["bases"].split()) for row in rows]
