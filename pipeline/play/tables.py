"""The tables of the lexicon that come with the package: glosses and SCOWL's sizes. Standard library only."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator

from pipeline.words import BeeError

# `os.path` and `open`, not `pathlib`: importing it takes longer than solving a puzzle.
_PACKAGE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120
_WHEEL, _CHECKOUT = f"{_PACKAGE}/lexicon", f"{os.path.dirname(_PACKAGE)}/data/raw/lexicon"  # noqa: PTH120
LEXICON = _WHEEL if os.path.isdir(_WHEEL) else _CHECKOUT  # noqa: PTH112
"""The folder of the tables: inside an installed wheel, or in the checkout."""


def rows(
    name: str, folder: str | os.PathLike[str] = LEXICON, words: Container[str] | None = None
) -> Iterator[list[str]]:
    """Yield the rows of a table without its header; if words are given, only rows that begin with one of them.

    Raises BeeError if the table is absent or damaged; `bee lexicon` makes it.
    """
    return chosen(read(name, folder), words)


def read(name: str, folder: str | os.PathLike[str] = LEXICON) -> str:
    """Return a table as text without its header; raises BeeError like `rows`."""
    import gzip  # imported here, because a puzzle that needs no table is solved faster without it

    path = os.path.join(folder, f"{name}.csv.gz")  # noqa: PTH118
    try:
        with gzip.open(path) as file:
            text = file.read().decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BeeError(f"Cannot read {path} ({error}); `bee lexicon` makes it.") from error
    return text.partition("\n")[2]


def of_word(body: str, word: str) -> list[list[str]]:
    """Return the rows that begin with a word from the result of `read`, without parsing other lines.

    >>> of_word("luff,,n,edge,\\nluffs,luff,,,\\nluff,,v,flap,\\n", "luff")
    [['luff', '', 'n', 'edge', ''], ['luff', '', 'v', 'flap', '']]
    """
    import csv

    body, mark, lines = f"\n{body}\n", f"\n{word},", []
    at = body.find(mark) if word.isalpha() else -1
    while at >= 0:
        end = body.find("\n", at + 1)
        lines.append(body[at + 1 : end])
        at = body.find(mark, end)
    return list(csv.reader(lines))


def chosen(body: str, words: Container[str] | None = None) -> Iterator[list[str]]:
    """Yield the rows of the result of `read`, like `rows`."""
    import csv
    import io

    if words is not None:
        body = "\n".join(line for line in body.split("\n") if line.partition(",")[0] in words)
    yield from csv.reader(io.StringIO(body))
