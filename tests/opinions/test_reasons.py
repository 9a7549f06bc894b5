"""Reasons of the release: each is read back from its text, and each phrase is held against the tables.

Nothing here uses the code that writes reasons. A phrase is a pattern and a condition on the rows of the lexicon, the
links between words, and what puzzles and people said; a phrase without a pattern is untrue.
"""

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

Row = dict[str, Any]


@dataclass(frozen=True)
class World:
    """The tables of a workspace in which all stages ran on the real lexicon and the committed record."""

    lexicon: dict[str, Row]
    links: dict[str, dict[str, str]]
    """The bases of each word, each with the kind of the link."""
    sisters: set[tuple[str, str]]
    spellings: dict[str, tuple[str, str]]
    """The root, and the difference from the usual spelling, of each variant."""
    outcomes: dict[str, bool]
    """Whether the last trial of each tried word accepted it."""
    verdicts: dict[str, str]
    decisions: dict[str, Row]
    own_p: dict[str, float]
    """The p of each untried word before other forms and spellings limit it."""
    grades: dict[str, str]
    """The grade of each offensive word."""

    def p(self, word: str) -> float:
        """The p of an untried word as its reason names it, or else its own."""
        decision = self.decisions[word]
        return (
            float(decision["details"].split("|")[0])
            if decision["kind"] in ("estimate", "spelling")
            else self.own_p[word]
        )

    def kept(self, word: str) -> bool | None:
        """What a person, or else the last trial, said of a word; None if nobody did."""
        return self.verdicts[word] == "keep" if word in self.verdicts else self.outcomes.get(word)

    @cached_property
    def families(self) -> dict[tuple[str, str], list[str]]:
        """The variants of each root with the same difference from the usual spelling."""
        return grouped((key, word) for word, key in self.spellings.items())

    @cached_property
    def kinds(self) -> dict[str, list[str]]:
        """The variants of each difference from the usual spelling."""
        return grouped((differs, word) for word, (_, differs) in self.spellings.items())

    def bases(self, word: str) -> dict[str, str]:
        """The words of which a word may be a form, or from which it may be derived, with the kind of the link."""
        return {base: kind for base, kind in self.links.get(word, {}).items() if kind != "compound"}

    def parts(self, word: str) -> set[str]:
        return {base for base, kind in self.links.get(word, {}).items() if kind == "compound"}

    def origins(self, word: str, steps: int = 8) -> set[str]:
        """A word and all that it may come from."""
        found, new = {word}, {word}
        while new and steps:
            new, steps = {base for each in new for base in self.bases(each)} - found, steps - 1
            found |= new
        return found


def grouped(pairs: Iterator[tuple[Any, str]]) -> dict[Any, list[str]]:
    found = defaultdict(list)
    for key, word in pairs:
        found[key].append(word)
    return found


