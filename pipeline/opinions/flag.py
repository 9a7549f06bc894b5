"""Flags: rules that mark words. They explain and inform; the record decides.

A `strong` flag predicts refusal, a `fair` flag suggests it, and a `note` only explains. Offensive flags are separate:
none of them ever removes an officially accepted word from the list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from pipeline.facts.forms import Parts, all_bases, merged_parts, without
from pipeline.facts.lexicon import NO_SIZE, plain
from pipeline.opinions.catalog import RULES
from pipeline.tables import columns, frames
from pipeline.words import GAME, OFFENSIVE

LARGE, RARE, ABROAD_BY, FEW = 70, 2.0, 1.0, 3.0
"""Thresholds: the size from which a SCOWL list is large (size 70 is the first that ordinary dictionaries do not cover);
the Zipf frequency below which a word is rare (one in ten million); by how much a word must be more common in another
language to look foreign (ten times); the frequency below which a technical ending counts."""

TECHNICAL = tuple("ase emia idae itis lysis oid oma osis pathy plasia ploid tomy uria ylene".split())


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag: id, severity, name, a sentence, and the function that returns which words it marks, with which detail."""

    id: str
    severity: str
    name: str
    sentence: str
    marks: Callable[[pd.DataFrame], pd.Series]
    detail: Callable[[pd.DataFrame], pd.Series]


