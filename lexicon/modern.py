"""Modern words: our own list of words that became ordinary in the last decades and that the other lists lack."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from lexicon.packages import Origin, playable_rows, project_folder
from pipeline.word_list import LeftOut


def parse(files: Mapping[str, str]) -> tuple[pd.DataFrame, LeftOut]:
    """Return the words of `words.txt`, which has one word per line, as a table with the column word."""
    lines = [line for line in files["words.txt"].splitlines() if line and not line.startswith("#")]
    return playable_rows(pd.DataFrame({"word": lines}, dtype="str"), "modern words")


ORIGIN = Origin(
    title="Modern words",
    license="MIT",
    home="part of this project",
    package=project_folder("modern"),
    parse=parse,
)
