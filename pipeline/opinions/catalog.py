"""The catalog of flags: names and descriptions for people and for the page. Standard library only."""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """A flag: id, severity (strong, fair or note), name, and a sentence on what it marks."""

    id: str
    severity: str
    name: str
    sentence: str


RULES: tuple[Rule, ...] = (
    Rule(
        "unlisted",
        "strong",
        "in no usual list",
        "No SCOWL list up to size 80 has the word in American spelling.",
    ),
    Rule(
        "large-list",
        "strong",
        "only in large lists",
        "Only SCOWL sizes 70 and 80 have the word; most dictionaries do not have these words.",
    ),
    Rule(
        "rare",
        "strong",
        "rare",
        "The word occurs less than once in ten million words of text, and only large lists have it.",
    ),
    Rule(
        "archaic",
        "note",
        "archaic",
        "WordNet labels every sense of the word as archaic.",
    ),
    Rule(
        "technical",
        "fair",
        "technical",
        "The word has a scientific ending and is not common.",
    ),
    Rule(
        "foreign",
        "fair",
        "foreign",
        "The word is at least ten times as common in a language that English borrows from.",
    ),
    Rule(
        "proper",
        "strong",
        "proper noun",
        "The lists have the word as a capitalized name, and not as a usual common word.",
    ),
    Rule(
        "abbreviation",
        "strong",
        "abbreviation",
        "SCOWL has the word as an abbreviation and not as a usual word.",
    ),
    Rule(
        "variant",
        "note",
        "variant spelling",
        "SCOWL has the word only as a variant of another spelling.",
    ),
    Rule(
        "derived",
        "fair",
        "derived form only",
        "Only large lists have the word, and only as a form of another word.",
    ),
    Rule(
        "british",
        "fair",
        "British spelling",
        "SCOWL has the word only as a British, Canadian or Australian spelling.",
    ),
    Rule(
        "slur",
        "strong",
        "slur",
        "A person graded the word as a slur, or WordNet labels one of its senses as an ethnic slur.",
    ),
    Rule(
        "vulgar",
        "fair",
        "strong vulgarity",
        "A person graded the word as a strong vulgarity, WordNet calls a sense obscene, or two offensive lists agree.",
    ),
    Rule(
        "explicit",
        "note",
        "explicit sexual term",
        "A person graded the word as an explicit term for a sexual act or organ.",
    ),
    Rule("crude", "note", "mild vulgarity", "A person graded the word as a mild vulgarity."),
    Rule(
        "sensitive",
        "note",
        "sensitive",
        "A person graded the word as a drug or a demeaning term, or WordNet labels every sense as disparaging.",
    ),
)
"""All flags. The offensive flags are ordered from most to least serious."""
