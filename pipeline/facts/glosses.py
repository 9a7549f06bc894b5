"""The gloss table: short definitions from WordNet, for playable words and for their lemmas.

Makes the table `data/raw/lexicon/glosses.csv.gz` from the text of WordNet's files. Columns: word; base, the lemma that
has the glosses of an inflected form; pos (n v a r); gloss; rude, `!` for an offensive sense. A word has up to `SENSES`
rows, its most frequent senses first; an inflected form has one row and no gloss of its own.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from pipeline.facts import endings
from pipeline.facts.word_list import ListError
from pipeline.words import MAX_LENGTH, PUZZLE_LETTERS, playable

SENSES = 3
"""The maximum number of rows per word; further senses are rare."""
COLUMNS = ["word", "base", "pos", "gloss", "rude"]

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_KINDS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_RUDE_USAGE = {"ethnic_slur", "disparagement", "dirty_word"}
"""WordNet's usage domains for offensive senses."""
_RUDE = re.compile(
    r"ethnic slur|(offensive|obscene|vulgar|derogatory|disparaging|insulting|pejorative|contemptuous)(ly)? "
    r"(and [a-z]+ )?(term|word|name|slang|expression|reference)|considered (offensive|vulgar|obscene)|"
    r"\((usually |often )?(vulgar|obscene|offensive|derogatory|ethnic)|\bprostitut|\bsexual|\bgenital|\bslut|\bwhore",
)
"""Matches the gloss of an offensive sense. Deliberately wide: a match only keeps the sense from being a clue."""


def glosses(files: Mapping[str, str], words: Iterable[str]) -> pd.DataFrame:
    """Make the table for `words` and their lemmas from WordNet's `data.*`, `index.*`, `*.exc` and `cntlist.rev`.

    `words` are words that may be looked up, such as all words of SCOWL; it need not include the words of WordNet.
    Raises ListError if an index is absent.
    """
    senses = _senses(files)
    irregular = dict(_irregular(files))
    rows: list[tuple[str, ...]] = [
        (word, "", pos, gloss, rude) for word, told in senses.items() for pos, gloss, rude in told
    ]
    wanted = {word for word in words if playable(word)} | {form for form in irregular if playable(form)}
    for word in wanted - senses.keys():
        tried = (irregular.get(word, ""), *endings.bases(word))
        base = next((each for each in tried if each in senses), "")
        if base:
            rows.append((word, base, "", "", ""))
    return pd.DataFrame(sorted(rows, key=operator.itemgetter(0)), columns=COLUMNS)


def _senses(files: Mapping[str, str]) -> dict[str, list[tuple[str, str, str]]]:
    """Return the first senses of every word: (pos, gloss, rude), the most frequent in the tagged texts first."""
    if absent := [f"index.{part}" for part in _PARTS if f"index.{part}" not in files]:
        raise ListError(f"WordNet files are missing: {', '.join(absent)}; the Debian package wordnet-base has them.")
    tags = _tags(files.get("cntlist.rev", ""))
    found: defaultdict[str, list[tuple[int, int, int, tuple[str, str, str]]]] = defaultdict(list)
    rude_usage = set(_usage(files))
    for place, (part, pos) in enumerate(_PARTS.items()):
        synsets = {}
        for line in files[f"data.{part}"].splitlines():
            if not line.startswith("  "):
                synsets[line[:8]] = line
        for word, offsets in _index(files[f"index.{part}"]):
            for rank, offset in enumerate(offsets, 1):
                head, _, text = synsets[offset].partition(" | ")
                fields = head.split()
                if word in _forms(fields) and "@i" not in fields:
                    usage = any(fields[at] == ";u" and fields[at + 1] in rude_usage for at in range(len(fields) - 1))
                    gloss = _plain(text)
                    sense = (pos, gloss, "!" if usage or _RUDE.search(gloss) else "")
                    found[word].append((-tags.get((word, pos, rank), 0), place, rank, sense))
    return {word: [sense for *_, sense in sorted(told)[:SENSES]] for word, told in found.items()}


def _plain(text: str) -> str:
    """Return a gloss without its examples.

    >>> _plain('a deep narrow valley; "they camped in the vale"  ')
    'a deep narrow valley'
    """
    return re.split(r'; ?"|\s+--\s*"', text.strip())[0].strip().rstrip(";:")


def _forms(fields: list[str]) -> set[str]:
    """Return the words of a synset as written, without the position marker of some adjectives."""
    count = int(fields[3], 16)
    return {form.partition("(")[0] for form in fields[4 : 4 + 2 * count : 2]}


def _index(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the words of an index file that can be a lemma of a playable word, with their synsets in order of sense."""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word.isalpha() and 2 <= len(word) <= MAX_LENGTH and len(set(word)) <= PUZZLE_LETTERS:
            fields = rest.split()
            yield word, fields[-int(fields[1]) :]


def _usage(files: Mapping[str, str]) -> Iterator[str]:
    """Yield the offsets of the synsets that mark a sense as offensive."""
    for line in files["data.noun"].splitlines():
        if not line.startswith("  ") and _RUDE_USAGE & _forms(line.split(" | ")[0].split()):
            yield line[:8]


def _tags(text: str) -> dict[tuple[str, str, int], int]:
    """Read cntlist.rev: the frequency of each word, part of speech and sense number."""
    counts = {}
    for line in text.splitlines():
        key, number, count = line.split()
        word, _, kind = key.partition("%")
        counts[word, _KINDS[kind[0]], int(number)] = int(count)
    return counts


def _irregular(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield irregular forms with their lemmas; the first part of speech comes last, so its lemma is used."""
    for part in reversed(_PARTS):
        for line in reversed(files.get(f"{part}.exc", "").splitlines()):
            form, base = line.split()[:2]
            if form != base:
                yield form, base
