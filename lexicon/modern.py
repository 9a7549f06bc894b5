"""Modern words: our own list of words that became ordinary in the last decades and that the other lists lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pandas as pd

from lexicon.packages import Origin, project_folder
from pipeline.facts.word_files import RejectedLines
from pipeline.words import rule_broken


def parse(files: Mapping[str, str]) -> tuple[pd.DataFrame, RejectedLines]:
    """Parse `words.txt`, one word a line: column word."""
    words = set()
    rejected: RejectedLines = Counter()
    for line in files["words.txt"].splitlines():
        if not line or line.startswith("#"):
            continue
        rule = rule_broken(line)
        if rule:
            rejected[rule] += 1
        else:
            words.add(line)
    return pd.DataFrame({"word": sorted(words)}), rejected


ORIGIN = Origin(
    title="Modern words",
    license="MIT",
    home="part of this project",
    package=project_folder("modern"),
    parse=parse,
)
