"""Modern words: our own list of words that became ordinary in the last decades and that the other lists lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pandas as pd

from lexicon.packages import Origin, own
from pipeline.facts.word_files import RejectedLines
from pipeline.words import rule_broken


def parse(files: Mapping[str, str]) -> tuple[pd.DataFrame, RejectedLines]:
    """Parse `words.txt`, one word a line: column word."""
    words = [line for line in files["words.txt"].splitlines() if line and not line.startswith("#")]
    rejected: RejectedLines = Counter(rule for word in words if (rule := rule_broken(word)))
    return pd.DataFrame({"word": sorted({word for word in words if not rule_broken(word)})}), rejected


ORIGIN = Origin("Modern words", "MIT", "part of this project", own("modern"), parse)
