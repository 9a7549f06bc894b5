"""Hints: facts about the answers of a puzzle, or about those that are still to be found, in the format that players
know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.solver import Candidate

Grid = dict[str, dict[int, int]]
"""The number of words by first letter, then by length."""


def header(counts: Mapping[str, Any]) -> str:
    """Return counts, named as in `bee solve --json`, as one line. If words are found, a second line counts them.

    >>> header({"count": 58, "points": 237, "pangrams": 3, "perfect_pangrams": 2, "bingo": True})
    'WORDS: 58, POINTS: 237, PANGRAMS: 3 (2 Perfect), BINGO'
    >>> rest = {"count": 3, "points": 14, "pangrams": 0, "perfect_pangrams": 0, "bingo": False}
    >>> print(header({**rest, "words_found": 2, "points_found": 16}))
    STILL TO FIND: WORDS: 3 of 5, POINTS: 14 of 30, PANGRAMS: 0
    FOUND: WORDS: 2, POINTS: 16
    """
    words, points, pangrams = counts["count"], counts["points"], counts["pangrams"]
    perfect = f" ({counts['perfect_pangrams']} Perfect)" if counts["perfect_pangrams"] else ""
    end = f"PANGRAMS: {pangrams}{perfect}" + (", BINGO" if counts["bingo"] else "")
    if "words_found" not in counts:
        return f"WORDS: {words}, POINTS: {points}, {end}"
    words_found, points_found = counts["words_found"], counts["points_found"]
    left = f"WORDS: {words} of {words + words_found}, POINTS: {points} of {points + points_found}, {end}"
    return f"STILL TO FIND: {left}\nFOUND: WORDS: {words_found}, POINTS: {points_found}"


def grid(words: Iterable[str]) -> Grid:
    """Return the numbers of words by first letter and length, both sorted.

    >>> grid(["octave", "cove", "cave"])
    {'c': {4: 2}, 'o': {6: 1}}
    """
    counts: Grid = {}
    for word in sorted(words, key=lambda word: (word[0], len(word))):
        row = counts.setdefault(word[0], {})
        row[len(word)] = row.get(len(word), 0) + 1
    return counts


def two_letters(words: Iterable[str]) -> dict[str, int]:
    """Return the numbers of words by their first two letters, A to Z.

    >>> two_letters(["octave", "cove", "cave", "coven"])
    {'ca': 1, 'co': 2, 'oc': 1}
    """
    return dict(sorted(Counter(word[:2] for word in words).items()))


def grid_text(counts: Grid) -> str:
    """Return a grid as text: one row per first letter, one column per length, and sums in the row and column Σ.

    >>> print(grid_text(grid(["octave", "cove", "cave"])))
         4  6  Σ
    C    2  -  2
    O    -  1  1
    Σ    2  1  3
    """
    lengths = sorted({length for row in counts.values() for length in row})
    lines = [["", *map(str, lengths), "Σ"]]
    for letter, row in counts.items():
        lines.append([letter.upper(), *(str(row.get(length, "-")) for length in lengths), str(sum(row.values()))])
    columns = [sum(row.get(length, 0) for row in counts.values()) for length in lengths]
    lines.append(["Σ", *map(str, columns), str(sum(columns))])
    width = max(3, 1 + max(len(cell) for line in lines for cell in line))
    return "\n".join(f"{first:3}" + "".join(f"{cell:>{width}}" for cell in cells) for first, *cells in lines)


def two_letters_text(counts: dict[str, int]) -> str:
    """Return the two-letter list as text, with one line per first letter.

    >>> print(two_letters_text(two_letters(["octave", "cove", "cave", "coven"])))
    CA-1 CO-2
    OC-1
    """
    items_by_letter: dict[str, list[str]] = {}
    for two_letters, count in counts.items():
        items_by_letter.setdefault(two_letters[0], []).append(f"{two_letters.upper()}-{count}")
    return "\n".join(map(" ".join, items_by_letter.values()))


def ranks_text(rank_points: Mapping[str, int], points: int | None = None) -> str:
    """Return the ranks with the points that each needs, as text. If the points of a player are given, mark the player's
    rank and show how many points each higher rank still needs.

    >>> print(ranks_text({"Great": 12, "Amazing": 15, "Genius": 21}, 20))
        Great         12
     *  Amazing       15  now
        Genius        21  1 more
    """
    reached = [name for name, needed in rank_points.items() if points is not None and points >= needed]
    lines = []
    for name, needed in rank_points.items():
        mark, note = " ", ""
        if reached and name == reached[-1]:
            mark, note = "*", "  now"
        elif points is not None and needed > points:
            note = f"  {needed - points} more"
        lines.append(f" {mark}  {name:10} {needed:5}{note}")
    return "\n".join(lines)


def veiled(words: Iterable[str], letters: int) -> list[str]:
    """Return only the first letters and the length of each word, sorted so that the order reveals nothing else.

    >>> veiled(["octave", "cove", "cave"], 1)
    ['c... 4', 'c... 4', 'o..... 6']
    """
    return sorted(f"{word[:letters]}{'.' * (len(word) - letters)} {len(word)}" for word in words)


def reveal(words: Sequence[str] | Sequence[Candidate], show: str) -> Sequence[str] | Sequence[Candidate] | int:
    """Return as much of the words as the player wants to see: the words, their number, or their first letters."""
    if show == "words":
        return words
    if show == "counts":
        return len(words)
    bare_words = [word if isinstance(word, str) else word["word"] for word in words]
    return veiled(bare_words, 1 if show == "letters" else 2)


def as_line(words_or_number: Sequence[str] | Sequence[Candidate] | int) -> str:
    """Return the result of `reveal` as one line.

    >>> as_line([{"word": "covenant", "p": 0.4}, {"word": "conveant", "p": 0.2}]), as_line(["c... 4"]), as_line([])
    ('covenant 0.40, conveant 0.20', 'c... 4', 'none')
    """
    if isinstance(words_or_number, int):
        return str(words_or_number)
    texts = [word if isinstance(word, str) else f"{word['word']} {word['p']:.2f}" for word in words_or_number]
    return ", ".join(texts) or "none"
