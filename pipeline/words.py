"""The glossary: every term of the game as a small function. Standard library only.

A *word* is a string of the letters a to z. A *mask* is the set of its letters as a 26-bit number, bit 0 for "a".
A *puzzle* has one *center* letter and six *outer* letters; its *answers* are words that use only these seven
letters, use the center, and have at least `GAME.min_length` letters. An answer that uses all seven is a *pangram*.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pipeline.errors import LettersError


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of the game: the number of letters of a puzzle, the lengths of words, the extra points of a pangram,
    the percentage of all points that each rank requires, the date of the first puzzle, and the hour, in a time zone, at
    which a puzzle appears."""

    letter_count: int
    min_length: int
    max_length: int
    pangram_bonus: int
    rank_percentages: dict[str, int]
    first_day: str
    new_puzzle_hour: int
    time_zone: str


GAME = Rules(
    letter_count=7,
    min_length=4,  # of the online game; the print edition requires 5 letters
    max_length=19,  # the longest official answer up to 2025 has 15 letters
    pangram_bonus=7,
    rank_percentages={
        "Beginner": 0, "Good Start": 2, "Moving Up": 5, "Good": 8, "Solid": 15, "Nice": 25, "Great": 40, "Amazing": 50,
        "Genius": 70, "Queen Bee": 100,
    },
    first_day="2018-05-09",
    new_puzzle_hour=3,
    time_zone="America/New_York",
)  # fmt: skip
"""The rules of the Spelling Bee."""

TIERS = ("core", "likely", "review", "refused")
"""The tiers: `core` (its last trial accepted it, or a person keeps it), `likely` (never tried, p at or above `LIKELY`),
`review` (never tried and doubtful), `refused`."""
LISTED = ("core", "likely")
"""The tiers of the word list."""
LIKELY = 0.5
"""With at least this p a word is more likely right than wrong, so listing it lowers the expected number of errors. Some
need more (`LIKELY_IF_BRITISH`, `LIKELY_IF_CRUDE`)."""
LIKELY_IF_BRITISH = 0.7
"""British spellings that readers do not call ordinary are listed from this p on. Of ten tried ones with a p from 0.5 to
0.8, estimated by a fit without them, two were accepted."""
LIKELY_IF_CRUDE = 0.9
"""Mild vulgarities are listed from this p on, unless a puzzle accepted their base and that is one, too. Of ten tried
ones with at least this p, from a fit without them, nine were accepted; of ten with a p from 0.2 to 0.9, four."""
DOUBTFUL = 0.15
"""Below this p a word is not worth a review: fewer than one in six would be accepted."""
OFFENSIVE = ("slur", "vulgar", "explicit", "crude", "sensitive")
"""The offensive flags, most serious first. docs/OFFENSIVE.md explains each."""
UNSAFE_FLAGS = ("slur", "vulgar", "explicit")
"""The grades that `bee export --safe` leaves out. A word with one of them that no puzzle accepted is listed only if a
person keeps it."""
NOT_FOR_FAMILIES = OFFENSIVE
"""The grades that `bee export --family` leaves out."""
GRADES = (*OFFENSIVE, "none")
"""The grades that a person may give: an offensive flag, or none."""
VERDICTS = ("keep", "drop")
"""The verdicts that a person may give."""
OPINIONS = ("ordinary", "fine", "doubtful", "strange", "odd")
"""The opinions of two readers about a word, from four points to none. A reader gives two points to a word that the
game would accept, one in doubt, and none if the word is odd."""
PARTS_OF_SPEECH = (
    "noun", "verb", "adjective", "adverb", "pronoun", "preposition", "conjunction", "determiner", "interjection",
)  # fmt: skip
"""The parts of speech of a definition."""
FORMS = ("plural", "past form", "present participle", "third person", "comparative", "superlative")
"""The forms of its base that a word can be. The past form is the past tense, the past participle, or both."""
TIER_OF_VERDICT = {"keep": "core", "drop": "refused"}
"""The tier that each verdict gives a word."""
REASONS = (
    "verdict", "accepted", "refused", "slur", "vulgar", "explicit", "estimate", "unlearned", "gone",
)  # fmt: skip
"""The kinds of reasons for the tier of a word: a person decided; the last trial accepted or refused it; it has a grade
of `UNSAFE_FLAGS`; its estimate; nothing to learn from; no list has it any more."""
KINDS_BY_TRIAL = ("accepted", "refused")
"""The kinds of reasons that come from the record."""
KINDS_BY_P = ("estimate", "unlearned")
"""The kinds of reasons of a word that was never tried, so that only its p decides whether it is listed."""
DATES_OF_RECORD = ("first_accepted", "last_accepted", "last_refused")
"""The columns of the record of a word that are dates; each is empty if there is no such day."""
WORD_COLUMNS = ("word", "tier", "p", "offered", "accepted", *DATES_OF_RECORD, "flags", "kind", "because")
"""The columns of `words.csv`."""
FILTERS = {"safe": UNSAFE_FLAGS, "family": NOT_FOR_FAMILIES}
"""The filters that leave out offensive words, each with its flags. The stricter one, which comes last, leaves out
everything that the milder one leaves out."""


