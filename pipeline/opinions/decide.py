"""Assigns each word one of `words.TIERS` by its verdict, or else by its record, or else by its estimate.

The reason has a kind, one of `words.REASONS`, and is told in a sentence.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

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
NEEDS_MORE = f", and an unusual spelling or a name, which needs p = {UNUSUAL:.2f}"
"""What is said of a word that would be listed if its spelling were usual or if it were not a name."""
UNSAID = ', and people say "{} {}" instead'
"""What is said of a likely comparative or superlative that waits for a person (`families.unusual_words`): that they use
more or most, and its base."""
GONE = "no list has it as a common word, and no puzzle accepted it"
"""What is said of a word that has no decision any more."""


def decide(
    record: pd.DataFrame,
    estimates: pd.DataFrame,
    flags: pd.DataFrame,
    verdicts: pd.DataFrame,
    unusual_words: pd.DataFrame,
) -> pd.DataFrame:
    """Return the tier of every word with a record, an estimate or a verdict: columns word, tier, by, kind, because, p.

    `estimates` are those of `families.share`. Of the flags, only those in `UNSAFE_FLAGS` affect decisions: a word with
    one of them is not listed if it was never accepted.
    """
    is_untried = ~columns.is_in(estimates["word"], record["word"])
    without_verdict = pd.concat(
        [_by_estimate(estimates[is_untried].reset_index(drop=True), unusual_words, _unsafe(flags)), by_record(record)]
    )
    is_judged = columns.is_in(without_verdict["word"], verdicts["word"])
    decided = pd.concat([without_verdict[~is_judged], _by_verdict(verdicts)], ignore_index=True)
    p = columns.look_up(decided["word"], estimates.set_index("word")["p"], P_OF_UNKNOWN_WORD)
    by = decided["kind"].map({kind: decided_by(kind) for kind in decided["kind"].unique()}).astype("str")
    return frames.check(decided.assign(by=by, p=p), "decisions")


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


def _unsafe(flags: pd.DataFrame) -> pd.Series:
    """Return the grades of `UNSAFE_FLAGS`, indexed by word."""
    unsafe = flags[columns.is_in(flags["flag"], UNSAFE_FLAGS)]
    return unsafe.set_index("word")["flag"]


def _by_estimate(estimates: pd.DataFrame, unusual_words: pd.DataFrame, unsafe: pd.Series) -> pd.DataFrame:
    """Return the decisions on words without a trial by their estimates. Words with a grade of `UNSAFE_FLAGS` are not
    listed, and comparatives that nobody says wait for a person."""
    word, p = estimates["word"], estimates["p"]
    is_estimated = (estimates["kind"] == "estimate").to_numpy()
    is_unusual = _is_unusual(estimates, unusual_words) & is_estimated
    base_of = unusual_words[unusual_words["kind"] == "unsaid"].set_index("word")["base"]
    is_unsaid = columns.is_in(word, base_of.index) & is_estimated & (p >= LIKELY).to_numpy()
    needs_more = is_unusual & p.between(LIKELY, UNUSUAL, inclusive="left").to_numpy()
    says_more = columns.texts(needs_more, ["", NEEDS_MORE])
    says_more[is_unsaid] = [
        UNSAID.format("most" if unsaid.endswith("est") else "more", base_of[unsaid]) for unsaid in word[is_unsaid]
    ]
    is_unsafe = columns.is_in(word, unsafe.index)
    is_likely = p >= np.where(is_unusual, UNUSUAL, LIKELY)
    tier = np.select([is_unsafe, is_unsaid, is_likely, p >= DOUBTFUL], [0, 1, 2, 1], 0)
    decided = pd.DataFrame(
        {
            "word": word,
            "tier": columns.texts(tier, ["refused", "review", "likely"]),
            "kind": estimates["kind"],
            "because": "untried" + pd.Series(says_more, index=estimates.index) + ": " + estimates["because"],
        }
    )
    grades = unsafe[word[is_unsafe]]
    decided.loc[is_unsafe, "kind"] = grades.to_numpy()
    decided.loc[is_unsafe, "because"] = grades.map(UNSAFE).to_numpy()
    return decided


def _is_unusual(estimates: pd.DataFrame, unusual_words: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which words are unusual, or are a form of an unusual word whose p is too low for the list."""
    below = estimates["word"][estimates["p"] < UNUSUAL]
    of_word = unusual_words[unusual_words["kind"] == "unusual"]
    of_form = unusual_words[(unusual_words["kind"] == "form") & columns.is_in(unusual_words["base"], below)]
    return columns.is_in(estimates["word"], pd.concat([of_word["word"], of_form["word"]]))
