"""Assigns each word one of `words.TIERS` by its verdict, or else by its record, or else by its estimate.

The reason is data: its kind, one of `words.REASONS`, and the details that fill in its sentence (`reasons.sentences`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.opinions.phrases import UNUSED_COMPARATIVE, UNUSUAL_WORD
from pipeline.tables import columns, frames
from pipeline.words import DOUBTFUL, LIKELY, TIER_OF_VERDICT, UNSAFE_FLAGS, UNUSUAL, Reason

P_OF_UNKNOWN_WORD = 0.5
"""The p of a word without an estimate, which only a verdict can decide. It is also the least p of a word that a person
keeps and that no puzzle tried. Of 84 words that a reader called ordinary before their first trial, 81 were accepted; of
335 similar words, 175 were accepted."""
_COLUMNS = ["word", "tier", "by", "kind", "details"]


def decide(
    record: pd.DataFrame,
    estimates: pd.DataFrame,
    flags: pd.DataFrame,
    verdicts: pd.DataFrame,
    unusual_words: pd.DataFrame,
) -> pd.DataFrame:
    """Return the tier of every word with a record, an estimate or a verdict: columns word, tier, by, kind, details, p.

    `estimates` are those of `families.share`. Of the flags, only those in `UNSAFE_FLAGS` affect decisions: a word with
    one of them is not listed if it was never accepted.
    """
    untried = estimates[~columns.is_in(estimates["word"], record["word"])].reset_index(drop=True)
    by_estimate = _by_estimate(untried, unusual_words, _unsafe(flags))
    tried = by_record(record)
    judged = verdicts["word"]
    decided = pd.concat(
        [
            by_estimate[~columns.is_in(by_estimate["word"], judged)],
            tried[~columns.is_in(tried["word"], judged)],
            _by_verdict(verdicts),
        ],
        ignore_index=True,
    )
    p = columns.look_up(decided["word"], estimates.set_index("word")["p"], P_OF_UNKNOWN_WORD)
    return frames.check(decided.assign(p=p), "decisions")


def by_record(record: pd.DataFrame) -> pd.DataFrame:
    """Return the decision on every tried word by its last trial: columns word, tier, by, kind, details."""
    was_accepted = (record["last_accepted"] > record["last_refused"]).to_numpy()
    last_trial = record["last_accepted"].where(was_accepted, record["last_refused"])
    details = record["accepted"].astype("str") + "|" + record["offered"].astype("str") + "|" + last_trial
    return pd.DataFrame(
        {
            "word": record["word"],
            "tier": np.where(was_accepted, "core", "refused"),
            "by": "record",
            "kind": np.where(was_accepted, "accepted", "refused"),
            "details": details,
        }
    ).astype("str")


def verdict_reason(verdict: str, by: str, on: str, reason: str) -> Reason:
    """Return the reason for a decision by a person."""
    return Reason("verdict", (verdict, by, on, reason))


def _by_verdict(verdicts: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for row in frames.rows(verdicts):
        reason = verdict_reason(row["verdict"], row["by"], row["on"], row["reason"])
        tier = TIER_OF_VERDICT.get(row["verdict"], "refused")
        rows.append((row["word"], tier, "verdict", reason.kind, reason.details))
    return pd.DataFrame(rows, columns=_COLUMNS, dtype="str")


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
    unsaid_words = unusual_words["word"][unusual_words["kind"] == "unsaid"]
    is_unsaid = columns.is_in(word, unsaid_words) & is_estimated & (p >= LIKELY).to_numpy()
    needs_more = is_unusual & p.between(LIKELY, UNUSUAL, inclusive="left").to_numpy()
    basis = estimates["basis"].copy()
    basis[needs_more] = f"{UNUSUAL_WORD}, " + basis[needs_more]
    basis[is_unsaid] = f"{UNUSED_COMPARATIVE}, " + estimates["basis"][is_unsaid]
    p_text = p.map({number: f"{number:.2f}" for number in p.unique()}).astype("str")
    decided = pd.DataFrame(
        {
            "word": word,
            "tier": np.where(is_unsaid, "review", _tiers(p, is_unusual)),
            "by": "estimate",
            "kind": estimates["kind"],
            "details": (p_text + "|" + basis).where(is_estimated, p_text),
        }
    ).astype("str")
    is_unsafe = columns.is_in(word, unsafe.index)
    decided.loc[is_unsafe, "tier"] = "refused"
    decided.loc[is_unsafe, "kind"] = unsafe[word[is_unsafe]].to_numpy()
    decided.loc[is_unsafe, "details"] = ""
    return decided


def _is_unusual(estimates: pd.DataFrame, unusual_words: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which words are unusual, or are a form of an unusual word whose p is too low for the list."""
    below = estimates["word"][estimates["p"] < UNUSUAL]
    of_word = unusual_words[unusual_words["kind"] == "unusual"]
    of_form = unusual_words[(unusual_words["kind"] == "form") & columns.is_in(unusual_words["base"], below)]
    return columns.is_in(estimates["word"], pd.concat([of_word["word"], of_form["word"]]))


def _tiers(p: pd.Series, is_unusual: npt.NDArray[np.bool_]) -> npt.NDArray[np.str_]:
    """Return the tier for each p."""
    needed = np.where(is_unusual, UNUSUAL, LIKELY)
    return np.select([p >= needed, p >= DOUBTFUL], ["likely", "review"], "refused")