def decided_by(kind: str) -> str:
    """Return what decides the tier of a word: verdict, record or estimate, from the kind of its reason."""
    if kind == "verdict":
        return "verdict"
    return "record" if kind in KINDS_BY_TRIAL else "estimate"


def verdict_sentence(verdict: Mapping[str, str]) -> str:
    """Return the reason for a decision by a person.

    >>> verdict_sentence({"verdict": "keep", "by": "ann", "reason": "Common."})
    'kept by ann: Common.'
    """
    done = {"keep": "kept", "drop": "dropped"}.get(verdict["verdict"], verdict["verdict"])
    return f"{done} by {verdict['by']}: {verdict['reason']}"


def record_sentence(accepted: int, offered: int, was_accepted: bool, last: str) -> str:
    """Return the reason for a decision by the record of a word, whose last trial accepted it or not.

    >>> record_sentence(1, 1, True, "2026-01-01"), record_sentence(0, 2, False, "2026-01-01")
    ('accepted once, on 2026-01-01', 'refused both times, last on 2026-01-01')
    >>> record_sentence(3, 4, True, "2026-01-01")
    'accepted 3 of 4 times, last on 2026-01-01'
    >>> record_sentence(3, 4, False, "2026-01-01")
    'accepted 3 of 4 times, but not the last time, on 2026-01-01'
    """
    outcome = f"accepted {times(accepted, offered)}" if accepted else f"refused {times(offered, offered)}"
    if offered > 1 and accepted and not was_accepted:
        return f"{outcome}, but not the last time, on {last}"
    return f"{outcome}, on {last}" if offered == 1 else f"{outcome}, last on {last}"


def times(number: int, of: int) -> str:
    """Return how often something happened.

    >>> times(1, 1), times(2, 2), times(3, 3), times(1, 3)
    ('once', 'both times', 'all 3 times', '1 of 3 times')
    """
    if number < of:
        return f"{number} of {of:,} times"
    return {1: "once", 2: "both times"}.get(of, f"all {of:,} times")


def count(number: int, noun: str) -> str:
    """Return a number followed by its noun, in the plural unless the number is 1.

    >>> count(1, "new word"), count(2500, "new word")
    ('1 new word', '2,500 new words')
    """
    ending = "" if number == 1 else "s"
    return f"{number:,} {noun}{ending}"


class Puzzle(NamedTuple):
    """Seven letters: `center`, one letter; `outer`, the six others, sorted."""

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
    """Parse a puzzle from seven letters, center first, or six and the center; case, blanks and punctuation are ignored.

    >>> puzzle("V CTAOEN")
    Puzzle(center='v', outer='acenot')
    >>> puzzle("ctaoen", center="v") == puzzle("vctaoen")
    True

    Raises LettersError.
    """
    letters = "".join(letters.split()).lower().translate(_WITHOUT_SEPARATORS)
    if len(letters) > 26:
        raise LettersError(f"A puzzle has seven letters, center first; you gave {len(letters):,}.")
    if center is not None:
        center = center.strip().lower()
        if len(center) != 1:
            raise LettersError(f'The center must be one letter, not "{center}".')
        if center in letters:
            raise LettersError(f'The center letter "{center}" is also among the outer letters "{letters}".')
        letters = center + letters
    for letter in letters:
        if not "a" <= letter <= "z":
            raise LettersError(f'"{letter}" is not a letter from a to z.')
    for position, letter in enumerate(letters):
        if letter in letters[:position]:
            raise LettersError(f'The letter "{letter}" is in "{letters}" twice; seven different letters are needed.')
    if len(letters) != GAME.letter_count:
        problem = f'"{letters}" has {len(letters)}' if letters else "you gave none"
        raise LettersError(f"A puzzle has seven letters, center first; {problem}.")
    return Puzzle(letters[0], "".join(sorted(letters[1:])))


_WITHOUT_SEPARATORS = str.maketrans("", "", ",;:/|-")


