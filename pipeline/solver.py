"""The solver: which words of a list answer a puzzle. Standard library only.

A puzzle's answers use some subset of its seven letters that holds the center, and there are just 64 of those. So
words are grouped by their letter mask once, and a puzzle is solved by at most 64 look-ups, however long the list is.
Two letters are folded, so that one look-up finds the words with and without them: see `index`. For one puzzle and a
cold start, a plain scan of the list is quicker than grouping it: `scan` needs one C call a word.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from pipeline.words import (
    BeeError,
    Puzzle,
    mask,
    pangram,
    perfect_pangram,
    playable,
    puzzle,
)

Index = dict[int, list[str]]
"""Words grouped by letter mask, and by mask with folded letters left open."""

FOLDED = "ai"
"""The letters that an index leaves open. They are the two that most puzzles have; each one more would double the size
of an index. `bee bench` prints what they gain over `submasks`, which folds none."""

# `os.path` and `open`, not `pathlib`: its import alone takes longer than solving a puzzle.
_HERE = os.path.dirname(__file__)  # noqa: PTH120
_WHEEL, _CHECKOUT = f"{_HERE}/release", f"{os.path.dirname(_HERE)}/data/custom"  # noqa: PTH120
RELEASE = _WHEEL if os.path.isdir(_WHEEL) else _CHECKOUT  # noqa: PTH112
"""The folder of the release that came with this package: inside an installed wheel, or the checkout's own."""


def load_words(path: str | os.PathLike[str] | None = None) -> list[str]:
    """Read the playable words of a list, one a line; without a path, the list that came with the package.

    Capitals are folded and other lines (names with accents, words too long) passed over, so that any public list can
    be used as it is. Raises BeeError when the file cannot be read or has no playable word.
    """
    ours = f"{RELEASE}/wordlist.txt"
    name = ours if path is None else path
    try:
        with open(name, encoding="utf-8-sig", errors="replace") as file:  # noqa: PTH123
            text = file.read()
    except OSError as error:
        raise BeeError(f"No word list at {name} ({error.strerror}).") from error
    if name == ours:
        return text.split()
    words = list(dict.fromkeys(filter(playable, text.lower().split())))
    if not words:
        raise BeeError(f"{name} has no playable word; a word list is text with one word a line.")
    return words


def load_maybe(letters: Puzzle, release: str = RELEASE) -> list[dict[str, str | float]]:
    """Return the words of tier review that a puzzle spells, each with its p, the likeliest first.

    They are read from `words.csv` of a release. Raises BeeError when it cannot be read.
    """
    import csv

    name = f"{release}/words.csv"
    try:
        with open(name, encoding="utf-8", newline="") as file:  # noqa: PTH123
            rows = [row for row in csv.reader(line for line in file if ",review," in line) if row[1] == "review"]
    except OSError as error:
        raise BeeError(f"No words.csv at {name} ({error.strerror}).") from error
    chance = {row[0]: float(row[2] or 0) for row in rows}
    found = sorted(scan(chance, letters), key=lambda word: (-chance[word], word))
    return [{"word": word, "p": chance[word]} for word in found]


def by_mask(words: Iterable[str]) -> dict[int, list[str]]:
    """Group words that have the same letters.

    >>> list(by_mask(["noon", "moon", "mono"]).values())
    [['noon'], ['moon', 'mono']]
    """
    groups: dict[int, list[str]] = {}
    for word in words:
        groups.setdefault(mask(word), []).append(word)
    return groups


def index(words: Iterable[str]) -> Index:
    """Group words by letter mask; a word stands once under its own mask and once for each way to leave letters open.

    A letter of `FOLDED` that is left open has its bit cleared and another bit, from 26 on, set instead: the group
    then holds words with and without it.

    >>> groups = index(["noon", "main", "mono", "omni"])
    >>> [groups[mask(word)] for word in ("noon", "mono", "main")]
    [['noon'], ['mono'], ['main']]
    >>> groups[mask("mn") | _OPEN["a"] | mask("i")]
    ['main']
    """
    groups: Index = {}
    for letters, alike in by_mask(words).items():
        keys = [letters]
        for letter, left_open in _OPEN.items():
            keys += [key & ~mask(letter) | left_open for key in keys]
        for key in keys:
            groups.setdefault(key, []).extend(alike)
    return groups


_OPEN = {letter: 1 << 26 + place for place, letter in enumerate(FOLDED)}
_BITS = {chr(97 + place): 1 << place for place in range(26)}


def solve(groups: Index, letters: Puzzle) -> list[str]:
    """Return the words of an index that answer a puzzle, in no promised order.

    >>> sorted(solve(index(["octave", "cove", "canto", "seven"]), puzzle("vctaoen")))
    ['cove', 'octave']
    """
    key, outer = _BITS[letters.center], 0
    for letter in letters.outer:
        if letter in _OPEN:
            key |= _OPEN[letter]
        else:
            outer |= _BITS[letter]
    found: list[str] = []
    look_up, subset = groups.get, outer
    while subset:
        if words := look_up(subset | key):
            found += words
        subset = (subset - 1) & outer
    return found + groups.get(key, [])


def scan(words: Iterable[str], letters: Puzzle) -> list[str]:
    """Return the same words as `solve`, by reading the whole list once.

    `str.strip` takes letters off both ends, so a word that it empties has no other letter.

    >>> scan(["octave", "cove", "canto", "seven"], puzzle("vctaoen"))
    ['octave', 'cove']
    """
    center, seven = letters.center, letters.letters
    return [word for word in words if center in word and not word.strip(seven)]


def ranked(words: Iterable[str]) -> list[str]:
    """Order answers for reading: pangrams first, then the longest first, then A to Z.

    >>> ranked(["cove", "octave", "covenant", "cave"])
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


def main(arguments: list[str]) -> int:
    """Solve from the command line without any package: `python -m pipeline.solver vctaoen`."""
    try:
        for word in ranked(scan(load_words(), puzzle("".join(arguments)))):
            print(word)
    except BeeError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
