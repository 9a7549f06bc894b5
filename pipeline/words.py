"""The glossary: every term of the game as a small function. Standard library only.

A *word* is a string of the letters a to z. A *mask* is the set of its letters as a 26-bit number, bit 0 for "a".
A *puzzle* has one *center* letter and six *outer* letters; its *answers* are words that use only these seven
letters, use the center, and have at least `MIN_LENGTH` letters. An answer that uses all seven is a *pangram*.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable

MIN_LENGTH = 4
"""Shortest answer of the online game; the print edition asks for 5."""
MAX_LENGTH = 19
"""Longest word worth keeping: the longest official answer up to 2025 has 15 letters."""
PUZZLE_LETTERS = 7
PANGRAM_BONUS = 7
RANKS = {
    "Beginner": 0,
    "Good Start": 2,
    "Moving Up": 5,
    "Good": 8,
    "Solid": 15,
    "Nice": 25,
    "Great": 40,
    "Amazing": 50,
    "Genius": 70,
    "Queen Bee": 100,
}
"""The game's ranks, each with the percent of all points that it takes."""


class BeeError(Exception):
    """Anything a user can mend. The message says what is wrong, where, and what to do."""

    exit_code = 1
    """What the command line ends with."""


class LettersError(BeeError):
    """The letters given are no puzzle."""

    exit_code = 2


# No dataclass, and `re` only where it is needed: their imports would take longer than solving a puzzle.
class Puzzle(namedtuple("Puzzle", ("center", "outer"))):
    """Seven letters: `center`, one letter; `outer`, the six others, sorted."""

    __slots__ = ()
    center: str
    outer: str

    @property
    def letters(self) -> str:
        """The seven letters, center first.

        >>> puzzle("vctaoen").letters
        'vacenot'
        """
        return self.center + self.outer


def puzzle(letters: str, center: str | None = None) -> Puzzle:
    """Read a puzzle from seven letters, center first, or from six outer letters and the center.

    Case, blanks and punctuation between the letters do not matter.

    >>> puzzle("V CTAOEN")
    Puzzle(center='v', outer='acenot')
    >>> puzzle("ctaoen", center="v") == puzzle("vctaoen")
    True

    Raises LettersError with one sentence that says what is wrong with the letters.
    """
    given = "".join(letters.split()).lower().translate(_BETWEEN)
    if center is not None:
        center = center.strip().lower()
        if len(center) != 1:
            raise LettersError(f'The center is one letter, not "{center}".')
        if center in given:
            raise LettersError(f'The center letter "{center}" is among the outer letters "{given}" too.')
        given = center + given
    if wrong := [letter for letter in given if not "a" <= letter <= "z"]:
        raise LettersError(f'"{wrong[0]}" is not a letter from a to z.')
    if twice := [letter for i, letter in enumerate(given) if letter in given[:i]]:
        raise LettersError(f'The letter "{twice[0]}" is in "{given}" twice; seven different letters are needed.')
    if len(given) != PUZZLE_LETTERS:
        got = f'"{given}" has {len(given)}' if given else "there are none"
        raise LettersError(f"A puzzle has seven letters, center first; {got}.")
    return Puzzle(given[0], "".join(sorted(given[1:])))


_BETWEEN = str.maketrans("", "", ",;:/|-")


def mask(word: str) -> int:
    """Return the letters of a word as a 26-bit set.

    >>> mask("abba") == 0b11
    True
    """
    bits = 0
    for letter in set(word):
        bits |= 1 << (ord(letter) - 97)
    return bits


def rule_broken(word: str, min_length: int = MIN_LENGTH, max_length: int = MAX_LENGTH) -> str | None:
    """Name the rule that keeps a line of a word list from being playable, or None when it is playable.

    >>> [rule_broken(line) for line in ("cafe", "bee", "Rome", "café", "o'clock", "all-in", "background")]
    [None, 'too short', 'capital', 'accent', 'apostrophe', 'hyphen', 'more than 7 letters']
    """
    if not (word.isascii() and word.isalpha() and word.islower()):
        import re

        for rule, pattern in _NOT_A_WORD:
            if re.search(pattern, word):
                return rule
        return "accent"
    if len(word) < min_length:
        return "too short"
    if len(word) > max_length:
        return "too long"
    if len(set(word)) > PUZZLE_LETTERS:
        return "more than 7 letters"
    return None


_NOT_A_WORD = (
    ("blank", r"^$|\s|_"),
    ("apostrophe", "['’]"),
    ("hyphen", "-"),
    ("digit or sign", r"[\d!-,./:-@\[-`{-~]"),
    ("capital", "^[A-Za-z]+$"),
)


def playable(word: str, min_length: int = MIN_LENGTH, max_length: int = MAX_LENGTH) -> bool:
    """Say whether some puzzle could have the word: 4 to 19 letters a to z, at most 7 different ones.

    >>> playable("null"), playable("Rome"), playable("uncopyrightable")
    (True, False, False)
    """
    return rule_broken(word, min_length, max_length) is None


def spells(letters: Puzzle, word: str) -> bool:
    """Say whether the puzzle's letters spell the word, center included.

    >>> spells(puzzle("vctaoen"), "octave"), spells(puzzle("vctaoen"), "canto")
    (True, False)
    """
    return letters.center in word and set(word) <= set(letters.letters)


def pangram(word: str) -> bool:
    """Say whether a word uses seven different letters, so that it is a pangram of its puzzles.

    >>> pangram("covenant"), pangram("cove")
    (True, False)
    """
    return len(set(word)) == PUZZLE_LETTERS


def perfect_pangram(word: str) -> bool:
    """Say whether a pangram uses each letter once.

    >>> perfect_pangram("factum"), perfect_pangram("octagon"), perfect_pangram("bangers")
    (False, False, True)
    """
    return pangram(word) and len(word) == PUZZLE_LETTERS


def bingo(letters: Puzzle, answers: Iterable[str]) -> bool:
    """Say whether every letter of the puzzle starts some answer.

    >>> bingo(puzzle("abcdefg"), ["abed", "bead", "cafe", "dace", "each", "face", "gaff"])
    True
    """
    return set(letters.letters) <= {word[0] for word in answers}


def score(word: str) -> int:
    """Count a word's points: 1 for four letters, else its length, and 7 more for a pangram.

    >>> score("cove"), score("octave"), score("covenant")
    (1, 6, 15)
    """
    points = 1 if len(word) <= MIN_LENGTH else len(word)
    return points + PANGRAM_BONUS * pangram(word)


def ranks(points: int) -> dict[str, int]:
    """Return the points that each rank of a puzzle takes, given the points of all its answers.

    A half is rounded up, in binary floating point, as the pages of nytbee.com print the Genius figure.

    >>> ranks(237)["Genius"], ranks(237)["Queen Bee"], ranks(45)["Genius"]
    (166, 237, 31)
    """
    return {name: int(percent / 100 * points + 0.5) for name, percent in RANKS.items()}