def _same(text: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda frame: pd.Series(text, index=frame.index)


def _column(prefix: str, name: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda frame: prefix + frame[name].astype(str)


def _labelled(*labels: str) -> Callable[[pd.DataFrame], pd.Series]:
    """Mark words with a WordNet usage label on some sense."""
    pattern = "|".join(f"(?:^| ){label}=" for label in labels)
    return lambda frame: frame["wordnet_labels"].str.contains(pattern)


def _all_labelled(label: str) -> Callable[[pd.DataFrame], pd.Series]:
    """Mark words for which every WordNet sense has a label."""

    def marks(frame: pd.DataFrame) -> pd.Series:
        pattern = re.compile(rf"(?:^| ){label}=(\d+)")
        counts = {labels: pattern.search(labels) for labels in frame["wordnet_labels"].unique()}
        senses = {labels: int(match[1]) for labels, match in counts.items() if match}
        labelled = frame["wordnet_labels"].map(senses).fillna(0)
        return (frame["wordnet_senses"] > 0) & (labelled >= frame["wordnet_senses"])

    return marks


def _proper(frame: pd.DataFrame) -> pd.Series:
    named = frame[["scowl_upper", "scowl_name"]].min(axis=1)
    listed = (frame["scowl_size"] > 80) & (named < NO_SIZE)
    return (frame["wordnet_senses"] == 0) & (frame["scowl_size"] >= LARGE) & (frame["wordnet_capitalised"] > 0) | (
        listed & (frame["wordnet_senses"] == 0)
    )


def _foreign(frame: pd.DataFrame) -> pd.Series:
    more = frame["zipf_abroad"] - frame["zipf"] >= ABROAD_BY
    return more & (frame["scowl_size"] >= 50) & (frame["zipf_abroad"] >= FEW)


def _languages(frame: pd.DataFrame) -> pd.Series:
    return "much commoner in " + frame["language"] + " than in English"


def _lists_say(frame: pd.DataFrame) -> pd.Series:
    return "cuss " + frame["cuss"].astype(str) + ", LDNOOBW " + frame["ldnoobw"].astype(str)


_MARKS: dict[str, tuple[Callable[[pd.DataFrame], pd.Series], Callable[[pd.DataFrame], pd.Series]]] = {
    "unlisted": (
        lambda frame: frame["scowl_size"] > 80,
        lambda frame: frame["scowl_size"].map(
            lambda n: "SCOWL 95 only" if n < NO_SIZE else "in no SCOWL list in American spelling"
        ),
    ),
    "large-list": (
        lambda frame: frame["scowl_size"].between(LARGE, 80),
        _column("SCOWL ", "scowl_size"),
    ),
    "rare": (
        lambda frame: (frame["zipf"] < RARE) & (frame["scowl_size"] >= LARGE),
        lambda frame: frame["zipf"].map(lambda z: "less than one in ten million" if z else "not met at all"),
    ),
    "archaic": (
        _all_labelled("archaism"),
        _column("WordNet: ", "wordnet_labels"),
    ),
    "technical": (
        lambda frame: frame["word"].str.endswith(TECHNICAL) & (frame["zipf"] < FEW) & (frame["scowl_size"] >= 60),
        _same("scientific ending"),
    ),
    "foreign": (
        _foreign,
        _languages,
    ),
    "proper": (
        _proper,
        _same("known with a capital only"),
    ),
    "abbreviation": (
        lambda frame: (
            (frame["scowl_abbreviation"] < NO_SIZE) & (frame["scowl_size"] >= LARGE) & (frame["wordnet_senses"] == 0)
        ),
        _column("SCOWL abbreviations ", "scowl_abbreviation"),
    ),
    "variant": (
        lambda frame: (
            (frame["scowl_variant"] < NO_SIZE) & (frame[["scowl_size", "scowl_british"]].min(axis=1) == NO_SIZE)
        ),
        _column("SCOWL variant level ", "scowl_variant_level"),
    ),
    "derived": (
        lambda frame: (frame["lemma"] != "") & (frame["scowl_size"] >= LARGE) & (frame["wordnet_senses"] == 0),
        _column("form of ", "lemma"),
    ),
    "british": (
        lambda frame: (frame["scowl_british"] < NO_SIZE) & (frame["scowl_size"] == NO_SIZE),
        _column("SCOWL British ", "scowl_british"),
    ),
    "slur": (
        _labelled("ethnic_slur"),
        _same("WordNet: ethnic slur"),
    ),
    "vulgar": (
        lambda frame: _labelled("obscenity")(frame) | ((frame["cuss"] == 2) & frame["ldnoobw"]),
        _lists_say,
    ),
    "sensitive": (
        _all_labelled("disparagement"),
        _same("WordNet: disparagement"),
    ),
}
"""The functions that mark words, with details; only people give the flags that are not in this table."""
_NEVER = (lambda frame: pd.Series(False, index=frame.index), _same(""))

FLAGS: tuple[Flag, ...] = tuple(Flag(*rule, *_MARKS.get(rule.id, _NEVER)) for rule in RULES)


def flag(lexicon: pd.DataFrame, grades: pd.DataFrame | None = None) -> pd.DataFrame:
    """Compute the flags of every common word of the lexicon: long rows (word, flag, severity, detail).

    A word has at most one offensive flag, by `manners.graded`. `grades` are the grades that people gave (word, grade,
    which may be "none").
    """
    frame = lexicon[plain(lexicon) | (lexicon["zipf"] > 0)].reset_index(drop=True)
    rows = []
    for rule in FLAGS:
        if rule.id not in OFFENSIVE:
            marked = frame[rule.marks(frame)]
            found = {"word": marked["word"], "flag": rule.id, "severity": rule.severity, "detail": rule.detail(marked)}
            rows.append(pd.DataFrame(found))
    by_hand = frames.empty("offensive") if grades is None else grades
    return frames.check(pd.concat([*rows, _offensive(frame, by_hand)]), "flags")


def _offensive(frame: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Grade words as offensive: by hand, by their bases, and by the lists."""
    by_lists: dict[str, Grade] = {}
    for rule in (each for each in FLAGS if each.id in OFFENSIVE):
        marked = frame[rule.marks(frame)]
        for word, detail in zip(marked["word"].tolist(), rule.detail(marked).tolist(), strict=True):
            by_lists.setdefault(word, Grade(rule.id, detail))
    by_hand = {row["word"]: row["grade"] for row in frames.rows(grades)}
    lemmas = dict(zip(frame["word"].tolist(), frame["lemma"].tolist(), strict=True))
    severity = {rule.id: rule.severity for rule in FLAGS}
    grades_of = graded(lemmas, by_hand, by_lists)
    rows = [(word, found.grade, severity[found.grade], found.because) for word, found in grades_of.items()]
    return pd.DataFrame(rows, columns=["word", "flag", "severity", "detail"])


DERIVING: dict[str, tuple[str, ...]] = {
    "ery": ("", "e"), "fest": ("",), "hood": ("",), "ish": ("", "e"), "ishly": ("", "e"), "ishness": ("", "e"),
    "iness": ("y",), "less": ("",), "like": ("",), "ly": ("",), "ily": ("y",), "ness": ("",), "some": ("",),
    "y": ("", "e"), "able": ("", "e"), "ism": ("",), "dom": ("",), "ier": ("y",),
    "iest": ("y",),
}  # fmt: skip
"""Suffixes of derivatives that have the meaning of their base, each with its possible replacements in the base.
Inflections are in `endings.bases`, including -er, -ed and -ing."""


class Grade(NamedTuple):
    """An offensive grade and its origin."""

    grade: str
    because: str


def graded(lemmas: Mapping[str, str], by_hand: Mapping[str, str], by_lists: Mapping[str, Grade]) -> dict[str, Grade]:
    """Grade words: those that people graded, and every word of `lemmas` (word to the word of which it is a form, or
    "").

    Words graded `none`, and words without a grade, are left out.
    """
    told: dict[str, Grade] = {word: Grade(grade, "graded by hand") for word, grade in by_hand.items()}
    bases = _in_reach(lemmas, [*by_hand, *by_lists])
    for word in sorted(bases.keys() - by_hand.keys(), key=lambda word: (len(word), word)):
        if lemmas[word] in told:
            told[word] = Grade(told[lemmas[word]].grade, f"a form of {lemmas[word]}")
            continue
        made = [Grade(told[base].grade, f"made from {base}") for base in bases[word] if base in told]
        named = [by_lists[word]] if word in by_lists else []
        if found := [each for each in (*made, *named) if each.grade in OFFENSIVE]:
            told[word] = min(found, key=lambda each: OFFENSIVE.index(each.grade))
    return {word: each for word, each in told.items() if each.grade in OFFENSIVE}


def _in_reach(lemmas: Mapping[str, str], graded: list[str]) -> dict[str, list[str]]:
    """Return the words that a grade can pass to: words of `lemmas` that are graded, or derived from such a word.

    Each comes with the words from which it may be derived.
    """
    words = columns.text(lemmas)
    derived = derived_from(words)
    everything = pa.concat_arrays([words, columns.text(set(graded) - lemmas.keys())])
    base = columns.places(derived.text, everything)
    of, by = derived.rows[base >= 0], base[base >= 0]
    lemma = columns.places(columns.text(lemmas.values()), everything)
    of, by = np.append(of, np.flatnonzero(lemma >= 0)), np.append(by, lemma[lemma >= 0])
    reached = columns.among(everything, graded)
    while not reached[of[reached[by]]].all():
        reached[of[reached[by]]] = True
    found: dict[str, list[str]] = {word: [] for word in words.filter(pa.array(reached[: len(words)])).to_pylist()}
    near = derived.where(reached[derived.rows])
    for word, base in zip(words.take(pa.array(near.rows)).to_pylist(), near.text.to_pylist(), strict=True):
        found[word].append(base)
    return found


def derived_from(words: pa.Array) -> Parts:
    """Find the words of which others may be forms or simple derivatives, by spelling alone.

    >>> derived_from(columns.text(["bitchiness"])).text.to_pylist()
    ['bitchy', 'bitchi']
    """
    found = [all_bases(words)]
    for suffix, instead in DERIVING.items():
        stems = without(words, suffix)
        found += [*(stems.plus(end) for end in instead), stems.single()]
    return merged_parts(found).longer(GAME.shortest)