def mask(word: str) -> int:
    """Return the letters of a word as a 26-bit set.

    >>> mask("abba") == 0b11
    True
    """
    bits = 0
    for letter in set(word):
        bits |= 1 << (ord(letter) - 97)
    return bits


def not_text(content: str) -> bool:
    """Return whether the content of a file is no text, because its start has control characters.

    >>> not_text("cove\\r\\noctave\\t1\\x1a"), not_text("PK\\x03\\x04")
    (False, True)
    """
    return bool(re.search(r"[\x00-\x08\x0e-\x19\x1b-\x1f]", content[:4096]))


def without_comment(line: str) -> str:
    """Return a line of a word list without its comment, which `#` starts.

    >>> without_comment("covenant # a promise"), without_comment("# nouns")
    ('covenant', '')
    """
    return re.sub(r"(^|\s)#.*", "", line)


def rule_broken(word: str) -> str | None:
    """Return the rule that makes a line of a word list unplayable, or None if it is playable.

    >>> [rule_broken(line) for line in ("cafe", "bee", "Rome", "café", "o'clock", "all-in", "background")]
    [None, 'too short', 'capital', 'accent', 'apostrophe', 'hyphen', 'more than 7 different letters']
    """
    if not (word.isascii() and word.isalpha() and word.islower()):
        for rule, pattern in _NOT_A_WORD:
            if re.search(pattern, word):
                return rule
        return "accent"
    if len(word) < GAME.min_length:
        return "too short"
    if len(word) > GAME.max_length:
        return "too long"
    if len(set(word)) > GAME.letter_count:
        return "more than 7 different letters"
    return None


_NOT_A_WORD = (
    ("blank", r"^$|\s|_"),
    ("apostrophe", "['’]"),
    ("hyphen", "-"),
    ("digit or sign", r"[\d!-,./:-@\[-`{-~]"),
    ("capital", "^[A-Za-z]+$"),
)


def why_unplayable(word: str) -> str:
    """Return why no puzzle can have a word, and the word to try if it is the same in plain letters; "" if one can.

    >>> why_unplayable("cab"), why_unplayable("background"), why_unplayable("octave")
    ('too short: an answer has at least 4 letters', '10 different letters: a puzzle has 7', '')
    >>> why_unplayable("café"), why_unplayable("o'clock")
    ('é is no letter of the game; try cafe', "' is no letter of the game")
    >>> why_unplayable("cove\\u200b")
    'U+200B (zero width space) is no letter of the game; try cove'
    """
    word = unicodedata.normalize("NFC", word.lower())
    other_characters = [character for character in word if not "a" <= character <= "z"]
    if other_characters:
        plain = _in_plain_letters(word)
        advice = f"; try {plain}" if playable(plain) else ""
        return f"{_name_of_character(other_characters[0])} is no letter of the game{advice}"
    if len(word) < GAME.min_length:
        return f"too short: an answer has at least {GAME.min_length} letters"
    if len(word) > GAME.max_length:
        return f"too long: no answer has more than {GAME.max_length} letters"
    if len(set(word)) > GAME.letter_count:
        return f"{len(set(word))} different letters: a puzzle has {GAME.letter_count}"
    return ""


_LETTERS_WITHOUT_PARTS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i"}
)
"""Letters that Unicode does not decompose into a plain letter and a mark."""


def _in_plain_letters(word: str) -> str:
    """Return a word without accents and invisible characters, and with other forms of letters as plain letters."""
    parts = unicodedata.normalize("NFKD", word).translate(_LETTERS_WITHOUT_PARTS)
    return "".join(part for part in parts if unicodedata.category(part) not in ("Mn", "Cf"))


def _name_of_character(character: str) -> str:
    """Return a character as a message shows it: by its name if it is invisible or could be mistaken for a letter."""
    if character == " ":
        return "a space"
    if character.isprintable() and ord(character) < ord("ɐ"):
        return character
    return f"U+{ord(character):04X} ({unicodedata.name(character, 'control character').lower()})"


def playable(word: str) -> bool:
    """Return whether some puzzle could have the word: 4 to 19 letters a to z, at most 7 different ones.

    >>> playable("null"), playable("Rome"), playable("uncopyrightable")
    (True, False, False)
    """
    return rule_broken(word) is None


RARE_LETTERS = (frozenset("s"), frozenset("er"))
"""Letters that official puzzles rarely have. This is a habit of the editor, not a rule, so a list for solvers needs the
words with them. Our own puzzles have none of them."""


def in_play(word: str) -> bool:
    """Return whether a word, or the letters of a puzzle, have no S, and not both E and R: see `RARE_LETTERS`.

    >>> in_play("octave"), in_play("octaves"), in_play("overact"), in_play("retina")
    (True, False, False, False)
    """
    return not any(letters <= set(word) for letters in RARE_LETTERS)


