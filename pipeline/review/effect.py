"""Effect: the words of the list that would come and go with a verdict."""

from __future__ import annotations

import pandas as pd

from pipeline import run
from pipeline.errors import BeeError
from pipeline.facts import by_hand
from pipeline.publishing.release_files import wordlist
from pipeline.store import Workspace
from pipeline.tables import frames


def effect(word: str, verdict: str, workspace: Workspace) -> dict[str, list[str]]:
    """Return the words that a verdict would add to the list and remove from it, as + and -; nothing is written. Raises
    BeeError for a word that no puzzle can have."""
    made = run.update(workspace)
    row = {"word": word, "verdict": verdict, "reason": "", "by": "", "after": max(made.coverage.dates, default="")}
    if problem := by_hand.problem_with("verdicts", {**row, "reason": "none", "by": "none"}):
        raise BeeError(f"{problem[0].upper()}{problem[1:]}.")
    others = made.verdicts[made.verdicts["word"] != word]
    verdicts = pd.concat([others, frames.from_rows([row], "verdicts")], ignore_index=True)
    before = {*wordlist(made.decisions)}
    after = {*wordlist(run.decide_words(made, made.flags, made.estimates, verdicts))}
    return {"+": sorted(after - before), "-": sorted(before - after)}
