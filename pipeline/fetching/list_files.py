"""The files of a word list on disk. This needs no package, because `bee convert` works with the plain install."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline import store
from pipeline.facts.word_list import ListError


def files_of(path: Path) -> dict[str, bytes]:
    """Read a list, and the affix file of a Hunspell dictionary, by file name; raise ListError if a file is missing."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise ListError(f"{path} {what}; name the file with the words.")
    found = {path.name: store.read_bytes(path, "whoever keeps the list")}
    stem = re.sub(r"\.dic(\.gz)?$", "", path.name, flags=re.IGNORECASE)
    for ending in (".aff", ".aff.gz") if stem != path.name else ():
        if (beside := path.with_name(stem + ending)).is_file():
            return {**found, beside.name: store.read_bytes(beside, "whoever keeps the list")}
    return found
