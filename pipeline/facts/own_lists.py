"""The user's own lists, `raw/lists/*.txt`: their words are candidates."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline import word_list

OWN_LIST = "own_list"
"""The column of the lexicon that says whether one of these lists has a word."""
OwnLists = Mapping[str, frozenset[str]]
"""The playable words of each list, by path."""


def decode(files: Mapping[str, bytes]) -> OwnLists:
    """Return the lists from their files, by path; raise DataError for a file that is no word list."""
    return {path: frozenset(word_list.decode(path, data).words) for path, data in files.items()}


def words_of(own_lists: OwnLists) -> list[str]:
    """Return the words of all lists, A to Z."""
    return sorted({word for words in own_lists.values() for word in words})
