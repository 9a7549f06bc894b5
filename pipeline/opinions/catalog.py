"""The catalog of flags: what each marks, with names and descriptions for people and for the page.

To add a flag, add one entry here. Needs the standard library only, because the page and the exports show the flags; the
functions get a frame.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.facts.endings import NO_SIZE

if TYPE_CHECKING:
    import pandas as pd

LARGE, RARE, SELDOM, ABROAD_BY, FEW = 70, 2.0, 1.5, 1.0, 3.0
"""Thresholds: the size from which a SCOWL list is large (size 70 is the first that ordinary dictionaries do not cover);
the Zipf frequency below which a word is rare (one in ten million), and below which one of a smaller list is seldom met
(three in a hundred million: 92% of the official puzzles have a more common pangram); by how much a word must be more
common in another language to look foreign (ten times); the frequency below which a technical ending counts."""

TECHNICAL = tuple("ase emia idae itis lysis oid oma osis pathy plasia ploid tomy uria ylene".split())


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag: id, severity (strong, fair or note), name, a sentence, and what it marks, with which detail.

    `marks` and `detail` get the rows of the table `lexicon`. `marks` is None for a flag that only people give, in
    `custom/offensive.csv`.
    """

    id: str
    severity: str
    name: str
    sentence: str
    marks: Callable[[pd.DataFrame], pd.Series] | None
    detail: Callable[[pd.DataFrame], pd.Series | str]


def _same(text: str) -> Callable[[pd.DataFrame], str]:
    return lambda _: text


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


def above_all_a_name(frame: pd.DataFrame) -> pd.Series:
    """Return which words are names with little other sense: SCOWL has the word with a capital in lists at least as
    small, and WordNet no more senses than with a capital, or one."""
    named = frame[["scowl_upper", "scowl_name"]].min(axis=1)
    senses = frame["wordnet_senses"] <= frame["wordnet_capitalised"].clip(lower=1)
    return (named < NO_SIZE) & (named <= frame["scowl_size"]) & (frame["scowl_size"] < NO_SIZE) & senses


def _proper(frame: pd.DataFrame) -> pd.Series:
    named = frame[["scowl_upper", "scowl_name"]].min(axis=1)
    listed = (frame["scowl_size"] > 80) & (named < NO_SIZE)
    only = (frame["wordnet_senses"] == 0) & (frame["scowl_size"] >= LARGE) & (frame["wordnet_capitalised"] > 0)
    above_all = above_all_a_name(frame) & (frame["lemma"] == "")
    return only | (listed & (frame["wordnet_senses"] == 0)) | above_all


def _foreign(frame: pd.DataFrame) -> pd.Series:
    more = frame["zipf_abroad"] - frame["zipf"] >= ABROAD_BY
    return more & (frame["scowl_size"] >= 50) & (frame["zipf_abroad"] >= FEW)


def _american_lists(frame: pd.DataFrame) -> pd.Series:
    return (frame["scowl_size"] < NO_SIZE).map({True: "SCOWL 95 only", False: "in no SCOWL list in American spelling"})


def _without_sense(frame: pd.DataFrame) -> pd.Series:
    """Mark words that only large lists have, and without a sense in WordNet."""
    return (frame["scowl_size"] >= LARGE) & (frame["wordnet_senses"] == 0)


