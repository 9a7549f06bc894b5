"""Hints: facts about the answers of a puzzle, or about those still to find, in the format that players know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would take a tenth of the time of a reply
    from typing import Any

Grid = dict[str, dict[int, int]]
"""The number of words by first letter, then by length."""


def header(counts: Mapping[str, Any]) -> str:
    """Format counts, named as in `bee solve --json`, as one line; if words are found, a second line counts them.

    >>> header({"count": 58, "points": 237, "pangrams": 3, "perfect_pangrams": 2, "bingo": True})
    'WORDS: 58, POINTS: 237, PANGRAMS: 3 (2 Perfect), BINGO'
    >>> rest = {"count": 3, "points": 14, "pangrams": 0, "perfect_pangrams": 0, "bingo": False}
    >>> print(header({**rest, "words_found": 2, "points_found": 16}))
    STILL TO FIND: WORDS: 3 of 5, POINTS: 14 of 30, PANGRAMS: 0
    FOUND: WORDS: 2, POINTS: 16
    """
    perfect = f" ({counts['perfect_pangrams']} Perfect)" if counts["perfect_pangrams"] else ""
    words, points = counts["count"], counts["points"]
    had = (counts["words_found"], counts["points_found"]) if "words_found" in counts else None
    of = (f" of {words + had[0]}", f" of {points + had[1]}") if had else ("", "")
    line = f"WORDS: {words}{of[0]}, POINTS: {points}{of[1]}, PANGRAMS: {counts['pangrams']}{perfect}"
    line += ", BINGO" if counts["bingo"] else ""
    return f"STILL TO FIND: {line}\nFOUND: WORDS: {had[0]}, POINTS: {had[1]}" if had else line


def grid(words: Iterable[str]) -> Grid:
    """Count words by first letter and length, both sorted.

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
    """Format a grid: one row per first letter, one column per length, and sums in the row and column Σ.

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
    width = max(3, 1 + max(len(cell) for line in lines for cell in line))
    return "\n".join(f"{first:3}" + "".join(f"{cell:>{width}}" for cell in cells) for first, *cells in lines)


def two_letters_text(pairs: dict[str, int]) -> str:
    """Format the two-letter list, one line per first letter.

    >>> print(two_letters_text(two_letters(["octave", "cove", "cave", "coven"])))
    CA-1 CO-2
    OC-1
    """
    lines: dict[str, list[str]] = {}
    for pair, count in pairs.items():
        lines.setdefault(pair[0], []).append(f"{pair.upper()}-{count}")
    return "\n".join(map(" ".join, lines.values()))


def ranks_text(needed: Mapping[str, int], had: int | None = None) -> str:
    """Format ranks with the points that each needs. If a player has points, mark the rank and show the points left.

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
    """Show only the first letters and the length of each word, sorted so that the order reveals nothing else.

    >>> veiled(["octave", "cove", "cave"], 1)
    ['c... 4', 'c... 4', 'o..... 6']
    """
    return sorted(f"{word[:shown]}{'.' * (len(word) - shown)} {len(word)}" for word in words)


def revealed(words: Sequence[Any], show: str) -> Sequence[Any] | int:
    """Show words, or rows with a word and its p, only as far as the player wants."""
    if show == "words":
        return words
    if show == "counts":
        return len(words)
    bare = [word if isinstance(word, str) else word["word"] for word in words]
    return veiled(bare, 1 if show == "letters" else 2)


def listed(some: Sequence[Any] | int) -> str:
    """Format the result of `revealed` as one line."""
    if isinstance(some, int):
        return str(some)
    return ", ".join(one if isinstance(one, str) else f"{one['word']} {one['p']:.2f}" for one in some) or "none"