@pytest.fixture(scope="module")
def world(real_run: Path) -> World:
    tables = {path.stem: pd.read_parquet(path) for path in (real_run / "build").glob("*.parquet")}
    lexicon = pd.concat([tables["lexicon"], tables["strangers"]]).sort_values("word", ignore_index=True)
    names = lexicon["word"].tolist()
    links = defaultdict(dict)
    for form, base, kind in zip(*(tables["links"][name].tolist() for name in ("form", "base", "kind")), strict=True):
        links[names[form]][names[base]] = kind
    pairs = zip(tables["sisters"]["form"].tolist(), tables["sisters"]["base"].tolist(), strict=True)
    text = {"keep_default_na": False, "dtype": str}
    evidence = pd.read_csv(real_run / "custom/evidence.csv", skiprows=1, **text)
    verdicts = pd.read_csv(real_run / "custom/verdicts.csv", **text)
    words = pd.read_csv(real_run / "custom/words.csv", **text)
    decisions = tables["decisions"]
    assert set(words["word"]) <= set(decisions["word"])
    published = words.merge(decisions, on="word", suffixes=("", "_decided"))
    assert (published["because"] == published["because_decided"]).all()
    spellings = tables["spellings"]
    flags = tables["flags"]
    rude = flags[flags["flag"].isin(["slur", "vulgar", "explicit", "crude", "sensitive"])]
    untried = tables["estimates"][tables["estimates"]["kind"] != "record"]
    return World(
        lexicon=dict(zip(names, lexicon.to_dict("records"), strict=True)),
        links=links,
        sisters={(names[form], names[base]) for form, base in pairs},
        spellings=dict(
            zip(spellings["variant"], zip(spellings["root"], spellings["differs"], strict=True), strict=True)
        ),
        outcomes=dict(zip(evidence["word"], evidence["last_accepted"] > evidence["last_rejected"], strict=True)),
        verdicts=dict(zip(verdicts["word"], verdicts["verdict"], strict=True)),
        decisions={row["word"]: row for row in decisions.to_dict("records")},
        own_p=dict(zip(untried["word"], untried["p"], strict=True)),
        grades=dict(zip(rude["word"], rude["flag"], strict=True)),
    )


Condition = Callable[..., bool]
SIZES = {"small": 50, "ordinary": 60, "large": 70, "very large": 80, "the largest": 95}
BELOW = {"small": 0, "ordinary": 50, "large": 60, "very large": 70, "the largest": 80}
BANDS = {
    "never met": (-1, 0), "hardly ever met": (0, 1.2), "extremely rare": (1.2, 1.5), "very rare": (1.5, 2),
    "rare": (2, 2.5), "uncommon": (2.5, 3), "fairly common": (3, 3.5), "common": (3.5, 4), "very common": (4, 4.5),
    "extremely common": (4.5, 9),
}  # fmt: skip
NONE = 100


def in_band(world: World, word: str, band: str) -> bool:
    above, most = BANDS[band]
    return above < world.lexicon[word]["zipf"] <= most


def in_dictionaries(world: World, word: str, size: str, column: str = "scowl_size") -> bool:
    return BELOW[size] < world.lexicon[word][column] <= SIZES[size]


def a_form(world: World, word: str, base: str) -> bool:
    return world.lexicon[word]["lemma"] == base


def surely_a_form(world: World, word: str, base: str) -> bool:
    """Whether the lists name a word as a form; in -er and -est only of an adjective or adverb.

    Only the lists name a base of three letters, which is not in the lexicon.
    """
    if not a_form(world, word, base):
        return False
    if base not in world.lexicon or not word.endswith(("er", "est")):
        return True
    return bool({"a", "r"} & set(world.lexicon[base]["wordnet_pos"]))


def made_from(world: World, word: str, base: str) -> bool:
    return base in world.bases(word) and world.lexicon[base]["scowl_size"] <= world.lexicon[word]["scowl_size"]


def looks_like_a_form(world: World, word: str, base: str) -> bool:
    return world.bases(word).get(base) == "inflected" or a_form(world, word, base)


def looks_made(world: World, word: str, base: str) -> bool:
    return base in world.bases(word)


def compound(world: World, word: str, first: str, second: str) -> bool:
    return word == first + second and world.parts(word) == {first, second}


def rare(world: World, word: str) -> bool:
    return world.lexicon[word]["zipf"] < 2


def alike(world: World, word: str, other: str) -> bool:
    """Whether the spelling links two words."""
    near = other in world.bases(word) or word in world.bases(other) or (word, other) in world.sisters
    return word != other and (near or bool(world.parts(word) & world.parts(other)))


def relative(world: World, word: str, other: str) -> bool:
    """Whether two words that the spelling links come from the same word, or share a part."""
    shared = world.origins(word) & world.origins(other) or world.parts(word) & world.parts(other)
    return alike(world, word, other) and bool(shared)


def named(world: World, word: str) -> bool:
    return world.lexicon[word]["scowl_name"] < NONE


