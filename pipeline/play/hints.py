"""Hints: what a player may want to know of a puzzle's answers without being told the answers.

A hint is made from the words that are still to be found, so the same functions serve the whole puzzle and its rest.
The header, the grid with Σ and the two-letter list have the form that players know from the daily hints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Grid = dict[str, dict[int, int]]
"""First letter to word length to number of words."""


def header(counts: Mapping[str, Any]) -> str:
    """Write counts in one line: count, points, pangrams, perfect_pangrams, bingo (as `bee solve --json` has them).

    >>> header({"count": 58, "points": 237, "pangrams": 3, "perfect_pangrams": 2, "bingo": True})
    'WORDS: 58, POINTS: 237, PANGRAMS: 3 (2 Perfect), BINGO'
    """
    perfect = f" ({counts['perfect_pangrams']} Perfect)" if counts["perfect_pangrams"] else ""
    line = f"WORDS: {counts['count']}, POINTS: {counts['points']}, PANGRAMS: {counts['pangrams']}{perfect}"
    return f"{line}, BINGO" if counts["bingo"] else line


def grid(words: Iterable[str]) -> Grid:
    """Count words by first letter and length, both in order.

    >>> grid(["octave", "cove", "cave"])
    {'c': {4: 2}, 'o': {6: 1}}
    """
    made: Grid = {}
    for word in sorted(words, key=lambda word: (word[0], len(word))):
        row = made.setdefault(word[0], {})
        row[len(word)] = row.get(len(word), 0) + 1
    return made


def two_letters(words: Iterable[str]) -> dict[str, int]:
    """Count words by their first two letters, A to Z.

    >>> two_letters(["octave", "cove", "cave", "coven"])
    {'ca': 1, 'co': 2, 'oc': 1}
    """
    return dict(sorted(Counter(word[:2] for word in words).items()))


def grid_text(made: Grid) -> str:
    """Lay a grid out: a row for each first letter, a column for each length, sums under and beside Σ.

    >>> print(grid_text(grid(["octave", "cove", "cave"])))
         4  6  Σ
    C    2  -  2
    O    -  1  1
    Σ    2  1  3
    """
    lengths = sorted({length for row in made.values() for length in row})
    lines = [["", *map(str, lengths), "Σ"]]
    for letter, row in made.items():
        lines.append([letter.upper(), *(str(row.get(length, "-")) for length in lengths), str(sum(row.values()))])
    columns = [sum(row.get(length, 0) for row in made.values()) for length in lengths]
    lines.append(["Σ", *map(str, columns), str(sum(columns))])
    return "\n".join(f"{first:3}" + "".join(f"{cell:>3}" for cell in cells) for first, *cells in lines)


def two_letters_text(pairs: dict[str, int]) -> str:
    """Lay the two-letter list out, a line for each first letter.

    >>> print(two_letters_text(two_letters(["octave", "cove", "cave", "coven"])))
    CA-1 CO-2
    OC-1
    """
    lines: dict[str, list[str]] = {}
    for pair, count in pairs.items():
        lines.setdefault(pair[0], []).append(f"{pair.upper()}-{count}")
    return "\n".join(map(" ".join, lines.values()))


def ranks_text(needed: Mapping[str, int], had: int | None = None) -> str:
    """Lay ranks out with the points that each takes; for a player who has some, mark the rank and count the rest.

    >>> print(ranks_text({"Great": 12, "Amazing": 15, "Genius": 21}, 20))
        Great         12
     *  Amazing       15  now
        Genius        21  1 more
    """
    reached = [name for name, need in needed.items() if had is not None and had >= need]
    lines = []
    for name, need in needed.items():
        at = "*" if reached and name == reached[-1] else " "
        note = "" if had is None else "  now" if at == "*" else f"  {need - had} more" if need > had else ""
        lines.append(f" {at}  {name:10} {need:5}{note}")
    return "\n".join(lines)


def veiled(words: Iterable[str], shown: int) -> list[str]:
    """Show only the first letters of each word, then its length, in an order that gives nothing else away.

    >>> veiled(["octave", "cove", "cave"], 1)
    ['c... 4', 'c... 4', 'o..... 6']
    """
    return sorted(f"{word[:shown]}{'.' * (len(word) - shown)} {len(word)}" for word in words)
