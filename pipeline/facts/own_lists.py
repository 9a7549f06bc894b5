"""The user's own lists: each `raw/lists/*.txt` is text with one word per line, and `#` starts a comment. Its words are
candidates. Lines that are no playable words are left out."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.errors import DataError
from pipeline.words import not_text, playable, without_comment

OWN_LIST = "own_list"
"""The column of the lexicon that says whether one of these lists has a word."""
OwnLists = Mapping[str, frozenset[str]]
"""The playable words of each list, by path."""


def decode(files: Mapping[str, bytes]) -> OwnLists:
    """Return the lists from their files, by path; raise DataError for a file that is not text or has no playable
    word."""
    return {path: _words(path, data) for path, data in files.items()}


def _words(path: str, data: bytes) -> frozenset[str]:
    text = data.decode("utf-8-sig", "replace")
    words = frozenset(word for line in text.splitlines() if playable(word := without_comment(line).strip()))
    if not_text(text) or not words:
        problem = "is not text in UTF-8 with one word per line" if not_text(text) else "has no playable word"
        raise DataError(f"{path} {problem}. Delete it, or replace it with a list that bee convert makes.")
    return words


def words_of(own_lists: OwnLists) -> list[str]:
    """Return the words of all lists, A to Z."""
    return sorted({word for words in own_lists.values() for word in words})
