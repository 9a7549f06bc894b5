"""The solver: which words of a list are answers of a puzzle. Standard library only.

An answer uses a subset of the seven letters that includes the center, and there are only 64 such subsets. So words are
grouped by letter mask once, and a puzzle takes at most 64 look-ups, however long the list is; `build_index` folds two
letters to need even fewer. For a single puzzle and a cold start, scanning the list is faster than grouping it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TypedDict

from pipeline import reader
from pipeline.words import LISTED, UNSAFE_FLAGS, Puzzle, mask, pangram, perfect_pangram


class Candidate(TypedDict):
    """A word that is not on the list, with its p."""

    word: str
    p: float


Index = dict[int, list[str]]
"""Words grouped by letter mask, and by mask with any combination of folded letters ignored."""

FOLDED_LETTERS = "ai"
"""The letters that an index can ignore: the two that occur in most puzzles. One more would double its size."""


def load_release(folder: str | os.PathLike[str]) -> list[str]:
    """Read the word list of the release in a folder; raises ReleaseError if it is not the published one."""
    return reader.read(folder, "wordlist.txt").files["wordlist.txt"].decode().split()


def load_doubtful_words(puzzle: Puzzle, release: str | os.PathLike[str] = reader.RELEASE) -> list[Candidate]:
    """Return the words of the tier review that are possible in a puzzle, each with its p, most likely first.

    Raises ReleaseError if `words.csv` of the release is not the published file.
    """
    rows = [row for row in _spelled_rows(puzzle, release) if row["tier"] == "review" and puzzle.center in row["word"]]
    return _with_p({row["word"]: float(row["p"]) for row in rows})


def load_pangram_candidates(puzzle: Puzzle, release: str | os.PathLike[str] = reader.RELEASE) -> list[Candidate]:
    """Return the `pangram_candidates` of a puzzle, each with its p, most likely first; raises errors like
    `load_doubtful_words`."""
    return _with_p(pangram_candidates(_spelled_rows(puzzle, release)))


def _with_p(probabilities: Mapping[str, float]) -> list[Candidate]:
    return [{"word": word, "p": probabilities[word]} for word in most_likely_first(probabilities)]


def _spelled_rows(puzzle: Puzzle, release: str | os.PathLike[str]) -> list[dict[str, str]]:
    """Return the rows of `words.csv` of a release whose words have only letters of a puzzle."""
    table = reader.read(release, "words.csv").files["words.csv"]
    return reader.rows(table, "words.csv", f"[{puzzle.letters}]+")


def pangram_candidates(rows: Iterable[Mapping[str, str]]) -> dict[str, float]:
    """Return the unlisted pangrams that may be the guess for their letters, each with its p, from rows of `words.csv`:
    words that were never tried, unless a person dropped them or `UNSAFE_FLAGS` leaves them out.

    >>> offered = {"octaven": "0", "covenat": "2", "cave": "0"}
    >>> refused = {"tier": "refused", "p": "0.5", "flags": "", "kind": "estimate"}
    >>> rows = [{"word": word, "offered": trials, **refused} for word, trials in offered.items()]
    >>> pangram_candidates(rows)
    {'octaven': 0.5}
    """
    candidates = {}
    for row in rows:
        is_unsure = row["tier"] not in LISTED and row["offered"] == "0" and row["kind"] != "verdict"
        if is_unsure and pangram(row["word"]) and set(UNSAFE_FLAGS).isdisjoint(row["flags"].split()):
            candidates[row["word"]] = float(row["p"] or 0)
    return candidates


def most_likely_first(probabilities: Mapping[str, float]) -> list[str]:
    """Order words by falling p, then A to Z: the first pangram is the guess for its letters.

    >>> most_likely_first({"octavens": 0.2, "covenanta": 0.2, "octaven": 0.3})
    ['octaven', 'covenanta', 'octavens']
    """
    return sorted(probabilities, key=lambda word: (-probabilities[word], word))


def guessed_pangrams(listed: Iterable[str], probabilities: Mapping[str, float]) -> set[str]:
    """Return the most likely pangram of every set of seven letters for which no listed word uses all letters.

    >>> candidates = {"octaven": 0.3, "bangered": 0.2, "bangerad": 0.4, "bandager": 0.4}
    >>> guessed_pangrams(["covenant"], candidates)
    {'bandager'}
    """
    masks_with_pangram = {mask(word) for word in listed if pangram(word)}
    guesses: dict[int, str] = {}
    for word in most_likely_first(probabilities):
        if pangram(word) and mask(word) not in masks_with_pangram:
            guesses.setdefault(mask(word), word)
    return set(guesses.values())


def group_by_mask(words: Iterable[str]) -> dict[int, list[str]]:
    """Group words that have the same letters.

    >>> list(group_by_mask(["noon", "moon", "mono"]).values())
    [['noon'], ['moon', 'mono']]
    """
    groups: dict[int, list[str]] = {}
    for word in words:
        groups.setdefault(mask(word), []).append(word)
    return groups


def build_index(words: Iterable[str]) -> Index:
    """Group words by letter mask: each is stored under its own mask and under each mask with folded letters ignored.

    An ignored letter has its bit cleared and another bit, from 26 on, set instead.

    >>> index = build_index(["noon", "main", "mono", "omni"])
    >>> [index[mask(word)] for word in ("noon", "mono", "main")]
    [['noon'], ['mono'], ['main']]
    >>> index[mask("mn") | _IGNORED_BITS["a"] | mask("i")]
    ['main']
    """
    index: Index = {}
    for own_mask, words_of_mask in group_by_mask(words).items():
        masks = [own_mask]
        for letter, ignored_bit in _IGNORED_BITS.items():
            masks += [(other_mask & ~mask(letter)) | ignored_bit for other_mask in masks]
        for key in masks:
            index.setdefault(key, []).extend(words_of_mask)
    return index


_IGNORED_BITS = {letter: 1 << 26 + position for position, letter in enumerate(FOLDED_LETTERS)}
_LETTER_BITS = {letter: mask(letter) for letter in "abcdefghijklmnopqrstuvwxyz"}


def solve(index: Index, puzzle: Puzzle) -> list[str]:
    """Return the words of an index that are answers of a puzzle, in any order.

    >>> from pipeline.words import puzzle
    >>> sorted(solve(build_index(["octave", "cove", "canto", "seven"]), puzzle("vctaoen")))
    ['cove', 'octave']
    """
    fixed_bits = _LETTER_BITS[puzzle.center]
    outer_bits = 0
    for letter in puzzle.outer:
        if letter in _IGNORED_BITS:
            fixed_bits |= _IGNORED_BITS[letter]
        else:
            outer_bits |= _LETTER_BITS[letter]
    answers = list(index.get(fixed_bits, []))
    subset = outer_bits
    while subset:
        words = index.get(fixed_bits | subset)
        if words:
            answers += words
        subset = (subset - 1) & outer_bits  # the next smaller subset of the outer letters
    return answers


def scan(words: Iterable[str], puzzle: Puzzle) -> list[str]:
    """Return the same words as `solve`, by reading the whole list once.

    A word has only letters of the puzzle if `str.strip` removes them all.

    >>> from pipeline.words import puzzle
    >>> scan(["octave", "cove", "canto", "seven"], puzzle("vctaoen"))
    ['octave', 'cove']
    """
    center, letters = puzzle.center, puzzle.letters
    return [word for word in words if center in word and not word.strip(letters)]


def pangrams_first(words: Iterable[str]) -> list[str]:
    """Order answers for reading: pangrams first, then longest first, then A to Z.

    >>> pangrams_first(["cove", "octave", "covenant", "cave"])
    ['covenant', 'octave', 'cave', 'cove']
    """
    return sorted(words, key=lambda word: (not pangram(word), -len(word), word))


def starred(word: str) -> str:
    """Mark a pangram with `*` and a perfect pangram with `**`.

    >>> starred("covenant"), starred("vacant"), starred("bangers")
    ('covenant *', 'vacant', 'bangers **')
    """
    if not pangram(word):
        return word
    return f"{word} **" if perfect_pangram(word) else f"{word} *"