def with_a_capital(world: World, word: str) -> bool:
    return world.lexicon[word]["scowl_upper"] < NONE or world.lexicon[word]["wordnet_capitalised"] > 0


def lists_of(world: World, word: str, *names: str) -> bool:
    return min(world.lexicon[word][f"scowl_{name}"] for name in names) < NONE


def unusual(world: World, word: str) -> bool:
    row = world.lexicon[word]
    if row["lemma"] in world.lexicon and unusual(world, row["lemma"]):
        return True
    variant = row["scowl_size"] == NONE and row["scowl_variant_level"] >= 2
    a_name = min(row["scowl_upper"], row["scowl_name"]) <= row["scowl_size"] < NONE and not row["lemma"]
    return row["scowl_british"] < row["scowl_size"] or variant or a_name


def said_of_a_form(world: World, word: str, form: str, said: str) -> bool:
    """Whether a form of the word was accepted by its last trial, or kept by a person."""
    outcome = world.kept(form) is True and (form in world.verdicts) == (said == "kept")
    return outcome and a_form(world, form, word)


def never_said(world: World, word: str) -> bool:
    row = world.lexicon[word]
    vowels = re.findall("[aeiouy]+", row["lemma"].removesuffix("e").removeprefix("un"))
    return row["zipf"] == 0 and word.endswith(("er", "est")) and len(vowels) > 1


def everyday(world: World, word: str, base: str, said: str) -> bool:
    row = world.lexicon[word]
    outcome = world.kept(base) is True and (base in world.verdicts) == (said == "kept")
    return outcome and row["lemma"] == base and row["scowl_size"] <= 50 and row["zipf"] >= 2


def spelled_alike(world: World, word: str, accepted: bool) -> bool:
    said = [world.kept(other) for other in world.families[world.spellings[word]]]
    return accepted in said and (not accepted) not in said