def spells(letters: Puzzle, word: str) -> bool:
    """Return whether the puzzle's letters spell the word, including the center.

    >>> spells(puzzle("vctaoen"), "octave"), spells(puzzle("vctaoen"), "canto")
    (True, False)
    """
    return letters.center in word and set(word) <= set(letters.letters)


def pangram(word: str) -> bool:
    """Return whether a word uses seven different letters, and so is a pangram of its puzzles.

    >>> pangram("covenant"), pangram("cove")
    (True, False)
    """
    return len(set(word)) == GAME.letter_count


def perfect_pangram(word: str) -> bool:
    """Return whether a pangram uses each letter once.

    >>> perfect_pangram("factum"), perfect_pangram("octagon"), perfect_pangram("bangers")
    (False, False, True)
    """
    return pangram(word) and len(word) == GAME.letter_count


def bingo(letters: Puzzle, answers: Iterable[str]) -> bool:
    """Return whether every letter of the puzzle starts some answer.

    >>> bingo(puzzle("abcdefg"), ["abed", "bead", "cafe", "dace", "each", "face", "gaff"])
    True
    """
    return set(letters.letters) <= {word[0] for word in answers}


def score(word: str) -> int:
    """Return the points of a word: 1 for four letters, else its length, and 7 more for a pangram.

    >>> score("cove"), score("octave"), score("covenant")
    (1, 6, 15)
    """
    points = 1 if len(word) <= GAME.min_length else len(word)
    return points + GAME.pangram_bonus if pangram(word) else points


def ranks(points: int) -> dict[str, int]:
    """Return the points required for each rank of a puzzle, given the points of all its answers.

    A half is rounded up, in binary floating point, like the Genius figure on the pages of nytbee.com.

    >>> ranks(237)["Genius"], ranks(237)["Queen Bee"], ranks(45)["Genius"]
    (166, 237, 31)
    """
    return {name: int(percent / 100 * points + 0.5) for name, percent in GAME.rank_percentages.items()}


def days_between(since: str, until: str) -> list[str]:
    """Return all dates from `since` to `until`, newest first.

    >>> days_between("2024-12-31", "2025-01-01")
    ['2025-01-01', '2024-12-31']
    """
    first = datetime.date.fromisoformat(since).toordinal()
    last = datetime.date.fromisoformat(until).toordinal()
    return [datetime.date.fromordinal(number).isoformat() for number in range(last, first - 1, -1)]


def spans_of(dates: Iterable[str]) -> list[tuple[datetime.date, datetime.date]]:
    """Return the first and last date of each group of consecutive dates."""
    spans: list[tuple[datetime.date, datetime.date]] = []
    for date in sorted(map(datetime.date.fromisoformat, dates)):
        if spans and (date - spans[-1][1]).days == 1:
            spans[-1] = (spans[-1][0], date)
        else:
            spans.append((date, date))
    return spans


MAX_RANGES = 5
"""The maximum number of ranges of dates that a message has."""


def date_ranges(dates: Iterable[str]) -> str:
    """Return dates as text for a message.

    >>> date_ranges(["2018-05-10"]), date_ranges(["2018-05-10", "2018-05-12", "2018-05-11"])
    ('2018-05-10', '2018-05-10 to 2018-05-12')
    >>> date_ranges(f"2018-05-{day:02}" for day in range(1, 28, 3))
    '2018-05-01, 2018-05-04, 2018-05-07, 2018-05-10, 2018-05-13 and 4 more'
    """
    spans = spans_of(dates)
    texts = [str(first) if first == last else f"{first} to {last}" for first, last in spans]
    more = sum((last - first).days + 1 for first, last in spans[MAX_RANGES:])
    return ", ".join(texts[:MAX_RANGES]) + (f" and {more} more" if more else "")


def puzzle_day(now: datetime.datetime, days_ago: int = 0) -> str:
    """Return the date of the puzzle that is current at `now`, a time with a zone, or `days_ago` days before.

    >>> import datetime
    >>> puzzle_day(datetime.datetime(2025, 3, 9, 6, 59, tzinfo=datetime.UTC))  # the clocks went forward at 02:00
    '2025-03-08'
    >>> puzzle_day(datetime.datetime(2025, 3, 9, 7, 0, tzinfo=datetime.UTC))
    '2025-03-09'
    """
    local_time = now.astimezone(ZoneInfo(GAME.time_zone))
    return (local_time - datetime.timedelta(days=days_ago, hours=GAME.new_puzzle_hour)).date().isoformat()
