"""Reasons of the release: each is read back from its text, and each phrase is held against the tables.

Nothing here uses the code that writes reasons. A phrase is a pattern and a condition on the rows of the lexicon, the
links between words, and what puzzles and people said; a phrase without a pattern is untrue.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

NONE = 100
"""The size of a list of SCOWL that does not have a word."""


@dataclass(frozen=True)
class World:
    """The tables of a workspace in which all stages ran on the real lexicon and the committed record."""

    lexicon: dict[str, dict[str, Any]]
    links: dict[str, dict[str, str]]
    """The bases of each word, each with the kind of the link."""
    same_stem: set[tuple[str, str]]
    spellings: dict[str, tuple[str, str]]
    """The root, and the difference from the usual spelling, of each variant."""
    outcomes: dict[str, bool]
    """Whether the last trial of each tried word accepted it."""
    verdicts: dict[str, str]
    decisions: dict[str, dict[str, Any]]
    own_p: dict[str, float]
    """The p of each untried word before other forms and spellings limit it."""
    grades: dict[str, str]
    """The grade of each offensive word."""
    variants: dict[Any, list[str]]
    """The variants of each root with the same difference from the usual spelling, and of each difference."""

    def kept(self, word: str) -> bool | None:
        """What a person, or else the last trial, said of a word; None if nobody did."""
        return self.verdicts[word] == "keep" if word in self.verdicts else self.outcomes.get(word)


class Word(str):
    """A word of which something is said, with its row of the lexicon."""

    world: World

    def __getitem__(self, column: str) -> Any:
        return self.world.lexicon[self][column]

    @property
    def p(self) -> float:
        """The p of an untried word as its reason names it, or else its own."""
        decision = self.world.decisions[self]
        named = decision["kind"] in ("estimate", "spelling")
        return float(decision["details"].split("|")[0]) if named else self.world.own_p[self]

    def linked(self, compound: bool) -> dict[str, str]:
        """The parts of a compound, or else the words from which it may come, with the kind of the link."""
        links = self.world.links.get(self, {})
        return {base: kind for base, kind in links.items() if (kind == "compound") == compound}

    @property
    def bases(self) -> dict[str, str]:
        return self.linked(compound=False)

    @property
    def parts(self) -> set[str]:
        return {*self.linked(compound=True)}

    @property
    def origins(self) -> set[str]:
        """The word and all that it may come from."""
        found, new = {self}, {self}
        while new:
            new = {Word(base) for each in new for base in each.bases} - found
            found |= new
        return found

    def accepted(self, other: Word) -> bool | None:
        """Whether the last trial of another word accepted it; None if it was never tried."""
        return self.world.outcomes.get(other)

    def alike(self, other: Word) -> bool:
        """Whether the spelling links two words."""
        near = other in self.bases or self in other.bases or (self, other) in self.world.same_stem
        return self != other and (near or bool(self.parts & other.parts))

    def relative(self, other: Word) -> bool:
        """Whether two words that the spelling links come from the same word, or share a part."""
        return self.alike(other) and bool(self.origins & other.origins or self.parts & other.parts)

    def surely_a_form(self, base: Word) -> bool:
        """Whether the lists name a word as a form; in -er and -est only of an adjective or adverb.

        Only the lists name a base of three letters, which is not in the lexicon.
        """
        unlikely = self.endswith(("er", "est")) and base in self.world.lexicon
        return self["lemma"] == base and not (unlikely and not {"a", "r"} & {*base["wordnet_pos"]})

    def lists(self, *names: str) -> bool:
        """Whether SCOWL has the word in one of these lists."""
        return min(self[f"scowl_{name}"] for name in names) < NONE

    @property
    def unusual(self) -> bool:
        if self["lemma"] in self.world.lexicon and Word(self["lemma"]).unusual:
            return True
        variant = self["scowl_size"] == NONE and self["scowl_variant_level"] >= 2
        a_name = min(self["scowl_upper"], self["scowl_name"]) <= self["scowl_size"] < NONE and not self["lemma"]
        return self["scowl_british"] < self["scowl_size"] or variant or a_name

    @property
    def everyday(self) -> bool:
        return self["scowl_size"] <= 50 and self["zipf"] >= 2

    def was(self, said: str) -> bool:
        """Whether the word was accepted by its last trial, or kept by a person."""
        return self.world.kept(self) is True and (self in self.world.verdicts) == (said == "kept")

    def spelled_alike(self, accepted: bool) -> bool:
        said = [self.world.kept(other) for other in self.world.variants[self.world.spellings[self]]]
        return accepted in said and (not accepted) not in said

    def in_band(self, band: str) -> bool:
        above, most = BANDS[band]
        return above < self["zipf"] <= most

    def in_dictionaries(self, size: str, column: str = "scowl_size") -> bool:
        above, most = SIZES[size]
        return above < self[column] <= most


def from_base(word: Word, base: Word) -> bool:
    return base in word.bases and base["scowl_size"] <= word["scowl_size"]


def like_a_form(word: Word, base: Word) -> bool:
    return word.bases.get(base) == "inflected" or word["lemma"] == base


def from_parts(word: Word, first: Word, second: Word) -> bool:
    return word == first + second and word.parts == {first, second}


def with_a_capital(word: Word) -> bool:
    return word["scowl_upper"] < NONE or word["wordnet_capitalised"] > 0


def never_said(word: Word) -> bool:
    vowels = re.findall("[aeiouy]+", word["lemma"].removesuffix("e").removeprefix("un"))
    return word["zipf"] == 0 and word.endswith(("er", "est")) and len(vowels) > 1


SIZES = {
    "small": (0, 50), "ordinary": (50, 60), "large": (60, 70), "very large": (70, 80), "the largest": (80, 95),
}  # fmt: skip
BANDS = {
    "never met": (-1, 0), "hardly ever met": (0, 1.2), "extremely rare": (1.2, 1.5), "very rare": (1.5, 2),
    "rare": (2, 2.5), "uncommon": (2.5, 3), "fairly common": (3, 3.5), "common": (3.5, 4), "very common": (4, 4.5),
    "extremely common": (4.5, 9),
}  # fmt: skip
USUAL, OTHER = ("size", "british", "variant"), ("upper", "name", "abbreviation", "special")
WORD = "([a-z]{1,19})"
BAND = f"({'|'.join(BANDS)})"
SIZE = "(small|ordinary|large|very large)"
Condition = Callable[..., bool]
CONDITIONS: dict[str, Condition] = {
    rf"\+ in {SIZE} dictionaries": Word.in_dictionaries,
    r"\+ in (the largest) word lists": Word.in_dictionaries,
    rf"\+ in {SIZE} dictionaries as a variant": lambda w, size: (
        w.in_dictionaries(size, "scowl_variant") and w["scowl_size"] > SIZES[size][1]
    ),
    rf"\+ in {SIZE} British dictionaries": lambda w, size: w.in_dictionaries(size, "scowl_british"),
    r"- not in small dictionaries": lambda w: 50 < w["scowl_size"] < NONE,
    r"- only in (large|very large) dictionaries": Word.in_dictionaries,
    r"- only in (the largest) word lists": Word.in_dictionaries,
    r"- a British spelling": lambda w: w["scowl_british"] < w["scowl_size"],
    r"- a variant spelling": lambda w: w["scowl_variant"] < w["scowl_size"],
    r"- not in SCOWL as a common word": lambda w: not w.lists(*USUAL) and w.lists(*OTHER),
    r"- not in SCOWL": lambda w: not w.lists(*USUAL, *OTHER),
    r"- (never met) in texts": Word.in_band,
    rf"\+ {BAND}": lambda w, band: BANDS[band][0] >= 3 and w.in_band(band),
    r"\+ seen in texts": lambda w: 0 < w["zipf"] <= 3,
    rf"- {BAND} in texts": lambda w, band: BANDS[band][1] <= 3 and w.in_band(band),
    r"\+ in WordNet": lambda w: w["wordnet_senses"] > 0,
    r"- not in WordNet": lambda w: not w["wordnet_senses"] and not w["wordnet_capitalised"],
    r"- in WordNet only with a capital": lambda w: not w["wordnet_senses"] and w["wordnet_capitalised"] > 0,
    r"- never used in WordNet's sample texts": lambda w: w["wordnet_senses"] > 0 and not w["wordnet_tagged"],
    r"\+ not also a name": lambda w: w["scowl_name"] == NONE and not with_a_capital(w),
    r"- also a name": lambda w: w["scowl_name"] < NONE,
    r"- also written with a capital": with_a_capital,
    r"\+ not more common in other languages": lambda w: w["zipf_abroad"] <= w["zipf"],
    r"- more common in other languages": lambda w: w["zipf_abroad"] > w["zipf"],
    r"\+ a pangram": lambda w: len(set(w)) == 7,
    r"- not a pangram": lambda w: len(set(w)) < 7,
    r"[+-] begins with ([a-z]+)-": lambda w, part: w.startswith(part) and len(w) >= len(part) + 3,
    r"[+-] ends in -([a-z]+)": lambda w, part: w.endswith(part) and len(w) >= len(part) + 3,
    rf"\+ a form of {WORD}": Word.surely_a_form,
    rf"\+ made from {WORD}": from_base,
    rf"\+ looks like a form of {WORD}": like_a_form,
    rf"\+ looks made from {WORD}": lambda w, base: base in w.bases,
    rf"\+ made from {WORD} and {WORD}": from_parts,
    rf"\+ looks made from {WORD} and {WORD}": from_parts,
    rf"- only a form of {WORD}": lambda w, base: w.surely_a_form(base) and not w["wordnet_senses"],
    rf"- a form of the rare word {WORD}": lambda w, base: w.surely_a_form(base) and base["zipf"] < 2,
    rf"- made from the rare word {WORD}": lambda w, base: from_base(w, base) and base["zipf"] < 2,
    rf"- looks like a form of the rare word {WORD}": lambda w, base: like_a_form(w, base) and base["zipf"] < 2,
    rf"- looks made from the rare word {WORD}": lambda w, base: base in w.bases and base["zipf"] < 2,
    rf"\+ its form {WORD} is in {SIZE} dictionaries": lambda w, form, size: (
        form.surely_a_form(w) and form.in_dictionaries(size)
    ),
    rf"\+ its form {WORD} is more common": lambda w, form: form.surely_a_form(w) and form["zipf"] > w["zipf"],
    rf"- its form {WORD} is in smaller dictionaries": lambda w, form: (
        form.surely_a_form(w) and form["scowl_size"] < w["scowl_size"]
    ),
    rf"\+ {WORD} was accepted": lambda w, other: w.accepted(other) is True and w.relative(other),
    rf"- {WORD} was refused": lambda w, other: w.accepted(other) is False and w.relative(other),
    rf"- {WORD} was dropped": lambda w, other: w.world.verdicts.get(other) == "drop" and w["lemma"] == other,
    rf"\+ the similar word {WORD} was accepted": lambda w, other: w.accepted(other) is True and w.alike(other),
    rf"- the similar word {WORD} was refused": lambda w, other: w.accepted(other) is False and w.alike(other),
    rf"\+ an everyday form of the (accepted|kept) word {WORD}": lambda w, said, base: (
        base.was(said) and w["lemma"] == base and w.everyday
    ),
    r"\+ other forms of this spelling were accepted or kept": lambda w: w.spelled_alike(True),
    r"- other forms of this spelling were refused or dropped": lambda w: w.spelled_alike(False),
    r"- an unusual spelling or a name \(listed from p = 0\.7 on\)": lambda w: w.unusual,
    r"- never met in texts and said with more or most": never_said,
    r"- offensive \((slur|vulgar|explicit|crude|sensitive)\)": lambda w, grade: w.world.grades.get(w) == grade,
    rf"\+ its form {WORD} was (accepted|kept)": lambda w, form, said: form.was(said) and form["lemma"] == w,
    rf"\+ its form {WORD} is likelier": lambda w, form: form["lemma"] == w and form.p >= w.p > w.world.own_p[w],
    rf"\+ {WORD} is likelier": lambda w, base: w["lemma"] == base and base.p >= 0.5 > w.world.own_p[w] >= 0.25,
    rf"- not likelier than {WORD}": lambda w, base: w["lemma"] == base and w.p == base.p,
    rf"\+ an everyday form of {WORD}": lambda w, base: w["lemma"] == base and w.everyday and base.p >= 0.5,
}
"""The condition of each phrase; it gets the word, and the words that the pattern names."""
PATTERNS = {re.compile(pattern): condition for pattern, condition in CONDITIONS.items()}


@functools.cache
def meaning(phrase: str) -> tuple[str, Condition, tuple[Word, ...]]:
    """The pattern of a phrase, its condition, and the words that it names; a phrase that nobody knows is untrue."""
    for pattern, condition in PATTERNS.items():
        if match := pattern.fullmatch(phrase):
            return pattern.pattern, condition, tuple(map(Word, match.groups()))
    return "", lambda *_: False, ()


def column(table: pd.DataFrame, name: str, values: Iterable[Any] | None = None) -> dict[str, Any]:
    """A column, or other values, by the words of a table."""
    return dict(zip(table["word"].tolist(), table[name].tolist() if values is None else values, strict=True))


@pytest.fixture(scope="module")
def world(real_run: Path) -> World:
    tables = {path.stem: pd.read_parquet(path) for path in (real_run / "build").glob("*.parquet")}
    lexicon = tables["vocabulary"]
    names = lexicon["word"].tolist()
    links = defaultdict(dict)
    for form, base, kind in tables["links"][["form", "base", "kind"]].itertuples(index=False):
        links[names[form]][names[base]] = kind
    pairs = tables["same_stem"][["form", "base"]].itertuples(index=False)
    text = {"keep_default_na": False, "dtype": str}
    record = pd.read_csv(real_run / "custom/record.csv", **text)
    words = pd.read_csv(real_run / "custom/words.csv", **text)
    published = words.merge(tables["decisions"], on="word", suffixes=("", "_decided"))
    assert len(published) == len(words)
    assert (published["details"] == published["details_decided"]).all()
    spellings, flags, estimates = tables["spellings"], tables["flags"], tables["estimates"]
    variants = defaultdict(list)
    for word, root, differs in spellings[["variant", "root", "differs"]].itertuples(index=False):
        variants[root, differs].append(word)
        variants[differs].append(word)
    Word.world = World(
        lexicon=column(lexicon, "word", lexicon.to_dict("records")),
        links=links,
        same_stem={(names[form], names[base]) for form, base in pairs},
        spellings={row.variant: (row.root, row.differs) for row in spellings.itertuples()},
        outcomes=column(record, "word", (record["last_accepted"] > record["last_refused"]).tolist()),
        verdicts=column(pd.read_csv(real_run / "custom/verdicts.csv", **text), "verdict"),
        decisions=column(tables["decisions"], "word", tables["decisions"].to_dict("records")),
        own_p=column(estimates[estimates["kind"] != "record"], "p"),
        grades=column(flags[flags["flag"].isin(["slur", "vulgar", "explicit", "crude", "sensitive"])], "flag"),
        variants=variants,
    )
    return Word.world


def test_all_that_is_said_of_a_word_is_true_and_said_once_and_at_most_four_things_are(world):
    used: Counter[str] = Counter()
    rows = [row for row in world.decisions.values() if row["kind"] == "estimate"]
    untrue = []
    for row in rows:
        word, phrases = Word(row["word"]), row["details"].split("|", 1)[1].split(", ")
        assert 1 <= len(set(phrases)) == len(phrases) <= 4, row
        for phrase in phrases:
            pattern, condition, named = meaning(phrase)
            used[pattern] += 1
            if not condition(word, *named):
                untrue.append(f"{word}: {phrase}")
    assert not untrue, f"{len(untrue)}, such as {untrue[:20]}"
    assert len(rows) > 150_000
    often = {pattern for pattern, times in used.items() if times > 100}
    assert len(often) > 30, "a phrase that is never said is not tested here"


def test_a_kind_of_spelling_that_speaks_against_a_word_was_always_refused(world):
    rows = [row for row in world.decisions.values() if row["kind"] == "spelling"]
    assert len(rows) > 10
    for row in rows:
        _, differs = world.spellings[row["word"]]
        said = [world.kept(other) for other in world.variants[differs] if world.kept(other) is not None]
        assert len(said) >= 3, row
        assert not any(said), row
