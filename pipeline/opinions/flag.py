"""Flags: rules that raise a hand over a word, with a reason code. They explain and inform; the record decides.

`strong` codes predict refusal, `fair` ones lean to it, `note` only explains. The offensive axis is apart: `slur` is
strong, `vulgar` fair, `sensitive` a note, and none of them ever takes an officially accepted word off the list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from pipeline import frames
from pipeline.lexicon import NO_SIZE, plain

OFFENSIVE = ("slur", "vulgar", "sensitive")
"""The codes of the offensive axis, gravest first."""

LARGE, RARE, ABROAD_BY, FEW = 70, 2.0, 1.0, 3.0
"""Size from which a SCOWL list is large, its 70 being the first that no ordinary dictionary covers; the Zipf
frequency below which a word is rare (one in ten million); by how much a word must be commoner in another language to
look foreign (ten times); below which a technical ending counts."""

TECHNICAL = (
    "ase",
    "emia",
    "idae",
    "itis",
    "lysis",
    "oid",
    "oma",
    "osis",
    "pathy",
    "plasia",
    "ploid",
    "tomy",
    "uria",
    "ylene",
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One reason code: id, severity, name, a sentence, and what it marks with which detail."""

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
    """Mark words with a WordNet usage label, on some sense."""
    pattern = "|".join(f"(?:^| ){label}=" for label in labels)
    return lambda frame: frame["wordnet_labels"].str.contains(pattern)


def _all_labelled(label: str) -> Callable[[pd.DataFrame], pd.Series]:
    """Mark words whose every WordNet sense has a label."""

    def marks(frame: pd.DataFrame) -> pd.Series:
        counts = frame["wordnet_labels"].str.extract(rf"(?:^| ){label}=(\d+)", expand=False).fillna("0")
        return (frame["wordnet_senses"] > 0) & (counts.astype(int) >= frame["wordnet_senses"])

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


RULES: tuple[Rule, ...] = (
    Rule(
        "unlisted",
        "strong",
        "in no usual list",
        "No SCOWL list up to size 80 has the word in American spelling.",
        lambda frame: frame["scowl_size"] > 80,
        lambda frame: frame["scowl_size"].map(
            lambda n: "SCOWL 95 only" if n < NO_SIZE else "in no SCOWL list in American spelling"
        ),
    ),
    Rule(
        "large-list",
        "strong",
        "only in large lists",
        "Only SCOWL's sizes 70 and 80 have the word, which hold what few dictionaries do.",
        lambda frame: frame["scowl_size"].between(LARGE, 80),
        _column("SCOWL ", "scowl_size"),
    ),
    Rule(
        "rare",
        "strong",
        "rare",
        "The word is met less than once in ten million words of text, and only large lists have it.",
        lambda frame: (frame["zipf"] < RARE) & (frame["scowl_size"] >= LARGE),
        lambda frame: frame["zipf"].map(lambda z: "less than one in ten million" if z else "not met at all"),
    ),
    Rule(
        "archaic",
        "note",
        "archaic",
        "WordNet labels every sense of the word an archaism.",
        _all_labelled("archaism"),
        _column("WordNet: ", "wordnet_labels"),
    ),
    Rule(
        "technical",
        "fair",
        "technical",
        "The word has an ending of the sciences and is not common.",
        lambda frame: frame["word"].str.endswith(TECHNICAL) & (frame["zipf"] < FEW) & (frame["scowl_size"] >= 60),
        _same("scientific ending"),
    ),
    Rule(
        "foreign",
        "fair",
        "foreign",
        "The word is at least ten times commoner in a language that English borrows from.",
        _foreign,
        _languages,
    ),
    Rule(
        "proper",
        "strong",
        "proper noun",
        "The lists know the word as a name, with a capital, and not as a usual common word.",
        _proper,
        _same("known with a capital only"),
    ),
    Rule(
        "abbreviation",
        "strong",
        "abbreviation",
        "SCOWL has the word as an abbreviation and not as a usual word.",
        lambda frame: (
            (frame["scowl_abbreviation"] < NO_SIZE) & (frame["scowl_size"] >= LARGE) & (frame["wordnet_senses"] == 0)
        ),
        _column("SCOWL abbreviations ", "scowl_abbreviation"),
    ),
    Rule(
        "variant",
        "note",
        "variant spelling",
        "SCOWL has the word only as a variant of another spelling.",
        lambda frame: (
            (frame["scowl_variant"] < NO_SIZE) & (frame[["scowl_size", "scowl_british"]].min(axis=1) == NO_SIZE)
        ),
        _column("SCOWL variant level ", "scowl_variant_level"),
    ),
    Rule(
        "derived",
        "fair",
        "derived form only",
        "Only large lists have the word, and only as a form of another word.",
        lambda frame: (frame["lemma"] != "") & (frame["scowl_size"] >= LARGE) & (frame["wordnet_senses"] == 0),
        _column("form of ", "lemma"),
    ),
    Rule(
        "british",
        "fair",
        "British spelling",
        "SCOWL has the word only in the spelling of Britain, Canada or Australia.",
        lambda frame: (frame["scowl_british"] < NO_SIZE) & (frame["scowl_size"] == NO_SIZE),
        _column("SCOWL British ", "scowl_british"),
    ),
    Rule(
        "slur",
        "strong",
        "slur",
        "A person graded the word a slur, or WordNet labels a sense of it an ethnic slur.",
        _labelled("ethnic_slur"),
        _same("WordNet: ethnic slur"),
    ),
    Rule(
        "vulgar",
        "fair",
        "vulgar",
        "A person graded the word vulgar, WordNet labels a sense obscene, or two offensive lists agree.",
        lambda frame: _labelled("obscenity")(frame) | ((frame["cuss"] == 2) & frame["ldnoobw"]),
        lambda frame: "cuss " + frame["cuss"].astype(str) + ", LDNOOBW " + frame["ldnoobw"].astype(str),
    ),
    Rule(
        "sensitive",
        "note",
        "sensitive",
        "An offensive list has the word, or WordNet calls a sense disparaging; mostly an ordinary word.",
        lambda frame: _labelled("disparagement")(frame) | (frame["cuss"] >= 1) | frame["ldnoobw"],
        lambda frame: "cuss " + frame["cuss"].astype(str) + ", LDNOOBW " + frame["ldnoobw"].astype(str),
    ),
)


