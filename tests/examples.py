"""Tables for tests: words of a lexicon, each a change of a clean one, and records, estimates and decisions by hand."""

from typing import Any

import pandas as pd

from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.opinions import estimate_untried
from pipeline.tables import frames

CLEAN: dict[str, Any] = {
    "word": "cove", "scowl_size": 35, "scowl_british": 35, "scowl_variant": NO_SIZE, "scowl_variant_level": 0,
    "scowl_upper": NO_SIZE, "scowl_name": NO_SIZE, "scowl_abbreviation": NO_SIZE, "scowl_special": NO_SIZE,
    "modern": False, "opinion": "", "own_list": False,
    "wordnet_pos": "n", "wordnet_senses": 2, "wordnet_tagged": 3, "wordnet_capitalised": 0, "wordnet_labels": "",
    "base": "", "cuss": -1, "ldnoobw": False, "zipf": 3.4, "zipf_abroad": 2.0, "language": "it",
}  # fmt: skip


FORMS_BY_ENDING = {"s": "plural", "ing": "present participle", "er": "comparative", "est": "superlative"}


def forms_of(words: pd.DataFrame) -> pd.DataFrame:
    """The table of forms in which each word of a lexicon has its base; its ending says which form it is."""
    rows = []
    for row in frames.rows(words[words["base"] != ""]):
        names = [name for ending, name in FORMS_BY_ENDING.items() if row["word"].endswith(ending)]
        rows.append({"word": row["word"], "base": row["base"], "form": [*names, "past form"][0]})
    return frames.from_rows(rows, "forms")


def lexicon(*changes: dict[str, Any]) -> pd.DataFrame:
    return frames.from_rows([{**CLEAN, **change} for change in changes], "lexicon")


def grades(**words: str) -> pd.DataFrame:
    rows = [{"word": word, "grade": grade, "reason": "", "by": ""} for word, grade in words.items()]
    return frames.from_rows(rows, "grades")


def recorded(**records: tuple[int, int, str, str]) -> pd.DataFrame:
    """Records by word: offered, accepted, last accepted, last rejected."""
    columns = ("offered", "accepted", "last_accepted", "last_refused")
    rows = [{"word": word, **dict(zip(columns, records[word], strict=True))} for word in records]
    return frames.from_rows([{**row, "first_accepted": row["last_accepted"]} for row in rows], "record")


def estimates(**p: float) -> pd.DataFrame:
    rows = [{"word": word, "p": value, "kind": "estimate"} for word, value in p.items()]
    return frames.from_rows(rows, "estimates")


def verdicts(*decided: tuple[str, str]) -> pd.DataFrame:
    same = {"reason": "seen", "by": "ann", "after": "2025-01-02"}
    return frames.from_rows([{"word": word, "verdict": verdict, **same} for word, verdict in decided], "verdicts")


NONE = frames.empty("verdicts")


GOOD = (2, 2, "2025-01-02", "")


BAD = (2, 1, "2024-01-02", "2025-01-02")


def estimated(lexicon: pd.DataFrame, record: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    known = estimate_untried.estimate_input(lexicon, forms_of(lexicon), record)
    return estimate_untried.estimate_and_share(known, estimate_untried.fit(known), words)


def decisions(**tier: str) -> pd.DataFrame:
    reason = {"by": "record", "kind": "verdict", "p": 0.5}
    rows = [{"word": word, "tier": name, "because": f"kept: {word}", **reason} for word, name in tier.items()]
    return frames.from_rows(rows, "decisions")