WORD = "([a-z]{1,19})"
BAND = f"({'|'.join(BANDS)})"
SIZE = "(small|ordinary|large|very large) dictionaries"
CONDITIONS: dict[str, Condition] = {
    rf"\+ in {SIZE}": in_dictionaries,
    r"\+ in (the largest) word lists": in_dictionaries,
    rf"\+ in {SIZE} as a variant": lambda world, word, size: (
        in_dictionaries(world, word, size, "scowl_variant") and world.lexicon[word]["scowl_size"] > SIZES[size]
    ),
    r"\+ in (small|ordinary|large|very large) British dictionaries": lambda world, word, size: in_dictionaries(
        world, word, size, "scowl_british"
    ),
    r"- not in small dictionaries": lambda world, word: 50 < world.lexicon[word]["scowl_size"] < NONE,
    r"- only in (large|very large) dictionaries": in_dictionaries,
    r"- only in (the largest) word lists": in_dictionaries,
    r"- a British spelling": lambda world, word: (
        world.lexicon[word]["scowl_british"] < world.lexicon[word]["scowl_size"]
    ),
    r"- a variant spelling": lambda world, word: (
        world.lexicon[word]["scowl_variant"] < world.lexicon[word]["scowl_size"]
    ),
    r"- not in SCOWL as a common word": lambda world, word: (
        not lists_of(world, word, "size", "british", "variant")
        and lists_of(world, word, "upper", "name", "abbreviation", "special")
    ),
    r"- not in SCOWL": lambda world, word: (
        not lists_of(world, word, "size", "british", "variant", "upper", "name", "abbreviation", "special")
    ),
    r"- (never met) in texts": in_band,
    rf"\+ {BAND}": lambda world, word, band: BANDS[band][0] >= 3 and in_band(world, word, band),
    r"\+ seen in texts": lambda world, word: 0 < world.lexicon[word]["zipf"] <= 3,
    rf"- {BAND} in texts": lambda world, word, band: BANDS[band][1] <= 3 and in_band(world, word, band),
    r"\+ in WordNet": lambda world, word: world.lexicon[word]["wordnet_senses"] > 0,
    r"- not in WordNet": lambda world, word: (
        not world.lexicon[word]["wordnet_senses"] and not world.lexicon[word]["wordnet_capitalised"]
    ),
    r"- in WordNet only with a capital": lambda world, word: (
        not world.lexicon[word]["wordnet_senses"] and world.lexicon[word]["wordnet_capitalised"] > 0
    ),
    r"- never used in WordNet's sample texts": lambda world, word: (
        world.lexicon[word]["wordnet_senses"] > 0 and not world.lexicon[word]["wordnet_tagged"]
    ),
    r"\+ not also a name": lambda world, word: not named(world, word) and not with_a_capital(world, word),
    r"- also a name": named,
    r"- also written with a capital": with_a_capital,
    r"\+ not more common in other languages": lambda world, word: (
        world.lexicon[word]["zipf_abroad"] <= world.lexicon[word]["zipf"]
    ),
    r"- more common in other languages": lambda world, word: (
        world.lexicon[word]["zipf_abroad"] > world.lexicon[word]["zipf"]
    ),
    r"\+ a pangram": lambda _, word: len(set(word)) == 7,
    r"- not a pangram": lambda _, word: len(set(word)) < 7,
    r"[+-] begins with ([a-z]+)-": lambda _, word, part: word.startswith(part) and len(word) >= len(part) + 3,
    r"[+-] ends in -([a-z]+)": lambda _, word, part: word.endswith(part) and len(word) >= len(part) + 3,
    rf"\+ a form of {WORD}": surely_a_form,
    rf"\+ made from {WORD}": made_from,
    rf"\+ looks like a form of {WORD}": looks_like_a_form,
    rf"\+ looks made from {WORD}": looks_made,
    rf"\+ made from {WORD} and {WORD}": compound,
    rf"\+ looks made from {WORD} and {WORD}": compound,
    rf"- only a form of {WORD}": lambda world, word, base: (
        surely_a_form(world, word, base) and not world.lexicon[word]["wordnet_senses"]
    ),
    rf"- a form of the rare word {WORD}": lambda world, word, base: (
        surely_a_form(world, word, base) and rare(world, base)
    ),
    rf"- made from the rare word {WORD}": lambda world, word, base: made_from(world, word, base) and rare(world, base),
    rf"- looks like a form of the rare word {WORD}": lambda world, word, base: (
        looks_like_a_form(world, word, base) and rare(world, base)
    ),
    rf"- looks made from the rare word {WORD}": lambda world, word, base: (
        looks_made(world, word, base) and rare(world, base)
    ),
    rf"\+ its form {WORD} is in {SIZE}": lambda world, word, form, size: (
        surely_a_form(world, form, word) and in_dictionaries(world, form, size)
    ),
    rf"\+ its form {WORD} is more common": lambda world, word, form: (
        surely_a_form(world, form, word) and world.lexicon[form]["zipf"] > world.lexicon[word]["zipf"]
    ),
    rf"- its form {WORD} is in smaller dictionaries": lambda world, word, form: (
        surely_a_form(world, form, word) and world.lexicon[form]["scowl_size"] < world.lexicon[word]["scowl_size"]
    ),
    rf"\+ {WORD} was accepted": lambda world, word, other: (
        world.outcomes.get(other) is True and relative(world, word, other)
    ),
    rf"- {WORD} was refused": lambda world, word, other: (
        world.outcomes.get(other) is False and relative(world, word, other)
    ),
    rf"- {WORD} was dropped": lambda world, word, other: (
        world.verdicts.get(other) == "drop" and a_form(world, word, other)
    ),
    rf"\+ the similar word {WORD} was accepted": lambda world, word, other: (
        world.outcomes.get(other) is True and alike(world, word, other)
    ),
    rf"- the similar word {WORD} was refused": lambda world, word, other: (
        world.outcomes.get(other) is False and alike(world, word, other)
    ),
    rf"\+ an everyday form of the (accepted|kept) word {WORD}": lambda world, word, said, base: everyday(
        world, word, base, said
    ),
    r"\+ other forms of this spelling were accepted or kept": lambda world, word: spelled_alike(world, word, True),
    r"- other forms of this spelling were refused or dropped": lambda world, word: spelled_alike(world, word, False),
    r"- an unusual spelling or a name \(listed from p = 0\.7 on\)": unusual,
    r"- never met in texts and said with more or most": never_said,
    r"- offensive \((slur|vulgar|explicit|crude|sensitive)\)": lambda world, word, grade: (
        world.grades.get(word) == grade
    ),
    rf"\+ its form {WORD} was (accepted|kept)": said_of_a_form,
    rf"\+ its form {WORD} is likelier": lambda world, word, form: (
        a_form(world, form, word) and world.p(form) >= world.p(word) > world.own_p[word]
    ),
    rf"\+ {WORD} is likelier": lambda world, word, base: (
        a_form(world, word, base) and world.p(base) >= 0.5 > world.own_p[word] >= 0.25
    ),
    rf"- not likelier than {WORD}": lambda world, word, base: (
        a_form(world, word, base) and world.p(word) == world.p(base)
    ),
    rf"\+ an everyday form of {WORD}": lambda world, word, base: (
        a_form(world, word, base)
        and world.lexicon[word]["scowl_size"] <= 50
        and world.lexicon[word]["zipf"] >= 2
        and world.p(base) >= 0.5
    ),
}
"""The condition of each phrase; it gets the words that the pattern names."""
PATTERNS = {re.compile(pattern): condition for pattern, condition in CONDITIONS.items()}