def flag(lexicon: pd.DataFrame, grades: pd.DataFrame | None = None) -> pd.DataFrame:
    """Raise the flags of every common word of the lexicon: long rows (word, flag, severity, detail).

    A word has at most one flag of the offensive axis: what a person graded it (`grades`: word, grade, which may be
    "none"), else the gravest that the lists give it. Inflected forms inherit it from their lemma.
    """
    frame = lexicon[plain(lexicon) | (lexicon["zipf"] > 0)].reset_index(drop=True)
    rows = []
    for rule in RULES:
        if rule.id not in OFFENSIVE:
            marked = frame[rule.marks(frame)]
            found = {"word": marked["word"], "flag": rule.id, "severity": rule.severity, "detail": rule.detail(marked)}
            rows.append(pd.DataFrame(found))
    by_hand = frames.empty("offensive") if grades is None else grades
    return frames.check(pd.concat([*rows, _offensive(frame, by_hand)]), "flags")


def _offensive(frame: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Grade words as offensive: by hand, else by the lists, else by what they are a form of."""
    graded: dict[str, tuple[str, str]] = {}
    for rule in (rule for rule in RULES if rule.id in OFFENSIVE):
        marked = frame[rule.marks(frame)]
        for word, detail in zip(marked["word"], rule.detail(marked), strict=True):
            graded.setdefault(word, (rule.id, detail))
    graded |= {row["word"]: (row["grade"], "graded by hand") for row in frames.rows(grades)}
    for word, lemma in zip(frame["word"], frame["lemma"], strict=True):
        if lemma in graded and word not in graded:
            graded[word] = (graded[lemma][0], f"a form of {lemma}")
    severity = {rule.id: rule.severity for rule in RULES}
    rows = [(word, code, severity[code], detail) for word, (code, detail) in graded.items() if code in OFFENSIVE]
    return pd.DataFrame(rows, columns=["word", "flag", "severity", "detail"])
