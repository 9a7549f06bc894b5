"""Assigns each word one of `words.TIERS` by its verdict, or else by its record, or else by its estimate.

The reason has a kind, one of `words.REASONS`, and is told in a sentence.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.opinions.catalog import above_all_a_name
from pipeline.tables import columns, frames
from pipeline.words import (
    DOUBTFUL,
    LIKELY,
    TIER_OF_VERDICT,
    UNSAFE_FLAGS,
    UNUSUAL,
    decided_by,
    record_sentence,
    verdict_sentence,
)

P_OF_UNKNOWN_WORD = 0.5
"""The p of a word without an estimate, which only a verdict can decide. It is also the least p of a word that a person
keeps and that no puzzle tried. Of 84 words that a reader called ordinary before their first trial, 81 were accepted; of
335 similar words, 175 were accepted."""
UNSAFE = {
    grade: f"never accepted, and we list no {name} before a puzzle accepts it"
    for grade, name in {"slur": "slur", "vulgar": "strong vulgarity", "explicit": "explicit word"}.items()
}
"""The reason for a word with a grade of `UNSAFE_FLAGS`."""
NEEDS_MORE = f", and a British spelling or a name, which needs p = {UNUSUAL:.2f}"
"""What is said of a word that would be listed if it were neither British nor a name."""
GONE = "no list has it as a common word, and no puzzle accepted it"
"""What is said of a word that has no decision any more."""


def decide(
    record: pd.DataFrame,
    estimates: pd.DataFrame,
    flags: pd.DataFrame,
    verdicts: pd.DataFrame,
    lexicon: pd.DataFrame,
) -> pd.DataFrame:
    """Return the tier of every word with a record, an estimate or a verdict: columns word, tier, by, kind, because, p.

    `estimates` are those of `families.share`. Of the flags, only those in `UNSAFE_FLAGS` affect decisions: a word with
    one of them is not listed if it was never accepted. The `lexicon` says which words are British or names.
    """
    unsafe = flags[columns.is_in(flags["flag"], UNSAFE_FLAGS)]
    unsafe = unsafe[columns.is_in(unsafe["word"], estimates["word"])]
    others = pd.concat(
        [
            _by_verdict(verdicts),
            by_record(_without(record, verdicts)),
            _by_grade(_without(unsafe, verdicts, record)),
        ]
    )
    p = columns.look_up(others["word"], estimates.set_index("word")["p"], P_OF_UNKNOWN_WORD)
    by_estimate = _by_estimate(_without(estimates, others), lexicon)
    decided = pd.concat([others.assign(p=p), by_estimate], ignore_index=True)
    kinds, number_of_kind = columns.distinct(columns.as_text(decided["kind"]))
    by = columns.texts(number_of_kind, [decided_by(kind) for kind in kinds.to_pylist()])
    return frames.check(decided.assign(by=by), "decisions")


def _without(table: pd.DataFrame, *others: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table whose words are in none of the other tables."""
    words = pd.concat([other["word"] for other in others])
    return table[~columns.is_in(table["word"], words)]


def least_p(decisions: pd.DataFrame, tried: pd.Series) -> pd.Series:
    """Return the p of decisions as they are published: a word that a person keeps and that is not among the `tried`
    ones has at least `P_OF_UNKNOWN_WORD`."""
    is_kept = (decisions["by"] == "verdict") & (decisions["tier"] == "core")
    is_untried = ~columns.is_in(decisions["word"], tried)
    return decisions["p"].mask(is_kept & is_untried, decisions["p"].clip(lower=P_OF_UNKNOWN_WORD))


def by_record(record: pd.DataFrame) -> pd.DataFrame:
    """Return the decision on every tried word by its last trial: columns word, tier, kind, because."""
    was_accepted = record["last_accepted"] > record["last_refused"]
    last_trial = record["last_accepted"].where(was_accepted, record["last_refused"])
    cells = (record["accepted"], record["offered"], was_accepted, last_trial)
    outcomes = zip(*(column.tolist() for column in cells), strict=True)
    return pd.DataFrame(
        {
            "word": record["word"],
            "tier": columns.texts(was_accepted, ["refused", "core"]),
            "kind": columns.texts(was_accepted, ["refused", "accepted"]),
            "because": pd.array([record_sentence(*each) for each in outcomes], dtype="str"),
        }
    )


def _by_verdict(verdicts: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for row in frames.rows(verdicts):
        tier = TIER_OF_VERDICT.get(row["verdict"], "refused")
        rows.append((row["word"], tier, "verdict", verdict_sentence(row)))
    return pd.DataFrame(rows, columns=["word", "tier", "kind", "because"], dtype="str")


def _by_grade(unsafe: pd.DataFrame) -> pd.DataFrame:
    """Return the decision on words with a grade of `UNSAFE_FLAGS`, which are not listed."""
    grade = unsafe["flag"]
    return pd.DataFrame({"word": unsafe["word"], "tier": "refused", "kind": grade, "because": grade.map(UNSAFE)})


def is_unusual(lexicon: pd.DataFrame) -> pd.Series:
    """Return which words need p = `UNUSUAL`: British spellings, and words that are mostly names."""
    is_british = lexicon["scowl_british"] < lexicon["scowl_size"]
    is_name: pd.Series = above_all_a_name(lexicon) & (lexicon["base"] == "")
    return is_british | is_name


def _by_estimate(estimates: pd.DataFrame, lexicon: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions on words by their estimates, with p."""
    word, p = estimates["word"], estimates["p"]
    least = np.where(columns.is_in(word, lexicon["word"][is_unusual(lexicon)]), UNUSUAL, LIKELY)
    tier = np.select([p >= least, p >= DOUBTFUL], [2, 1], 0)
    beginning = columns.texts((p >= LIKELY) & (p < least), ["untried: ", f"untried{NEEDS_MORE}: "])
    return pd.DataFrame(
        {
            "word": word,
            "tier": columns.texts(tier, ["refused", "review", "likely"]),
            "kind": estimates["kind"],
            "because": pd.Series(beginning, index=estimates.index) + estimates["because"],
            "p": p,
        }
    )