@functools.cache
def meaning(phrase: str) -> tuple[str, Condition, tuple[str, ...]]:
    """The pattern of a phrase, its condition, and the words that it names; a phrase that nobody knows is untrue."""
    for pattern, condition in PATTERNS.items():
        if match := pattern.fullmatch(phrase):
            return pattern.pattern, condition, match.groups()
    return "", lambda *_: False, ()


def true(world: World, word: str, phrase: str, used: Counter[str]) -> bool:
    pattern, condition, named = meaning(phrase)
    used[pattern] += 1
    return bool(condition(world, word, *named))


def untrue(world: World, reasons: Iterator[tuple[str, str]], used: Counter[str]) -> list[str]:
    """The phrases of reasons of some words that are not true, or say nothing."""
    return [
        f"{word}: {phrase}"
        for word, reason in reasons
        for phrase in reason.split(", ")
        if not true(world, word, phrase, used)
    ]


def test_all_that_is_said_of_a_word_is_true(world):
    used: Counter[str] = Counter()
    rows = [row for row in world.decisions.values() if row["kind"] == "estimate"]
    found = untrue(world, ((row["word"], row["details"].split("|", 1)[1]) for row in rows), used)
    assert not found, f"{len(found)}, such as {found[:20]}"
    assert len(rows) > 150_000
    assert sum(used.values()) > 2 * len(rows)
    often = {pattern for pattern, times in used.items() if times > 100}
    assert len(often) > 30, "a phrase that is never said is not tested here"


def test_a_word_says_each_thing_once_and_at_most_four(world):
    for row in world.decisions.values():
        if row["kind"] == "estimate":
            said = row["details"].split("|", 1)[1].split(", ")
            assert 1 <= len(set(said)) == len(said) <= 4, row


def test_a_kind_of_spelling_that_speaks_against_a_word_was_always_refused(world):
    rows = [row for row in world.decisions.values() if row["kind"] == "spelling"]
    assert len(rows) > 10
    for row in rows:
        _, differs = world.spellings[row["word"]]
        said = [world.kept(other) for other in world.kinds[differs] if world.kept(other) is not None]
        assert len(said) >= 3, row
        assert not any(said), row
