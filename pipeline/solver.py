"""The solver: which words of a list are answers of a puzzle. Standard library only.

An answer uses a subset of the seven letters that includes the center, and there are only 64 such subsets. So words are
grouped by letter mask once, and a puzzle takes at most 64 look-ups, however long the list is; `index` folds two letters
to need even fewer. For a single puzzle and a cold start, scanning the list is faster than grouping it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping

from pipeline import reader
from pipeline.words import BY_P, SAFE, BeeError, Puzzle, mask, pangram, perfect_pangram, playable

Index = dict[int, list[str]]
"""Words grouped by letter mask, and by mask with any combination of folded letters ignored."""

FOLDED = "ai"
"""The letters that an index can ignore: the two that occur in most puzzles. One more would double its size."""


def load_words(path: str | os.PathLike[str] | None = None) -> list[str]:
    """Read the playable words of a list, one per line, in lower case; without a path, the list of the package.

    Raises BeeError if the file cannot be read, is in another format, or has no playable word.
    """
    if path is None:
        return load_release(reader.RELEASE)
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
    except OSError as error:
        raise BeeError(f"No word list at {path} ({error.strerror}).") from error
    text = data.decode("utf-8-sig", "replace")
    if _other_form(str(path), data, text):
        raise BeeError(f"{path} is not text with one word per line; `bee convert {path}` converts it.")
    words = list(dict.fromkeys(filter(playable, text.lower().split())))
    if not words:
        raise BeeError(f"{path} has no playable word; a word list is text with one word per line.")
    return words


def _other_form(path: str, data: bytes, text: str) -> bool:
    """Return whether a file is a table, JSON, a Hunspell dictionary, or not text, by its name and its commas."""
    named = path.lower().endswith((".csv", ".tsv", ".json", ".dic", ".gz"))
    if named or data[:2] == b"\x1f\x8b" or b"\0" in data[:4096]:
        return True
    return 2 * sum(map(text.count, ',;\t"|')) > max(1, text.count("\n"))


def load_release(folder: str | os.PathLike[str]) -> list[str]:
    """Read the word list of the release in a folder; raises ReleaseError if it is not the published one."""
    return reader.read(folder, "wordlist.txt").files["wordlist.txt"].decode().split()


def load_maybe(letters: Puzzle, release: str | os.PathLike[str] = reader.RELEASE) -> list[dict[str, str | float]]:
    """Return the words of tier review that a puzzle makes possible, each with its p, most likely first.

    Raises ReleaseError if `words.csv` of the release is not the published file.
    """
    rows = _rows_about(release, lambda line: ",review," in line)
    chance = {row["word"]: float(row["p"] or 0) for row in rows if row["tier"] == "review"}
    return _each_with_p({word: chance[word] for word in scan(chance, letters)})


def load_pangrams(letters: Puzzle, release: str | os.PathLike[str] = reader.RELEASE) -> list[dict[str, str | float]]:
    """Return the `candidates` of a puzzle, each with its p, most likely first; raises errors like `load_maybe`."""
    return _each_with_p(
        candidates(_rows_about(release, lambda line: not line.partition(",")[0].strip(letters.letters)))
    )


def _each_with_p(chance: Mapping[str, float]) -> list[dict[str, str | float]]:
    return [{"word": word, "p": chance[word]} for word in likeliest(chance)]


def _rows_about(release: str | os.PathLike[str], only: Callable[[str], bool]) -> Iterator[dict[str, str]]:
    """Yield the rows of `words.csv` of a release whose line is accepted."""
    return reader.word_rows(reader.read(release, "words.csv").files["words.csv"], ("word", "tier", "p"), only)


def candidates(rows: Iterable[Mapping[str, str]]) -> dict[str, float]:
    """Return the unlisted pangrams that may be the guess for their letters, each with its p, from rows of `words.csv`:
    words in doubt, and words that only their p keeps off the list, unless `SAFE` leaves them out.

    >>> rows = [{"word": word, "tier": "refused", "p": "0.1", "flags": "", "kind": kind}
    ...         for word, kind in (("octaven", "estimate"), ("covenat", "refused"), ("cave", "estimate"))]
    >>> candidates(rows)
    {'octaven': 0.1}
    """
    return {
        row["word"]: float(row["p"] or 0)
        for row in rows
        if pangram(row["word"])
        and (row["tier"] == "review" or (row["tier"] == "refused" and row["kind"] in BY_P))
        and set(SAFE).isdisjoint(row["flags"].split())
    }


def likeliest(chance: Mapping[str, float]) -> list[str]:
    """Order words by falling p, then A to Z: the first pangram is the guess for its letters.

    >>> likeliest({"octavens": 0.2, "covenanta": 0.2, "octaven": 0.3})
    ['octaven', 'covenanta', 'octavens']
    """
    return sorted(chance, key=lambda word: (-chance[word], word))


def guesses(listed: Iterable[str], chance: Mapping[str, float]) -> set[str]:
    """Return the most likely pangram of every set of seven letters for which no listed word uses all letters.

    >>> sorted(guesses(["covenant"], {"octaven": 0.3, "bangered": 0.2, "bangerad": 0.4, "bandager": 0.4}))
    ['bandager']
    """
    has = {mask(word) for word in listed if pangram(word)}
    best: dict[int, str] = {}
    for word in likeliest({word: p for word, p in chance.items() if pangram(word)}):
        best.setdefault(mask(word), word)
    return {word for letters, word in best.items() if letters not in has}


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
    """Group words by letter mask: each is stored under its own mask and under each mask with `FOLDED` letters ignored.

    An ignored letter has its bit cleared and another bit, from 26 on, set instead.

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
    """Return the words of an index that are answers of a puzzle, in any order.

    >>> from pipeline.words import puzzle
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
    """Return the same words as `solve`, by reading the whole list once. A word that `str.strip` empties fits.

    >>> from pipeline.words import puzzle
    >>> scan(["octave", "cove", "canto", "seven"], puzzle("vctaoen"))
    ['octave', 'cove']
    """
    center, seven = letters.center, letters.letters
    return [word for word in words if center in word and not word.strip(seven)]


def ranked(words: Iterable[str]) -> list[str]:
    """Order answers for reading: pangrams first, then longest first, then A to Z.

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