FLAGS: tuple[Flag, ...] = (
    Flag(
        "unlisted", "strong", "in no usual list", "No SCOWL list up to size 80 has the word in American spelling.",
        lambda frame: frame["scowl_size"] > 80, _american_lists,
    ),
    Flag(
        "large-list", "strong", "only in large lists",
        "Only SCOWL sizes 70 and 80 have the word; most dictionaries do not have these words.",
        lambda frame: frame["scowl_size"].between(LARGE, 80), _column("SCOWL ", "scowl_size"),
    ),
    Flag(
        "rare", "strong", "rare",
        "The word occurs less than once in ten million words of text, and only large lists have it.",
        lambda frame: (frame["zipf"] < RARE) & (frame["scowl_size"] >= LARGE),
        lambda frame: frame["zipf"].map(lambda z: "less than one in ten million" if z else "not met at all"),
    ),
    Flag(
        "seldom", "note", "seldom met",
        "Ordinary dictionaries have the word, but it occurs less than three times in a hundred million words of text.",
        lambda frame: (frame["zipf"] < SELDOM) & (frame["scowl_size"] < LARGE),
        _same("less than three in a hundred million"),
    ),
    Flag(
        "archaic", "note", "archaic", "WordNet labels every sense of the word as archaic.",
        _all_labelled("archaism"), _column("WordNet: ", "wordnet_labels"),
    ),
    Flag(
        "technical", "fair", "technical", "The word has a scientific ending and is not common.",
        lambda frame: frame["word"].str.endswith(TECHNICAL) & (frame["zipf"] < FEW) & (frame["scowl_size"] >= 60),
        _same("scientific ending"),
    ),
    Flag(
        "foreign", "fair", "foreign",
        "The word is at least ten times as common in a language that English borrows from.",
        _foreign, lambda frame: "much commoner in " + frame["language"] + " than in English",
    ),
    Flag(
        "proper", "strong", "proper noun",
        "The lists have the word as a capitalized name, and hardly as a common word.",
        _proper, _same("known above all with a capital"),
    ),
    Flag(
        "abbreviation", "strong", "abbreviation", "SCOWL has the word as an abbreviation and not as a usual word.",
        lambda frame: (frame["scowl_abbreviation"] < NO_SIZE) & _without_sense(frame),
        _column("SCOWL abbreviations ", "scowl_abbreviation"),
    ),
    Flag(
        "variant", "note", "variant spelling", "SCOWL has the word only as a variant of another spelling.",
        lambda frame: (
            (frame["scowl_variant"] < NO_SIZE) & (frame[["scowl_size", "scowl_british"]].min(axis=1) == NO_SIZE)
        ),
        _column("SCOWL variant level ", "scowl_variant_level"),
    ),
    Flag(
        "derived", "fair", "derived form only", "Only large lists have the word, and only as a form of another word.",
        lambda frame: (frame["lemma"] != "") & _without_sense(frame), _column("form of ", "lemma"),
    ),
    Flag(
        "british", "fair", "British spelling",
        "SCOWL has the word only as a British, Canadian or Australian spelling.",
        lambda frame: (frame["scowl_british"] < NO_SIZE) & (frame["scowl_size"] == NO_SIZE),
        _column("SCOWL British ", "scowl_british"),
    ),
    Flag(
        "slur", "strong", "slur",
        "A person graded the word as a slur, or WordNet labels one of its senses as an ethnic slur.",
        _labelled("ethnic_slur"), _same("WordNet: ethnic slur"),
    ),
    Flag(
        "vulgar", "fair", "strong vulgarity",
        "A person graded the word as a strong vulgarity, WordNet calls a sense obscene, or two offensive lists agree.",
        lambda frame: _labelled("obscenity")(frame) | ((frame["cuss"] == 2) & frame["ldnoobw"]),
        lambda frame: "cuss " + frame["cuss"].astype(str) + ", LDNOOBW " + frame["ldnoobw"].astype(str),
    ),
    Flag(
        "explicit", "note", "explicit sexual term",
        "A person graded the word as an explicit term for a sexual act or organ.", None, _same(""),
    ),
    Flag("crude", "note", "mild vulgarity", "A person graded the word as a mild vulgarity.", None, _same("")),
    Flag(
        "sensitive", "note", "sensitive",
        "A person graded the word as a drug or a demeaning term, or WordNet labels every sense as disparaging.",
        _all_labelled("disparagement"), _same("WordNet: disparagement"),
    ),
)  # fmt: skip
"""All flags. The offensive flags are ordered from most to least serious."""
